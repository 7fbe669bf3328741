"""`BranchPreview`: what was said on a branch of the tree, to be read."""

from collections.abc import Sequence
from dataclasses import dataclass

from pitui.render.palette import Palette
from pitui.rpc.messages import MessageEntry, ToolResultMessage
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.blocks import Block
from pitui.session.model import Aspect, Changes, Session
from pitui.session.tree import Tree
from pitui.ui.widgets.transcript import Transcript

WINDOW = 300
"""Entries that are drawn around the one that is looked at: what takes longer is for the chat."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A place of a tree, and what was said around it, where that is not shown yet."""

    tree: Tree
    place: int
    line: Sequence[int]
    """The places that are shown."""
    session: Session | None
    """Of their entries; None when they are shown already."""


class BranchPreview(Transcript):
    """The branch of one entry, from a `Session` made of its entries alone; the session that goes on is not touched.

    It shows the whole branch, also what came after the entry, whose block has the cursor.
    """

    def __init__(self, palette: Palette) -> None:
        super().__init__(Session(), palette, empty="What was said on the branch comes here.")
        self._line: Sequence[int] = ()
        self._held = False
        """Whether nothing is drawn now: the end of a branch, where the chat would begin, is not what is looked at."""

    def prepare(self, tree: Tree, place: int, *, grown: bool = False) -> Look:
        """What `take` shows of the branch of a place. Nothing changes by it: it is for a thread.

        `grown` when the tree has others than before.
        """
        ends = self._line[-1:]
        stale = grown and (not ends or ends[0] >= len(tree.entries) or tree.newest_below(ends[0]) != ends[0])
        if not stale and place in self._line:
            return Look(tree, place, self._line, None)
        line = tree.line(tree.newest_below(place))
        at = line.index(place) if place in line else len(line) - 1
        line = line[max(0, at - WINDOW // 2) : at + WINDOW // 2]
        entries = [tree.entries[shown] for shown in line]
        session = Session()
        apply(session, facts.EntriesLoaded(entries, entries[-1].id, whole=True))
        session.take_changes()
        return Look(tree, place, line, session)

    def take(self, look: Look) -> None:
        """Show the branch, and go to what was said at the place."""
        self._line = look.line
        if look.session is not None:
            self.session = look.session
            self._held = True
            self.sync(Changes(Aspect.REPLACED))
            self._held = False
        block = self._block_at(look.tree, look.place)
        if block is not None:
            self.viewport.show(block.id, at=self.viewport.height // 3)
            self.cursor.block_id = block.id
        self.show()

    def show(self) -> None:
        if not self._held:
            super().show()

    def _block_at(self, tree: Tree, place: int) -> Block | None:
        """The block of an entry, or that of the nearest one before it which has one."""
        first: dict[str, Block] = {}
        for block in self.session.blocks:
            first.setdefault(block.entry_id, block)
        if place not in self._line:
            return None
        for shown in self._line[self._line.index(place) :: -1]:
            entry = tree.entries[shown]
            if isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage):
                found: Block | None = self.session.tools.get(entry.message.tool_call_id)
            else:
                found = first.get(entry.id)
            if found is not None:
                return found
        return None

    def shown(self) -> Sequence[int]:
        """The places of the tree that are shown."""
        return self._line
