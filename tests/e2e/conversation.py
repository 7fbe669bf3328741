"""A conversation with an agent over its RPC mode, written down as it happens: the real pi or the demo agent."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitui.companion import COMPANION

HERE = Path(__file__).resolve().parent
MODEL = HERE / "scripted-model.ts"
ASKING = HERE / "asking-extension.ts"

HELLO = "def hello(name):\n    print('hello', name)\n"

Record = dict[str, Any]
Steps = Callable[["Conversation"], None]


@dataclass(frozen=True)
class Line:
    """`t` is milliseconds since the start; `to` is ``pi`` or ``client``."""

    t: int
    to: str
    record: Record

    def json(self) -> str:
        return json.dumps(
            {"t": self.t, "to": self.to, "record": self.record}
        )  # ASCII: deltas can hold half a surrogate pair


@dataclass(frozen=True)
class Scenario:
    name: str
    steps: Steps
    extensions: tuple[Path, ...] = (MODEL,)
    environment: dict[str, str] = field(default_factory=dict)


def demo_command() -> list[str]:
    return [sys.executable, "-m", "pitui.demo"]


@dataclass(frozen=True)
class Place:
    """Where an agent runs: a home and a project of its own, with one file in it."""

    home: Path
    project: Path

    @classmethod
    def make(cls, folder: Path) -> "Place":
        place = cls(folder / "home", folder / "project")
        place.home.mkdir()
        place.project.mkdir()
        (place.project / "hello.py").write_text(HELLO, "utf-8")
        return place

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of this process with a home of its own and an agent that is quick and stays offline."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PI_", "LAB_", "DEMO_", "XDG_"))
        }
        quick = {"LAB_TPS": "2000", "PI_OFFLINE": "1", "TMPDIR": str(self.home)}
        return {**kept, **quick, "HOME": str(self.home), **more}


class Conversation:
    """A running agent and everything said so far, in both directions."""

    def __init__(self, command: Sequence[str], place: Place, environment: dict[str, str]) -> None:
        self.lines: list[Line] = []
        self._requests = self._asked = 0
        self._start = time.monotonic()
        self._said = threading.Condition()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=place.project,
            env=environment,
            start_new_session=True,
        )
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._read_errors)]
        self.errors = b""
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:  # a binary pipe cuts at LF alone
            self._note("client", json.loads(line))

    def _read_errors(self) -> None:
        assert self.process.stderr
        self.errors = self.process.stderr.read()

    def _note(self, to: str, record: Record) -> None:
        with self._said:
            self.lines.append(Line(round((time.monotonic() - self._start) * 1000), to, record))
            self._said.notify_all()

    def wait(self, holds: Callable[[Record], Any], since: int = 0, seconds: float = 60) -> Record:
        """The first record from the agent after line `since` for which `holds`. Raises TimeoutError."""
        end = time.monotonic() + seconds
        with self._said:
            while True:
                for line in self.lines[since:]:
                    since += 1
                    if line.to == "client" and holds(line.record):
                        return line.record
                if not self._said.wait(end - time.monotonic()) and time.monotonic() >= end:
                    last = self.lines[-1].json()[:500] if self.lines else "nothing"
                    raise TimeoutError(f"the agent did not say it; last said: {last}; stderr: {self.errors!r}")

    def event(self, kind: str, since: int | None = None) -> Record:
        """The next event of a kind, or the first one after line `since`."""
        return self.wait(lambda record: record.get("type") == kind, len(self.lines) if since is None else since)

    def write(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def tell(self, **record: Any) -> None:
        self._note("pi", record)
        self.write(json.dumps(record).encode())

    def send(self, type_: str, **fields: Any) -> str:
        """Send a request without waiting; its id."""
        self._requests += 1
        id_ = f"req-{self._requests}"
        self.tell(id=id_, type=type_, **fields)
        return id_

    def answered(self, id_: str, since: int = 0) -> Record:
        return self.wait(lambda record: record.get("type") == "response" and record.get("id") == id_, since)

    def call(self, type_: str, **fields: Any) -> Record:
        """Send a request; its response."""
        return self.answered(self.send(type_, **fields))

    def ask_companion(self, operation: str, **fields: Any) -> str:
        """Ask it without waiting; the id of the request that carries the question."""
        self._asked += 1
        question = {"id": str(self._asked), "op": operation, **fields}
        return self.send("prompt", message=f"/pitui {json.dumps(question)}")

    def companion(self, operation: str, **fields: Any) -> Record:
        """Ask the companion; its answer."""
        since = len(self.lines)
        self.answered(self.ask_companion(operation, **fields), since)
        key = f"pitui:res:{self._asked}"
        return json.loads(self.wait(lambda record: record.get("statusKey") == key, since)["statusText"])

    def run(self, message: str) -> None:
        """Prompt, and wait until the agent has settled."""
        since = len(self.lines)
        self.call("prompt", message=message)
        self.event("agent_settled", since)

    def start(self, message: str, until: str) -> None:
        """Prompt, and wait for the first event of a kind."""
        since = len(self.lines)
        self.call("prompt", message=message)
        self.event(until, since)

    def close(self) -> int:
        """Close the agent's stdin; its exit code. What the agent still says is waited for."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        try:
            self.process.stdin.close()
            code = self.process.wait(20)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, 9)
            self.process.wait()
            for thread in self._threads:
                thread.join(5)
            self.process.stdout.close()
            self.process.stderr.close()
        return code


def play(scenario: Scenario, command: Sequence[str]) -> list[Line]:
    """What is said when `scenario` is played to the agent that `command` starts, this machine's paths replaced."""
    with tempfile.TemporaryDirectory(prefix="play-") as folder:
        place = Place.make(Path(folder).resolve())
        extensions = [option for path in scenario.extensions for option in ("-e", str(path))]
        started = [*command, "--mode", "rpc", *extensions, "--model", "lab/script"]
        conversation = Conversation(started, place, place.environment(**scenario.environment))
        try:
            scenario.steps(conversation)
        finally:
            code = conversation.close()
        if code:
            raise AssertionError(f"{scenario.name}: the agent ended with {code}: {conversation.errors!r}")
        return [without_paths(line, place) for line in conversation.lines]


def without_paths(line: Line, place: Place) -> Line:
    """The line with the folders of this machine replaced by those of somebody called dev."""
    text = line.json()
    for path, plain in (
        (place.project, "/home/dev/project"),
        (place.home, "/home/dev"),
        (HERE, "/home/dev/extensions"),
        (COMPANION.parent, "/home/dev/extensions"),
    ):
        text = text.replace(str(path), plain)
        text = text.replace(str(path).strip("/").replace("/", "-"), plain.strip("/").replace("/", "-"))
    return Line(line.t, line.to, json.loads(text)["record"])
