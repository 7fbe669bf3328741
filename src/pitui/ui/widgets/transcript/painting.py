"""From a line of a block to the strip that goes to the terminal: over the ground, with marks, ruler and scroll bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from pitui.render.palette import Palette
from pitui.ui.widgets.transcript.painted import Painted

MARGIN = 3
"""Cells right of the text: a blank one, the ruler, the scroll bar."""
NARROW = 12
"""With less than this there is only text."""


def text_width(width: int) -> int:
    """How many of `width` cells the lines of a block may take."""
    return width - MARGIN if width >= NARROW else width


SIGNS = {"prompt": "·", "edit": "±", "error": "!", "hit": "•"}
"""What the ruler writes for a mark."""


class Span(NamedTuple):
    """Cells of a line that stand out: from `start` up to `end`, in the style named `style`."""

    start: int
    end: int
    style: str


class Decoration(NamedTuple):
    """What a row shows beside its own text."""

    mark: str = ""
    """Of the ruler: the name of a style, or nothing."""
    bar: bool = False
    """Whether the scroll bar's thumb is here."""
    cursor: bool = False
    """Whether the block cursor is on its block."""
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Paint:
    """The styles of everything that is not a block's own, by name, and what the terminal wants done to every strip."""

    ground: Style
    background: Color
    styles: dict[str, Style]
    filters: Sequence[LineFilter] = ()

    @classmethod
    def of(cls, palette: Palette, ground: Style, background: Color, filters: Sequence[LineFilter]) -> "Paint":
        styles = {
            "prompt": palette.accent,
            "edit": palette.warning,
            "error": palette.error,
            "hit": palette.search_hit,
            "current": palette.search_current,
            "selection": palette.selection,
            "cursor": palette.cursor,
            "bar": palette.faint,
            "marker": palette.accent,
            "dim": palette.dim,
        }
        return cls(ground + palette.text, background, styles, filters)

    def strip(self, content: Strip, width: int, decoration: Decoration, *, room: int = 0) -> Strip:
        """`content` made `width` cells wide and decorated.

        It must not be wider than `room`, by default `text_width(width)`; what is right of that shows ruler and bar.
        """
        for span in decoration.spans:
            content = restyled(content, span.start, span.end, self.styles[span.style])
        ground = self.ground + self.styles["cursor"] if decoration.cursor else self.ground
        segments = list(Segment.apply_style(content, ground))
        room = room or text_width(width)
        blank = room - content.cell_length
        if width > room:
            segments.append(Segment(" " * (blank + 1), ground))
            segments.append(self._sign(decoration.mark))
            segments.append(Segment("┃", self.ground + self.styles["bar"]) if decoration.bar else self._sign(""))
        elif blank:
            segments.append(Segment(" " * blank, ground))
        for line_filter in self.filters:
            segments = line_filter.apply(segments, self.background)
        return Painted(segments, width)

    def _sign(self, mark: str) -> Segment:
        return Segment(SIGNS[mark], self.ground + self.styles[mark]) if mark else Segment(" ", self.ground)


def restyled(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """The same text, its cells from `start` up to `end` in `style` on top of their own."""
    width = strip.cell_length
    start, end = max(0, start), min(end, width)
    if start >= end:
        return strip
    before, inside, after = strip.crop(0, start), strip.crop(start, end), strip.crop(end, width)
    return Strip([*before, *Segment.apply_style(inside, post_style=style), *after], width)
