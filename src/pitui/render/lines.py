"""The line: what every block is drawn as."""

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.look import Look
from pitui.render.text import cells, truncate, wrap

ROOM = 8
"""Cells that a text needs beside a frame; where there are fewer, the frame gives way."""

SHOW_ALL = "(show all)"
"""What a note ends with where a look that is `full` shows more."""
AT_END = "(all of it when it has ended)"
"""The same where it will, but does not as long as what is shown grows."""


class Line:
    """One row of a block.

    `strip` is never wider than the width it was made for. Its first `gutter` cells are decoration (bar, indentation of
    the frame, line number) and are not copied, nor is what stands from cell `end` on. `joint` parts this line from the
    next one when both are copied: a line break, or where one line of the source was wrapped what stood there: spaces,
    or nothing. `leads` says what a click on it brings: all of its block, or the output of which the block has a part.
    `unseen` is what the source has before it that is not shown, and is copied with its start.
    """

    __slots__ = ("_strip", "end", "gutter", "joint", "leads", "unseen")

    def __init__(self, strip: Strip | None, gutter: int = 0, joint: str = "\n") -> None:
        self._strip = strip
        self.gutter = gutter
        self.end: int | None = None
        self.joint = joint
        self.leads: Literal["", "all", "output"] = ""
        self.unseen = ""

    @property
    def strip(self) -> Strip:
        if self._strip is None:
            self._strip = self.draw()
        return self._strip

    def draw(self) -> Strip:
        """The strip, for a line that was made without one: a long output costs little before it is seen."""
        return Strip.blank(0)

    def plain(self) -> str:
        """Its text as it is copied, without what parts it from the next one."""
        return self.strip.crop(self.gutter, self.end).text if self.gutter or self.end else self.strip.text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        same = (self.gutter, self.joint, self.unseen) == (other.gutter, other.joint, other.unseen)
        return same and self.strip == other.strip

    def __hash__(self) -> int:
        return hash((self.strip.text, self.gutter, self.joint))

    def __repr__(self) -> str:
        return f"Line({self.strip.text!r}, gutter={self.gutter}, joint={self.joint!r})"


def framed(
    content: Iterable[Sequence[Segment]], width: int, first: Segment, rest: Segment | None = None, *, words: bool = True
) -> list[Line]:
    """The rows of some clean lines, with `first` at the left of the first row and `rest` at the left of the others.

    Both are as many cells wide, and neither is copied.
    """
    frame = frame_width(first, width)
    lines: list[Line] = []
    for line in content:
        for row, joint in wrap(line, width - frame, words=words):
            left = first if not lines or rest is None else rest
            lines.append(Line(Strip([left, *row] if frame else row), frame, joint))
    return lines


def frame_width(frame: Segment, width: int) -> int:
    """Cells of a frame; none where there is too little room for it."""
    wanted = cells(frame.text)
    return wanted if width - wanted >= ROOM else 0


def styled(text: str, style: Style) -> list[list[Segment]]:
    """The lines of a clean text in one style."""
    return [[Segment(line, style)] for line in text.split("\n")]


def note(text: str, look: Look) -> Line:
    """A row of ours about what is shown; nothing of it is copied."""
    shown = text if cells(text) <= look.width else truncate(text.strip(), look.width)
    line = Line(Strip([Segment(shown, look.palette.dim)]), cells(shown), "")
    if text.endswith(SHOW_ALL):
        line.leads = "all"
    return line


def output_note(path: str, look: Look) -> Line:
    """The row that tells where all of an output is; `path` is clean."""
    line = note(f"  (full output: {path})", look)
    line.leads = "output"
    return line
