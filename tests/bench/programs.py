"""The programs that are compared: pi's own terminal UI, pitui on the same pi, and that pi alone in its RPC mode."""

import contextlib
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.history import LAST_WORDS, write_session
from tests.bench.pty import Terminal, processor_seconds
from tests.e2e.conversation import MODEL, Place

OPTIONS = ("-e", str(MODEL), "--model", "lab/script")
NO_COMPACTION = {"compaction": {"enabled": False}}
"""A long session must not be summarized while it is measured."""
DONE = b'"stopReason":"stop"'
"""What pi writes into the session file with an answer that is whole, and nowhere else in one of ours."""
PATIENCE = 180.0


@dataclass(frozen=True)
class Bench:
    """A pi that runs offline on the scripted model, at `rate` tokens a second and three in each delta."""

    pi: Sequence[str]
    place: Place
    rate: float

    @classmethod
    def make(cls, pi: Sequence[str], folder: Path, rate: float) -> "Bench":
        place = Place.make(folder)
        settings = place.home / ".pi" / "agent" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(NO_COMPACTION), "utf-8")
        return cls(pi, place, rate)

    def session(self, entries: int) -> Path:
        """A new session file of so many entries."""
        path = self.place.home / f"session-{entries}.jsonl"
        write_session(path, entries, self.place.project)
        return path

    @property
    def environment(self) -> dict[str, str]:
        environment = self.place.environment(LAB_TPS=f"{self.rate:g}", LAB_CHUNK="3")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed pitui is compiled
        return environment

    def command(self, program: str, session: Path) -> list[str]:
        words = [*OPTIONS, "--session", str(session)]
        if program == "pi":
            return [*self.pi, *words]
        return [sys.executable, "-m", "pitui", "--pi", shlex.join(self.pi), *words]

    @contextlib.contextmanager
    def opened(self, program: str, session: Path) -> Iterator[Terminal]:
        """``pi`` or ``pitui`` with a session, at the moment it is started."""
        terminal = Terminal(self.command(program, session), folder=self.place.project, environment=self.environment)
        try:
            yield terminal
        finally:
            terminal.close()


@contextlib.contextmanager
def shown(bench: Bench, program: str, session: Path) -> Iterator[Terminal]:
    """The program, once the end of the session is on its screen."""
    with bench.opened(program, session) as terminal:
        terminal.wait(LAST_WORDS, PATIENCE)
        yield terminal


@dataclass(frozen=True)
class Delta:
    """A piece of an answer, and how many seconds after the prompt it came."""

    at: float
    text: str


@dataclass(frozen=True)
class Alone:
    """What the agent itself computes for a stream, in seconds of processor time, and the stream."""

    cpu: float
    deltas: Sequence[Delta]


def agent_alone(bench: Bench, session: Path, prompt: str) -> Alone:
    """pi in its RPC mode, with nobody but us to hear it."""
    process = subprocess.Popen(
        [*bench.pi, "--mode", "rpc", *OPTIONS, "--session", str(session)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=bench.place.project,
        env=bench.environment,
    )
    assert process.stdin and process.stdout
    deltas: list[Delta] = []
    with process:
        process.stdin.write(b'{"id":"1","type":"get_state"}\n')
        process.stdin.flush()
        _line_with(process, b'"get_state"')
        start, before = time.perf_counter(), processor_seconds(process.pid)
        process.stdin.write(json.dumps({"id": "2", "type": "prompt", "message": prompt}).encode() + b"\n")
        process.stdin.flush()
        while b'"agent_settled"' not in (line := _line_with(process, b"")):
            if b'"text_delta"' in line:
                delta = json.loads(line)["assistantMessageEvent"]["delta"]
                deltas.append(Delta(time.perf_counter() - start, delta))
        spent = processor_seconds(process.pid) - before
        process.stdin.close()
    return Alone(spent, deltas)


def _line_with(process: "subprocess.Popen[bytes]", part: bytes) -> bytes:
    """The next line of what the agent says with this in it. Raises EOFError."""
    assert process.stdout
    for line in process.stdout:
        if part in line:
            return line
    raise EOFError("the agent has ended")


@dataclass(frozen=True)
class Streamed:
    """Seconds of processor time of the program without its children, MB written, and frames."""

    cpu: float
    megabytes: float
    frames: int


def stream(bench: Bench, program: str, session: Path, prompt: str) -> Streamed:
    """From the prompt to the end of its answer."""
    with shown(bench, program, session) as terminal:
        terminal.settle()
        answer = send(terminal, session, prompt)
        cpu, written, frames = terminal.cpu, terminal.bytes, terminal.frames
        while not answer.is_there():
            terminal.run(0.1)
        terminal.run(1)
        return Streamed(terminal.cpu - cpu, (terminal.bytes - written) / 1e6, terminal.frames - frames)


class Answer:
    """Whether the answer that comes next is in the session file."""

    def __init__(self, session: Path) -> None:
        self._session = session
        self._end = session.stat().st_size
        self._until = time.perf_counter() + PATIENCE

    def is_there(self) -> bool:
        if time.perf_counter() > self._until:
            raise TimeoutError("the answer did not end")
        with self._session.open("rb") as file:
            file.seek(self._end)
            return DONE in file.read()


def send(terminal: Terminal, session: Path, prompt: str) -> Answer:
    answer = Answer(session)
    terminal.type(prompt)
    terminal.settle(0.5)
    terminal.type("\r")
    return answer
