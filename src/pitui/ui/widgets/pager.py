"""A long text to read: only the lines that are seen are drawn, so that no length matters."""

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pitui.render.amounts import size
from pitui.render.text import coloured, wrap

LONGEST_LINE = 100_000
"""Bytes of one line that are shown."""
WHEEL_ROWS = 3


class Pager(Widget, can_focus=True):
    """Shows `count` lines, of which `line` gives one as bytes from somewhere else: they pass the gate here."""

    class Moved(Message):
        """Other lines are shown now; see `Pager.first` and `Pager.last`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "rows(-1)", show=False),
        Binding("down,j", "rows(1)", show=False),
        Binding("pageup,b", "pages(-1)", show=False),
        Binding("pagedown,space", "pages(1)", show=False),
        Binding("home,g", "start", show=False),
        Binding("end,G", "end", show=False),
    ]

    def __init__(self, line: Callable[[int], bytes], count: int) -> None:
        super().__init__()
        self.count = count
        self.first = self.last = 0
        """The numbers, from 0, of the first and the last line on the screen."""
        self._line = line
        self._offset = 0
        """Rows of the first line that are above the screen."""
        self._rows: list[Strip] = []
        self._drawn = lru_cache(500)(self._draw)

    # moving

    def action_rows(self, by: int) -> None:
        """Down, or up (negative), as far as there are lines."""
        first, offset = self.first, self._offset + by
        while offset < 0 and first > 0:
            first -= 1
            offset += len(self._drawn(first))
        while first < self.count - 1 and offset >= len(self._drawn(first)):
            offset -= len(self._drawn(first))
            first += 1
        self._show(first, max(0, offset))

    def action_pages(self, by: int) -> None:
        self.action_rows(by * max(1, self.size.height - 1))

    def action_start(self) -> None:
        self._show(0, 0)

    def action_end(self) -> None:
        self._show(max(0, self.count - 1), 0)

    def _show(self, first: int, offset: int) -> None:
        """Put a row at the top; where that leaves the bottom empty, as many rows above as there is room for."""
        height = self.size.height
        rows: list[Strip] = []
        last = first
        while last < self.count and len(rows) < height + offset:
            rows += self._drawn(last)
            last += 1
        rows = rows[offset:]
        while len(rows) < height and (first > 0 or offset > 0):
            if not offset:
                first -= 1
                offset = len(self._drawn(first))
            more = min(offset, height - len(rows))
            rows[:0] = self._drawn(first)[offset - more : offset]
            offset -= more
        self.first, self._offset, self.last = first, offset, max(0, last - 1)
        self._rows = rows[:height]
        self.refresh()
        self.post_message(self.Moved())

    # drawing

    def _draw(self, number: int) -> list[Strip]:
        data = self._line(number)
        text = data[:LONGEST_LINE].decode("utf-8", "replace")
        if len(data) > LONGEST_LINE:
            text += f"… {size(len(data) - LONGEST_LINE)} more in this line"
        (line,) = coloured(text.rstrip("\r").replace("\n", " "), Style())[:1]
        return [Strip(row) for row, _ in wrap(line, max(1, self.size.width), words=False)] or [Strip([Segment("")])]

    def render_line(self, y: int) -> Strip:
        strip = self._rows[y] if y < len(self._rows) else Strip([])
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)

    def on_resize(self) -> None:
        self._drawn.cache_clear()
        self._show(self.first, 0)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_rows(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_rows(WHEEL_ROWS)
