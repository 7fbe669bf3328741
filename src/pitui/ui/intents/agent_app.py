"""What every intent stands on: an app around one agent."""

import asyncio
import functools
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from textual.app import App
from textual.content import Content
from textual.worker import Worker

from pitui.agent import Agent, AgentError
from pitui.config import Settings
from pitui.editor_keys import SUBMIT
from pitui.quoting import quoted
from pitui.render.text import clean, clean_line
from pitui.session.blocks import Level
from pitui.session.model import Session
from pitui.session.refusals import explained
from pitui.ui.keys import key_in_words
from pitui.ui.screens.main import MainScreen
from pitui.ui.screens.pane import PaneScreen
from pitui.ui.screens.picker import Choice, PickerScreen
from pitui.ui.widgets.activity import SIGNS, Notice

T = TypeVar("T")
P = ParamSpec("P")
A = TypeVar("A", bound="AgentApp")

NOT_LENT = "This terminal cannot be lent to another program."
TOASTS = 4
"""Notices that are seen at once."""
SEVERITIES = {"info": "information", "warning": "warning", "error": "error"}


class AgentApp(App[None]):
    """The agent, the main screen, and the ways to say something and to ask for a choice."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        super().__init__()
        self.agent = agent
        self.connected = asyncio.Event()
        """Set as soon as something is known of pi."""
        self.settings = settings
        self.keys: dict[str, tuple[str, ...]] = {}
        """The keys of each action, by its id, as the person has set them."""
        self.pane_keys: dict[str, tuple[str, ...]] = {}
        """The same of those of panes."""
        self.editor_keys: dict[str, tuple[str, ...]] = {}
        """And those of the editor, by pi's names of what they do."""
        self.main: MainScreen
        self._said: list[float] = []
        """When the notices that can be seen go away."""
        self.left_to_say: list[str] = []
        """What came when there was no screen any more: it is for the normal one."""
        self._guest: asyncio.Future[Any] | None = None
        """What has the terminal."""
        self._terminal_back = asyncio.Event()

    @property
    def session(self) -> Session:
        return self.agent.session

    @property
    def send_key(self) -> str:
        """What sends, in words."""
        return key_in_words(next(iter(self.editor_keys[SUBMIT]), ""))

    @property
    def can_lend_terminal(self) -> bool:
        return self._driver is not None and self._driver.can_suspend

    @property
    def pane_screens(self) -> list[PaneScreen[Any]]:
        """Those that lie over the chat now."""
        return [screen for screen in self.screen_stack if isinstance(screen, PaneScreen)]

    @property
    def terminal_is_lent(self) -> bool:
        """Another program has the terminal: signals of the keyboard are not for us."""
        return self._guest is not None

    async def lend_terminal(self, use: Coroutine[Any, Any, T]) -> T:
        """Textual takes the terminal back only when nothing is raised while it is lent."""
        self._terminal_back.clear()
        guest = self._guest = asyncio.ensure_future(use)
        try:
            with self.suspend():
                (done,) = await asyncio.gather(guest, return_exceptions=True)
        finally:
            self._guest = None
            self._terminal_back.set()
        if isinstance(done, BaseException):
            raise done
        return done

    async def on_exit_app(self) -> None:
        """End first what has the terminal: it says what was written in it, and the terminal is in order again."""
        if self._guest is not None:
            self._guest.cancel()
            await self._terminal_back.wait()

    @property
    def drafts_fail(self) -> bool:
        """Whether nothing that is written can be kept now."""
        raise NotImplementedError

    def show_changes(self) -> None:
        """Show what has changed in the session, without waiting for the next frame."""
        raise NotImplementedError

    def say(self, text: str, level: Level = "info", *, lasting: bool = False, seconds: float = 0) -> None:
        """A notice that goes away by itself: above the prompt or at the foot of the screen that lies over the chat,
        where it covers nothing, or else over what is there.

        There it stays for its time if it is `lasting`, as warnings are; else the next one takes its place. Those over
        the chat take the place of old ones before they fill the screen.
        """
        if not self.screen_stack:
            self.left_to_say.append(text)
            return
        seconds = seconds or {"info": 5, "warning": 8, "error": 12}[level]
        notice = Notice(clean_line(text) if "\n" not in text else text, level, lasting or level != "info")
        if self.screen is self.main and self.main.activity.tell(notice, seconds):
            return
        if isinstance(self.screen, PaneScreen) and self.screen.foot.tell(notice, seconds):
            return
        now = time.monotonic()
        self._said = [until for until in self._said if until > now]
        if len(self._said) >= TOASTS:
            super().clear_notifications()
            self._said.clear()
        self._said.append(now + seconds)
        severity = SEVERITIES[level]
        shown = self._cut(SIGNS[level] + clean(text[:2000]))
        self.notify(shown, severity=severity, timeout=seconds, markup=False)  # pyright: ignore[reportArgumentType]

    def _cut(self, text: str) -> str:
        """As much of it as leaves the prompt and what is around it to be seen."""
        width, rows = min(60, self.size.width * 3 // 4) - 3, max(1, self.size.height // 2)  # as in main.tcss
        lines = Content(text).wrap(max(1, width))
        return text if len(lines) <= rows else "\n".join([*(line.plain for line in lines[: rows - 1]), "…"])

    def clear_notifications(self) -> None:
        super().clear_notifications()
        self.main.activity.be_quiet()
        if isinstance(self.screen, PaneScreen):
            self.screen.foot.be_quiet()

    def say_unknown(self, argument: str, known: Iterable[str]) -> None:
        """Say that a command does not take what was written after it; nothing when nothing was."""
        if argument:
            self.say(f"{quoted(argument)} is none of: {', '.join(known)}", "warning")

    async def pick(
        self, title: str, choices: Sequence[Choice[T]], *, empty: str = "There is none.", highlighted: int | None = None
    ) -> T | None:
        """What the person chose from a list; only in an intent, for it waits."""
        return await self.push_screen_wait(PickerScreen(title, choices, empty=empty, highlighted=highlighted))

    async def ask(self, text: str, answers: Sequence[str]) -> int:
        """The number of the answer; the first is the safe one. Asked in a list where something hides the prompt."""
        if self.screen is self.main:
            return await self.main.ask(text, answers)
        choices = [Choice(number, answer) for number, answer in enumerate(answers)]
        return await self.push_screen_wait(PickerScreen(text, choices, filtered=False)) or 0


def intent(method: Callable[Concatenate[A, P], Coroutine[Any, Any, None]]) -> Callable[Concatenate[A, P], Worker[None]]:
    """Make an async method run beside the screen; that pi refused or is gone becomes a notice."""

    @functools.wraps(method)
    def started(app: A, /, *arguments: P.args, **options: P.kwargs) -> Worker[None]:
        async def attempt() -> None:
            await app.connected.wait()
            try:
                await method(app, *arguments, **options)
            except AgentError as error:
                app.say(explained(app.session, str(error)), "error")

        return app.run_worker(attempt(), name=method.__name__, group="intents")

    return started
