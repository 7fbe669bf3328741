"""The line: what every block is drawn as."""

from dataclasses import dataclass

from textual.strip import Strip


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a block.

    `strip` is never wider than the width it was made for. Its first `gutter` cells are decoration (bar, indentation of
    the frame, line number) and are not copied. `joint` parts this line from the next one when both are copied: "\\n", or
    "" and " " where one line of the source was wrapped.
    """

    strip: Strip
    gutter: int = 0
    joint: str = "\n"
