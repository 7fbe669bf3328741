"""Tables that fit: cells are wrapped, and where there is no room even for that the last columns are left out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token
from rich.segment import Segment

from pitui.render.inline import draw_inline
from pitui.render.palette import Palette
from pitui.render.text import cells, wrap

GAP = 2
"""Cells between columns."""
NARROWEST = 4
"""Cells of a column below which nothing can be read."""
READABLE = 12
"""Cells of a column that can be read with ease."""

SETTLING_ROWS = 30
"""Rows that tell how wide the columns are: no later one moves what has long been read."""
SPARE = 2
"""Cells that a column of a longer table has besides, for numbers that go on growing."""

Cell = list[Segment]
Rows = list[list[Segment]]


@dataclass(slots=True)
class Table:
    """The cells of a table, drawn. `sides` says where those of a column stand: `left`, `right`, `center`, or empty."""

    header: list[Cell] = field(default_factory=list[Cell])
    body: list[list[Cell]] = field(default_factory=list[list[Cell]])
    sides: list[str] = field(default_factory=list[str])

    def widths(self, room: int) -> list[int]:
        """Cells of each column, and `GAP` between them, in `room` (1 or more); of as many columns as have room."""
        spare = SPARE if len(self.body) > SETTLING_ROWS else 0
        settling = [self.header, *self.body[:SETTLING_ROWS]]
        natural = [max(1, *map(_length, column)) + spare for column in zip(*settling, strict=True)]
        count = len(natural)
        if sum(min(length, NARROWEST) + GAP for length in natural) - GAP > room:
            needed = [sum(min(length, READABLE) + GAP for length in natural[:end]) - GAP for end in range(count)]
            count = max(1, sum(0 < cells <= room for cells in needed))
        return _fitted(natural[:count], room - GAP * (count - 1))

    def row(self, row: Sequence[Cell], widths: Sequence[int]) -> Rows:
        """A row of the table side by side, none wider than the widths and the gaps between them."""
        wrapped = [[cell for cell, _ in wrap(content, width)] for content, width in zip(row, widths, strict=False)]
        lines: Rows = []
        for index in range(max(map(len, wrapped))):
            line: list[Segment] = []
            owed = 0  # blanks that stand before what comes next, so that none stand at the end
            for content, width, side in zip(wrapped, widths, self.sides, strict=False):
                cell = content[index] if index < len(content) else []
                blank = width - _length(cell)
                before = blank if side == "right" else blank // 2 if side == "center" else 0
                if cell:
                    line += [Segment(" " * (owed + before)), *cell] if owed + before else cell
                    owed = 0
                else:
                    before = 0
                owed += blank - before + GAP
            lines.append(line)
        return lines

    def record(self, row: Sequence[Cell]) -> Rows:
        """A row of the table as a line for each column, which starts with its name."""
        return [
            [*name, Segment(": " if cell else ":"), *cell] if name else cell
            for name, cell in zip(self.header, row, strict=True)
        ]


def read_table(tokens: Sequence[Token], palette: Palette) -> Table:
    table = Table()
    rows = [table.header]
    for token in tokens:
        match token.type:
            case "th_open":
                table.sides.append(str(token.attrGet("style") or "").removeprefix("text-align:"))
            case "tbody_open":
                rows = table.body
            case "tr_open" if rows is table.body:
                rows.append([])
            case "inline":
                style = palette.text if rows is table.body else palette.text + palette.strong
                lines = draw_inline(token.content, palette, style)
                rows[-1].append([segment for line in lines for segment in line])
            case _:
                pass
    return table


def _length(cell: Cell) -> int:
    return sum(cells(segment.text) for segment in cell)


def _fitted(natural: list[int], width: int) -> list[int]:
    """Widths that add up to at most `width`; the widest columns give way first."""
    if sum(natural) <= width:
        return natural
    widths = list(natural)
    share = width // len(widths)
    while True:  # columns that need less than their share leave it to the others
        wide = [column for column, length in enumerate(natural) if length > share]
        left = width - sum(length for length in natural if length <= share)
        if left // len(wide) <= share:
            break
        share = left // len(wide)
    for position, column in enumerate(wide):
        widths[column] = share + (position < left - share * len(wide))
    return widths
