"""A row of the tree as a strip."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.amounts import number
from pitui.render.entries import entry_line, one_line
from pitui.render.palette import Palette
from pitui.render.text import cells, truncate
from pitui.ui.widgets.tree.branches import Branches

AGE = 6
"""Cells for an age and the blank before it."""
ROOM_FOR_AGE = 40
"""Columns from which on ages are shown."""
LABEL_PERCENT = 40
"""A label has so much of a row, and more where the words of its entry leave it."""
UNIT = 2
"""Cells that a branching indents by."""
PIECES = {"├": "├─", "└": "└─", "│": "│ ", " ": "  "}


@dataclass(frozen=True, slots=True)
class Paint:
    """The styles of a palette over the ground of the widget; `now` is the time of day, in seconds."""

    palette: Palette
    ground: Style
    cursor: Style
    now: float


def levels(width: int) -> int:
    """How many branchings are indented for; where there are more, the outer ones go out of sight at the left."""
    return max(2, width // 3 // UNIT)


def row_strip(
    branches: Branches, row: int, width: int, paint: Paint, *, above: int, marked: bool, label_times: bool
) -> Strip:
    """A row without the cursor. The branchings up to depth `above` are out of sight."""
    palette = paint.palette
    place = branches.outline.places[row]
    entry = branches.tree.entries[place]
    note = age(entry.timestamp, paint.now) if width >= ROOM_FOR_AGE else ""
    line = [*_gutter(branches, row, place, palette, marked), *_guides(branches, row, width, above, palette)]
    if branches.is_folded(row):
        line.append(Segment(f"▸ {number(branches.below(row), 'entry', 'entries')}  ", palette.accent))
    if damage := branches.tree.damage(place):
        line.append(Segment(f"⚠ {damage}  ", palette.warning))
    line += entry_line(entry, branches.tree.call_of(place), palette)
    room = width - 1 - (AGE if width >= ROOM_FOR_AGE else 0)
    end: list[Segment] = []
    if label := branches.tree.labels.get(entry.id):
        since = age(label.timestamp, paint.now) if label_times else ""
        left = room - sum(cells(segment.text) for segment in line)
        end = [Segment(_label(label.text, since, max(8, room * LABEL_PERCENT // 100, left)), palette.warning)]
    shown = [*_fitted(line, room - sum(cells(segment.text) for segment in end)), *end]
    rest = max(0, width - sum(cells(segment.text) for segment in shown))
    shown.append(Segment((note.rjust(rest - 1) + " ") if note and rest > len(note) else " " * rest, palette.dim))
    return Strip(Segment.apply_style(shown, paint.ground), width)


def with_cursor(strip: Strip, cursor: Style) -> Strip:
    return Strip(Segment.apply_style(strip, post_style=cursor), strip.cell_length)


def age(timestamp: str, now: float) -> str:
    """How long ago a time of ISO 8601 was, in at most four cells; empty for what is none."""
    try:
        seconds = now - datetime.fromisoformat(timestamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return ""
    for unit, size in (("y", 365 * 86400), ("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{min(seconds // size, 999):.0f}{unit}"
    return "now"


def _label(text: str, since: str, room: int) -> str:
    """A label in so many cells, with the blanks before it."""
    age = f" · {since}" if since else ""
    return f"  [{truncate(one_line(text), max(1, room - 4 - cells(age)))}{age}]"


def _gutter(branches: Branches, row: int, place: int, palette: Palette, marked: bool) -> Sequence[Segment]:
    """Where you are, for what is folded too, and what is marked."""
    leaf = branches.leaf_row
    if row == leaf or (branches.is_folded(row) and row < leaf < branches.outline.ends[row]):
        sign = "◉"
    else:
        sign = "•" if place in branches.tree.active else " "
    return [Segment(sign, palette.accent), Segment("◆" if marked else " ", palette.warning)]


def _guides(branches: Branches, row: int, width: int, above: int, palette: Palette) -> Sequence[Segment]:
    pieces = branches.outline.guides(row, above)
    room = levels(width)
    text = "".join(PIECES[piece] for piece in pieces[:room])
    left = "‥ " if above and branches.outline.depths[row] > 0 else ""
    right = "‥ " if len(pieces) > room else ""
    return [Segment(f"{left}{text}{right}", palette.faint)] if pieces or left else []


def _fitted(line: Sequence[Segment], room: int) -> list[Segment]:
    """As much of a line as there is room for."""
    shown: list[Segment] = []
    used = 0
    for segment in line:
        size = cells(segment.text)
        if used + size > room:
            shown.append(Segment(truncate(segment.text, max(0, room - used)), segment.style))
            break
        shown.append(segment)
        used += size
    return shown
