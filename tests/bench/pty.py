"""A program in a terminal of its own, whose output is counted and searched but not drawn."""

import contextlib
import fcntl
import os
import pty
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ANSWERS = {
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[?2048$p": b"\x1b[?2048;0$y",
}
"""What a terminal says when it is asked what it can do."""


class Terminal:
    """`argv` on a terminal of `size` (columns, rows), in `folder` and with `environment` if they are given."""

    def __init__(
        self,
        argv: Sequence[str],
        size: tuple[int, int] = (120, 40),
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self.bytes = 0
        self.frames = 0
        self.pid, self._fd = pty.fork()
        if not self.pid:
            if folder:
                os.chdir(folder)
            variables = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            variables.pop("NO_COLOR", None)
            os.execvpe(argv[0], list(argv), variables)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def read(self, seconds: float) -> bytes:
        """What came within so many seconds, as soon as something came; nothing at all once it has ended."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            return b""
        self.bytes += len(data)
        self.frames += data.count(b"\x1b[?2026h")
        for question, answer in ANSWERS.items():
            if question in data:
                os.write(self._fd, answer)
        return data

    def wait(self, text: str, seconds: float) -> float:
        """Seconds until `text` was written. Raises TimeoutError."""
        start = time.perf_counter()
        wanted, seen = text.encode(), b""
        while (spent := time.perf_counter() - start) < seconds:
            seen = seen[-len(wanted) :] + self.read(seconds - spent)
            if wanted in seen:
                return time.perf_counter() - start
        raise TimeoutError(f"{text!r} was not written within {seconds} s")

    def key(self, text: str, seconds: float = 10) -> float:
        """Seconds from a key to its sign on the screen."""
        os.write(self._fd, text.encode())
        return self.wait(text, seconds)

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def run(self, seconds: float) -> None:
        """Read on for a while, or until it ends."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0 and self.alive:
            self.read(min(left, 0.2))

    @property
    def alive(self) -> bool:
        return os.waitpid(self.pid, os.WNOHANG) == (0, 0) if self.pid else False

    def settle(self, seconds: float = 1, longest: float = 120) -> None:
        """Read until nothing is written for so long."""
        end = time.perf_counter() + longest
        while time.perf_counter() < end and self.read(seconds):
            pass

    @property
    def cpu(self) -> float:
        """Seconds of processor time until now, of the program itself."""
        return processor_seconds(self.pid)

    @property
    def child_cpu(self) -> float:
        """The same of its children that still run."""
        return sum(map(processor_seconds, children(self.pid)))

    @property
    def memory(self) -> float:
        """MB that are in memory now."""
        return _kilobytes(self.pid, "VmRSS") / 1000

    @property
    def peak(self) -> float:
        """MB that were in memory at most."""
        return _kilobytes(self.pid, "VmHWM") / 1000

    @property
    def child_peak(self) -> float:
        """The same of its children that still run, added up."""
        return sum(_kilobytes(pid, "VmHWM") for pid in children(self.pid)) / 1000

    @property
    def wakeups(self) -> int:
        """How often its first thread has waited for something until now."""
        return _number(self.pid, "voluntary_ctxt_switches")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        os.close(self._fd)


def processor_seconds(pid: int) -> float:
    """Of a process and all its threads, until now."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text("ascii").split())
    return found


def _kilobytes(pid: int, name: str) -> int:
    return _number(pid, name) * 1024 // 1000


def _number(pid: int, name: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name + ":"))
