"""A selection of text over blocks, and the source it stands for."""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from pitui import render
from pitui.render.lines import Line
from pitui.render.text import graphemes
from pitui.ui.widgets.transcript.viewport import Row, Viewport

WORD = re.compile(r"[\w./~@%+:-]+")
"""What a double click takes: words, and also paths, addresses and option names."""
END = 1 << 30
"""A cell beyond every line."""


class Spot(NamedTuple):
    """A cell of a line of a block."""

    block_id: int
    line: int
    cell: int


class Selection:
    """From `anchor` to `head`, both included, in either order; `whole` when it is all of one block."""

    def __init__(self, viewport: Viewport, anchor: Spot, head: Spot | None = None, *, whole: bool = False) -> None:
        self._viewport = viewport
        self.anchor = anchor
        self.head = head or anchor
        self.whole = whole

    @classmethod
    def word(cls, viewport: Viewport, spot: Spot) -> "Selection | None":
        """The word at `spot`, if there is one."""
        index = viewport.index_of(spot.block_id)
        lines = viewport.drawn(index).lines if index is not None else []
        if not 0 <= spot.line < len(lines):
            return None
        line = lines[spot.line]
        cells = _Cells(line)
        for found in WORD.finditer(line.strip.text):
            start, end = cells.at(found.start()), cells.at(found.end())
            if start <= spot.cell < end and start >= line.gutter:
                return cls(viewport, spot._replace(cell=start), spot._replace(cell=end - 1))
        return None

    @classmethod
    def block(cls, viewport: Viewport, block_id: int) -> "Selection":
        return cls(viewport, Spot(block_id, 0, 0), Spot(block_id, END, END), whole=True)

    def cells(self, row: Row) -> tuple[int, int] | None:
        """Which cells of a row are selected: from, up to; whole characters, never the gutter."""
        bounds = self._bounds()
        if bounds is None or row.line < 0:
            return None
        (first, last), here = bounds, (row.number, row.line)
        if not first[:2] <= here <= last[:2]:
            return None
        line = row.drawn.lines[row.line]
        return _Cells(line).whole(first[2] if here == first[:2] else 0, last[2] + 1 if here == last[:2] else END)

    def source(self) -> str:
        """The text that was selected: no gutters, and lines that were wrapped are whole again."""
        if self.whole and (index := self._viewport.index_of(self.anchor.block_id)) is not None:
            return render.blocks.source(self._viewport.blocks[index])
        bounds = self._bounds()
        if bounds is None:
            return ""
        first, last = bounds
        pieces: list[str] = []
        for index in range(first[0], last[0] + 1):
            if self._viewport.blocks[index].kind == "turn":  # a word of ours
                continue
            drawn = self._viewport.drawn(index, last[1] + 1 if index == last[0] else END)
            if pieces:
                pieces.append("\n" * (1 + self._viewport.gap(index)))
            start = first[1] if index == first[0] else 0
            end = min(last[1] + 1, len(drawn.lines)) if index == last[0] else len(drawn.lines)
            for number in range(start, end):
                pieces += self._piece(Row(index, number, drawn), number == end - 1)
        return "".join(pieces).rstrip("\n")

    def _piece(self, row: Row, last: bool) -> tuple[str, str]:
        """The selected text of a row, and what parts it from the next one."""
        line = row.drawn.lines[row.line]
        cells = self.cells(row)
        text = _Cells(line).text(*cells) if cells else ""
        if cells and cells[0] == line.gutter:
            text = line.unseen + text
        return text if not line.joint else text.rstrip(), "" if last else line.joint

    def _bounds(self) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
        """First and last cell as (block, line, cell), where they are now."""
        anchor, head = self._viewport.index_of(self.anchor.block_id), self._viewport.index_of(self.head.block_id)
        if anchor is None or head is None:
            return None
        first, last = sorted(((anchor, *self.anchor[1:]), (head, *self.head[1:])))
        return first, last


class _Cells:
    """Where the characters of a line stand. One that is several code points (a flag, a family) is never parted."""

    def __init__(self, line: Line) -> None:
        self._gutter, self._end = line.gutter, line.end
        self._text = line.strip.text
        self._plain = line.strip.cell_length == len(self._text) and self._text.isascii()
        self._starts: list[int] = []
        self._cells: list[int] = []
        if not self._plain:
            cell = 0
            for start, _, width in graphemes(self._text):
                self._starts.append(start)
                self._cells.append(cell)
                cell += width
            self._starts.append(len(self._text))
            self._cells.append(cell)

    def at(self, index: int) -> int:
        """The cell where the character at `index` starts."""
        return index if self._plain else self._cells[bisect_right(self._starts, index) - 1]

    def whole(self, start: int, end: int) -> tuple[int, int] | None:
        """The same range widened to whole characters, within the text and without the gutter; None if it is empty."""
        start = max(start, self._gutter)
        end = end if self._end is None else min(end, self._end)
        if self._plain:
            end = min(end, len(self._text))
        else:
            start = self._cells[max(0, bisect_right(self._cells, start) - 1)]
            end = self._cells[min(bisect_left(self._cells, end), len(self._cells) - 1)]
        return (start, end) if start < end else None

    def text(self, start: int, end: int) -> str:
        if self._plain:
            return self._text[start:end]
        first, last = bisect_left(self._cells, start), bisect_left(self._cells, end)
        return self._text[self._starts[first] : self._starts[last]]
