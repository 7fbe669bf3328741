"""`TreeView`: every entry of a session, as far as it is looked for."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
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
from textual.timer import Timer

from pitui.pane_actions import PANE_KEYS, TREE_FILTERS, TREE_MOVES, Keys, PaneAction
from pitui.render.entries import entry_line, one_line
from pitui.render.palette import Palette
from pitui.render.text import clean_line, graphemes, truncate
from pitui.rpc.messages import Entry
from pitui.session.outline import Filter
from pitui.session.tree import NONE, said
from pitui.ui.keys import bindings_of, has_key, sentences
from pitui.ui.widgets.tree.branches import Branches, Prepared
from pitui.ui.widgets.tree.painting import Paint, levels, row_strip, with_cursor

SEARCH_SECONDS = 0.008
"""How long the screen may wait for the search at a time."""


class TreeView(ScrollView, can_focus=True):
    """The entries of a session as rows, one of which is selected; letters that are typed are looked for.

    Costs what is seen of it, however many there are. `load` tells it what is in the session; the selection stays on
    its entry, and in its place on the screen, when something comes.
    """

    ACTIONS: ClassVar[Sequence[PaneAction]] = (*TREE_MOVES, *TREE_FILTERS)
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tree--cursor", "tree--quiet"}
    EMPTY: ClassVar[str] = "Nothing was said in this session yet."

    marked: reactive[str] = reactive("", layout=False)
    """The id of the entry that is marked for a comparison."""

    @dataclass
    class Moved(Message):
        """Another entry is selected, or none."""

        entry: Entry | None

    @dataclass
    class Chosen(Message):
        """The person wants to do something with an entry."""

        entry: Entry

    class Sought(Message):
        """What is shown has changed: the filter, or the search, or how far it has come."""

    label_times: reactive[bool] = reactive(True, layout=False)
    """Whether it is told how old labels are."""

    def __init__(self, palette: Palette, clock: Callable[[], float] = time.time, *, keys: Keys = PANE_KEYS) -> None:
        """`clock` is the time of day, in seconds; `keys` are those in force."""
        super().__init__()
        self._keys = keys
        self._bindings = bindings_of(self.ACTIONS, keys)
        self.branches = Branches()
        self._palette = palette
        self._clock = clock
        self.at = 0
        """The selected one of the rows that are seen."""
        self._wanted = ""
        """The id of the entry that the person selected, also while it is not shown."""
        self._above = 0
        self._slice: Timer | None = None
        self._paint: Paint | None = None
        self._strips: dict[int, Strip] = {}

    # what the screen tells

    def load(self, entries: Sequence[Entry], leaf_id: str | None) -> None:
        """Show these entries. The first time the leaf is selected, in the middle of the screen."""
        self.take(self.branches.prepare(entries, leaf_id))

    def take(self, prepared: Prepared) -> None:
        """The same with what `branches` has prepared of them."""
        first = not self.branches.tree.entries
        self.branches.take(prepared)
        self._relay()
        if first:
            self.select(prepared.tree.leaf_id)
        self._search_on()

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self._paint = None
        self.refresh()

    def select(self, entry_id: str) -> None:
        """Select an entry and show it in the middle; where it is not shown, what it comes after."""
        self._wanted = entry_id
        self.at = self._wanted_at()
        self._show_selected()
        self.refresh()
        self.post_message(self.Moved(self.selected))
        if self.size.height:
            self._centre()

    @property
    def selected(self) -> Entry | None:
        """The entry that the keys act on; None where there is none."""
        rows = self.branches.rows
        return self.branches.entry(rows[self.at]) if rows else None

    @property
    def selected_place(self) -> int:
        """The place of the selected entry in the tree; NONE where there is none."""
        rows = self.branches.rows
        return self.branches.outline.places[rows[self.at]] if rows else NONE

    @property
    def shows_cursor(self) -> bool:
        """Whether the selected row is marked."""
        return True

    def words_of(self, entry: Entry) -> str:
        """An entry in one line."""
        tree = self.branches.tree
        call = tree.call_of(tree.place_of(entry.id))
        return "".join(segment.text for segment in entry_line(entry, call, Palette.plain())).strip()

    def text_of(self, entry: Entry) -> str:
        """What is copied of an entry: all of its text, else its line."""
        return said(entry) or self.words_of(entry)

    def look_for(self, query: str) -> None:
        """Show only what has all words of `query`; it is found between frames."""
        self.branches.look_for(query)
        self._search_on()

    def _search_on(self) -> None:
        over = self.branches.go_on(SEARCH_SECONDS)
        if self._slice is not None:
            self._slice.stop()
            self._slice = None
        if over:
            self._relay()
            if self.branches.query and (found := self.selected):
                self._wanted = found.id  # what was found stays selected when the search is given up
        else:
            self._slice = self.set_timer(SEARCH_SECONDS, self._search_on)
        self.post_message(self.Sought())

    # where the selection is

    def _wanted_at(self) -> int:
        branches = self.branches
        return self._at_row(branches.row_of(branches.tree.place_of(self._wanted)))

    def _at_row(self, row: int) -> int:
        """Where a row is among those that are seen, or what it comes after."""
        return max(0, bisect_right(self.branches.rows, row) - 1)

    def _relay(self) -> None:
        """The rows are others: keep the selection on its entry, and that where it is on the screen."""
        offset = self.at - round(self.scroll_y)
        self.at = self._wanted_at()
        self._paint = None
        self.virtual_size = Size(0, len(self.branches.rows))
        self.scroll_to(y=self.at - offset, animate=False, force=True, immediate=True)
        self._show_selected()
        self.refresh()
        self.post_message(self.Moved(self.selected))

    @property
    def leaf_at(self) -> int:
        """Where the leaf is among the rows that are seen, or what it comes after."""
        return self._at_row(self.branches.leaf_row)

    def go(self, at: int) -> None:
        """Select one of the rows that are seen."""
        if not self.branches.rows:
            return
        before = (self.at, self.scroll_y, self._above)
        self.at = max(0, min(at, len(self.branches.rows) - 1))
        entry = self.selected
        self._wanted = entry.id if entry else ""
        self._show_selected()
        if before[1:] == (self.scroll_y, self._above):
            self.refresh_line(before[0])
            self.refresh_line(self.at)
        else:
            self.refresh()
        self.post_message(self.Moved(entry))

    def _show_selected(self) -> None:
        if not self.branches.rows:
            return
        depth = self.branches.outline.depths[self.branches.rows[self.at]]
        above = max(0, depth - levels(self._width) + 1)
        if above != self._above:
            self._above = above
            self._strips.clear()
        self.scroll_to_region(Region(0, self.at, 1, 1), animate=False, force=True, immediate=True)

    def _centre(self) -> None:
        self.scroll_to(y=self.at - self.size.height // 2, animate=False, force=True, immediate=True)

    # how it looks

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    def notify_style_update(self) -> None:
        self._paint = None
        super().notify_style_update()

    def watch_marked(self) -> None:
        self._strips.clear()
        self.refresh()

    def watch_label_times(self) -> None:
        self.watch_marked()

    def on_resize(self) -> None:
        self._strips.clear()
        self._centre() if not self.scroll_y else self._show_selected()

    def _painted(self) -> Paint:
        if self._paint is None:
            cursor = self.get_component_rich_style("tree--cursor")
            ground = Style(bgcolor=cursor.bgcolor, reverse=cursor.reverse)
            self._paint = Paint(self._palette, self.rich_style + self._palette.text, ground, self._clock())
            self._strips.clear()
        return self._paint

    def render_line(self, y: int) -> Strip:
        paint, width = self._painted(), self._width
        at = y + round(self.scroll_y)
        rows = self.branches.rows
        if at >= len(rows):
            words = truncate(self._empty(), width) if y == 0 and not rows else ""
            line = Strip([Segment(words, paint.ground + paint.palette.dim)])
            return line.crop_extend(0, width, paint.ground)
        strip = self._strip(rows[at])
        return with_cursor(strip, paint.cursor) if at == self.at and self.shows_cursor else strip

    def _strip(self, row: int) -> Strip:
        paint = self._painted()
        if row not in self._strips:
            self._strips[row] = row_strip(
                self.branches,
                row,
                self._width,
                paint,
                above=self._above,
                marked=bool(self.marked) and self.branches.entry(row).id == self.marked,
                label_times=self.label_times,
            )
        return self._strips[row]

    @property
    def cut_label(self) -> str:
        """The whole label of the selected entry where its row shows less of it; else empty."""
        entry = self.selected
        label = self.branches.tree.labels.get(entry.id) if entry else None
        if label is None or self._width <= 0:
            return ""
        whole = one_line(label.text)
        return "" if whole in self._strip(self.branches.rows[self.at]).text else whole

    def _empty(self) -> str:
        """Why there is nothing to see."""
        branches = self.branches
        if not branches.tree.entries:
            return self.EMPTY
        if branches.query:
            return f"Nothing has “{clean_line(branches.query, 60)}” in it. Backspace takes letters back."
        if branches.filter is Filter.LABELLED:
            return sentences("Nothing has a label yet. · [tree.label] gives one.", self._keys)
        return "Nothing here."

    # keys

    def action_move(self, by: int) -> None:
        self.go(self.at + by)

    def action_page(self, pages: int) -> None:
        self.go(self.at + pages * max(1, self.size.height - 1))

    def action_go(self, at: int) -> None:
        self.go(at)

    def action_close(self) -> None:
        """Fold the branch that begins here; from elsewhere go to where it begins, and from there to what it left."""
        branches = self.branches
        if not branches.rows:
            return
        row = branches.rows[self.at]
        head = branches.head(row)
        if head == row and branches.below(row) and not branches.is_folded(row) and not branches.query:
            branches.fold(row, True)
            self._relay()
        elif head != row:
            self.go(bisect_left(branches.rows, head))
        elif (parent := branches.outline.parents[row]) != NONE:
            self.go(bisect_left(branches.rows, parent))

    def action_open(self) -> None:
        """Unfold what is folded here; else go on to where the next branch begins."""
        branches = self.branches
        if not branches.rows:
            return
        row = branches.rows[self.at]
        if branches.is_folded(row):
            branches.fold(row, False)
            self._relay()
            return
        following = range(self.at + 1, len(branches.rows))
        self.go(next((at for at in following if branches.head(branches.rows[at]) == branches.rows[at]), self.at))

    def action_choose(self) -> None:
        if entry := self.selected:
            self.post_message(self.Chosen(entry))

    def action_last(self) -> None:
        self.go(len(self.branches.rows) - 1)

    def action_filter(self, name: str) -> None:
        """Show only these, and again all of the conversation."""
        wanted = Filter[name]
        self._show_only(Filter.DEFAULT if wanted is self.branches.filter else wanted)

    def action_next_filter(self, step: int) -> None:
        filters = list(Filter)
        self._show_only(filters[(filters.index(self.branches.filter) + step) % len(filters)])

    def _show_only(self, chosen_filter: Filter) -> None:
        self.branches.show_only(chosen_filter)
        self._relay()
        self.post_message(self.Sought())

    def action_toggle_label_times(self) -> None:
        self.label_times = not self.label_times

    def action_shorten(self) -> None:
        query = self.branches.query
        if query:
            self.look_for(query[: graphemes(query)[-1][0]])

    def on_key(self, event: events.Key) -> None:
        if event.is_printable and event.character and "+" not in event.key and not self._is_bound(event.key):
            event.stop()
            self.look_for(self.branches.query + event.character)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.look_for(self.branches.query + " ".join(event.text[:200].split()))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable() and not self._is_bound(key)

    def _is_bound(self, key: str) -> bool:
        """Whether the person has made a key of a letter that would be searched for."""
        return has_key(self, key) or has_key(self.screen, key)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        at = offset.y + round(self.scroll_y) if offset else len(self.branches.rows)
        if at < len(self.branches.rows):
            again = at == self.at
            self.go(at)
            if again or event.chain > 1:
                self.action_choose()
