"""The journal as the outbox uses it: in order, never keeping the event loop waiting, and with a disk that may fail."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    from pitui.store.journal import Journal, Row


WAITED_SECONDS = 1.0
WAITS = (
    "What is written waits for the disk: perhaps another program holds the file. It is sent in a few seconds anyway."
)


@dataclass(frozen=True, slots=True)
class Written:
    """Where on disk a person has what they are about to send: a draft, and prompts that came back to them."""

    drafts: Collection[int] = ()
    prompts: Collection[int] = ()


class _Write(Protocol):
    def __call__(self, *, waits: bool = True) -> bool: ...


class _Work:
    """Something to be done with the journal, and what came of it."""

    def __init__(self, do: Callable[[], Any]) -> None:
        self._do = do
        self.found: Any = None
        self.done = anyio.Event()

    def __call__(self) -> None:
        self.found = self._do()


class Ledger:
    """Writes to `journal`, one thing after another, in the order in which it was told, whoever waits for it.

    What is written in no time is on disk at once; what may take longer is written beside the event loop. Without a
    journal nothing is kept. `complain` hears why it cannot be written, once.
    """

    def __init__(self, journal: Journal | None, complain: Callable[[str], object]) -> None:
        self.journal = journal
        self.with_person: set[int] = set()
        """Keys of prompts that are in the editor again, and on disk nowhere but here."""
        self._complain = complain
        self._waiting: deque[_Work] = deque()
        self._writing = False
        self._problem = ""
        self._start_soon: Callable[..., object] | None = None

    def starts(self, start_soon: Callable[..., object]) -> None:
        """From now on there is somebody who runs what is written without being waited for."""
        self._start_soon = start_soon
        start_soon(self._write_all)

    async def write(self, row: Row, instead_of: Collection[int] = (), drafts: Collection[int] = ()) -> None:
        """On disk when this returns, and most often before anybody else has a turn."""
        if self.journal is not None and (work := self._soon(partial(self.journal.write, row, instead_of, drafts))):
            await self._write_all()
            await work.done.wait()

    def write_soon(self, row: Row, instead_of: Written | None = None) -> None:
        if self.journal is not None:
            gone = (instead_of.prompts, instead_of.drafts) if instead_of else ()
            self._soon(partial(self.journal.write, row, *gone))

    def delivered(self, key: int, after: float, waiting: Iterable[int]) -> None:
        if self.journal is not None:
            self._soon(partial(self.journal.delivered, key, after, tuple(waiting)))

    def forget(self, keys: Iterable[int]) -> None:
        if self.journal is not None:
            self._soon(partial(self.journal.forget, tuple(keys)))

    def arrange(self, keys: Iterable[int]) -> None:
        if self.journal is not None:
            self._soon(partial(self.journal.arrange, tuple(keys)))

    async def claim(self, wanted: Callable[[Row], bool], next_key: Callable[[], int]) -> tuple[list[Row], list[Row]]:
        """What pituis that are gone have left: what is wanted, now ours, and the rest."""
        if self.journal is None:
            return [], []
        work = self._put(partial(self.journal.claim, wanted, next_key))
        await self._write_all()
        await work.done.wait()
        return work.found or ([], [])

    def close(self) -> None:
        """Leave what is not said to the next pitui."""
        self._start_soon = None
        if self.journal is not None:
            while self._waiting:
                self._waiting.popleft()()
            self.journal.close()

    def _soon(self, write: _Write) -> _Work | None:
        """None when it is done already."""
        if not self._writing and not self._waiting and write(waits=False):
            return None
        return self._put(write)

    def _put(self, do: Callable[[], Any]) -> _Work:
        work = _Work(do)
        self._waiting.append(work)
        if self._start_soon is not None and not self._writing:
            self._start_soon(self._write_all)
        return work

    async def _write_all(self) -> None:
        """Do all that waits, unless somebody does it already."""
        if self._writing:
            return
        self._writing = True
        try:
            with anyio.CancelScope(shield=True):
                while self._waiting:
                    work = self._waiting.popleft()
                    await self._do(work)
                    work.done.set()
                    self._tell_problem()
        finally:
            self._writing = False

    async def _do(self, work: _Work) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell_of_waiting)
            await anyio.to_thread.run_sync(work)
            tasks.cancel_scope.cancel()

    async def _tell_of_waiting(self) -> None:
        await anyio.sleep(WAITED_SECONDS)
        self._complain(WAITS)

    def _tell_problem(self) -> None:
        if self.journal is not None and self.journal.problem != self._problem:
            self._problem = self.journal.problem
            self._complain(self._problem)
