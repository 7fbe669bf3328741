"""Requests and answers over one transport, and everything else that pi says, in order, to one sink."""

import re
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeVar, TypeVarTuple, Unpack

import anyio
import anyio.lowlevel
import anyio.to_thread
from anyio.abc import TaskGroup
from pydantic import ValidationError

from pitui.rpc.errors import AnswerUnreadable, PiGone, RequestRefused, RequestTimedOut
from pitui.rpc.framing import Framer
from pitui.rpc.process import Transport
from pitui.rpc.reading import UnreadableError
from pitui.rpc.recorder import Recorder
from pitui.rpc.records import Record, Response, Unparsed, decode, decode_answer, decode_plain
from pitui.rpc.requests import Answer, Request, encode, encode_answer, read_answer

R = TypeVar("R")
T = TypeVar("T")
Given = TypeVarTuple("Given")

SMALL = 4 * 1024
"""Bytes of a line that is read at once, whatever is wrong with it."""
LARGE = 1024 * 1024
"""Bytes of a line from which on it is read in a thread; between the two only when it takes a repair."""
STALLED_AFTER = 1.0
"""Seconds."""
_ANSWER_HEAD = re.compile(rb'\s*\{\s*"id"\s*:\s*"([^"\\]*)"\s*,\s*"type"\s*:\s*"response"')


@dataclass(eq=False, slots=True)
class _Waiting:
    hear: Callable[[bytes], None] | None = None
    done: anyio.Event = field(default_factory=anyio.Event)
    answer: Response | Unparsed | None = None


@dataclass(eq=False, slots=True)
class _Outgoing:
    """A line to be written, encoded only when its turn has come; `settled` when it is written, or `lost` with pi."""

    encode: Callable[[], bytes]
    size: int
    settled: anyio.Event = field(default_factory=anyio.Event)
    lost: bool = False
    given_up: bool = False


class RpcClient:
    """Speaks with one pi from ``async with`` to the end of the block, which stops it.

    `sink` gets every record that answers no waiting request, synchronously and in pi's order, before any later answer
    reaches the one who asked: what the sink keeps is never behind an answer. What it raises is put into `faults` and
    the recording, and reading goes on. `on_stall` hears when pi stops and starts to read what we write, `on_end` once,
    after the last record, that pi has ended: exit code and the end of its stderr.
    """

    def __init__(
        self,
        transport: Transport,
        sink: Callable[[Record], None],
        *,
        recorder: Recorder | None = None,
        on_stall: Callable[[bool], None] | None = None,
        on_end: Callable[[int | None, str], None] | None = None,
    ) -> None:
        self.ended = anyio.Event()
        self.exit_code: int | None = None
        self.stalled = False
        self.faults: deque[str] = deque(maxlen=16)
        self.on_stall = on_stall
        self.on_end = on_end
        self._transport = transport
        self._sink = sink
        self._recorder = recorder
        self._ids = count(1)
        self._waiting: dict[str, _Waiting] = {}
        self._asked: set[str] = set()
        self._outbox: deque[_Outgoing] = deque()
        self._outbox_filled = anyio.Event()
        self._read_to_end = anyio.Event()
        self._group: TaskGroup

    async def __aenter__(self) -> Self:
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        self._group.start_soon(self._read)
        self._group.start_soon(self._write)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        await self.stop()
        self._group.cancel_scope.cancel()
        if isinstance(error, anyio.get_cancelled_exc_class()):
            return await self._group.__aexit__(kind, error, trace)
        await self._group.__aexit__(None, None, None)  # an error of the block leaves it as it is, in no group
        return None

    @property
    def stderr_tail(self) -> str:
        return self._transport.stderr_tail

    def next_id(self) -> str:
        return f"pitui-{next(self._ids)}"

    async def request(
        self,
        request: Request[R],
        *,
        timeout: float | None = 60,
        id_: str | None = None,
        heard: Callable[[R], None] | None = None,
    ) -> R:
        """What pi answers. `timeout` is seconds from when the line is written; `id_` names a ``bash``'s output.

        `heard` gets it before the sink gets what pi said after it; who waits here may have their turn later.
        Lines are written in the order of the calls. One whose caller is cancelled is written whole or not at all.
        Raises RequestRefused, RequestTimedOut, AnswerUnreadable, and PiGone as soon as pi ends.
        """
        id_ = id_ or self.next_id()
        if id_ in self._waiting:
            raise ValueError(f"a request with the id {id_} is waiting")
        command = request.wire_type
        waiting = self._waiting[id_] = _Waiting(heard and (lambda line: heard(read_answer(request, line))))
        self._asked.add(id_)
        try:
            await self._send(_Outgoing(partial(encode, request, id_), _size(request)))
            with anyio.move_on_after(timeout):
                await waiting.done.wait()
        finally:
            del self._waiting[id_]
        match waiting.answer:
            case None:
                raise self._gone() if self.ended.is_set() else RequestTimedOut(command, timeout or 0)
            case Unparsed(reason=reason):
                raise AnswerUnreadable(command, reason)
            case Response(success=False, error=error):
                raise RequestRefused(command, error)
            case Response(line=line):
                return await self._read_answer(request, line)

    async def answer(self, dialog_id: str, answer: Answer) -> None:
        """Answer a dialog; pi says nothing to it. Raises PiGone."""
        await self._send(_Outgoing(partial(encode_answer, dialog_id, answer), _size(answer)))

    async def stop(self) -> None:
        """Stop pi and read what it still says. Runs to its end when cancelled, in bounded time."""
        with anyio.CancelScope(shield=True):
            await self._transport.stop()
            with anyio.move_on_after(1):
                await self._read_to_end.wait()
        self._finish()

    def kill(self) -> None:
        """End pi at once; `stop` waits no longer then."""
        self._transport.kill()

    # What pi says

    async def _read(self) -> None:
        try:
            await self._read_lines()
            await self._transport.stop()  # it may have closed its output and live on
            self._finish()
        finally:
            self._read_to_end.set()

    async def _read_lines(self) -> None:
        framer = Framer()
        while True:
            try:
                chunk = await self._transport.receive()
            except anyio.EndOfStream:
                break
            for line in framer.feed(chunk):
                await self._take(line)
            await anyio.lowlevel.checkpoint()
        last = framer.finish()
        if last is not None:
            await self._take(last)

    async def _take(self, line: bytes) -> None:
        record = decode(line) if len(line) <= SMALL else decode_plain(line) if len(line) < LARGE else None
        if record is None and self._recorder is None:  # which has to know whether it is JSON
            record = decode_answer(line)
        if record is None:
            record = await anyio.to_thread.run_sync(decode, line)
        if self._recorder is not None:
            is_json = not isinstance(record, Unparsed)
            await _in_thread_from(LARGE, len(line), self._recorder.received, line, is_json)
        if not self._is_ours(record):
            self._tell(self._sink, record)

    def _is_ours(self, record: Record) -> bool:
        """Whether it answers a request of ours: one who still waits gets it, a late one is of no use to anybody.

        An answer that cannot be read is brought to the one who waits as well, if its head can.
        """
        if isinstance(record, Response):
            id_ = record.id if isinstance(record.id, str) else ""
        elif isinstance(record, Unparsed) and (head := _ANSWER_HEAD.match(record.line)):
            id_ = head.group(1).decode("utf-8", "replace")
        else:
            return False
        waiting = self._waiting.get(id_)
        if waiting is not None and not waiting.done.is_set():
            waiting.answer = record
            if waiting.hear is not None and isinstance(record, Response) and record.success:
                self._tell(waiting.hear, record.line)
            waiting.done.set()
        return id_ in self._asked

    async def _read_answer(self, request: Request[R], line: bytes) -> R:
        try:
            return await _in_thread_from(SMALL, len(line), read_answer, request, line)
        except UnreadableError as error:
            raise AnswerUnreadable(request.wire_type, str(error)) from error
        except ValidationError as error:
            fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(map(str, fault["loc"]))
            raise AnswerUnreadable(request.wire_type, f"{where}: {fault['msg']}") from None

    def _finish(self) -> None:
        if self.ended.is_set():
            return
        self.exit_code = self._transport.returncode
        self.ended.set()
        for waiting in self._waiting.values():
            waiting.done.set()
        for outgoing in self._outbox:
            outgoing.lost = True
            outgoing.settled.set()
        if self.on_end is not None:
            self._tell(self.on_end, self.exit_code, self.stderr_tail)

    def _gone(self) -> PiGone:
        return PiGone(self.exit_code, self.stderr_tail)

    def _tell(self, hear: Callable[..., None], *what: object) -> None:
        """A fault of those who hear must not end the reading."""
        try:
            hear(*what)
        except Exception:
            self.faults.append(traceback.format_exc())
            if self._recorder is not None:
                self._recorder.failed(self.faults[-1])

    # What we say

    async def _send(self, outgoing: _Outgoing) -> None:
        """Wait until the line is written, or pi has ended."""
        if self.ended.is_set():
            raise self._gone()
        self._outbox.append(outgoing)
        self._outbox_filled.set()
        try:
            await outgoing.settled.wait()
        finally:
            outgoing.given_up = True
        if outgoing.lost:
            raise self._gone()

    async def _write(self) -> None:
        while True:
            if not self._outbox:
                self._outbox_filled = anyio.Event()
                await self._outbox_filled.wait()
            outgoing = self._outbox[0]
            if not outgoing.given_up and not await self._write_line(outgoing):
                await self._transport.stop()  # it reads no more: the reader will see it end
                return
            self._outbox.popleft()
            outgoing.settled.set()

    async def _write_line(self, outgoing: _Outgoing) -> bool:
        """Whether somebody reads what we write."""
        read = True
        async with anyio.create_task_group() as group:
            group.start_soon(self._notice_stall)
            line = await _in_thread_from(LARGE, outgoing.size, outgoing.encode)
            if self._recorder is not None:
                await _in_thread_from(LARGE, len(line), self._recorder.sent, line)
            try:
                await self._transport.send(line)
            except anyio.BrokenResourceError:
                read = False
            group.cancel_scope.cancel()
        self._set_stalled(False)
        return read

    async def _notice_stall(self) -> None:
        await anyio.sleep(STALLED_AFTER)
        self._set_stalled(True)

    def _set_stalled(self, stalled: bool) -> None:
        if stalled != self.stalled:
            self.stalled = stalled
            if self.on_stall is not None:
                self._tell(self.on_stall, stalled)


def _size(said: Request[Any] | Answer) -> int:
    """About how many bytes it will take."""
    texts = [value for value in vars(said).values() if isinstance(value, str)]
    return sum(map(len, texts)) + sum(len(image.data) for image in getattr(said, "images", ()))


async def _in_thread_from(limit: int, size: int, function: Callable[[Unpack[Given]], T], *given: *Given) -> T:
    """What the function gives, called in a thread when `size` bytes are more than the event loop has time for."""
    if size < limit:
        return function(*given)
    return await anyio.to_thread.run_sync(function, *given)
