"""`Connection`: one pi from its start to its end, and the session that is kept of what it says.

The wire is loaded when pi is to be heard, so that a screen can be drawn before.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Sequence
from contextlib import AsyncExitStack, contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import anyio
import anyio.abc
import anyio.lowlevel
import anyio.to_thread

from pitui import rpc
from pitui.companion.client import Companion
from pitui.launch import Launch
from pitui.outbox import Outbox
from pitui.pi.opened import opens_session, read_after, read_end, session_to_open, working_folder
from pitui.pi.ours import Ours
from pitui.pi.warnings import LONG, warning_in
from pitui.queue import Queue
from pitui.quoting import brief
from pitui.rpc.errors import PiGone, RequestError
from pitui.session import facts
from pitui.session.blocks import Level
from pitui.session.model import Aspect, Changes, OpenDialog, Phase, Session
from pitui.watch import READ_ONLY, UNDECIDED, WAITS, Watch

if TYPE_CHECKING:
    from pitui.rpc.messages import Entry
    from pitui.rpc.process import Transport
    from pitui.session.apply import Applied
    from pitui.store.journal import Journal, Row

R = TypeVar("R")

PATIENCE = 3600.0
"""Seconds for requests that take as long as they take: prompts that wait for an extension's dialogs, compaction, bash,
and an abort that waits for pi to be idle. Esc ends them."""

OVERDUE_SECONDS = 1.0
"""After that long without an answer the person is told that pi is awaited."""

SLICE_SECONDS = 0.005
"""How long the screen may wait at a time while a long conversation is put together."""

CLOCKS_APART = 0.5
"""Seconds by which pi may say that the time for an answer is over before it is over here."""


class Connection:
    """Starts pi, hears what it says, and keeps its `Session`, which is only for reading.

    `async with` owns the child and every task; leaving it stops both.
    """

    def __init__(
        self,
        launch: Launch,
        connect: Callable[[Launch], Awaitable[Transport]] | None = None,
        clock: Callable[[], float] | None = None,
        journal: Journal | None = None,
    ) -> None:
        """`journal` keeps what is sent on disk; it is closed with this."""
        self.launch = launch
        self.journal = journal
        self.cwd = launch.cwd
        """The folder in which pi works: that of the session that is open, wherever pi was started."""
        self.session = Session()
        self.clock = clock or anyio.current_time
        self._unread = False
        self._overdue = 0
        self._connect = connect or _spawn
        self.companion = Companion(self.session, self._request, launch.no_companion)
        self._loading = anyio.Lock()
        self._opened = 0
        """How many other sessions were opened."""
        self._replacing = False
        """We have asked for another session."""
        self._restarting = False
        """pi is ended to be started again."""
        self._restart_lock = anyio.Lock()
        self._unloaded = False
        """The extensions of the session before have said good-bye: what is shown is of the new ones."""
        self.ours = Ours()
        """The session files that were open here before."""
        self.watch = Watch(self.session, self._request, self._watch_changed, self.clock, launch.claims, ours=self.ours)
        self._outbox = Outbox(
            self.session,
            self._apply,
            self._request_of_outbox,
            journal,
            str(launch.cwd),
            undecided=lambda: self.watch.undecided,
        )
        self.queue = Queue(self._outbox)
        self._client: rpc.client.RpcClient | None = None
        self._warning = ""
        """What was last told of its warnings."""
        self._owner = AsyncExitStack()
        self._tasks: anyio.abc.TaskGroup
        self._recorder: rpc.recorder.Recorder | None = None
        self._changed = anyio.Event()
        self._refresh = anyio.Event()
        self._stop = anyio.Event()
        self._stopped = anyio.Event()
        self._looked_back = anyio.Event()
        """Set when it is known what the pi that has ended had said."""
        self._looked_back.set()
        self._loaded = anyio.Event()
        """Set when everything about the session that is open is known, or its pi has ended before."""

    @classmethod
    def replaying(cls, path: Path) -> Self:
        """One that shows a recording; no pi runs."""

        async def connect(_: Launch) -> Transport:
            return rpc.replay.Replay(path)

        return cls(Launch((), path.parent), connect)

    @property
    def opening(self) -> bool:
        """Whether a session is being opened of which not everything is known yet."""
        return not self._loaded.is_set() and (self._opened > 0 or opens_session(self.launch.argv))

    @property
    def replays(self) -> bool:
        """Whether it shows a recording, which takes nothing."""
        return not self.launch.argv

    # Life ----------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._tasks = await self._owner.enter_async_context(anyio.create_task_group())
        if self.launch.record:
            self._recorder = rpc.recorder.Recorder(self.launch.record, lambda fault: self.notice("error", fault))
            self._owner.callback(self._recorder.close)
        try:
            await self._tasks.start(self._serve)
        except BaseException as error:
            self._tasks.cancel_scope.cancel()
            await self._owner.__aexit__(type(error), error, error.__traceback__)
            raise
        self._tasks.start_soon(self._keep_fresh)
        self._tasks.start_soon(self._outbox.run, self._tasks.start_soon)
        if not self.replays:
            self._tasks.start_soon(self.watch.run)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        with anyio.CancelScope(shield=True):
            self._stop.set()
            await self._stopped.wait()
            await self._looked_back.wait()
        self._tasks.cancel_scope.cancel()
        over = await self._owner.__aexit__(kind, error, trace)
        self._outbox.ledger.close()
        return over

    async def _serve(self, replaced: bool = False, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        """One pi, from its start to its end; the task that owns it."""
        self._stop, self._stopped, loaded = anyio.Event(), anyio.Event(), self._loaded
        try:
            client = rpc.client.RpcClient(await self._connect(self.launch), self._take, recorder=self._recorder)
            client.on_end = self._ended
            client.on_stall = self._stall
            async with client:
                self._client, self._restarting = client, False
                self._apply(facts.Started(self.launch.version))
                if replaced:
                    self._apply(facts.Replaced())
                task_status.started()
                if not self.session.entries:
                    self._tasks.start_soon(self._show_end)
                self._tasks.start_soon(self._load, loaded)
                await self._stop.wait()
        finally:
            loaded.set()
            self._stopped.set()

    async def restart(self, launch: Launch | None = None, file: Path | None = None) -> None:
        """Start pi again, perhaps in another way, on the session that was open; what the chat shows stays.

        Or on the session in another `file`, which is open then, unless pi has ended at once. Raises RequestError.
        """
        self._loads_again()
        async with self._restart_lock:
            self._loads_again()
            self._restarting = True
            self._stop.set()
            await self._stopped.wait()
            await self._looked_back.wait()
            self.launch = (launch or self.launch).on_session(str(file) if file else self.session.file)
            self.cwd = self.launch.cwd
            try:
                await self._tasks.start(self._serve, file is not None)
            except rpc.spawn.PiNotStartedError as error:
                raise RequestError(f"pi could not be started: {error}") from error
            if file is not None:
                await self.until_loaded()

    def kill(self) -> None:
        """End pi at once, whatever it was about to save; leaving waits no longer then."""
        if self._client is not None:
            self._client.kill()

    def _ended(self, code: int | None, stderr: str) -> None:
        self._looked_back = anyio.Event()
        self._apply(facts.Exited(code, stderr, wanted=self._restarting))
        self._tasks.start_soon(self._look_back)

    async def _look_back(self) -> None:
        """See what pi has written before it ended, and give the person what it has not said."""
        from pitui.recovery import look_back

        try:
            if self._outbox.left_in_pi:
                await self._read_entries()
            look_back(self._outbox)
        finally:
            self._looked_back.set()

    async def _read_entries(self) -> None:
        """The entries that are in the session file, and that pi has not told."""
        session, opened = self.session, self._opened
        known = "" if session.preview else next(reversed(session.entries), "")
        entries = await anyio.to_thread.run_sync(_entries_after, Path(session.file), known)
        if entries and opened == self._opened:
            fact = facts.EntriesLoaded(entries, entries[-1].id, whole=not known)
            from pitui.session.history import drafting

            self._apply(await _at_leisure(drafting(session, fact)))

    def _stall(self, stalled: bool) -> None:
        self._unread = stalled
        self._mark(Aspect.STATE)

    @property
    def stalled(self) -> bool:
        """pi does not read what we write, or does not answer: it is busy with something else, or stopped."""
        waits_for_us = self.session.phase is Phase.STARTING or self.session.dialogs
        return self._unread or (self._overdue > 0 and not waits_for_us)

    @property
    def stderr(self) -> str:
        """The last of what pi wrote to stderr."""
        return self._client.stderr_tail if self._client else ""

    # From pi to the session ----------------------------------------------------------------------------------------

    def _take(self, record: rpc.records.Record) -> None:
        if isinstance(record, rpc.records.SetStatus) and rpc.companion.is_from_companion(record):
            self._hear(self.companion.hear(record))
            return
        known = len(self.session.dialogs)
        self._apply(record)
        if len(self.session.dialogs) > known:
            self._watch(self.session.dialogs[-1])
        if isinstance(record, rpc.records.AgentSettled | rpc.records.CompactionEnd | rpc.records.TurnEnd):
            self._refresh.set()

    def _hear(self, event: rpc.companion.Event | None) -> None:
        """Take what the companion tells, and pi has no record for."""
        match event:
            case rpc.companion.TreeMoved() | rpc.companion.Compacted():
                self._refresh.set()
            case rpc.companion.ModelChanged(model=model):
                self._apply(model)
                self._refresh.set()
            case rpc.companion.DialogsEnded():
                soon = self.clock() + CLOCKS_APART
                for dialog in list(self.session.dialogs):
                    self._is_over(dialog, timed_out=dialog.deadline is not None and soon > dialog.deadline)
            case rpc.companion.ModelsUnread(problem=problem):
                self.notice("warning", brief(problem, LONG))
            case rpc.companion.SessionEnded():
                self._unloaded = True
                self._apply(facts.ExtensionsUnloaded())
            case rpc.companion.SessionStarted(reason="new" | "resume" | "fork") if not self._replacing:
                self._apply(facts.Replaced(extensions_loaded=True))
                self._tasks.start_soon(self._load, self._loads_again())
            case _:
                pass

    def _apply(self, record: Applied) -> None:
        from pitui.session.apply import apply

        self._opened += isinstance(record, facts.Replaced)
        if isinstance(record, facts.Replaced | facts.Started):
            self.watch.forget()
        apply(self.session, record, self.clock())
        if self.session.changes:
            self._changed.set()
        self._outbox.heard(record)

    def _watch_changed(self) -> None:
        self._mark(Aspect.FILE | Aspect.STATE)
        self._outbox.look_again()

    def _mark(self, aspect: Aspect) -> None:
        self.session.changes.aspects |= aspect
        self._changed.set()

    async def frames(self, per_second: float = 20) -> AsyncIterator[Changes]:
        """What has changed, whenever something has, and at most so often. It may be left and taken up again.

        Whoever draws it has a third of the time at the most, so that keys are answered however long it takes.
        """
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            taken = self.clock()
            yield self.session.take_changes()
            await anyio.sleep(max(1 / per_second, 2 * (self.clock() - taken)))

    async def until_loaded(self) -> None:
        """Until pi has told everything about the session that is open, or has ended."""
        while not (loaded := self._loaded).is_set():
            await loaded.wait()

    def _loads_again(self) -> anyio.Event:
        """What is known is of the pi or the session before, until what this gives is set."""
        before, self._loaded = self._loaded, anyio.Event()
        before.set()  # whoever waits for it waits for the new one
        return self._loaded

    async def _load(self, loaded: anyio.Event) -> None:
        """Everything about the session that is open now."""
        try:
            self._apply(await self._request(rpc.requests.GetState()))
            await self._find_cwd()
            unsure = tuple(self._outbox.unsure)
            await self._load_entries(whole=not self.session.blocks)
            await self.watch.open()
            await self._recover(unsure)
            self._apply(await self._request(rpc.requests.GetCommands()))
            self._apply(await self._request(rpc.requests.GetSessionStats()))
            self._tell_warnings()
        except PiGone:
            return  # its end is shown by itself
        except RequestError as error:
            self.notice("error", f"pi did not tell its state: {error}")
            await self.watch.open()
        finally:
            loaded.set()
            self._mark(Aspect.STATE)

    def _tell_warnings(self) -> None:
        """What pi has warned of at its start, where nobody would see it."""
        warning = warning_in(self.stderr, has_no_model=self.session.has_no_model)
        if warning and warning != self._warning:  # one that is started again says it again
            self._warning = warning
            self.notice("warning", warning)

    async def _recover(self, unsure: Sequence[Row]) -> None:
        from pitui.recovery import recover

        self._outbox.folder = str(self.cwd)
        await recover(self._outbox, unsure)

    async def _find_cwd(self) -> None:
        """pi goes where the session belongs and does not say so. One that has no file yet stays where pi is."""
        file = self.session.file
        folder = await anyio.to_thread.run_sync(working_folder, Path(file)) if file else None
        if folder and folder != self.cwd:
            self.cwd = folder
            self._mark(Aspect.STATE)

    async def _show_end(self) -> None:
        """What the session file ends with, while pi still reads it."""
        lines = await anyio.to_thread.run_sync(_end_of_session, self.launch)
        if lines:
            self._apply(facts.EndRead(await anyio.to_thread.run_sync(rpc.entries.read_lines, lines)))

    async def _load_entries(self, *, whole: bool) -> None:
        async with self._loading:
            opened = self._opened
            fact = await self._ask_entries(whole=whole)
            from pitui.session.history import drafting

            fact = await _at_leisure(drafting(self.session, fact))
            if opened == self._opened:  # else they are of a session that was left meanwhile
                self._apply(fact)

    async def _ask_entries(self, *, whole: bool) -> facts.EntriesLoaded:
        whole = whole or self.session.preview
        since = None if whole else next(reversed(self.session.entries), None)
        try:
            found = await self._request(rpc.requests.GetEntries(since))
        except PiGone:
            raise
        except RequestError:
            if since is None:
                raise
            found, since = await self._request(rpc.requests.GetEntries()), None
        return facts.EntriesLoaded(found.entries, found.leaf_id, whole=whole)

    async def _keep_fresh(self) -> None:
        """After a turn or a run, ask for what pi sends no event for: the entries, the state and the cost."""
        while True:
            await self._refresh.wait()
            self._refresh = anyio.Event()
            try:
                if not self.session.busy:
                    unsure = tuple(self._outbox.unsure)
                    await self._load_entries(whole=False)
                    if unsure:
                        await self._recover(unsure)
                    self._apply(await self._request(rpc.requests.GetState()))
                self._apply(await self._request(rpc.requests.GetSessionStats()))
            except RequestError:
                continue  # the next turn asks again

    async def _request(
        self, request: rpc.requests.Request[R], timeout: float | None = 60, heard: Callable[[R], None] | None = None
    ) -> R:
        client = self._ready_client()
        with self._awaited() if timeout != PATIENCE else nullcontext():
            return await client.request(request, timeout=timeout, heard=heard)

    @contextmanager
    def _awaited(self) -> Generator[None, None, None]:
        """An answer is due: the person is told when it is overdue."""
        scope = anyio.CancelScope()
        self._tasks.start_soon(self._grow_impatient, scope)
        try:
            yield
        finally:
            scope.cancel()

    async def _grow_impatient(self, scope: anyio.CancelScope) -> None:
        """Say after a while that an answer is overdue, until it comes."""
        with scope:
            await anyio.sleep(OVERDUE_SECONDS)
            self._overdue += 1
            self._mark(Aspect.STATE)
            try:
                await anyio.sleep_forever()
            finally:
                self._overdue -= 1
                self._mark(Aspect.STATE)

    async def _request_of_outbox(self, request: rpc.requests.Request[R], heard: Callable[[R], None]) -> R:
        if request.wire_type != rpc.requests.Prompt.wire_type:
            return await self._request(request, heard=heard)
        if self.watch.read_only:  # it was held since before that was decided
            raise RequestError(READ_ONLY)
        runs = self._outbox.is_extension_command(getattr(request, "message", ""))
        with nullcontext() if runs else self._awaited():
            return await self._ready_client().request(request, timeout=None, heard=heard)  # for an extension's dialogs

    def _require_sendable(self) -> None:
        """Raises RequestError when the person wants nothing sent. Tells them when it waits until they have decided."""
        if self.watch.read_only:
            raise RequestError(READ_ONLY)
        if self.watch.unanswered:
            self.notice("warning", WAITS)

    def _require_writable(self) -> None:
        """Raises RequestError when the person wants nothing written to the session, or has to say first."""
        if self.watch.read_only:
            raise RequestError(READ_ONLY)
        if self.watch.unanswered:
            raise RequestError(UNDECIDED)

    def _ready_client(self) -> rpc.client.RpcClient:
        if self._client is None or self.session.phase is Phase.ENDED:
            raise PiGone(None, "")
        return self._client

    # Dialogs and notices ---------------------------------------------------------------------------------------------

    def _watch(self, dialog: OpenDialog) -> None:
        """pi says nothing when the time for an answer is over."""
        if dialog.deadline is not None:
            self._tasks.start_soon(self._expire, dialog, dialog.deadline)

    async def _expire(self, dialog: OpenDialog, deadline: float) -> None:
        await anyio.sleep(max(0.0, deadline - self.clock()))
        self._is_over(dialog, timed_out=True)

    def _is_over(self, dialog: OpenDialog, *, timed_out: bool) -> None:
        """pi does not wait for the answer any more."""
        if dialog not in self.session.dialogs:
            return
        if timed_out:
            self._apply(facts.DialogClosed(dialog.request.id, "timed out"))
            self.notice("warning", f"No answer in time: {brief(dialog.request.title)}")
        else:
            self._apply(facts.DialogClosed(dialog.request.id, "taken back by the extension"))

    def notice(self, level: Level, text: str, *, in_chat: bool = False) -> None:
        """Say something to the person."""
        self._apply(facts.Noticed(level, text, in_chat))


async def _at_leisure(steps: Generator[None, None, R]) -> R:
    """What comes of the steps, with everything else having its turn between them."""
    while True:
        until = time.perf_counter() + SLICE_SECONDS
        while time.perf_counter() < until:
            try:
                next(steps)
            except StopIteration as end:
                return end.value
        await anyio.lowlevel.checkpoint()


async def _spawn(launch: Launch) -> Transport:
    return await rpc.process.PiProcess.spawn(launch.argv, launch.cwd, launch.environment)


def _entries_after(path: Path, known: str) -> list[Entry]:
    return [entry for line in read_after(path, known) for entry in rpc.entries.read_lines([line])]


def _end_of_session(launch: Launch) -> list[bytes]:
    path = session_to_open(launch.argv, launch.cwd, launch.environment or os.environ)
    return read_end(path) if path else []
