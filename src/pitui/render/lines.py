"""The line: what every block is drawn as."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.look import Look
from pitui.render.text import cells, truncate, wrap

ROOM = 8
"""Cells that a text needs beside a frame; where there are fewer, the frame gives way."""

SHOW_ALL = "(show all)"
"""What a note ends with where a look that is `full` shows more."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a block.

    `strip` is never wider than the width it was made for. Its first `gutter` cells are decoration (bar, indentation of
    the frame, line number) and are not copied. `joint` parts this line from the next one when both are copied: a line
    break, or where one line of the source was wrapped what stood there: spaces, or nothing.
    """

    strip: Strip
    gutter: int = 0
    joint: str = "\n"


def framed(
    content: Iterable[Sequence[Segment]], width: int, first: Segment, rest: Segment | None = None, *, words: bool = True
) -> list[Line]:
    """The rows of some clean lines, with `first` at the left of the first row and `rest` at the left of the others.

    Both are as many cells wide, and neither is copied.
    """
    frame = cells(first.text)
    if width - frame < ROOM:
        frame, first, rest = 0, Segment(""), None
    lines: list[Line] = []
    for line in content:
        for row, joint in wrap(line, width - frame, words=words):
            left = first if not lines or rest is None else rest
            lines.append(Line(Strip([left, *row] if frame else row), frame, joint))
    return lines


def styled(text: str, style: Style) -> list[list[Segment]]:
    """The lines of a clean text in one style."""
    return [[Segment(line, style)] for line in text.split("\n")]


def plain(line: Line) -> str:
    """The text of a line as it is copied, without what parts it from the next one."""
    return line.strip.crop(line.gutter).text if line.gutter else line.strip.text


def note(text: str, look: Look) -> Line:
    """A row of ours about what is shown; nothing of it is copied."""
    shown = text if cells(text) <= look.width else truncate(text.strip(), look.width)
    return Line(Strip([Segment(shown, look.palette.dim)]), cells(shown), "")
