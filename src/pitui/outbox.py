"""Prompts from when they are sent until pi has said them: on disk first, then to pi in turn, and back if need be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

import anyio

from pitui import rpc
from pitui.ledger import Ledger, Written
from pitui.rpc.errors import PiGone, RequestError, RequestRefused
from pitui.session import facts
from pitui.session.blocks import CompactionBlock, Delivery, PromptBlock
from pitui.session.model import Aspect, Lane, Phase, Returned, Session
from pitui.store.journal import Row, now

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart
    from pitui.rpc.requests import Request
    from pitui.rpc.results import Disposition
    from pitui.store.journal import Journal

TOO_LATE = "pi had taken the message already; what you made of it is in the prompt."


class Where(Enum):
    """Where a prompt is that pi has not said yet."""

    HERE = auto()
    """It waits here until pi takes it."""
    GOING = auto()
    """It is written to pi, which has not answered."""
    IN_PI = auto()


@dataclass(eq=False, slots=True)
class Item:
    """A prompt. `held_as` is what pi has it as, or may have.

    One without a `block` is a message in pi's queue that was not sent from here; only its text is known.
    """

    key: int
    lane: Lane
    text: str
    images: tuple[ImagePart, ...] = ()
    where: Where = Where.HERE
    block: PromptBlock | None = None
    command: bool = False
    listed: bool = False
    """It waits in pi's queue, or did when pi last told; else it has started a run."""
    held: bool = False
    """The person keeps it here until they release it."""
    unwanted: bool = False
    """The person takes it out."""
    row: Row | None = None
    """As it is on disk."""
    made: float = field(default_factory=now)
    held_as: Returned | None = None
    made_of_it: str | None = None
    """The text that pi has made of it, of a template or a skill."""
    answer: bool | RequestError = False
    answered: anyio.Event = field(default_factory=anyio.Event)

    @property
    def prompt(self) -> Returned:
        return Returned(self.text, self.images, self.key)

    @property
    def is_changed(self) -> bool:
        """The person has made something else of it than what pi has."""
        return self.held_as is not None and self.held_as != self.prompt

    def settle(self, answer: bool | RequestError) -> bool:
        """Tell it to the one who sent it. False when they know already that pi has taken it."""
        waits = not self.answered.is_set()
        if waits:
            self.answer = answer
            self.answered.set()
        return waits


class Outbox:
    """Sends prompts in turn: pi loses one of two that come at once, and refuses them while it compacts by hand.

    One task, `run`, sends, and does the `jobs`. While it is `paused` it does nothing: pi also loses a prompt that joins
    its queue when another session is about to be opened.
    """

    def __init__(
        self,
        session: Session,
        apply: Callable[[facts.Fact], None],
        request: Callable[[Request[Any], Callable[[Any], None]], Awaitable[Any]],
        journal: Journal | None = None,
        folder: str = "",
        *,
        undecided: Callable[[], bool] = lambda: False,
    ) -> None:
        """`request` asks pi; what it is given beside the request hears the answer before anything that pi says later.

        While it is `undecided` whether anything may be written to the session, everything waits here."""
        self.session = session
        self.apply = apply
        self.request = request
        self._undecided = undecided
        self.ledger = Ledger(journal, lambda fault: apply(facts.Noticed("warning", fault)))
        self.folder = folder
        self.items: list[Item] = []
        """In the order in which they are to be said, each lane by itself."""
        self._pauses = 0
        self.jobs: list[Callable[[], Awaitable[None]]] = []
        self.life = 0
        """Rises when pi ends or opens another session: what was asked before is answered for nobody."""
        self.unsure: list[Row] = []
        """pi may have said them, and may not have written them to the session."""
        self.elsewhere: Mapping[str, int] = {}
        """How many wait in which files of other sessions of the folder, since their pitui has ended."""
        self._said: list[Item] = []
        """pi has said them, and writes them to the session."""
        self._unanswered = 0
        self._woken = anyio.Event()
        self._news = anyio.Event()
        self._last_key = 0

    # sending

    async def submit(
        self, text: str, images: Sequence[ImagePart], *, follow_up: bool, written: Written | None = None
    ) -> bool:
        """Send a prompt. True when pi has taken it, False when it was given back to the person.

        What was `written`, by default all that the person has back, is taken to be in it, or thrown away: it is on disk
        as long as this is not. Raises RequestError when pi refused it or is gone, and it has come back.
        """
        if self.session.phase is Phase.ENDED:
            self.hand_back(text, images, written)
            raise PiGone(None, "")
        lane = Lane.FOLLOW_UP if follow_up else Lane.STEERING
        item = Item(self.next_key(), lane, text, tuple(images), command=self.is_extension_command(text))
        self.show(item)
        self.items.append(item)
        row = self.row_of(item)
        written = written or Written(prompts=tuple(self.ledger.with_person))
        self.ledger.with_person.difference_update(written.prompts)
        await self.ledger.write(row, written.prompts, written.drafts)
        item.row = item.row or row
        while item.command and item in self.items and self._undecided():
            await self.news()
        if item.command and item.where is Where.HERE and item in self.items:
            await self._send(item)
        self.wake()
        await item.answered.wait()
        if isinstance(item.answer, RequestError):
            raise item.answer
        return item.answer

    async def run(self, start_soon: Callable[..., object]) -> None:
        """Send what waits, for as long as there is a pi."""
        self.ledger.starts(start_soon)
        while True:
            self._woken = anyio.Event()
            if self.jobs and not self._pauses:
                await self.jobs.pop(0)()
            elif item := self._next():
                await self._send(item)
            else:
                await self._woken.wait()

    def _next(self) -> Item | None:
        if self._pauses or self._refused_now() or self._undecided():
            return None
        here = (item for item in self.items if item.where is Where.HERE and item.row)
        return next((item for item in here if not (item.command or item.held or item.unwanted)), None)

    async def _send(self, item: Item) -> None:
        life, busy = self.life, self.session.busy
        item.where, item.held_as = Where.GOING, item.prompt
        self.apply(facts.Written(item.key, item.text, item.images))
        self._unanswered += 1
        try:
            if (row := self.row_of(item)) != item.row:
                item.row = row
                await self.ledger.write(row)
                if life != self.life:  # it waits for the next pi, or has come back
                    self._not_sent(item)
                    return
            behavior: Literal["followUp", "steer"] = "followUp" if item.lane is Lane.FOLLOW_UP else "steer"
            prompt = rpc.requests.Prompt(item.held_as.text, tuple(item.held_as.images), behavior)
            await self.request(prompt, partial(self._answered, item, life, busy))
        except PiGone:
            pass  # it may have said it: that is looked for
        except RequestError as error:
            if item.where is Where.GOING and item in self.items:
                self._refused(item, error)
        finally:
            self._unanswered -= 1
            self._tell()

    def _not_sent(self, item: Item) -> None:
        if item in self.items:
            item.where, item.held_as = Where.HERE, None
            if item.command:
                self.come_back([item])
            else:
                self.show(item)

    def _answered(self, item: Item, life: int, busy: bool, answer: Disposition) -> None:
        if item.where is not Where.GOING or item not in self.items:
            return  # it came back to the person, or was said, before the answer
        if life != self.life:
            self._left_behind(item, answer.disposition)
            return
        item.where = Where.IN_PI
        self._accepted(item, answer.disposition or self._presumed(item, busy=busy))  # absent before pi 0.99

    def _accepted(self, item: Item, disposition: str) -> None:
        item.listed = disposition == "queued"
        self.apply(facts.Accepted(item.key, cast("Literal['started', 'queued', 'handled']", disposition)))
        if disposition == "handled" and item in self.items:
            self.items.remove(item)
            self.ledger.forget([item.key])
        listed = next((queued for queued in self.session.in_pi if queued.key == item.key), None)
        if listed and listed.text != item.text:
            item.made_of_it = listed.text
            item.row = self.row_of(item)
            self.ledger.write_soon(item.row)
        item.settle(True)

    def _refused(self, item: Item, error: RequestError) -> None:
        item.held_as = None
        if isinstance(error, RequestRefused) and self._refused_now():  # pi began to compact just before
            item.where = Where.HERE
            self.apply(facts.Held(item.key))
            return
        self.items.remove(item)
        self.apply(facts.Refused(item.key, str(error)))
        self.ledger.write_soon(self.row_of(item, "returned"))
        self.apply(facts.GivenBack([item.prompt]))
        item.settle(error)

    def _left_behind(self, item: Item, disposition: str | None) -> None:
        """The session that it went to was left before pi answered."""
        self.items.remove(item)
        if disposition == "handled":
            self.ledger.forget([item.key])
            item.settle(True)
        else:
            self.come_back([item])

    def _presumed(self, item: Item, *, busy: bool) -> Literal["started", "queued", "handled"]:
        return "handled" if item.command else "queued" if busy else "started"

    def is_extension_command(self, text: str) -> bool:
        """Those run at once, also while pi works, and may ask the person before they are answered."""
        words = text[1:].split(maxsplit=1) if text.startswith("/") else []
        return bool(words) and any(
            command.name == words[0] and command.source == "extension" for command in self.session.commands
        )

    def _refused_now(self) -> bool:
        if self.session.phase in (Phase.STARTING, Phase.ENDED):
            return True
        if self.session.phase is Phase.COMPACTING:
            blocks = (block for block in reversed(self.session.blocks) if isinstance(block, CompactionBlock))
            return any(block.reason == "manual" for block in blocks if block.state == "running")
        return self.session.phase is Phase.SUMMARIZING

    async def settle(self, seconds: float) -> None:
        """Wait until pi has answered what was sent, but no longer than this.

        pi handles requests side by side: one that clears the queue may overtake a prompt that is still to join it.
        """
        with anyio.move_on_after(seconds):
            while self._unanswered:
                await self.news()

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        """Hold what the person sends meanwhile: it is for what comes after."""
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            self.wake()

    # what has become of them

    def heard(self, record: object) -> None:
        """The session has taken this."""
        over = isinstance(record, facts.Exited | facts.Replaced)
        if self.items or self._said or self.session.in_pi:
            self._follow()
            if not over:
                self._follow_foreign()
        match record:
            case facts.Exited():
                self.life += 1
                self._lose_said()
            case facts.Replaced():
                self.life += 1
                self._session_left()
            case facts.Started():
                for item in self.items:
                    self.show(item)
            case _:
                pass
        self._tell()
        self.wake()

    def _follow(self) -> None:
        ended = self.session.phase is Phase.ENDED
        lost: list[Item] = []
        for item in list(self.items):
            delivery = item.block.delivery if item.block else None
            if delivery is Delivery.DELIVERED and item in self.items:
                self._said_by_pi(item)
            elif delivery is Delivery.FAILED and not ended and item.where is Where.IN_PI and item in self.items:
                lost.append(item)
        self.come_back([item for item in lost if item in self.items])
        if self._said and not self.session.between_turns and not ended:
            waiting = [item for item in self.items if item.row and item.where is not Where.HERE]
            for item in waiting:
                item.row = item.row and replace(item.row, after=self._last_said)
            for item in self._said:
                self.ledger.delivered(item.key, self._last_said, [other.key for other in waiting])
            self._said.clear()

    def _said_by_pi(self, item: Item) -> None:
        item.settle(True)
        if item.is_changed:
            item.held_as = None
            self.come_back([item])
            self.apply(facts.Noticed("warning", TOO_LATE))
            return
        self.items.remove(item)
        if item.block and item.block.timestamp:
            self._said.append(item)
            if item.row and item.block.text != (item.row.sent or item.row.text):  # an extension made that of it
                item.row = replace(item.row, sent=item.block.text)
                self.ledger.write_soon(item.row)
        else:  # the run that it started is over, and it was not seen in it
            self.unsure.append(item.row or self.row_of(item))

    def _follow_foreign(self) -> None:
        """Have an item for each message in pi's queue that was not sent from here, at its place."""
        session = self.session
        there = {message.key for message in (*session.in_pi, *session.leaving)}
        self.items[:] = [item for item in self.items if item.block or item.key in there]
        before: dict[Lane, Item] = {}
        for message in session.in_pi:
            item = self.find(message.key)
            if item is None and message.key < 0:
                item = Item(message.key, message.lane, message.text, where=Where.IN_PI, listed=True)
                after = before.get(message.lane)
                self.items.insert(self.items.index(after) + 1 if after else 0, item)
            if item is not None:
                before[message.lane] = item

    @property
    def left(self) -> list[Item]:
        """What the pi that has ended leaves, in order; what the person keeps here stays.

        pi has said some of it perhaps, and not told: see `recovery.look_back`.
        """
        left = [item for item in self.items if not (item.held and item.where is Where.HERE)]
        return sorted(left, key=lambda item: (item.where is Where.HERE, item.listed, item.lane is Lane.FOLLOW_UP))

    @property
    def left_in_pi(self) -> list[Item]:
        """What of that pi had, or may have had."""
        return [item for item in self.left if item.where is not Where.HERE]

    def was_said(self, item: Item) -> None:
        """It is in the session, of which pi has not told."""
        self.items.remove(item)
        item.settle(True)
        if item.block:
            self.apply(facts.Taken(item.block))
        self.ledger.forget([item.key])
        self.mark()

    def _session_left(self) -> None:
        self._lose_said()
        self.come_back([item for item in self.items if item.where is Where.IN_PI])
        for item in self.items:
            if not (item.command and item.where is Where.GOING):  # which runs still, and is what has left it perhaps
                self.show(item)

    def _lose_said(self) -> None:
        self.unsure += [item.row or self.row_of(item) for item in self._said]
        self._said.clear()

    def come_back(self, items: Sequence[Item], *, above: bool = False, written: Written | None = None) -> None:
        """They are the person's from now on, in this order; `above` what came back just before."""
        for item in items:
            self.items.remove(item)
            item.settle(False)
            self.ledger.write_soon(self.row_of(item, "returned"), written)
        for item in items:
            self.apply(facts.Refused(item.key, ""))
        if items:
            self.mark()
            self.apply(facts.GivenBack([item.prompt for item in items], above))

    def hand_back(self, text: str, images: Sequence[ImagePart], written: Written | None = None) -> None:
        """Give the person what they have `written`, and what cannot be sent as they wanted it."""
        item = Item(self.next_key(), Lane.STEERING, text, tuple(images))
        self.items.append(item)
        self.come_back([item], written=written)

    # what the parts of it share

    def find(self, key: int) -> Item | None:
        return next((item for item in self.items if item.key == key), None)

    def next_key(self) -> int:
        self._last_key += 1
        return self._last_key

    def show(self, item: Item) -> None:
        """Have the session know of it."""
        queued = item.held or item.listed or (self.session.busy and not item.command)
        self.apply(facts.Sent(item.key, item.text, item.images, queued=queued, command=item.command))
        item.block = self.session.sending.get(item.key)
        if not item.command and (self._pauses or self._refused_now() or self._undecided() or self._unanswered):
            self.apply(facts.Held(item.key))
        self.mark()

    @property
    def _last_said(self) -> float:
        from pitui.session.said import last_said

        return last_said(self.session)

    def row_of(self, item: Item, state: Literal["open", "held", "returned"] = "open") -> Row:
        """What is to be on disk of it."""
        kind = "command" if item.command else "followUp" if item.lane is Lane.FOLLOW_UP else "steer"
        return Row(
            item.key,
            kind,
            "changed" if item.is_changed else state,
            item.text,
            tuple((image.data, image.mime_type) for image in item.images),
            item.made,
            self.session.file,
            self.session.id,
            self.folder,
            sent=item.made_of_it or (item.held_as.text if item.held_as and item.is_changed else None),
            after=self._last_said,
        )

    def drop(self, item: Item) -> None:
        """Nobody gets it."""
        self.items.remove(item)
        item.settle(True)
        self.apply(facts.Refused(item.key, ""))
        self.ledger.forget([item.key])
        self.mark()

    async def keep(self, item: Item, drafts: Collection[int] = ()) -> None:
        """Have it on disk as it is now, instead of the `drafts` that are in it."""
        item.row = self.row_of(item, "held" if item.where is Where.HERE else "open")
        await self.ledger.write(item.row, (), drafts)

    def keep_soon(self, item: Item) -> None:
        item.row = self.row_of(item, "held")
        self.ledger.write_soon(item.row)

    def mark(self) -> None:
        self.session.changes.aspects |= Aspect.QUEUE

    def look_again(self) -> None:
        """It may be decided now whether anything may be written to the session."""
        self._tell()
        self.wake()

    def wake(self) -> None:
        """There may be something to send."""
        self._woken.set()

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()

    async def news(self) -> None:
        """Until something has been heard."""
        await self._news.wait()
