"""A recording in the place of a pi."""

import json
import math
import time
from collections import defaultdict, deque
from pathlib import Path
from typing import Any, cast

import anyio

from pitui.rpc.framing import Framer

Json = dict[str, Any]

ONLY_FOR_A_PI = frozenset("prompt steer follow_up bash compact new_session switch_session fork clone".split())
"""Commands that would make something happen, or look as if."""

DAMAGED = (ValueError, KeyError, TypeError, RecursionError)


def is_recording(path: Path) -> bool:
    """Whether anything in the file can be played. Raises OSError when it cannot be read."""
    with path.open("rb") as file:
        return any(_is_played(line) for line in file)


class Replay:
    """A `Transport` that says what a recording of `Recorder` holds, with no pi at all.

    Events come at their times, `speed` times as fast; 0 means all at once. A request gets the recorded answers to
    the same command in their order; after the last one, a question gets that again and a command mere success. When
    all is said it stays, as an idle pi does, until it is stopped. What only a pi could do is refused in words. Damaged
    lines are left out and counted in `skipped`. Raises OSError when the file cannot be read.
    """

    def __init__(self, path: Path, speed: float = 1.0) -> None:
        self.returncode: int | None = None
        self.stderr_tail = ""
        self.skipped = 0
        self._speed = speed
        self._started: float | None = None
        self._framer = Framer()
        self._events: deque[tuple[float, bytes]] = deque()
        self._recorded: defaultdict[str, deque[Json]] = defaultdict(deque)
        self._answers: deque[bytes] = deque()
        self._stopped = False
        self._news = anyio.Event()
        with path.open("rb") as file:
            for line in file:
                self._load(line)

    async def receive(self) -> bytes:
        """One record at a time: its answers before its events, as those wait for their time."""
        if self._started is None:
            self._started = time.monotonic()
        while not self._stopped:
            if self._answers:
                return self._answers.popleft()
            wait = self._events[0][0] - (time.monotonic() - self._started) if self._events else None
            if wait is not None and wait <= 0:
                return self._events.popleft()[1]
            self._news = anyio.Event()
            with anyio.move_on_after(wait):
                await self._news.wait()
        raise anyio.EndOfStream

    async def send(self, data: bytes) -> None:
        if self._stopped:
            raise anyio.BrokenResourceError
        for line in self._framer.feed(data):
            request: Json = json.loads(line)
            if request["type"] != "extension_ui_response":
                self._answers.append(_line(self._answer_to(request)))
        self._news.set()

    async def stop(self) -> int | None:
        self._stopped = True
        self.returncode = 0
        self._news.set()
        return self.returncode

    def kill(self) -> None:
        """It never takes long to stop."""

    def _answer_to(self, request: Json) -> Json:
        command: str = request["type"]
        if command in ONLY_FOR_A_PI:
            error = "This is a recording; nothing is sent."
            return {"id": request["id"], "type": "response", "command": command, "success": False, "error": error}
        recorded = self._recorded[command]
        # Entries are asked for from where the last answer ended: those of another time would come twice.
        repeats = command.startswith("get_") and command != "get_entries"
        answer: Json = {"type": "response", "command": command, "success": True}
        if recorded:
            answer = recorded[0] if repeats and len(recorded) == 1 else recorded.popleft()
        return answer | {"id": request["id"]}

    def _load(self, line: bytes) -> None:
        try:
            entry = _entry(line)
        except DAMAGED:
            self.skipped += bool(line.strip())
            return
        if entry:
            self._keep(entry)

    def _keep(self, entry: Json) -> None:
        at = float(entry["t"]) / 1000 / self._speed if self._speed else 0.0
        if "line" in entry:
            self._events.append((at, str(entry["line"]).encode("utf-8", "replace") + b"\n"))
            return
        record = cast(Json, entry["record"] if isinstance(entry["record"], dict) else {})
        if "id" in record and record.get("type") == "response":
            self._recorded[str(record.get("command"))].append(record)
        else:
            self._events.append((at, _line(entry["record"])))


def _entry(line: bytes) -> Json | None:
    """One line of a recording, or None when it is not to be played. Raises one of DAMAGED."""
    entry: Any = json.loads(line)
    if entry["to"] != "client" or "fault" in entry:
        return None
    if not math.isfinite(float(entry["t"])):
        raise ValueError("no time")
    if not {"line", "record"} & set(entry):
        raise ValueError("no record")
    return entry


def _is_played(line: bytes) -> bool:
    try:
        return _entry(line) is not None
    except DAMAGED:
        return False


def _line(record: Any) -> bytes:
    return json.dumps(record).encode() + b"\n"
