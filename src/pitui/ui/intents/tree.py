"""The tree: moving in it, and what else can be done with an entry."""

from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from pitui.agent import Agent
from pitui.config import Settings
from pitui.draft import Draft
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.session import CLONED, FORKED, SessionIntents
from pitui.ui.keys import sentences
from pitui.ui.theme import palette_of

if TYPE_CHECKING:
    from pitui.rpc.messages import Entry
    from pitui.ui.screens.entry_menu import Deed
    from pitui.ui.screens.tree import TreeScreen
    from pitui.ui.widgets.tree import TreeView

MOVED = "It goes on from here. · [tree.back] goes back to where it was."
BACK = "Back where it was. · [tree.back] goes here again."
MARKED = "Marked. · [tree.compare] at an entry of another branch compares both."
BEFORE_PROMPT = "Back to before that prompt, which can be sent again. · [tree.back] goes here again."
FORKED_AT = "A new session that ends with this. The old session is kept."


class TreeIntents(SessionIntents):
    tree_screen: "TreeScreen | None" = None
    """The screen of the tree, while it is open."""
    _left: tuple[str, str | None] | None = None
    """The session and the leaf before the last move; None was before the first entry."""
    _written = (Draft(), Draft())
    """What was in the prompt before the last move, and with what that has given back."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        super().__init__(agent, settings)
        self._moving = anyio.Lock()
        """Moves go one after another: where the next goes back to is known when the one before is over."""

    @intent
    async def action_session_tree(self, argument: str = "") -> None:
        from pitui.ui.screens.tree import TreeScreen

        if self.tree_screen is not None:
            return
        if self.session.busy:
            self._look_at_tree()
        self.tree_screen = TreeScreen(
            self.session, palette_of(self.current_theme), keys=self.pane_keys | self.editor_keys
        )
        try:
            await self.push_screen_wait(self.tree_screen)
        finally:
            self.tree_screen = None

    async def action_sidebar_tree(self, argument: str = "") -> None:
        await self.main.toggle_tree(palette_of(self.current_theme))

    # what is wanted of an entry

    def on_tree_screen_wanted(self, event: "TreeScreen.Wanted") -> None:
        if self.tree_screen is not None:
            self._do_with_entry(self.tree_screen.tree_view, event.entry, event.deed)

    def on_tree_view_chosen(self, event: "TreeView.Chosen") -> None:
        """In the side bar: the screen of the tree takes what is chosen there itself."""
        if self.main.tree_pane is not None:
            self._do_with_entry(self.main.tree_pane, event.entry, None)

    @intent
    async def _do_with_entry(self, view: "TreeView", entry: "Entry", deed: "Deed | None") -> None:
        from pitui.ui.screens.entry_menu import Deed, EntryMenu, offers

        offered = offers(view.branches.tree, entry, view.marked, self.agent.companion.missing, self.pane_keys)
        if deed is None:
            deed = await self.push_screen_wait(EntryMenu(view.words_of(entry), offered))
        elif refusal := next((offer.refusal for offer in offered if offer.deed is deed), ""):
            if deed is not Deed.COMPARE:
                self.say(refusal, "warning")
                return
            deed = Deed.MARK
        match deed:
            case Deed.CONTINUE:
                await self._continue(entry, summary=False)
            case Deed.SUMMARIZE:
                await self._continue(entry, summary=True)
            case Deed.INSTRUCT:
                await self._continue_as_told(entry)
            case Deed.FORK:
                await self._fork(entry)
            case Deed.CLONE:
                await self._clone()
            case Deed.LABEL:
                await self._label(entry)
            case Deed.COPY:
                self.copy_to_clipboard(view.text_of(entry))
            case Deed.MARK:
                view.marked = "" if view.marked == entry.id else entry.id
                self.say(sentences(MARKED, self.pane_keys) if view.marked else "The mark is taken away.")
            case Deed.COMPARE:
                await self._compare(view, entry)
            case None:
                pass

    # moving

    async def _continue_as_told(self, entry: "Entry") -> None:
        from pitui.ui.screens.entry_menu import LineScreen

        told = await self.push_screen_wait(
            LineScreen("What should the summary of the branch that is left tell of?", note="Enter moves · Esc closes")
        )
        if told:
            await self._continue(entry, summary=True, instructions=told)

    async def _continue(self, entry: "Entry", *, summary: bool, instructions: str = "") -> None:
        async with self._moving:
            if await self._leave_tree():
                await self._move(entry.id, MOVED, summary=summary, instructions=instructions)

    async def _leave_tree(self) -> bool:
        """Close the tree, so that what is typed from now on comes into the prompt; not when pi is to go on working."""
        may = await self.may_stop()
        if may and self.screen is self.main:
            self.main.leave_panes()
        elif may and self.tree_screen is not None and self.screen is self.tree_screen:
            self.tree_screen.dismiss(None)
        return may

    async def _move(self, entry_id: str, done: str, *, summary: bool = False, instructions: str = "") -> None:
        before, leaf = self._left, self.session.leaf_id
        self._left = (self.session.id, leaf)  # from when the move is seen, the key undoes it
        moved = False
        try:
            replacement = await self.agent.navigate(entry_id, summary=summary, instructions=instructions)
            moved = not replacement.cancelled
        finally:
            self._left = self._left if moved else before
        written = self.main.prompt.written
        self._replaced(replacement, sentences(done, self.keys))
        if moved:
            self._written = written, self.main.prompt.written

    @intent
    async def action_tree_back(self, argument: str = "") -> None:
        async with self._moving:
            await self._go_back()

    async def _go_back(self) -> None:
        left = self._left
        if left is None or left[0] != self.session.id or not (entry_id := self._way_to(left[1])):
            self.say("There was no move in this session to go back from.")
            return
        if await self.may_stop():
            before, with_given = self._written
            prompt = left[1] is not None and _is_prompt(self.session.entries[entry_id])
            await self._move(entry_id, BEFORE_PROMPT if prompt else BACK)
            if self.main.prompt.written == with_given != before:
                self.main.prompt.show(before)

    def _way_to(self, leaf_id: str | None) -> str:
        """The entry to choose so that pi goes on from `leaf_id`; empty where there is none.

        Before the first entry that is a prompt without a parent: pi goes to the place before it, and gives it back.
        """
        entries = self.session.entries
        if leaf_id is not None:
            return leaf_id if leaf_id in entries else ""
        return next((entry.id for entry in entries.values() if entry.parent_id is None and _is_prompt(entry)), "")

    # other deeds

    async def _fork(self, entry: "Entry") -> None:
        from pitui.rpc.messages import MessageEntry, UserMessage

        if not await self._leave_tree():
            return
        if isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage):
            replacement, done = await self.agent.fork(entry.id), FORKED
        else:
            replacement, done = await self.agent.fork_at(entry.id), FORKED_AT
        self._replaced(replacement, done)

    async def _clone(self) -> None:
        if await self._leave_tree():
            self._replaced(await self.agent.clone(), CLONED)

    async def _label(self, entry: "Entry") -> None:
        from pitui.session.tree import labels
        from pitui.ui.screens.entry_menu import LineScreen

        now = labels(self.session.entry_list).get(entry.id, "")
        note = "Enter keeps it; an empty one takes the label away" if now else "Enter keeps it · Esc closes"
        label = await self.push_screen_wait(LineScreen("Label", now, note=note))
        if label is not None and label != now:
            await self.agent.label(entry.id, label)

    async def _compare(self, view: "TreeView", entry: "Entry") -> None:
        from pitui.ui.screens.compare import CompareScreen, compared

        shown = view.branches.tree
        left = shown.place_of(view.marked)
        here = left < 0
        ends = (shown.leaf if here else shown.newest_below(left), shown.newest_below(shown.place_of(entry.id)))
        names = ("Where you are" if here else "The marked branch", "The branch chosen here")
        comparison, talks = await anyio.to_thread.run_sync(compared, shown, *ends)
        palette = palette_of(self.current_theme)
        await self.push_screen_wait(CompareScreen(comparison, names, talks, palette, keys=self.pane_keys))


def _is_prompt(entry: "Entry") -> bool:
    """Whether pi goes to the place before the entry and gives it back, when it is chosen."""
    from pitui.rpc.messages import CustomMessageEntry, MessageEntry, UserMessage

    return isinstance(entry, CustomMessageEntry) or (
        isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage)
    )
