"""Markdown that is still being written: only its end is parsed again."""

from dataclasses import dataclass

from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.markdown import SLICE_LINES, WHOLE_LINES, Fence, Page, draw_page
from pitui.render.text import clean


@dataclass(frozen=True, slots=True)
class _Frozen:
    """The part of the text that will not look different any more: its end, and the number of its rows.

    `gap` says that an empty row comes next. Inside of a fence `opening` is the line that opened it, `code` the lines of
    code that are frozen, and `before` what was frozen before the fence.
    """

    end: int = 0
    rows: int = 0
    gap: bool = False
    opening: str = ""
    code: int = 0
    before: "_Frozen | None" = None


class OpenMarkdown:
    """Rows of a text that grows, the same that `draw_markdown` gives for all of it.

    A block is frozen once another one has started after it, an item of a list once the next one has, and the code of an
    open fence by slices. `kept` is how many leading rows of the last update are the very rows of the one before.
    """

    def __init__(self, look: Look) -> None:
        self.kept = 0
        self._look = look
        self._text = ""
        self._lines: list[Line] = []
        self._frozen = _Frozen()

    def update(self, text: str) -> list[Line]:
        """The rows of `text`, which is best what it was with something added; anything else is drawn anew."""
        if not text.startswith(self._text[: self._frozen.end]):
            self._frozen = _Frozen()
        frozen = self._frozen
        page = self._page(text)
        if frozen.before is not None and self._closed_early(page):
            self._frozen = frozen = frozen.before
            page = self._page(text)
        old = self._lines
        self._lines = old[: frozen.rows] + page.lines
        self._keep(old, frozen.rows)
        self._text = text
        self._freeze(page)
        return self._lines

    def _page(self, text: str) -> Page:
        frozen = self._frozen
        tail = clean(frozen.opening + text[frozen.end :])
        return draw_page(tail, self._look, gap=frozen.gap, sliced=bool(frozen.opening))

    def _closed_early(self, page: Page) -> bool:
        """Whether the fence that was frozen by slices has turned out short enough to be highlighted as one."""
        fence = page.fence
        return fence is not None and fence.closed and self._frozen.code + fence.count <= WHOLE_LINES

    def _keep(self, old: list[Line], at: int) -> None:
        """Give the rows that have not changed as the objects that they were."""
        lines = self._lines
        while at < min(len(old), len(lines)) and old[at] == lines[at]:
            lines[at] = old[at]
            at += 1
        self.kept = at

    def _freeze(self, page: Page) -> None:
        """Leave out of the next parse what cannot change any more."""
        old = self._frozen
        fence = page.open_fence
        if old.before is not None and fence is not None and fence is page.fence:
            self._freeze_code(page, fence, old, old.before, old.code)
            return
        start = next((start for start in reversed(page.starts) if page.settled(start)), None)
        end = self._offset(old, start.source) if start is not None else None
        if start is None or end is None:
            return
        self._frozen = _Frozen(end, old.rows + start.row, start.gap)
        if fence is not None and start.source == fence.source - 1:
            self._freeze_code(page, fence, old, self._frozen, 0)

    def _freeze_code(self, page: Page, fence: Fence, old: _Frozen, before: _Frozen, code: int) -> None:
        """Freeze the slices of an open fence before the last one that has a whole line."""
        index = len(fence.rows) - 1
        while index > 0 and not page.complete(fence.source + index * SLICE_LINES):
            index -= 1
        line = fence.source + index * SLICE_LINES
        end = self._offset(old, line) if index else None
        if end is not None:
            opening = page.source[fence.source - 1] + "\n"
            rows = old.rows + fence.rows[index]
            self._frozen = _Frozen(end, rows, False, opening, code + index * SLICE_LINES, before)

    def _offset(self, frozen: _Frozen, line: int) -> int | None:
        """Where in the text a line of the page starts; None inside of a line that became several when cleaned."""
        at = frozen.end
        ahead = line - (1 if frozen.opening else 0)
        while ahead > 0:
            end = self._text.find("\n", at) + 1
            if end == 0:
                return None
            ahead -= clean(self._text[at:end]).count("\n")
            at = end
        return at if ahead == 0 else None
