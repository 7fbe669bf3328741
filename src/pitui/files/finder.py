"""Asks the process that searches in files. Nothing here waits for it."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pitui.operating_system import END_AT_ONCE, signal_group

COMMAND = (sys.executable, "-P", "-m", "pitui.files.search")
"""``-P``: what lies in the folder of the process is not imported."""
HUNG_SECONDS = 3.0
"""A process that was silent for so long after a question is given up, and the next question starts another."""


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to the question with this number; paths as they were asked for, folders with ``/``.

    `searching` tells that a better answer comes, `limited` that only the first `listed` files were looked at.
    """

    number: int
    paths: list[str]
    listed: int
    searching: bool
    limited: bool


class Finder:
    """`tell` is called in a thread with every answer, also with those to questions that are over."""

    def __init__(self, tell: Callable[[Found], None]) -> None:
        self._tell = tell
        self._number = 0
        self._asked = 0.0
        self._answered = True
        self._lock = threading.Lock()
        self._waiting = b""
        """The question that is written as soon as the process runs."""
        self._process: subprocess.Popen[bytes] | None = None
        self._running: object | None = None

    def ask(
        self,
        folder: Path,
        query: str,
        *,
        path: bool = False,
        fresh: bool = False,
        used: Mapping[str, float] = MappingProxyType({}),
    ) -> int:
        """Search below `folder` for letters of a path, or for how a `path` goes on; the number of the question.

        `fresh` takes the files as they are now, else as they were some seconds ago; `used` weighs some paths.
        """
        self._number += 1
        question = {"number": self._number, "folder": str(folder), "query": query, "path": path}
        line = json.dumps(question | {"fresh": fresh, "used": dict(used)}).encode() + b"\n"
        with self._lock:
            now = time.monotonic()
            if not self._answered and now - self._asked > HUNG_SECONDS:
                self._abandon()
            if self._answered or self._running is None:
                self._asked = now
            self._answered = False
            if self._running is None:
                self._running = token = object()
                self._waiting = line
                threading.Thread(target=self._run, args=(token,), daemon=True).start()
            elif self._process is None:
                self._waiting = line
            else:
                self._write(line)
        return self._number

    def close(self) -> None:
        """End the process; a later question starts another."""
        with self._lock:
            self._abandon()

    def _abandon(self) -> None:
        process, self._process, self._running, self._answered = self._process, None, None, True
        if process:
            signal_group(process.pid, END_AT_ONCE)

    def _write(self, line: bytes) -> None:
        process = self._process
        if process and process.stdin:
            with suppress(OSError):
                process.stdin.write(line)
                process.stdin.flush()

    def _run(self, token: object) -> None:
        """One process from its start to its end, in a thread that may wait for it."""
        nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
        try:
            process = subprocess.Popen(
                COMMAND, stdin=pipe, stdout=pipe, stderr=nothing, cwd="/", start_new_session=True
            )
        except OSError:
            process = None
        with self._lock:
            if token is not self._running:
                token = None
            elif process is None:
                self._running = None
            else:
                self._process = process
                self._write(self._waiting)
        if process is None:
            return
        with process:
            if token is None:
                process.kill()
            for line in process.stdout or ():
                if token is not self._running:
                    break
                self._answered = True
                self._tell(Found(**json.loads(line)))
        with self._lock:
            if token is self._running:
                self._process = self._running = None
