"""`Options`: a list to choose one from, filtered by typing."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitui.render.text import graphemes, wrap

MARGIN = 2
"""Cells left of an option, for the sign of the chosen one."""
LONGEST = 200
"""Characters of a paste that may be a filter."""


class Row(NamedTuple):
    """A row of the list: part of the option with the number `option`."""

    option: int
    segments: Sequence[Segment]
    first: bool


class Options(ScrollView, can_focus=True):
    """Shows clean one-line texts, each wrapped where it is too long; answers by the number of the chosen one.

    Printable keys and pastes go to `filter`, unless it is not `filtered`: an option is shown when it has every word of
    it, in any case.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,ctrl+p", "move(-1)", show=False),
        Binding("down,ctrl+n", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("enter", "choose", show=False),
        Binding("backspace", "shorten", show=False),
        Binding("ctrl+u,ctrl+w", "clear", show=False),
    ]

    COMPONENT_CLASSES: ClassVar[set[str]] = {"options--chosen", "options--quiet"}

    filter = var("")

    class Chosen(Message):
        """Option number `option` was taken."""

        def __init__(self, option: int) -> None:
            super().__init__()
            self.option = option

    class Filtered(Message):
        """Another part of the options is shown."""

    def __init__(
        self, options: Sequence[str], *, empty: str = "There is nothing to choose from.", filtered: bool = True
    ) -> None:
        super().__init__()
        self._filtered = filtered
        self._options = options
        self._folded = [option.casefold() for option in options]
        self._empty = empty
        self.found: list[int] = list(range(len(options)))
        """The numbers of the options that are shown."""
        self._at = 0
        """The chosen one's place in `found`."""
        self._rows: list[Row] = []
        self._starts: list[int] = []
        self._width = -1

    # what is shown

    def watch_filter(self, text: str) -> None:
        words = text.casefold().split()
        self.found = [number for number, option in enumerate(self._folded) if all(word in option for word in words)]
        self._at = 0
        self._width = -1
        self._lay_out(self._content_width)
        self.refresh(layout=True)
        self._show_chosen()
        self.post_message(self.Filtered())

    @property
    def _content_width(self) -> int:
        return self.scrollable_content_region.width

    def _lay_out(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        self._rows = []
        self._starts = []
        room = max(1, width - MARGIN)
        for number in self.found:
            self._starts.append(len(self._rows))
            for index, (segments, _) in enumerate(wrap([Segment(self._options[number])], room)):
                self._rows.append(Row(number, segments, index == 0))
        self._starts.append(len(self._rows))
        self.virtual_size = Size(width, len(self._rows))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self._lay_out(max(0, width - self.styles.scrollbar_size_vertical))
        return max(1, len(self._rows))

    def on_resize(self) -> None:
        self._lay_out(self._content_width)
        self._show_chosen()

    def render_line(self, y: int) -> Strip:
        width = self._content_width
        line = y + self.scroll_offset.y
        if not self._rows:
            says = self._empty if not self._options else "Nothing has that in it."
            segments = [Segment(says, self.get_component_rich_style("options--quiet"))] if y == 0 else []
            return Strip(segments).crop_extend(0, width, self.rich_style)
        if line >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[line]
        chosen = row.option == self.found[self._at]
        style = self.get_component_rich_style("options--chosen") if chosen else self.rich_style
        sign = Segment("▸ " if chosen and row.first else "  ")
        strip = Strip(Segment.apply_style([sign, *row.segments], style))
        return strip.crop_extend(0, width, style)

    # choosing

    @property
    def chosen(self) -> int | None:
        """The number of the option that the person is at."""
        return self.found[self._at] if self.found else None

    def _go(self, at: int) -> None:
        self._at = max(0, min(at, len(self.found) - 1))
        self.refresh()
        self._show_chosen()

    def _show_chosen(self) -> None:
        if self._rows:
            first, after = self._starts[self._at], self._starts[self._at + 1]
            height = min(after - first, max(1, self.size.height))
            self.scroll_to_region(Region(0, first, 1, height), animate=False, force=True)

    def action_move(self, by: int) -> None:
        self._go(self._at + by)

    def action_page(self, pages: int) -> None:
        if not self._rows:
            return
        row = self._starts[self._at] + pages * max(1, self.size.height - 1)
        row = max(0, min(row, len(self._rows) - 1))
        self._go(self.found.index(self._rows[row].option))

    def action_first(self) -> None:
        self._go(0)

    def action_last(self) -> None:
        self._go(len(self.found) - 1)

    def action_choose(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Chosen(self.chosen))

    def on_click(self, event: events.Click) -> None:
        line = event.y + self.scroll_offset.y
        if line < len(self._rows):
            self._go(self.found.index(self._rows[line].option))
            self.action_choose()

    # filtering

    def on_key(self, event: events.Key) -> None:
        if self._filtered and event.is_printable and event.character:
            event.stop()
            self.filter += event.character

    def on_paste(self, event: events.Paste) -> None:
        if not self._filtered or len(event.text) > LONGEST:
            return
        event.stop()
        words = "".join(character if character.isprintable() else " " for character in event.text)
        self.filter += " ".join(words.split())

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return self._filtered and character is not None and character.isprintable()

    def action_shorten(self) -> None:
        if self.filter:
            self.filter = self.filter[: graphemes(self.filter)[-1][0]]

    def action_clear(self) -> None:
        self.filter = ""
