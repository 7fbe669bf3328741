"""`ExtensionWidgets`: the lines that extensions put above or below the prompt."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitui.render.text import coloured
from pitui.session.model import Session

LINES = 10
"""Lines of one extension that are shown."""


class ExtensionWidgets(ScrollView, can_focus=False):
    """The lines of every extension, with their colours, one after another as they came; hidden without any."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"extension--more"}

    def __init__(self, *, below: bool) -> None:
        """`below` the prompt, or above it."""
        super().__init__()
        self._below = below
        self._shown: Sequence[Sequence[str]] = ()
        self._lines: list[list[Segment]] | None = None
        """Drawn with the styles of now; None when that is to be done."""
        self.display = False

    def sync(self, session: Session) -> None:
        """Show the widgets of the session as they are now."""
        shown = [widget.lines for widget in session.widgets.values() if widget.below is self._below and widget.lines]
        if shown != self._shown:
            self._shown = shown
            self._lines = None
            self.display = bool(shown)
            self.virtual_size = Size(self.size.width, self._count)
            self.refresh(layout=True)

    @property
    def _count(self) -> int:
        return sum(min(len(lines), LINES + 1) for lines in self._shown)

    def notify_style_update(self) -> None:
        self._lines = None
        super().notify_style_update()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._count

    def render_line(self, y: int) -> Strip:
        if self._lines is None:
            self._lines = self._drawn()
        number = y + self.scroll_offset.y
        strip = Strip(self._lines[number] if number < len(self._lines) else [])
        width = self.scrollable_content_region.width
        if strip.cell_length > width > 0:
            strip = Strip([*strip.crop(0, width - 1), Segment("…", self.rich_style)])
        return strip.crop_extend(0, width, self.rich_style)

    def _drawn(self) -> list[list[Segment]]:
        base = self.rich_style
        more = self.get_component_rich_style("extension--more")
        drawn: list[list[Segment]] = []
        for lines in self._shown:
            drawn += [_one_line(line, base) for line in lines[:LINES]]
            if len(lines) > LINES:
                drawn.append([Segment(f"… {len(lines) - LINES} more", more)])
        return drawn


def _one_line(line: str, base: Style) -> list[Segment]:
    """A line break inside of one is shown as such."""
    first, *rest = coloured(line, base)
    for more in rest:
        first += [Segment("⏎", base), *more]
    return first
