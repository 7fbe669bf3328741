"""`TreePane`: the tree beside the chat."""

import time
from collections.abc import Callable

import anyio
import anyio.to_thread
from textual import work
from textual.geometry import Region
from textual.strip import Strip

from pitui.pane_actions import PANE_KEYS, TREE_MOVES, Keys
from pitui.render.palette import Palette
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.widgets.tree.branches import Prepared
from pitui.ui.widgets.tree.view import TreeView

UPDATE_SECONDS = 0.5
"""How long the tree stays as it is, however much is said."""


class TreePane(TreeView):
    """The tree of a session that goes on: it stays at the leaf until the person moves away from it.

    It is made anew in a thread, for with 20,000 entries that takes longer than a key may wait, and only while it is
    seen.
    """

    ACTIONS = TREE_MOVES
    EMPTY = "What is said comes here."

    def __init__(
        self, session: Session, palette: Palette, clock: Callable[[], float] = time.time, *, keys: Keys = PANE_KEYS
    ) -> None:
        """`clock` is the time of day, in seconds; `keys` are those in force."""
        super().__init__(palette, clock, keys=keys)
        self.following = True
        """Whether it stays at the leaf."""
        self._session = session
        self._behind = True
        self._updating = False
        self.border_title = " Tree "

    # what the screen tells

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session."""
        if Aspect.REPLACED in changes.aspects:
            self.following = True
        if changes.aspects & (Aspect.ENTRIES | Aspect.REPLACED):
            self._behind = True
            self._catch_up()

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._behind:  # seen again: Textual 8.2 does not always say so with `Show`
            self.call_later(self._catch_up)
        return super().render_lines(crop)

    def _catch_up(self) -> None:
        if self._behind and not self._updating:
            self._updating = True
            self._keep_up()

    @work
    async def _keep_up(self) -> None:
        try:
            while self._behind and self.is_on_screen:
                self._behind = False
                session = self._session
                self.take(await anyio.to_thread.run_sync(self.branches.prepare, session.entry_list, session.leaf_id))
                await anyio.sleep(UPDATE_SECONDS)
        finally:
            self._updating = False

    def take(self, prepared: Prepared) -> None:
        following = self.following
        super().take(prepared)
        if following:
            self.action_last()
        count = len(self.branches.outline)
        self.border_title = f" Tree {count:,} " if count else " Tree "

    # the selection

    @property
    def shows_cursor(self) -> bool:
        return self.has_focus

    def go(self, at: int) -> None:
        super().go(at)
        self.following = self.at == self.leaf_at

    def action_last(self) -> None:
        self.go(self.leaf_at)
