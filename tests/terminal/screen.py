"""A terminal for tests: a real pty with a screen model behind it, so that a test sees what a person would see."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pyte

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "ctrl+up": "\x1b[1;5A",
    "ctrl+down": "\x1b[1;5B",
    "ctrl+home": "\x1b[1;5H",
    "ctrl+end": "\x1b[1;5F",
    "alt+enter": "\x1b[13;3u",
    "alt+up": "\x1b[1;3A",
    "shift+enter": "\x1b[13;2u",
    "alt+t": "\x1bt",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f4": "\x1bOS",
    "f6": "\x1b[17~",
}
ANSWERS = {
    rb"\x1b\[6n": b"\x1b[1;1R",
    rb"\x1b\[\?u": b"\x1b[?0u",
    rb"\x1b\[c": b"\x1b[?62;22c",
    rb"\x1b\]11;\?(?:\x07|\x1b\\)": b"\x1b]11;rgb:1010/1010/1010\x1b\\",
}
"""What a terminal answers to the questions of a program: attributes, cursor, keyboard, background."""
MODE_QUESTION = re.compile(rb"\x1b\[\?(\d+)\$p")
PASTES, SYNCHRONIZED, PIXELS, SIZE_REPORTS = 2004, 2026, 1016, 2048
PLAIN, MODERN = frozenset({PASTES, SYNCHRONIZED}), frozenset({PASTES, SYNCHRONIZED, PIXELS, SIZE_REPORTS})
OLD = frozenset({SYNCHRONIZED})
"""The modes that a terminal tells of: marked pastes and synchronized output; besides, the mouse in pixels, and sizes as
input. An old one does not mark pastes."""
UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=?][\d;:]*[a-zA-Z]")
MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
CURSOR, WRAPS = 25, 7
SIZE_VARIABLES = ("COLUMNS", "LINES")
"""pytest-xdist sets them, and programs believe them more than the terminal."""
QUIET_SECONDS = 0.2


class Terminal:
    """A program in a terminal of its own. Use it as a context manager: on leaving it the program is ended."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        size: tuple[int, int] = (100, 30),
        *,
        known_modes: frozenset[int] = PLAIN,
    ) -> None:
        columns, rows = size
        self.raw = bytearray()
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._changed = threading.Condition()
        self._ending = self._closed = False
        self._known_modes = known_modes
        self._keyboard, self._line = self._ends = pty.openpty()
        self._set_size(columns, rows)
        self.attributes_before = self.attributes()
        self.process = subprocess.Popen(
            command,
            stdin=self._line,
            stdout=self._line,
            stderr=self._line,
            cwd=folder,
            env={
                **{name: value for name, value in environment.items() if name not in SIZE_VARIABLES},
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "LC_ALL": "C.UTF-8",
            },
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509  the only thread that matters there is the one that forks
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        descendants = self.descendants()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.close()
        for pid in descendants:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    # The program's side

    def _read(self) -> None:
        while not self._closed:
            ready, _, _ = select.select([self._keyboard], [], [], QUIET_SECONDS)
            if not ready:
                if self._ending:
                    return
                continue
            data = os.read(self._keyboard, 1 << 16)
            with self._changed:
                self.raw += data
                self._stream.feed(UNKNOWN_TO_PYTE.sub(_only_private_modes, data))
                self._changed.notify_all()
            for question, answer in ANSWERS.items():
                if re.search(question, data):
                    os.write(self._keyboard, answer)
            for found in MODE_QUESTION.finditer(data):
                state = 2 if int(found[1]) in self._known_modes else 0
                os.write(self._keyboard, b"\x1b[?%b;%d$y" % (found[1], state))

    # What a person sees and does

    @property
    def rows(self) -> list[str]:
        with self._changed:
            buffer, width = self._screen.buffer, self._screen.columns
            return ["".join(buffer[y][x].data for x in range(width)).rstrip() for y in range(self._screen.lines)]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def wait(self, seen: str | Callable[[str], Any], seconds: float = 30) -> str:
        """Wait until a text is on the screen, or until `seen` holds of what is on it; that screen.

        Raises AssertionError with the screen when it does not come.
        """
        holds = (lambda text: seen in text) if isinstance(seen, str) else seen
        end = time.monotonic() + seconds
        while not holds(text := self.text):
            over = self.process.poll() is not None
            with self._changed:
                self._changed.wait(QUIET_SECONDS)
            if time.monotonic() >= end or (over and text == self.text):
                wanted = repr(seen) if isinstance(seen, str) else "what was waited for"
                raise AssertionError(f"{wanted} did not come in {seconds} s. The screen:\n{text}\n{self._ended()}")
        return text

    def wait_told(self, words: str) -> str:
        """Wait for words that may be on several lines of a box."""
        return self.wait(lambda text: words in re.sub(r"[\s│▌]+", " ", text))

    def wait_gone(self, text: str, seconds: float = 30) -> str:
        return self.wait(lambda screen: text not in screen, seconds)

    def _ended(self) -> str:
        code = self.process.poll()
        return "" if code is None else f"The program has ended with {code}."

    def type(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    def press(self, *keys: str) -> None:
        """Press keys one after another: Textual's names, such as ``ctrl+x``."""
        for key in keys:
            self.type(KEYS.get(key) or chr(ord(key.removeprefix("ctrl+")) & 0x1F))

    def paste(self, text: str) -> None:
        self.type(f"\x1b[200~{text}\x1b[201~")

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._line, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        with self._changed:
            self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        os.killpg(self.process.pid, signal.SIGWINCH)
        if SIZE_REPORTS in self.modes():
            self.type(f"\x1b[48;{rows};{columns};0;0t")

    # How it ends

    def close(self) -> None:
        """The terminal goes away, as when its window is closed."""
        self._closed = True
        self._reader.join(5)
        for end in self._ends:
            os.close(end)
        self._ends = ()

    def exit_code(self, seconds: float = 15) -> int:
        """Wait for the program to end; its exit code. What it still wrote is read."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it did not end in {seconds} s. The screen:\n{self.text}") from None
        self._ending = True
        self._reader.join(5)
        return code

    def attributes(self) -> list[Any]:
        """The settings of the line: echo, line mode, and so on."""
        return termios.tcgetattr(self._line)

    def modes(self) -> set[int]:
        """The private modes that are set: 1049 is the alternate screen, 1000 to 1015 the mouse, 25 the cursor."""
        found: set[int] = {CURSOR, WRAPS}
        for numbers, setting in MODE.findall(bytes(self.raw)):
            for number in map(int, numbers.split(b";")):
                (found.add if setting == b"h" else found.discard)(number)
        return found

    def assert_as_before(self) -> None:
        """The terminal is as the program found it."""
        assert self.attributes() == self.attributes_before
        assert self.modes() == {CURSOR, WRAPS}
        pushed, popped = self.raw.count(b"\x1b[>1u"), self.raw.count(b"\x1b[<u")
        assert pushed <= popped, "the keyboard protocol is still on"

    def descendants(self) -> list[int]:
        """The processes below the program, however deep."""
        table = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        children: dict[int, list[int]] = {}
        for line in table.splitlines():
            pid, parent = map(int, line.split())
            children.setdefault(parent, []).append(pid)
        found, left = [], [self.process.pid]
        while left:
            below = children.get(left.pop(), [])
            found += below
            left += below
        return found


def _take_terminal() -> None:
    """In the child: the pty becomes its controlling terminal."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _only_private_modes(found: re.Match[bytes]) -> bytes:
    """pyte prints the ends of sequences that it does not know."""
    return found[0] if MODE.fullmatch(found[0]) else b""
