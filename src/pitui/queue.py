"""What waits for pi, as one list that the person can change; what pi holds already is taken back and sent again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from pitui import rpc
from pitui.outbox import TOO_LATE, Item, Outbox, Where, Written
from pitui.rpc.errors import RequestError
from pitui.session import facts
from pitui.session.model import InPi, Lane

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart
    from pitui.rpc.results import Queues

ANSWER_SECONDS = 0.1
"""How long Esc waits for prompts that are on their way. pi answers them in a few milliseconds, and people should see an
abort work within a fifth of a second."""


@dataclass(frozen=True, slots=True)
class QueuedPrompt:
    """A prompt that waits. `key` stays the same for as long as it does.

    `held` ones wait here until they are released. Of what was not sent from here pi tells only the text: it is not
    `ours`, becomes ours when the queue is changed, and then has another key, and no images.
    """

    key: int
    lane: Lane
    text: str
    images: Sequence[ImagePart]
    where: Where
    held: bool
    ours: bool


class Queue:
    """Steering and follow-ups, those in pi and those that are still here.

    A change is on disk before pi is told, and done when its method returns: True, or False when pi had taken the
    message before; what the person made of it then comes back to them. Raises RequestError when pi does not give its
    queue back; then nothing is changed.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._changing = anyio.Lock()
        self._clearing = anyio.Lock()

    def __iter__(self) -> Iterator[QueuedPrompt]:
        """All of the steering, then all of the follow-ups, in the order in which pi takes them."""
        for item in sorted(self._waiting(), key=lambda item: item.lane is Lane.FOLLOW_UP):
            ours = item.block is not None
            yield QueuedPrompt(item.key, item.lane, item.text, item.images, item.where, item.held, ours)

    def _waiting(self) -> list[Item]:
        busy = self._outbox.session.busy
        listed = {message.key for message in self._outbox.session.in_pi}
        return [
            item
            for item in self._outbox.items
            if not item.command
            and (item.where is Where.HERE or (item.where is Where.GOING and busy) or item.key in listed)
        ]

    # changing it

    async def edit(self, key: int, text: str, images: Sequence[ImagePart], drafts: Collection[int] = ()) -> bool:
        """Make something else of it. The `drafts` in which that has been until now go when it is on disk."""
        edited = False

        def change(item: Item) -> None:
            nonlocal edited
            item.text, item.images, edited = text, tuple(images), True

        try:
            done = await self._change(key, change, drafts)
        except RequestError:
            if self._outbox.find(key):  # else it has come back as it is now
                self._outbox.hand_back(text, images, Written(drafts))
            raise
        if not edited:
            self._outbox.hand_back(text, images, Written(drafts))
            self._outbox.apply(facts.Noticed("warning", TOO_LATE))
        return done

    async def delete(self, key: int) -> bool:
        """Take it out for good."""

        def change(item: Item) -> None:
            item.unwanted = True

        item = self._outbox.find(key)
        if not await self._change(key, change) or item is None:
            return False
        self._outbox.drop(item)
        return True

    async def move(self, key: int, by: int) -> bool:
        """In its lane: up by one with -1, down with 1."""

        def change(item: Item) -> None:
            lane = [other for other in self._waiting() if other.lane is item.lane]
            place = lane.index(item) + by
            if 0 <= place < len(lane):
                items = self._outbox.items
                this, other = items.index(item), items.index(lane[place])
                items[this], items[other] = items[other], items[this]

        return await self._change(key, change)

    async def change_lane(self, key: int) -> bool:
        """To the end of the other lane."""

        def change(item: Item) -> None:
            item.lane = Lane.STEERING if item.lane is Lane.FOLLOW_UP else Lane.FOLLOW_UP
            self._outbox.items.remove(item)
            self._outbox.items.append(item)

        return await self._change(key, change)

    async def hold(self, key: int) -> bool:
        """Keep it here until it is released."""

        def change(item: Item) -> None:
            item.held = True

        return await self._change(key, change)

    async def release(self, key: int) -> bool:
        """Let it go to pi, to where it stands in its lane."""

        def change(item: Item) -> None:
            item.held = False

        return await self._change(key, change)

    async def send_now(self, key: int) -> bool:
        """Make it the first that pi takes: at once when it is idle, else after the tools that run now."""

        def change(item: Item) -> None:
            item.lane, item.held = Lane.STEERING, False
            self._outbox.items.remove(item)
            self._outbox.items.insert(0, item)

        return await self._change(key, change)

    async def _change(self, key: int, change: Callable[[Item], None], drafts: Collection[int] = ()) -> bool:
        async with self._changing:
            item = self._outbox.find(key)
            if item is None or item not in self._waiting():
                return False
            items = list(self._outbox.items)
            before = (item.text, item.images, item.lane, item.held)
            change(item)
            await self._keep(item, drafts)
            try:
                await self._have_pi_hold_it()
            except RequestError:
                if item in self._outbox.items:
                    item.text, item.images, item.lane, item.held = before
                    item.unwanted = False
                    place = {other: number for number, other in enumerate(items)}
                    self._outbox.items.sort(key=lambda other: place.get(other, len(place)))
                    await self._keep(item)
                raise
            stays = item in self._outbox.items and (item.where is not Where.IN_PI or item in self._waiting())
            item.unwanted = item.unwanted and stays
            self._outbox.mark()
            self._outbox.wake()
            return stays

    async def _keep(self, item: Item, drafts: Collection[int] = ()) -> None:
        if item.row and item.block:
            await self._outbox.keep(item, drafts)
        self._outbox.ledger.arrange(other.key for other in self._outbox.items)

    async def _have_pi_hold_it(self) -> None:
        """Take everything out of pi's queue that does not stand there as it should; the outbox sends it again."""
        if not any(item.where is Where.GOING for item in self._outbox.items) and self._is_in_order():
            return
        done, failed = anyio.Event(), list[RequestError]()

        async def clear() -> None:
            try:
                if not self._is_in_order():
                    await self._clear()
            except RequestError as error:
                failed.append(error)
            finally:
                done.set()

        self._outbox.jobs.append(clear)
        self._outbox.wake()
        await done.wait()
        if failed:
            raise failed[0]

    def _is_in_order(self) -> bool:
        """Whether what pi holds is the first of what it is to hold, so that the rest need only be sent."""
        for lane in Lane:
            listed = [message.key for message in self._outbox.session.in_pi if message.lane is lane]
            wanted = [item for item in self._waiting() if item.lane is lane and not item.held and not item.unwanted]
            as_it_is = [item.key for item in wanted if item.where is Where.HERE or not item.is_changed]
            if as_it_is[: len(listed)] != listed:
                return False
        return True

    # taking it back

    async def take_back(self, then: Callable[[], object] = lambda: None, *, held: bool = True) -> None:
        """Give all of it to the person: what pi had, in pi's order, and then what was not sent yet.

        With `held` also what is held here. `then` is called when pi's queue is empty. Raises RequestError when pi keeps
        its queue and nothing waits here.
        """
        outbox = self._outbox
        with outbox.paused():
            before = list(outbox.items)
            here = [item for item in before if item.where is Where.HERE and not item.command]
            back = [item for item in here if held or not item.held]
            outbox.come_back(back)
            await outbox.settle(ANSWER_SECONDS)
            try:
                recalled = await self._clear(then)
            except RequestError as error:
                if not back:
                    raise
                outbox.apply(facts.Noticed("error", f"pi keeps its queue: {error}"))
                return
            recalled += [item for item in before if item.where is Where.HERE and item not in recalled]
            wanted = [item for item in outbox.items if item in recalled and (held or not item.held)]
            wanted.sort(key=lambda item: item.lane is Lane.FOLLOW_UP)
            outbox.come_back([item for item in wanted if not item.command], above=True)

    async def _clear(self, then: Callable[[], object] = lambda: None) -> list[Item]:
        """Have here what is in pi's queue; what pi takes meanwhile stays with it.

        pi takes messages out of its queue some time before it tells, and lists them until then: what became of them is
        known only in the next turn. (agent-loop.js of pi 1.6.0 drains the queue, prepares the turn, then tells.)
        """
        outbox, session = self._outbox, self._outbox.session
        async with self._clearing:
            life, is_cleared = outbox.life, False

            def cleared(queues: Queues) -> None:
                nonlocal is_cleared
                is_cleared = True
                outbox.apply(facts.QueueCleared(queues if life == outbox.life else None))

            outbox.apply(facts.ClearingQueue())
            try:
                await outbox.request(rpc.requests.ClearQueue(), cleared)
            finally:
                if not is_cleared:
                    outbox.apply(facts.QueueCleared(None))
            then()
            while session.between_turns and session.withdrawn and life == outbox.life:
                await outbox.news()
            if life != outbox.life:
                return []
            withdrawn = session.withdrawn
            outbox.apply(facts.Withdrawn())
            return [self._recalled(message) for message in withdrawn]

    def _recalled(self, message: InPi) -> Item:
        """What pi gave back, with us again; a text that is not ours is not to be taken for a command now."""
        outbox = self._outbox
        item = outbox.find(message.key)
        if item is None:
            item = Item(message.key, message.lane, message.text)
            outbox.items.append(item)
        if item.block is None:
            item.key = outbox.next_key()
            item.text = f" {message.text}" if message.text.startswith("/") else message.text
        item.where, item.held_as, item.listed = Where.HERE, None, False
        if item.block is None:
            outbox.show(item)
            item.answered.set()
        outbox.apply(facts.Held(item.key))
        outbox.keep_soon(item)
        return item
