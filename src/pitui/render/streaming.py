"""Markdown that is still being written: only its end is parsed again."""

from typing import NamedTuple

from pitui.render.cuts import Cut, Opening
from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.markdown import Page, draw_page
from pitui.render.text import clean


class _Frozen(NamedTuple):
    """The part of the text that will not look different any more: its end, the number of its rows, what it opened."""

    end: int = 0
    rows: int = 0
    opening: Opening = Opening()


class OpenMarkdown:
    """Rows of a text that grows, the same that `draw_markdown` gives for all of it.

    What stands before the last place where the text can be cut is frozen. `kept` is how many leading rows of the last
    update are the very rows of the one before.
    """

    def __init__(self, look: Look) -> None:
        self.kept = 0
        self._look = look
        self._text = ""
        self._lines: list[Line] = []
        self._frozen = _Frozen()

    def update(self, text: str) -> list[Line]:
        """The rows of `text`, which is best what it was with something added; anything else is drawn anew."""
        if not text.startswith(self._text):
            self._frozen = _Frozen()
        end, rows, opening = self._frozen
        page = draw_page(clean(opening.text + text[end:]), self._look, opening)
        old = self._lines
        self._lines = old[:rows] + page.lines
        self._keep(old, rows)
        self._text = text
        self._freeze(page)
        return self._lines

    def _keep(self, old: list[Line], at: int) -> None:
        """Give the rows that have not changed as the objects that they were."""
        lines = self._lines
        while at < min(len(old), len(lines)) and old[at] == lines[at]:
            lines[at] = old[at]
            at += 1
        self.kept = at

    def _freeze(self, page: Page) -> None:
        """Leave out of the next parse what cannot change any more."""
        for cut in reversed(page.cuts):
            end = self._offset(cut)
            if end is not None:
                self._frozen = _Frozen(end, self._frozen.rows + cut.row, cut.opening(page.source))
                return

    def _offset(self, cut: Cut) -> int | None:
        """Where in the text a cut is; None where the lines are not the same when they are cleaned."""
        at, opening = self._frozen.end, self._frozen.opening.text
        ahead = cut.line - opening.count("\n")
        column = cut.column if ahead else cut.column - len(opening) + opening.rfind("\n") + 1
        while ahead > 0:
            end = self._text.find("\n", at) + 1
            if end == 0:
                return None
            ahead -= clean(self._text[at:end]).count("\n")
            at = end
        if ahead < 0 or (column and clean(self._text[at : at + column]) != self._text[at : at + column]):
            return None
        return at + column
