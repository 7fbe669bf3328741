"""The journal as the outbox uses it: beside the event loop, in order, and with a disk that may fail."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    from pitui.store.journal import Journal, Row


class Work:
    """Something to be done with the journal, and what came of it."""

    def __init__(self, do: Callable[[], Any]) -> None:
        self._do = do
        self.found: Any = None
        self.done = anyio.Event()

    def __call__(self) -> None:
        self.found = self._do()


class Ledger:
    """Writes to `journal`, one thing after another, in the order in which it was told, whoever waits for it.

    Without a journal nothing is kept. `complain` hears why it cannot be written, once. `returned` are the keys of
    prompts that came back to the person and are nowhere but in the editor and here.
    """

    def __init__(self, journal: Journal | None, complain: Callable[[str], object]) -> None:
        self.returned: set[int] = set()
        self._journal = journal
        self._complain = complain
        self._waiting: deque[Work] = deque()
        self._writing = False
        self._problem = ""
        self._start_soon: Callable[..., object] | None = None

    def starts(self, start_soon: Callable[..., object]) -> None:
        """From now on there is somebody who runs what is written without being waited for."""
        self._start_soon = start_soon
        start_soon(self._write_all)

    async def write(self, row: Row, instead_of: Iterable[int] = ()) -> None:
        """On disk when this returns."""
        if self._journal is not None:
            await self._do(partial(self._journal.write, row, tuple(instead_of)))

    def write_soon(self, row: Row) -> None:
        if self._journal is not None:
            self._soon(partial(self._journal.write, row))

    def delivered(self, key: int, at: float) -> None:
        if self._journal is not None:
            self._soon(partial(self._journal.delivered, key, at))

    def forget(self, keys: Iterable[int]) -> None:
        if self._journal is not None:
            self._soon(partial(self._journal.forget, tuple(keys)))

    def gives_back(self, rows: Iterable[Row]) -> None:
        """They are with the person, and stay here until `release`."""
        for row in rows:
            self.returned.add(row.key)
            self.write_soon(row)

    async def release(self) -> None:
        """What came back is safe without us."""
        returned, self.returned = self.returned, set()
        if self._journal is not None and returned:
            await self._do(partial(self._journal.forget, returned))

    def arrange(self, keys: Iterable[int]) -> None:
        if self._journal is not None:
            self._soon(partial(self._journal.arrange, tuple(keys)))

    async def claim(self, wanted: Callable[[Row], bool], next_key: Callable[[], int]) -> tuple[list[Row], list[Row]]:
        """What pituis that are gone have left: what is wanted, now ours, and the rest."""
        if self._journal is None:
            return [], []
        return await self._do(partial(self._journal.claim, wanted, next_key)) or ([], [])

    def close(self) -> None:
        """Leave what is not said to the next pitui."""
        self._start_soon = None
        if self._journal is not None:
            while self._waiting:
                self._waiting.popleft()()
            self._journal.close()

    def _soon(self, do: Callable[[], object]) -> Work:
        work = Work(do)
        self._waiting.append(work)
        if self._start_soon is not None and not self._writing:
            self._start_soon(self._write_all)
        return work

    async def _do(self, do: Callable[[], Any]) -> Any:
        work = self._soon(do)
        await self._write_all()
        await work.done.wait()
        return work.found

    async def _write_all(self) -> None:
        """Do all that waits, unless somebody does it already."""
        if self._writing:
            return
        self._writing = True
        try:
            with anyio.CancelScope(shield=True):
                while self._waiting:
                    work = self._waiting.popleft()
                    await anyio.to_thread.run_sync(work)
                    work.done.set()
                    self._tell_problem()
        finally:
            self._writing = False

    def _tell_problem(self) -> None:
        if self._journal is not None and self._journal.problem != self._problem:
            self._problem = self._journal.problem
            self._complain(self._problem)
