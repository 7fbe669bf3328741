"""A list to choose from: thousands of rows cost as much as those that are seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitui.render.text import cells, clean_line, truncate, truncate_start

GAP = 2
"""Cells between columns."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row: what it is, what is said of it, and a short note at the right edge; `mark` is a sign before it."""

    label: str
    detail: str = ""
    note: str = ""
    mark: str = ""


class Menu(ScrollView, can_focus=False):
    """Shows items in columns, one of them highlighted. It takes no keys by itself: who owns it moves the highlight."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"menu--label", "menu--detail", "menu--highlighted"}

    highlighted: reactive[int] = reactive(0)

    @dataclass
    class Chosen(Message):
        """An item was clicked."""

        menu: "Menu"
        index: int

        @property
        def control(self) -> "Menu":
            return self.menu

    def __init__(self, items: Sequence[Item] = (), *, notes_stay: bool = False, ends: bool = False) -> None:
        """Where `notes_stay`, long labels make room for them; of labels that are too long the `ends` are shown."""
        super().__init__()
        self._notes_stay = notes_stay
        self._cut = truncate_start if ends else truncate
        self.items: list[Item] = []
        self._label_width = self._note_width = 0
        self._marked = False
        self.show(items)

    def show(self, items: Sequence[Item], highlighted: int = 0) -> None:
        """Show these instead. What they say may come from anywhere."""
        before = len(self.items)
        self.items = [
            Item(clean_line(item.label, 300), clean_line(item.detail, 500), clean_line(item.note, 100), item.mark)
            for item in items
        ]
        self._label_width = max((cells(item.label) for item in self.items), default=0)
        self._note_width = max((cells(item.note) for item in self.items), default=0)
        self._marked = any(item.mark for item in self.items)
        self.virtual_size = Size(0, len(self.items))
        self.set_reactive(Menu.highlighted, min(highlighted, max(0, len(self.items) - 1)))
        self._scroll_to_highlighted()
        self.refresh(layout=len(self.items) != before)

    def move(self, by: int, *, around: bool = False) -> None:
        """Highlight the item that is `by` rows further, at most the last; with `around` go on at the other end."""
        if self.items:
            wanted = self.highlighted + by
            last = len(self.items) - 1
            self.highlighted = wanted % len(self.items) if around else min(max(wanted, 0), last)

    def page(self, by: int) -> None:
        """Move by so many pages."""
        self.move(by * max(1, self.size.height - 1))

    def watch_highlighted(self) -> None:
        self._scroll_to_highlighted()
        self.refresh()

    def _scroll_to_highlighted(self) -> None:
        if self.is_mounted:
            self.scroll_to_region(Region(0, self.highlighted, 1, 1), animate=False)

    def on_resize(self) -> None:
        self._scroll_to_highlighted()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.items)

    def render_line(self, y: int) -> Strip:
        index = y + round(self.scroll_y)
        width = self.size.width
        if not 0 <= index < len(self.items) or width <= 0:
            return Strip.blank(width, self.rich_style)
        highlighted = index == self.highlighted
        base = self.get_component_rich_style("menu--highlighted") if highlighted else self.rich_style
        label = self.get_component_rich_style("menu--label") + base.background_style
        detail = self.get_component_rich_style("menu--detail") + base.background_style
        if base.reverse:
            label = detail = base
        return self._row(self.items[index], width, base, label, detail).crop_extend(0, width, base)

    def _row(self, item: Item, width: int, base: Style, label: Style, detail: Style) -> Strip:
        inner = max(0, width - 2)
        marks = 2 if self._marked else 0
        labels = 0 if self._notes_stay else self._label_width
        notes = self._note_width if inner - self._note_width > labels + 16 else 0
        note = item.note if notes else ""
        room = inner - marks - (notes + GAP if notes else 0)
        column = min(self._label_width, room if room < 30 else max(16, room * 6 // 10))
        shown = self._cut(item.label, column if item.detail else room)
        left = room - column - GAP
        said = truncate(item.detail, left) if left >= 4 else ""
        segments = [Segment(" " + (item.mark or " ").ljust(marks)[:marks], detail), Segment(shown, label)]
        if said:
            segments += [Segment(" " * (column - cells(shown) + GAP), base), Segment(said, detail)]
        used = sum(cells(segment.text) for segment in segments)
        if note:
            segments.append(Segment(" " * (width - 1 - cells(note) - used) + note, detail))
        return Strip(segments)

    def on_click(self, event: events.Click) -> None:
        index = event.y + round(self.scroll_y)
        if 0 <= index < len(self.items):
            event.stop()
            self.highlighted = index
            self.post_message(self.Chosen(self, index))
