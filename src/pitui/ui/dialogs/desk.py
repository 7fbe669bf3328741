"""`DialogDesk`: decides which question of the session is shown, and when."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from textual import events
from textual.app import App
from textual.signal import Signal
from textual.timer import Timer

from pitui.agent import Agent, AgentError
from pitui.draft import Draft
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.waiting import DialogWaiting, called

if TYPE_CHECKING:
    from pitui.rpc.requests import Answer
    from pitui.ui.dialogs.screen import DialogScreen

QUIET = 0.5
"""Seconds without a key before a question comes up by itself."""


class Arrival(Enum):
    """How a question came before the person."""

    CALLED = auto()
    """They asked for it: it takes keys at once."""
    NEXT = auto()
    """It follows one that is over: keys meant for that one go nowhere."""
    BY_ITSELF = auto()
    """They may be about to write: a key that comes soon is theirs, and the question makes way."""
    OVER_WORDS = auto()
    """They are in the midst of writing: it takes no key before they ask for it, and makes way for any."""


OnDisk: TypeAlias = Callable[[Callable[[], Draft]], AbstractContextManager[tuple[object, Callable[[], None]]]]
"""Keeps what the given one reads, each time that what it gives is called, until it is left."""


class _Begun:
    """What is written for an answer, and not sent."""

    def __init__(self, on_disk: OnDisk) -> None:
        self.text = ""
        self._kept = ExitStack()
        _, self._keep = self._kept.enter_context(on_disk(lambda: Draft.of(self.text)))

    def write(self, text: str) -> None:
        self.text = text
        self._keep()

    def leave(self) -> None:
        """It is sent, or somebody else has it."""
        self._kept.close()


class DialogDesk:
    """Questions come up one after another, in the order they were asked, each over the screen that holds `card`.

    The app makes one when that screen is mounted, and calls `sync` when the session's dialogs have changed, `typed` for
    every key and paste in the prompt, and `toggle` for the action ``dialog.open``. While another screen is open, or
    the person types, a question waits in the card.
    """

    def __init__(
        self,
        app: App[Any],
        agent: Agent,
        card: DialogWaiting,
        *,
        writes: Callable[[], bool],
        lost: Callable[[str], None] = lambda _: None,
        elsewhere: Callable[[str], None] = lambda _: None,
        on_disk: OnDisk = lambda _: nullcontext((None, lambda: None)),
    ) -> None:
        """`writes` tells whether something is in the prompt. `lost` hears what was written for an answer to a question
        that is not asked any more; what is begun is `on_disk` until then. `elsewhere` shows a line on other screens,
        for as long as it is given one.
        """
        self._app = app
        self._agent = agent
        self._card = card
        self._writes = writes
        self._lost = lost
        self._elsewhere = elsewhere
        self._on_disk = on_disk
        self._screen: DialogScreen | None = None
        self._aside: OpenDialog | None = None
        """The question that the person has put away to answer it later."""
        self._passed: OpenDialog | None = None
        """The one over which they went on writing: it comes up again when nothing is written any more."""
        self._begun: dict[OpenDialog, _Begun] = {}
        self._answered: list[OpenDialog] = []
        """Answered here, but perhaps still in the session."""
        self._own: dict[OpenDialog, Callable[[Answer], None]] = {}
        """Questions of pitui itself, and who hears the answer."""
        self._number = 1
        """Which one is asked, counted since none was left."""
        self._last_key = float("-inf")
        self._timer: Timer | None = None
        signal = cast("Signal[object]", app.screen_change_signal)  # pyright: ignore[reportUnknownMemberType]
        signal.subscribe(card, self._screen_changed)

    @property
    def waiting(self) -> Sequence[OpenDialog]:
        """The questions without an answer, the one to ask first."""
        others = [dialog for dialog in self._agent.session.dialogs if dialog not in self._answered]
        shown = self._shown
        if self._aside in self._own or (shown and shown.dialog in others):
            return [*others, *self._own]
        return [*self._own, *others]

    # pitui's own

    def ask(
        self, dialog: OpenDialog, answered: "Callable[[Answer], None]", *, called: bool, aside: bool = False
    ) -> None:
        """Ask something of pitui's own, as extensions do; at once when the person has `called` for it.

        What they have put `aside` waits until they open it.
        """
        self._own[dialog] = answered
        if aside:
            self._aside = dialog
        if called and self._shown is None:
            self._open(Arrival.CALLED)
        self.sync()

    def withdraw(self, dialog: OpenDialog) -> None:
        """Ask it no more."""
        if self._own.pop(dialog, None):
            self.sync()

    def is_asking(self, dialog: OpenDialog) -> bool:
        """Whether it is before the person now, or was put aside by them."""
        return dialog is self._aside or (self._shown is not None and self._shown.dialog is dialog)

    # what the app tells

    def sync(self) -> None:
        """The dialogs have changed."""
        self._answered = [dialog for dialog in self._answered if dialog in self._agent.session.dialogs]
        waiting = self.waiting
        for dialog in [dialog for dialog in self._begun if dialog not in waiting]:
            self._lose(self._begun.pop(dialog))
        shown = self._shown
        if not waiting:
            self._number = 1
            if shown:
                shown.close()
        elif shown is None:
            self._come_up()
        elif shown.dialog is not waiting[0]:
            if shown.dialog is not None:
                self._number += 1
            self._ask(shown, Arrival.NEXT)
        self._tell()

    def typed(self) -> None:
        """The person types in the prompt."""
        self._last_key = self._agent.clock()

    async def until_quiet(self) -> None:
        """Until it is so long that nobody types."""
        while (wait := self._last_key + QUIET - self._agent.clock()) > 0:  # noqa: ASYNC110 - every key puts it off
            await asyncio.sleep(wait)

    def toggle(self) -> None:
        """Open the question that waits, whatever is open; have one that was not called take keys; put others away."""
        shown, waiting = self._shown, self.waiting
        if shown and shown.is_active:
            if shown.is_uncalled:
                shown.take_keys()
            else:
                self._put_aside()
        elif waiting and shown is None:
            self._open(Arrival.CALLED)
        self._tell()

    def _put_aside(self) -> None:
        if shown := self._shown:
            self._aside = shown.dialog
            shown.close()
            self._tell()

    def _answer(self, dialog: OpenDialog, answer: "Answer") -> None:
        """Send it, once, and go on to the next question."""
        from pitui.rpc.requests import Value

        if answered := self._own.pop(dialog, None):
            self.sync()
            answered(answer)
        elif dialog in self.waiting:
            self._answered.append(dialog)
            begun = self._begun.pop(dialog, None) if isinstance(answer, Value) else None
            self._app.run_worker(self._send(dialog, answer, begun), group="answers")
            self.sync()

    async def _send(self, dialog: OpenDialog, answer: "Answer", begun: _Begun | None) -> None:
        try:
            await self._agent.answer(dialog, answer)
        except AgentError as error:
            self._agent.notice("error", f"The answer did not reach pi: {error}")
            if begun:
                self._lose(begun)
        else:
            if begun:
                begun.leave()

    def _begin(self, dialog: OpenDialog, text: str) -> None:
        if dialog not in self._begun:
            self._begun[dialog] = _Begun(self._on_disk)
        self._begun[dialog].write(text)

    def _lose(self, begun: _Begun) -> None:
        if begun.text.strip():
            self._lost(begun.text)
        begun.leave()

    # when it comes up

    @property
    def _shown(self) -> "DialogScreen | None":
        """The screen that asks, also when it is covered; perhaps with nothing to ask any more."""
        if self._screen is not None and self._screen not in self._app.screen_stack:
            self._screen = None
        return self._screen

    def _come_up(self) -> None:
        """Now, or when it has been quiet; nothing happens while the person is elsewhere."""
        if self._timer:
            self._timer.stop()
            self._timer = None
        waiting = self.waiting
        if not waiting or waiting[0] is self._aside or self._shown or self._app.screen is not self._card.screen:
            return
        writes = self._writes()
        wait = self._last_key + QUIET - self._agent.clock()
        if wait > 0 or (writes and waiting[0] is self._passed):
            self._timer = self._card.set_timer(wait if wait > 0 else QUIET, self._come_up)
        else:
            self._open(Arrival.OVER_WORDS if writes else Arrival.BY_ITSELF)
            self._tell()

    def _open(self, arrival: Arrival) -> None:
        from pitui.ui.dialogs.screen import DialogScreen  # late: hardly any session begins with a question

        self._aside = self._passed = None
        screen = DialogScreen(
            self._agent.clock,
            self._answer,
            give_way=self._give_way,
            put_aside=self._put_aside,
            begun=self._begin,
            key=self._card.key,
        )
        self._ask(screen, arrival)
        self._screen = screen
        self._app.push_screen(screen)

    def _ask(self, screen: "DialogScreen", arrival: Arrival) -> None:
        dialog = self.waiting[0]
        begun = self._begun.get(dialog)
        screen.ask(dialog, arrival, begun.text if begun else "")

    def _give_way(self, event: events.Key | events.Paste) -> None:
        """The person was writing: the key goes where it was meant to go, and the question waits again."""
        self.typed()
        if shown := self._shown:
            if shown.dialog in self._own:
                self._aside = shown.dialog
            self._passed = shown.dialog
            shown.close()
        again = events.Key(event.key, event.character) if isinstance(event, events.Key) else events.Paste(event.text)
        self._app.post_message(again)
        self._tell()

    def _screen_changed(self, _: object) -> None:
        """What closed another screen was not meant for a question."""
        if self._app.screen is self._card.screen:
            self.typed()
            self.sync()
        else:
            self._tell()

    def _tell(self) -> None:
        waiting, shown = self.waiting, self._shown
        asked = shown is not None and shown.dialog is not None
        self._card.show([] if asked else waiting, self._agent.clock)
        self._elsewhere("" if asked or not waiting else called(waiting[0], self._card.key))
        if shown:
            shown.count(self._number, self._number - 1 + len(waiting))
