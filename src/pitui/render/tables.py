"""Tables that fit: cells are wrapped, and where there is no room even for that the table is shown as written."""

from collections.abc import Sequence

from markdown_it.token import Token
from rich.segment import Segment

from pitui.render.inline import draw_inline
from pitui.render.palette import Palette
from pitui.render.text import cells, wrap

GAP = 2
"""Cells between columns."""
NARROWEST = 4
"""Cells of a column below which nothing can be read."""

Cell = list[Segment]
Grid = list[list[Cell]]


def draw_table(tokens: Sequence[Token], palette: Palette, width: int) -> list[list[Segment]] | None:
    """The rows of a table's tokens, the first of them its header; None when `width` is too small for its columns.

    No row is wider than `width`.
    """
    grid, sides = _read(tokens, palette)
    columns = len(sides)
    natural = [max([1, *(_length(row[column]) for row in grid)]) for column in range(columns)]
    widths = _fit(natural, width - GAP * (columns - 1))
    if widths is None:
        return None
    lines: list[list[Segment]] = []
    for index, row in enumerate(grid):
        lines += _row(row, widths, sides)
        if index == 0:
            lines.append([Segment("─" * (sum(widths) + GAP * (columns - 1)), palette.rule)])
    return lines


def _read(tokens: Sequence[Token], palette: Palette) -> tuple[Grid, list[str]]:
    grid: Grid = []
    sides: list[str] = []
    header = palette.text + palette.strong
    heading = True
    for token in tokens:
        match token.type:
            case "tr_open":
                grid.append([])
            case "th_open":
                sides.append(str(token.attrGet("style") or "").removeprefix("text-align:"))
            case "tbody_open":
                heading = False
            case "inline":
                lines = draw_inline(token.content, palette, header if heading else palette.text)
                grid[-1].append([segment for line in lines for segment in line])
            case _:
                pass
    return grid, sides


def _length(cell: Cell) -> int:
    return sum(cells(segment.text) for segment in cell)


def _fit(natural: list[int], width: int) -> list[int] | None:
    """Widths that add up to at most `width`; the widest columns give way first."""
    if sum(natural) <= width:
        return natural
    if width < sum(min(length, NARROWEST) for length in natural):
        return None
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


def _row(row: list[Cell], widths: list[int], sides: list[str]) -> list[list[Segment]]:
    wrapped = [[cell for cell, _ in wrap(content, width)] for content, width in zip(row, widths, strict=True)]
    lines: list[list[Segment]] = []
    for index in range(max(map(len, wrapped))):
        line: list[Segment] = []
        owed = 0  # blanks that stand before what comes next, so that none stand at the end
        for rows, width, side in zip(wrapped, widths, sides, strict=True):
            cell = rows[index] if index < len(rows) else []
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
