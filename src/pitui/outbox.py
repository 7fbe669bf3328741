"""Prompts on their way to pi: one at a time, held while pi takes none, given back when not wanted there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import anyio

from pitui import rpc
from pitui.rpc.errors import RequestError
from pitui.session import facts
from pitui.session.blocks import CompactionBlock, Delivery
from pitui.session.model import Aspect, Phase, Session

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart
    from pitui.rpc.requests import Prompt
    from pitui.rpc.results import Disposition


@dataclass(frozen=True, slots=True)
class Returned:
    """A prompt that comes back to the person instead of going to the model."""

    text: str
    images: Sequence[ImagePart] = ()


@dataclass(eq=False, slots=True)
class _Held:
    """A prompt that is not written to pi yet: another one, or a compaction, is before it."""

    prompt: Returned
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)


class Outbox:
    """Sends prompts in turn: pi loses one of two that come at once, and refuses them while it compacts by hand.

    While it is `paused` they wait: pi also loses one that joins its queue when another session is about to be opened.
    """

    def __init__(
        self, session: Session, apply: Callable[[facts.Fact], None], send: Callable[[Prompt], Awaitable[Disposition]]
    ) -> None:
        self._session = session
        self._apply = apply
        self._send = send
        self._turn = anyio.Lock()
        self._held: list[_Held] = []
        self._moved = anyio.Event()
        self._unanswered = 0
        self._answered = anyio.Event()
        self._last_key = 0
        self._pauses = 0

    @property
    def held(self) -> Sequence[Returned]:
        """What waits here until pi takes prompts again."""
        return [held.prompt for held in self._held]

    async def submit(self, text: str, images: Sequence[ImagePart], *, follow_up: bool) -> bool:
        """Send a prompt. True when pi has taken it, False when `take_back` gave it to the person.

        Raises RequestError when pi refused it or is gone.
        """
        self._last_key += 1
        key = self._last_key
        prompt = rpc.requests.Prompt(text, tuple(images), "followUp" if follow_up else "steer")
        command = self._is_extension_command(text)
        self._apply(facts.Sent(key, text, prompt.images, queued=self._session.busy and not command, command=command))
        try:
            disposition = await (self._deliver(prompt) if command else self._deliver_in_turn(prompt))
        except RequestError as error:
            self._apply(facts.Refused(key, str(error)))
            raise
        if disposition is None:
            self._apply(facts.Refused(key, ""))
            return False
        self._apply(facts.Accepted(key, disposition))
        return True

    async def settle(self, seconds: float) -> None:
        """Wait until pi has answered what was sent, but no longer than this.

        pi handles requests side by side: one that clears the queue may overtake a prompt that is still to join it.
        """
        with anyio.move_on_after(seconds):
            while self._unanswered:
                self._answered = anyio.Event()
                await self._answered.wait()

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        """Hold what the person sends meanwhile: it is for what comes after."""
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            self.moved()

    def take_back(self) -> list[Returned]:
        """Give back everything that is still held here."""
        taken = [held.prompt for held in self._held]
        for held in self._held:
            held.scope.cancel()
        self._held = []
        return taken

    def with_images(self, texts: Sequence[str]) -> list[Returned]:
        """The prompts that pi's queue gave back as texts alone, with the images they were sent with.

        pi changes some texts (it expands templates, and says what it did to an image): those are found by their turn.
        """
        sent = [block for block in self._session.sending.values() if block.delivery is not Delivery.SENDING]
        found = {text: [block for block in sent if block.text == text] for text in texts}
        others = [block for block in sent if block.text not in found]
        returned: list[Returned] = []
        for text in texts:
            same = found[text] or others
            block = same.pop(0) if same else None
            if block is not None:
                self._apply(facts.Refused(block.key, ""))
            returned.append(Returned(text, tuple(block.images) if block else ()))
        return returned

    def moved(self) -> None:
        """The session has changed: what is held may go now."""
        if self._held:
            self._moved.set()

    async def _deliver_in_turn(self, prompt: Prompt) -> _Disposition | None:
        held = _Held(Returned(prompt.message, prompt.images))
        self._held.append(held)
        self._session.changes.aspects |= Aspect.QUEUE
        try:
            with held.scope:
                async with self._turn:
                    while self._refused_now():
                        self._moved = anyio.Event()
                        await self._moved.wait()
                    self._held.remove(held)
                    return await self._deliver(prompt)
            return None
        finally:
            if held in self._held:
                self._held.remove(held)

    async def _deliver(self, prompt: Prompt) -> _Disposition:
        busy = self._session.busy
        self._unanswered += 1
        try:
            answer = await self._send(prompt)
        finally:
            self._unanswered -= 1
            self._answered.set()
        match answer.disposition:  # absent before pi 0.99
            case "started" | "queued" | "handled" as disposition:
                return disposition
            case _ if self._is_extension_command(prompt.message):
                return "handled"
            case _:
                return "queued" if busy else "started"

    def _is_extension_command(self, text: str) -> bool:
        """Those run at once, also while pi works, and may ask the person before they are answered."""
        words = text[1:].split(maxsplit=1) if text.startswith("/") else []
        return bool(words) and any(
            command.name == words[0] and command.source == "extension" for command in self._session.commands
        )

    def _refused_now(self) -> bool:
        if self._pauses or self._session.phase is Phase.STARTING:
            return True
        if self._session.phase is Phase.COMPACTING:
            blocks = (block for block in reversed(self._session.blocks) if isinstance(block, CompactionBlock))
            return any(block.reason == "manual" for block in blocks if block.state == "running")
        return self._session.phase is Phase.SUMMARIZING


_Disposition = Literal["started", "queued", "handled"]
