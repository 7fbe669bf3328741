"""Markdown that is still being written: only its end is parsed again."""

import re
from typing import NamedTuple

from pitui.render.cuts import PART, Cut, Opening
from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.markdown import Page, draw_page
from pitui.render.text import clean

_ROW = re.compile(rf"[ \t>]*\|.{{0,{PART}}}")
_DELIMITERS = re.compile(r"[ \t>|:\-\r]*")


def decided(text: str) -> str:
    """An open text without its end where that may be the first row of a table: the next line tells.

    It would be seen as it was written first, and as a table then. What more text gives starts with what less gave.
    """
    before, first, second = ["", "", *text.rsplit("\n", 3)][-3:]
    if _ROW.fullmatch(second) and not _ROW.fullmatch(first):
        begun = second
    elif _ROW.fullmatch(first) and not _ROW.fullmatch(before) and _DELIMITERS.fullmatch(second):
        begun = f"{first}\n{second}"
    else:
        return text
    return text[: len(text) - len(begun.lstrip(" \t>"))]


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
