"""A long text to read: only the lines that are seen are drawn, so that no length matters."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from pitui.render.amounts import size
from pitui.render.palette import Palette
from pitui.render.text import cells, clean, coloured, wrap
from pitui.ui.widgets.transcript.hits import count, places

LONGEST_LINE = 100_000
"""Bytes of one line that are shown."""
WHEEL_ROWS = 3
SEARCH_SECONDS = 0.008
"""How long the screen may wait for the search at a time."""


class Row(NamedTuple):
    """A row of line `number`, in which `start` characters of the line stand before it."""

    strip: Strip
    number: int
    start: int


class Pager(Widget, can_focus=True):
    """Shows `count` lines, of which `line` gives one as bytes from somewhere else: they pass the gate here.

    They can be searched, and selected with the mouse as everything that Textual shows.
    """

    class Moved(Message):
        """Other lines are shown now; see `Pager.first` and `Pager.last`."""

    @dataclass
    class Searched(Message):
        """`total` lines were found, until now while `searching`, of which number `position` is shown, 0 for none.

        `around` is 1 when the last step went on from the top, -1 when it went on from the end, else 0.
        """

        total: int
        position: int
        searching: bool
        around: int

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "rows(-1)", show=False),
        Binding("down,j", "rows(1)", show=False),
        Binding("pageup,b", "pages(-1)", show=False),
        Binding("pagedown,space", "pages(1)", show=False),
        Binding("home,g", "start", show=False),
        Binding("end,G", "end", show=False),
    ]

    def __init__(self, line: Callable[[int], bytes], count: int, palette: Palette) -> None:
        super().__init__()
        self.count = count
        self.first = self.last = 0
        """The numbers, from 0, of the first and the last line on the screen."""
        self._line = line
        self._palette = palette
        self._offset = 0
        """Rows of the first line that are above the screen."""
        self._rows: list[Row] = []
        self._drawn = lru_cache(500)(self._draw)
        self._words = ""
        self._found: list[int] = []
        """The lines in which the words stand, rising."""
        self._shown: int | None = None
        """The one of them that the person is at."""
        self._began = 0
        self._looking: Iterator[None] | None = None
        self._slice: Timer | None = None

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
        rows: list[Row] = []
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

    # searching

    def search(self, words: str) -> None:
        """Look for `words` from the line at the top, round the end; `Searched` tells how it goes."""
        if not self._words:
            self._began = self.first
        self._words, self._shown = words, None
        self._found = []
        self._looking = self._look() if words else None
        self._look_on()

    def clear_search(self, *, back: bool) -> None:
        """Search no more; with `back` return to where it began."""
        self.search("")
        self._show(self._began if back else self.first, 0 if back else self._offset)

    def step(self, step: int) -> None:
        """To the next (1) or previous (-1) line in which the words stand, round the ends."""
        if self._found:
            at = self._found.index(self._shown) if self._shown is not None else -1 if step > 0 else 0
            around = 0 if 0 <= at + step < len(self._found) else step
            self._reveal(self._found[(at + step) % len(self._found)])
            self._tell(around if self._shown is not None else 0)

    def _look(self) -> Iterator[None]:
        for number in chain(range(self._began, self.count), range(self._began)):
            if count(self._words, self._text(number)):
                self._found.insert(bisect_left(self._found, number), number)
                if self._shown is None:
                    self._reveal(number)
            yield

    def _look_on(self) -> None:
        """Look through some lines, and see to it that it goes on."""
        if self._slice is not None:
            self._slice.stop()
        deadline = time.perf_counter() + SEARCH_SECONDS
        while self._looking is not None and time.perf_counter() < deadline:
            if next(self._looking, self) is self:
                self._looking = None
        if self._looking is not None:
            self._slice = self.set_timer(SEARCH_SECONDS, self._look_on)
        self.refresh()
        self._tell()

    def _tell(self, around: int = 0) -> None:
        position = 0 if self._shown is None else bisect_right(self._found, self._shown)
        self.post_message(self.Searched(len(self._found), position, self._looking is not None, around))

    def _reveal(self, number: int) -> None:
        self._shown = number
        if self.first < number < self.last:
            self.refresh()
        else:
            self._show(number, 0)
            self.action_rows(-(self.size.height // 3))

    # copying

    def text(self) -> str:
        """All of it, as it can be pasted."""
        return "\n".join(map(self._text, range(self.count)))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        texts: list[str] = []
        for number in range(selection.start.y if selection.start else self.first, self.count):
            if number > (selection.end.y if selection.end else self.last):
                break
            start, end = selection.get_span(number) or (0, 0)
            drawn = "".join(row.strip.text for row in self._drawn(number)) if start or end >= 0 else ""
            texts.append(drawn[start : end if end >= 0 else None] if drawn else self._text(number))
        return "\n".join(texts), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    # drawing

    def _text(self, number: int) -> str:
        return clean(self._line(number).decode("utf-8", "replace").replace("\n", " "), tab_size=0, progress=True)

    def _draw(self, number: int) -> list[Row]:
        data = self._line(number)
        text = data[:LONGEST_LINE].decode("utf-8", "replace")
        if len(data) > LONGEST_LINE:
            text += f"… {size(len(data) - LONGEST_LINE)} more in this line"
        (line,) = coloured(text.rstrip("\r").replace("\n", " "), Style())[:1]
        rows: list[Row] = []
        start = 0
        for segments, _ in wrap(line, max(1, self.size.width), words=False):
            strip = Strip(segments)
            rows.append(Row(strip.apply_offsets(start, number), number, start))
            start += len(strip.text)
        return rows

    def render_line(self, y: int) -> Strip:
        if y >= len(self._rows):
            return Strip.blank(self.size.width, self.rich_style)
        row = self._rows[y]
        strip = row.strip
        for start, end, style in self._marks(row):
            left, right = cells(strip.text[:start]), cells(strip.text[:end])
            marked = Segment.apply_style(strip.crop(left, right), post_style=style)
            strip = Strip.join([strip.crop(0, left), Strip(marked), strip.crop(right)])
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)

    def _marks(self, row: Row) -> Iterator[tuple[int, int, Style]]:
        """Characters of a row that are marked: from, up to, how."""
        palette = self._palette
        length = len(row.strip.text)
        if self._words:
            style = palette.search_current if row.number == self._shown else palette.search_hit
            line = "".join(row.strip.text for row in self._drawn(row.number))
            for place in places(self._words, line):
                start, end = place - row.start, place - row.start + len(self._words)
                if start < length and end > 0:
                    yield max(0, start), min(end, length), style
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(row.number)) is not None:
            start, end = span[0] - row.start, length if span[1] < 0 else span[1] - row.start
            if start < length and end > 0:
                yield max(0, start), min(end, length), palette.selection

    def on_resize(self) -> None:
        self._drawn.cache_clear()
        self._show(self.first, 0)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_rows(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_rows(WHEEL_ROWS)
