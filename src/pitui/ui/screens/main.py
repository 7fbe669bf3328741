"""The screen that is always there: chat, side bar, prompt, status."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from pitui.agent import Agent
from pitui.editor_keys import SUBMIT
from pitui.pane_actions import Keys
from pitui.render.palette import Palette
from pitui.session.model import Aspect, Changes
from pitui.ui.dialogs.waiting import DialogWaiting
from pitui.ui.keys import has_key, key_in_words, told
from pitui.ui.screens.compositor import FrontCompositor
from pitui.ui.widgets.activity import Activity
from pitui.ui.widgets.completion import Completion
from pitui.ui.widgets.extension import ExtensionWidgets
from pitui.ui.widgets.prompt import OF_A_RECORDING, PLACEHOLDERS, Prompt
from pitui.ui.widgets.question import Question
from pitui.ui.widgets.queue import QueuePanel
from pitui.ui.widgets.search import SearchBar, SearchWords
from pitui.ui.widgets.status import ExtensionStatuses, StatusLine
from pitui.ui.widgets.tools import ToolsPanel
from pitui.ui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from pitui.ui.widgets.tree.pane import TreePane

EMPTY = "/ lists the commands, F1 the keys."
OPENING = "The session is being opened…"
SOON = 0.3
"""Seconds in which a session may open without a word."""
NO_MODEL = "pi has no model yet: /login gets one."
NOT_CHOSEN = "No model is chosen yet: /model lists them."
PANE_HINTS: dict[type[Widget], Sequence[str]] = {
    Transcript: (
        "↑↓ block · Enter folds · Tab menu · Ctrl+C copies · Esc to the prompt",
        "↑↓ block · Tab menu · Esc to the prompt",
        "Esc to the prompt",
    ),
    ToolsPanel: ("↑↓ run · Enter shows it · Esc to the prompt", "Esc to the prompt"),
    QueuePanel: (
        "Enter what to do · Ctrl+E edits · Space holds · Shift+↑↓ moves · Esc to the prompt",
        "Enter what to do · Ctrl+E edits · Esc to the prompt",
        "Enter menu · Esc to the prompt",
        "Esc to the prompt",
    ),
}
"""What is said of a pane that has the focus; the longest that there is room for."""
TREE_HINTS = (
    "[tree.menu] what to do · [tree.fold tree.unfold] fold · [tree.last] where you are · Esc to the prompt",
    "[tree.menu] menu · Esc to the prompt",
)

SEARCH_HINTS = ("Enter ↑ next and previous · Tab stays here · Esc goes back", "Tab stays · Esc goes back")

WIDE = 100
"""Columns from which on the side bar stands beside the chat."""


class MainScreen(Screen[None]):
    """Tells its widgets what has changed, and keeps the prompt in reach."""

    AUTO_FOCUS = "Prompt"
    BINDINGS: ClassVar[list[BindingType]] = [  # reached when the prompt, empty, has no use for them
        Binding("home", "app.perform('chat.top')", show=False),
        Binding("end", "app.perform('chat.end')", show=False),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]

    def __init__(
        self,
        agent: Agent,
        palette: Palette,
        keys: Keys,
        pane_keys: Keys,
        *,
        sidebar: bool,
        editor_keys: Mapping[str, Sequence[str]],
    ) -> None:
        super().__init__()
        self._compositor = FrontCompositor()
        session = agent.session
        claimed = {key: f"app.perform('{action}')" for action, used in keys.items() for key in used}
        follow_up = frozenset(keys.get("prompt.follow_up", ()))
        self._agent = agent
        self._pane_keys = pane_keys
        self._opening: Timer | None = None
        """Tells after a while that a session is being opened."""
        self._searched_from: Widget | None = None
        """What had the focus when the search bar opened."""
        self._sidebar_wanted = sidebar
        self._empty = "\n".join(line for line in (agent.launch.greeting, EMPTY) if line)
        self.transcript = Transcript(
            session,
            palette,
            empty="" if agent.opening else self._empty,
            end_key=key_in_words(_first(keys, "chat.end") or "end"),
            clock=agent.clock,
        )
        self.search = SearchBar()
        self.completion = Completion(agent)
        self.sidebar = Vertical(id="sidebar")
        self.tree_pane: TreePane | None = None
        """While the tree is in the side bar."""
        self.tools = ToolsPanel(agent.clock)
        self.queue = QueuePanel(session, agent.queue, _first(keys, "queue.take_back"))
        self.above = ExtensionWidgets(below=False)
        self.below = ExtensionWidgets(below=True)
        self.activity = Activity(agent, key_in_words(_first(editor_keys, SUBMIT)))
        self.waiting = DialogWaiting(_first(keys, "dialog.open"))
        self.question = Question()
        self.prompt = Prompt(
            session,
            self.completion,
            keys=editor_keys,
            claimed=claimed,
            follow_up=follow_up,
            placeholders=OF_A_RECORDING if agent.replays else PLACEHOLDERS,
        )
        self.statuses = ExtensionStatuses(session)
        self.status = StatusLine(agent)

    def compose(self) -> ComposeResult:
        with Container(id="upper"):
            with Horizontal(id="panes"):
                yield self.transcript
                with self.sidebar:
                    yield self.tools
                    yield self.queue
            yield self.above
            yield self.activity
            yield self.waiting
            yield self.question
            yield self.completion
        yield self.prompt
        yield self.below
        yield self.statuses
        yield self.status

    def on_mount(self) -> None:
        self.set_class(not self._sidebar_wanted, "-sidebar-closed")
        self._tell_of_opening()

    # what the app tells

    def fit(self, width: int) -> None:
        """Have the classes for this width, before any style is made for another."""
        self.add_class("-wide" if width >= WIDE else "-narrow", update=False)

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session."""
        aspects = changes.aspects
        session = self._agent.session
        self.transcript.sync(changes)
        self.tools.sync(session, changes)
        if self.tree_pane is not None:
            self.tree_pane.sync(changes)
        if aspects & (Aspect.STATE | Aspect.PROCESS | Aspect.REPLACED | Aspect.BLOCKS | Aspect.QUEUE):
            self.activity.sync()
            self.status.sync()
            self._tell_of_opening()
        if aspects & (Aspect.STATUSES | Aspect.REPLACED):
            self.statuses.sync()
        if aspects & (Aspect.QUEUE | Aspect.STATE | Aspect.REPLACED):
            self.queue.sync()
        if aspects & (Aspect.WIDGETS | Aspect.REPLACED):
            self.above.sync(session)
            self.below.sync(session)
        if Aspect.COMMANDS in aspects:
            self.completion.read_hints()

    def _tell_of_opening(self) -> None:
        """Say in the place of the chat that a session is being opened, but not of one that is there at once."""
        if self._agent.opening:
            if self._opening is None:
                self._opening = self.set_timer(SOON, self._opening_takes_long)
                self.transcript.tell_when_empty("")
            return
        if self._opening is not None:
            self._opening.stop()
            self._opening = None
            self.activity.opening(takes_long=False)
        session = self._agent.session
        hint = NOT_CHOSEN if session.has_models else NO_MODEL
        self.transcript.tell_when_empty(hint if session.has_no_model else self._empty)

    def _opening_takes_long(self) -> None:
        self.activity.opening(takes_long=True)
        self.transcript.tell_when_empty(OPENING)

    async def ask(self, text: str, answers: Sequence[str]) -> int:
        """The number of the answer that the person gave; the first is what Esc and typing on mean."""
        self.prompt.close_completion()
        answer = await self.question.ask(text, answers)
        self.prompt.focus()
        return answer

    @on(Question.Left)
    def _type_on(self, event: Question.Left) -> None:
        self.prompt.focus()
        match event.written:
            case events.Key(key=key, character=character):
                self.prompt.post_message(events.Key(key, character))
            case events.Paste(text=text):
                self.prompt.post_message(events.Paste(text))

    # the panes

    def take_words(self, event: events.Key | events.Paste) -> None:
        """Move to the prompt, when a pane has the focus and this is something to write and no key of the pane."""
        pane = self.focused
        if pane is None or not self._hints(pane):
            return
        if isinstance(event, events.Paste) or (event.is_printable and not has_key(pane, event.key)):
            self.set_focus(self.prompt)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.activity.hint_at_pane(SEARCH_HINTS if isinstance(event.widget, SearchWords) else self._hints(event.widget))

    def _hints(self, pane: Widget) -> Sequence[str]:
        return (
            [told(hint, self._pane_keys) for hint in TREE_HINTS]
            if pane is self.tree_pane
            else PANE_HINTS.get(type(pane), ())
        )

    def close_something(self) -> bool:
        """What Esc means before it means to stop pi: whether there was something to close or to leave."""
        if self.completion.is_open:
            self.prompt.close_completion()
        elif self.question.is_open:
            self.question.answer(0)
        elif self.search.is_open:  # the person went on from there: nothing moves
            self.search.close()
            self.transcript.stay_at_hit(cursor=self.transcript.has_focus)
        elif self._sidebar_is_over:
            self.toggle_sidebar()
        elif not self.prompt.has_focus:
            self.prompt.focus()
        else:
            return False
        return True

    # searching

    async def open_search(self, words: str = "") -> None:
        """Look for words in everything; when that goes on already, go to the next hit."""
        search = self.search
        if search.is_open and search.has_focus_within and not words:
            self._step_search(1)
            return
        if not search.is_attached:
            await self.mount(search, after="#panes")
        if not search.has_focus_within:
            self._searched_from = self.focused
        search.open(words)

    @on(SearchBar.Asked)
    def _search(self, event: SearchBar.Asked) -> None:
        self.transcript.search(event.words)

    @on(SearchBar.Stepped)
    def _step(self, event: SearchBar.Stepped) -> None:
        self._step_search(event.step)

    def _step_search(self, step: int) -> None:
        if self.search.words.value != self.transcript.hits.query:
            self.transcript.search(self.search.words.value)  # it was written so fast that it is not told of yet
        if step > 0:
            self.transcript.next_hit()
        else:
            self.transcript.previous_hit()

    @on(SearchBar.Left)
    def _leave_search(self, event: SearchBar.Left) -> None:
        self.search.close()
        if event.stay:
            self.transcript.stay_at_hit(cursor=True)
            self.transcript.focus()
        else:
            self.transcript.clear_search(back=True)
            (self._searched_from or self.prompt).focus()

    @on(Transcript.Searched)
    def _show_found(self, event: Transcript.Searched) -> None:
        self.search.show_found(event.total, event.position, searching=event.searching, around=event.around)

    # the side bar

    def toggle_sidebar(self) -> None:
        """Show or hide the side bar; where there is no room beside the chat it lies over it."""
        shown = self.sidebar.display
        if self.has_class("-wide"):
            self.set_class(shown, "-sidebar-closed")
        else:
            self.set_class(not shown, "-sidebar-over")
        if shown and self.sidebar.has_focus_within:
            self.prompt.focus()

    async def toggle_tree(self, palette: Palette) -> None:
        """Show the tree in the side bar, or take it out of there."""
        if self.tree_pane is None or not self.sidebar.display:
            await self.add_tree(palette)
            if not self.sidebar.display:
                self.toggle_sidebar()
            return
        pane, self.tree_pane = self.tree_pane, None
        if pane.has_focus:
            self.prompt.focus()
        await pane.remove()
        if self._sidebar_is_over:
            self.toggle_sidebar()

    async def add_tree(self, palette: Palette) -> None:
        """Have the tree in the side bar, whether that is open or not."""
        if self.tree_pane is None:
            from pitui.ui.widgets.tree.pane import TreePane  # most people do without it

            self.tree_pane = TreePane(self._agent.session, palette, keys=self._pane_keys)
            await self.sidebar.mount(self.tree_pane, before=self.tools)

    @property
    def _sidebar_is_over(self) -> bool:
        return self.sidebar.display and self.has_class("-narrow")

    def show_block(self, block_id: int) -> None:
        """Jump to a block in the chat; a side bar that lies over it makes way."""
        self.remove_class("-sidebar-over")
        self.transcript.show_block(block_id)
        self.transcript.focus()

    def leave_panes(self) -> None:
        """Back to the prompt; a side bar that lies over the chat makes way."""
        self.remove_class("-sidebar-over")
        self.prompt.focus()

    def focus_next_pane(self) -> None:
        """From one pane to the next, round and round; also when the key comes faster than panes hear of their focus."""
        panes = list(self._panes())
        at = panes.index(self.focused) if self.focused in panes else -1
        self.set_focus(panes[(at + 1) % len(panes)])

    def _panes(self) -> Iterator[Widget]:
        yield self.prompt
        yield self.transcript
        if self.sidebar.display:
            if self.tree_pane is not None:
                yield self.tree_pane
            yield self.tools
            yield self.queue


def _first(keys: Mapping[str, Sequence[str]], action_id: str) -> str:
    """The key to tell the person about."""
    return next(iter(keys.get(action_id, ())), "")
