"""The tree of the session, and what was said on its branches beside it."""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import anyio
import anyio.to_thread
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from pitui.pane_actions import PANE_KEYS, TREE_DEEDS, TREE_PANE, Keys
from pitui.render.amounts import number
from pitui.render.palette import Palette
from pitui.render.text import cells, clean_line, truncate
from pitui.rpc.messages import Entry
from pitui.session.model import Aspect, Changes, Phase, Session
from pitui.session.outline import Filter
from pitui.session.tree import NONE
from pitui.ui.keys import fitting
from pitui.ui.screens.entry_menu import Deed
from pitui.ui.screens.pane import PaneScreen
from pitui.ui.widgets.activity import ended_in_words
from pitui.ui.widgets.tree import TreeView
from pitui.ui.widgets.tree.preview import BranchPreview

WIDE = 120
"""Columns from which on the branch is shown beside the tree."""
AT_ONCE = 2_000
"""So many entries can be laid out within a frame; the tree of more is made in a thread."""
LOOK_SECONDS = 0.08
"""How long the selection has to stay before its branch is drawn."""
LABEL_ROWS = 3
"""Of a label that its row has no room for."""
HINTS = (
    "[tree.menu] what to do · [tree.fold tree.unfold] fold · [tree.look] look · [tree.next_filter] filter"
    " · type to search · [tree.leave] back",
    "[tree.menu] menu · [tree.fold tree.unfold] fold · [tree.look] look · [tree.next_filter] filter"
    " · type to search · [tree.leave]",
    "[tree.menu] menu · [tree.look] look · type to search · [tree.leave]",
    "[tree.menu] menu · [tree.look] look · [tree.leave]",
)
LOOK_HINTS = (
    "↑↓ block · PgUp PgDn · Enter folds · Ctrl+C copies · [tree.look], [tree.leave] to the tree",
    "[tree.look], [tree.leave] to the tree",
)


class TreeScreen(PaneScreen[None]):
    """Shows the entries of a session and takes what the person wants done with one of them.

    `sync` tells it what has changed; the selection stays where it is.
    """

    @dataclass
    class Wanted(Message):
        """The person wants this done with an entry; without a `deed`, to be asked what."""

        entry: Entry
        deed: Deed | None

    PANE = TREE_PANE
    ACTIONS = TREE_DEEDS
    AUTO_FOCUS = "TreeView"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]

    def __init__(
        self, session: Session, palette: Palette, clock: Callable[[], float] = time.time, *, keys: Keys = PANE_KEYS
    ) -> None:
        """`clock` is the time of day, in seconds; `keys` are those in force."""
        super().__init__(keys)
        self._session = session
        self._palette = palette
        self._heading = Static(id="tree-heading")
        self.tree_view = TreeView(palette, clock, keys=keys)
        self.preview = BranchPreview(palette)
        self._behind = self._replaced = False
        self._updating = True
        """Whether the tree is being made; the first time it is when this is mounted, of all that is there then."""
        self._grown = False
        self._looking: Timer | None = None

    def compose(self) -> ComposeResult:
        yield self._heading
        with Horizontal(id="tree-panes"):
            yield self.tree_view
            yield Static(id="tree-gap")
            yield self.preview
        yield self.foot

    def on_mount(self) -> None:
        if len(self._session.entries) > AT_ONCE:
            self._behind = True
            self._keep_up()
            return
        self.tree_view.load(self._session.entry_list, self._session.leaf_id)
        self._behind = self._replaced = self._updating = False
        self._has_grown()

    # what the app tells

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session."""
        self._replaced = self._replaced or Aspect.REPLACED in changes.aspects
        if Aspect.PROCESS in changes.aspects:
            self._tell()
        if changes.aspects & (Aspect.ENTRIES | Aspect.REPLACED):
            self._behind = True
            if not self._updating:
                self._updating = True
                self._keep_up()

    @work
    async def _keep_up(self) -> None:
        """Made in a thread: with 20,000 entries it takes longer than a key may wait."""
        try:
            while self._behind:
                replaced, leaf_id = self._replaced, self._session.leaf_id
                self._behind = self._replaced = False
                prepare = self.tree_view.branches.prepare
                self.tree_view.take(await anyio.to_thread.run_sync(prepare, self._session.entry_list, leaf_id))
                if replaced:
                    self.tree_view.select(leaf_id or "")
                self._has_grown()
        finally:
            self._updating = False

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.tree_view.set_palette(palette)
        self.preview.set_palette(palette)
        self._tell()

    def _has_grown(self) -> None:
        self._grown = True
        self._look_soon()
        self._tell()

    # what is said around the tree

    def _tell(self) -> None:
        self._heading.update(self._head(self.size.width))
        self.foot.hint(self._hint(self.size.width))

    def _head(self, width: int) -> Text:
        """The filters, the one in force marked, and how much they show; the name of the session where there is room."""
        branches, palette = self.tree_view.branches, self._palette
        entries = number(len(branches.tree.entries), "entry", "entries")
        count = f"{len(branches.outline):,} of {entries}"
        name = f"  {clean_line(self._session.name, 60)}" if self._session.name else ""
        room = width - 2 - len("Tree") - len(count) - 4
        filters = list(Filter) if _cells(Filter) <= room else [branches.filter]
        head = Text.assemble(
            ("Tree", palette.strong), (name, palette.dim) if _cells(filters) + cells(name) <= room else ""
        )
        head.append("  ")
        for each in filters:
            head.append(f" {each.value} ", palette.selection if each is branches.filter else palette.dim)
        head.append(" " * max(2, width - 2 - head.cell_len - len(count)))
        return head.append(count, palette.dim)

    def _hint(self, width: int) -> Text:
        """What is searched for, else the keys."""
        branches, palette = self.tree_view.branches, self._palette
        if self._session.phase is Phase.ENDED:
            ways = (
                "[tree.leave] leads to the chat, where [tui.input.submit] starts it again",
                "[tree.leave], [tui.input.submit]: again",
            )
            what = ended_in_words(self._session)
            return Text(f"✗ {fitting([f'{what} · {way}' for way in ways], self.keys, width - 4)}", palette.error)
        if branches.query and not self.preview.has_focus:
            found = "searching…" if branches.search else f"{len(branches.outline):,} found"
            query = truncate(clean_line(branches.query, 200), max(8, width - 30))
            return Text.assemble(("Search: ", palette.dim), query, ("▏  ", palette.accent), (found, palette.dim))
        hints = Text(fitting(LOOK_HINTS if self.preview.has_focus else HINTS, self.keys, width - 2), palette.dim)
        label = truncate(self.tree_view.cut_label, LABEL_ROWS * (width - 2))
        return Text.assemble((f"{label}\n", palette.warning), hints) if label else hints

    def on_resize(self) -> None:
        self._tell()

    @on(TreeView.Sought)
    def _sought(self) -> None:
        self._tell()

    def on_descendant_focus(self) -> None:
        self._tell()

    # looking

    @on(TreeView.Moved)
    def _moved(self) -> None:
        self.foot.hint(self._hint(self.size.width))
        self._look_soon()

    def _look_soon(self) -> None:
        if self._looking is not None:
            self._looking.stop()
        self._looking = self.set_timer(LOOK_SECONDS, self.look_now)

    def look_now(self) -> None:
        """Show the branch of the selected entry without waiting whether the selection goes on."""
        if self.preview.display and self.tree_view.selected_place != NONE:
            self._look()

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        tree, place = self.tree_view.branches.tree, self.tree_view.selected_place
        grown, self._grown = self._grown, False
        try:
            look = await anyio.to_thread.run_sync(partial(self.preview.prepare, tree, place, grown=grown))
        except asyncio.CancelledError:
            self._grown = self._grown or grown
            raise
        self.preview.take(look)

    def action_look(self) -> None:
        """Into the branch that is shown, and back; where there is no room for both, one instead of the other."""
        looking = self.preview.has_focus
        self.set_class(not looking, "-looking")
        (self.tree_view if looking else self.preview).focus()
        if not looking:
            self.look_now()

    def action_back(self) -> None:
        """Esc: from the branch to the tree, from the search to all, from the tree to the chat."""
        if self.preview.has_focus:
            self.action_look()
        elif self.tree_view.branches.query:
            self.tree_view.look_for("")
        else:
            self.dismiss(None)

    # doing

    @on(TreeView.Chosen)
    def _choose(self, event: TreeView.Chosen) -> None:
        event.stop()
        self.post_message(self.Wanted(event.entry, None))

    def action_want(self, deed: str) -> None:
        if entry := self.tree_view.selected:
            self.post_message(self.Wanted(entry, Deed[deed]))


def _cells(filters: Iterable[Filter]) -> int:
    return sum(len(each.value) + 2 for each in filters)
