"""The screen that is always there: chat, side bar, prompt, status."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget

from pitui.agent import Agent
from pitui.render.palette import Palette
from pitui.session.model import Aspect, Changes, Phase
from pitui.ui.dialogs.waiting import DialogWaiting
from pitui.ui.widgets.activity import Activity
from pitui.ui.widgets.completion import Completion
from pitui.ui.widgets.extension import ExtensionWidgets
from pitui.ui.widgets.prompt import Prompt
from pitui.ui.widgets.question import Question
from pitui.ui.widgets.queue import QueuePanel
from pitui.ui.widgets.status import ExtensionStatuses, StatusLine
from pitui.ui.widgets.tools import ToolsPanel
from pitui.ui.widgets.transcript import Transcript

EMPTY = "/ lists the commands, F1 the keys."


class MainScreen(Screen[None]):
    """Tells its widgets what has changed, and keeps the prompt in reach."""

    AUTO_FOCUS = "Prompt"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]

    def __init__(self, agent: Agent, palette: Palette, keys: Mapping[str, Sequence[str]], *, sidebar: bool) -> None:
        super().__init__()
        session = agent.session
        claimed = frozenset(key for used in keys.values() for key in used)
        follow_up = frozenset(keys.get("prompt.follow_up", ()))
        self._agent = agent
        self._ready = asyncio.Event()
        self._sidebar_wanted = sidebar
        self.transcript = Transcript(session, palette, empty=EMPTY, clock=agent.clock)
        self.completion = Completion(session)
        self.sidebar = Vertical(id="sidebar")
        self.tools = ToolsPanel(agent.clock)
        self.queue = QueuePanel(_first(keys, "queue.take_back"))
        self.above = ExtensionWidgets(below=False)
        self.below = ExtensionWidgets(below=True)
        self.activity = Activity(agent)
        self.waiting = DialogWaiting(_first(keys, "dialog.open"))
        self.question = Question()
        self.prompt = Prompt(session, self.completion, claimed=claimed, follow_up=follow_up)
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

    # what the app tells

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session."""
        aspects = changes.aspects
        session = self._agent.session
        self.transcript.sync(changes)
        self.tools.sync(session, changes)
        if aspects & (Aspect.STATE | Aspect.PROCESS | Aspect.REPLACED | Aspect.BLOCKS):
            self.activity.sync()
            self.status.sync()
        if aspects & (Aspect.STATUSES | Aspect.REPLACED):
            self.statuses.sync()
        if aspects & (Aspect.QUEUE | Aspect.REPLACED):
            self.queue.sync(session, self._agent.held)
        if aspects & (Aspect.WIDGETS | Aspect.REPLACED):
            self.above.sync(session)
            self.below.sync(session)
        if Aspect.COMMANDS in aspects or session.phase is Phase.ENDED:
            self._ready.set()
        elif session.phase is Phase.STARTING:
            self._ready.clear()

    async def until_ready(self) -> None:
        """Until pi has told everything about itself, or has ended."""
        await self._ready.wait()

    async def ask(self, text: str, answers: Sequence[str]) -> int:
        """The number of the answer that the person gave; the first is what Esc and typing on mean."""
        self.completion.close()
        answer = await self.question.ask(text, answers)
        self.prompt.focus()
        return answer

    @on(Question.Left)
    def _type_on(self, event: Question.Left) -> None:
        self.prompt.focus()
        self.prompt.post_message(events.Key(event.key.key, event.key.character))

    # the panes

    def close_something(self) -> bool:
        """What Esc means before it means to stop pi: whether there was something to close or to leave."""
        if self.completion.is_open:
            self.completion.close()
        elif self.question.is_open:
            self.question.answer(0)
        elif self._sidebar_is_over:
            self.toggle_sidebar()
        elif not self.prompt.has_focus:
            self.prompt.focus()
        else:
            return False
        return True

    def toggle_sidebar(self) -> None:
        """Show or hide the side bar; where there is no room beside the chat it lies over it."""
        shown = self.sidebar.display
        if self.has_class("-wide"):
            self.set_class(shown, "-sidebar-closed")
        else:
            self.set_class(not shown, "-sidebar-over")
        if shown and self.sidebar.has_focus_within:
            self.prompt.focus()

    @property
    def _sidebar_is_over(self) -> bool:
        return self.sidebar.display and self.has_class("-narrow")

    def show_block(self, block_id: int) -> None:
        """Jump to a block in the chat; a side bar that lies over it makes way."""
        self.remove_class("-sidebar-over")
        self.transcript.show_block(block_id)
        self.transcript.focus()

    def focus_next_pane(self) -> None:
        """From one pane to the next, round and round."""
        panes = list(self._panes())
        at = next((number for number, pane in enumerate(panes) if pane.has_focus), -1)
        panes[(at + 1) % len(panes)].focus()

    def _panes(self) -> Iterator[Widget]:
        yield self.prompt
        yield self.transcript
        if self.sidebar.display:
            yield self.tools
            yield self.queue


def _first(keys: Mapping[str, Sequence[str]], action_id: str) -> str:
    """The key to tell the person about."""
    return next(iter(keys.get(action_id, ())), "")
