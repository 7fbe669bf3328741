"""The child process that pi runs in, and what the client needs from whatever stands in its place.

Importing this works everywhere; starting a process needs POSIX.
"""

import asyncio
import atexit
import os
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol, cast

import anyio

from pitui.operating_system import END, END_AT_ONCE, do_not_wait, signal_group
from pitui.rpc.spawn import start_pi

CHUNK = 64 * 1024
STDERR_KEPT = 64 * 1024
"""Bytes of the end of stderr that are kept."""
DRAINED_AT_ONCE = 1024 * 1024
EXIT_SEEN_WITHIN = 0.25
"""Seconds, where the system does not tell of the end of a process.

Normally the end of stdout says that pi has ended; this is for a grandchild that keeps the pipe open.
"""
PATIENCE = (3.0, 2.0, 1.0)
"""Seconds to wait after the end of stdin, after SIGTERM and after SIGKILL."""
PATIENCE_WITH_SILENCE = (1.0, 1.0, 1.0)
"""The same for a pi that has never said anything: it hangs, and has nothing to save."""
PATIENCE_LEFT_BEHIND = 0.5


class Transport(Protocol):
    """Both directions of bytes to a pi, real or not."""

    @property
    def returncode(self) -> int | None:
        """The exit code once it has ended; negative for a signal, as in `subprocess`."""
        ...

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr."""
        ...

    async def receive(self) -> bytes:
        """The next bytes, up to 64 KiB. Raises anyio.EndOfStream when no more will come."""
        ...

    async def send(self, data: bytes) -> None:
        """Write all of `data`. Raises anyio.BrokenResourceError when nobody will read it."""
        ...

    async def stop(self) -> int | None:
        """End it, in bounded time and whether or not the caller is cancelled, and give the exit code."""
        ...

    def kill(self) -> None:
        """End it at once; who stops it need not wait any longer."""
        ...


class PiProcess:
    """A pi that runs as our child, in a session and process group of its own, so that no Ctrl+C of ours reaches it."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        """Takes over `popen`, which must lead its process group and have three pipes. Needs a running event loop."""
        self._popen = popen
        self._stdin = cast(IO[bytes], popen.stdin)
        self._stdout = cast(IO[bytes], popen.stdout)
        self._stderr = cast(IO[bytes], popen.stderr)
        for pipe in (self._stdin, self._stdout, self._stderr):
            do_not_wait(pipe.fileno())
        self._drained: deque[bytes] = deque()
        self._stderr_end = bytearray()
        self._sending: anyio.CancelScope | None = None
        self._closing = False
        self._has_spoken = False
        self._stopping = anyio.Lock()
        self._receiving: anyio.CancelScope | None = None
        self._left_behind = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._stderr.fileno(), self._read_stderr)
        self._end = _open_end(popen.pid)
        if self._end is not None:
            self._loop.add_reader(self._end, self._hear_end)
        atexit.register(self._kill_group)

    @classmethod
    async def spawn(
        cls, argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> "PiProcess":
        """Start `argv`; `env` replaces the whole environment. Raises PiNotFoundError and PiNotStartedError."""
        return cls(start_pi(argv, cwd, env))

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """Also ends what pi left behind in its process group, when its own end is seen for the first time."""
        if self._popen.returncode is None and self._popen.poll() is not None:
            self._left_behind = self._signal_group(END)
        return cast(int | None, self._popen.returncode)

    @property
    def stderr_tail(self) -> str:
        self._read_stderr()
        return self._stderr_end[-STDERR_KEPT:].decode("utf-8", "replace")

    async def receive(self) -> bytes:
        while True:
            if self._drained:
                return self._drained.popleft()
            ended = self.returncode is not None
            data = self._read_stdout()
            if data:
                return data
            if ended or data == b"":
                self._stdout.close()
                raise anyio.EndOfStream
            try:
                with anyio.move_on_after(EXIT_SEEN_WITHIN if self._end is None else None) as self._receiving:
                    await anyio.wait_readable(self._stdout)
            finally:
                self._receiving = None

    async def send(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            with anyio.CancelScope() as self._sending:
                while left and not self._closing:
                    try:
                        left = left[os.write(self._stdin.fileno(), left[:CHUNK]) :]
                    except BlockingIOError:
                        await anyio.wait_writable(self._stdin)
        except (OSError, ValueError) as error:  # ValueError: the pipe is closed
            raise anyio.BrokenResourceError from error
        finally:
            self._sending = None
            if self._closing:
                self._stdin.close()
        if left:
            raise anyio.BrokenResourceError

    async def stop(self) -> int | None:
        """End pi as gently as it allows: close stdin, which makes it save and leave; SIGTERM; SIGKILL. Never SIGINT.

        pi cleans up on the first two and loses the running answer on a second signal that comes early.
        """
        with anyio.CancelScope(shield=True):
            async with self._stopping:
                await self._stop()
        return self.returncode

    def kill(self) -> None:
        """The whole group; `stop` sees it."""
        if self.returncode is None:
            self._signal_group(END_AT_ONCE)

    async def _stop(self) -> None:
        self._close_stdin()
        all_patience = PATIENCE if self._has_spoken else PATIENCE_WITH_SILENCE
        for patience, then in zip(all_patience, (END, END_AT_ONCE, None), strict=True):
            if await self._has_ended_within(patience):
                break
            if then is not None:
                self._signal_group(then)
        await self._end_left_behind()
        self._release()

    async def _has_ended_within(self, seconds: float) -> bool:
        """Polls the exit code: waiting for a process in asyncio also waits for grandchildren that hold its pipes."""
        with anyio.move_on_after(seconds):
            while self.returncode is None:
                self._drain()
                await anyio.sleep(0.01)
        return self.returncode is not None

    async def _end_left_behind(self) -> None:
        """Processes of pi's group that outlive it have had SIGTERM when its end was seen."""
        with anyio.move_on_after(PATIENCE_LEFT_BEHIND):
            while self._left_behind:
                self._left_behind = self._signal_group(0)
                await anyio.sleep(0.01)
        if self._left_behind:
            self._signal_group(END_AT_ONCE)

    def _close_stdin(self) -> None:
        self._closing = True
        if self._sending is None:
            self._stdin.close()
        else:  # the descriptor must not be closed under one who waits for it
            self._sending.cancel()

    def _drain(self) -> None:
        """Keep a pi that is leaving from waiting for us to read; who still receives gets it all."""
        for _ in range(DRAINED_AT_ONCE // CHUNK):
            data = self._read_stdout()
            if not data:
                return
            self._drained.append(data)

    def _read_stdout(self) -> bytes | None:
        """What is there: None for nothing yet, empty at the end."""
        try:
            data = os.read(self._stdout.fileno(), CHUNK)
        except BlockingIOError:
            return None
        except (OSError, ValueError):
            return b""
        self._has_spoken |= bool(data)
        return data

    def _read_stderr(self) -> None:
        if self._stderr.closed:
            return
        try:
            data = os.read(self._stderr.fileno(), CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._close_stderr()
        self._stderr_end += data
        if len(self._stderr_end) > 2 * STDERR_KEPT:
            del self._stderr_end[:-STDERR_KEPT]

    def _hear_end(self) -> None:
        """pi has ended: who still waits for its output may look."""
        self._close_end()
        if self._receiving is not None:
            self._receiving.cancel()

    def _close_end(self) -> None:
        if self._end is not None:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._end)
            os.close(self._end)
            self._end = None

    def _close_stderr(self) -> None:
        if not self._stderr.closed:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._stderr.fileno())
            self._stderr.close()

    def _signal_group(self, number: int) -> bool:
        return signal_group(self._popen.pid, number)

    def _kill_group(self) -> None:
        """The last resort, when the program ends without having stopped its pi."""
        if self._popen.poll() is None:
            self._signal_group(END_AT_ONCE)

    def _release(self) -> None:
        self._read_stderr()
        self._close_stderr()
        self._close_end()
        self._drain()
        if self._receiving is None:
            self._stdout.close()
        atexit.unregister(self._kill_group)


def _open_end(pid: int) -> int | None:
    """A descriptor that is readable once the process has ended; None where there is no such thing."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:  # a sandbox may forbid it
        return None
