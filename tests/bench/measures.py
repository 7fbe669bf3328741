"""What is measured of pi's own terminal UI and of pitui, side by side. Every list has one value for each time."""

import itertools
import json
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.bench.history import LAST_WORDS
from tests.bench.programs import PATIENCE, Bench, Streamed, agent_alone, send, shown, stream
from tests.bench.pty import Terminal

LETTERS = "абвгдежзиклмнопрстуфхцчшщэюя"
"""Not to be found in what is streamed."""


@dataclass(frozen=True)
class Stream:
    """One stream to all of them; `agent` is what pi itself computes for it."""

    agent: float
    own: Streamed
    ours: Streamed

    @property
    def own_cpu(self) -> float:
        return self.own.cpu - self.agent


def streaming(bench: Bench, entries: int, prompt: str) -> Stream:
    """An answer after a conversation of so many entries."""
    return Stream(
        agent_alone(bench, bench.session(entries), prompt).cpu,
        stream(bench, "pi", bench.session(entries), prompt),
        stream(bench, "pitui", bench.session(entries), prompt),
    )


def markdown_stream(bench: Bench, prompt: str) -> float:
    """Seconds of processor time of Textual's ``MarkdownStream`` for what the agent says, as fast as it says it."""
    deltas = agent_alone(bench, bench.session(2), prompt).deltas
    file = bench.place.home / "deltas.json"
    file.write_text(json.dumps([(delta.at, delta.text) for delta in deltas]), "utf-8")
    terminal = Terminal([sys.executable, "-m", "tests.bench.markdown", str(file)])
    try:
        terminal.wait("START", PATIENCE)
        cpu = terminal.cpu
        terminal.wait("DONE", PATIENCE)
        return terminal.cpu - cpu
    finally:
        terminal.close()


@dataclass(frozen=True)
class Keys:
    """Milliseconds from a key to the screen."""

    first: float
    median: float
    slow: float
    """The 95th of a hundred."""


def keys(bench: Bench, program: str, entries: int, prompt: str = "", count: int = 84) -> Keys:
    """Typing in a session of so many entries, while the answer to a prompt streams or while nothing happens."""
    session = bench.session(entries)
    with shown(bench, program, session) as terminal:
        terminal.settle()
        if prompt:
            send(terminal, session, prompt)
            terminal.run(2)
        spent: list[float] = []
        for number in range(count):
            letter = LETTERS[number % len(LETTERS)]
            spent.append(terminal.key(letter, 60) * 1000)
            terminal.run(0.05)
            if letter == LETTERS[-1]:
                terminal.type("\x15")
                terminal.run(0.3)
        return Keys(spent[0], statistics.median(spent), statistics.quantiles(spent, n=20)[-1])


def typing_on(bench: Bench, session: Path, seconds: float = 8) -> float:
    """Milliseconds that the slowest key took to the screen, typed from the first screen until all is read."""
    with bench.opened("pitui", session) as terminal:
        terminal.wait(LAST_WORDS, PATIENCE)
        slowest, end = 0.0, time.perf_counter() + seconds
        for letter in itertools.cycle(LETTERS):
            if time.perf_counter() > end:
                break
            slowest = max(slowest, terminal.key(letter, 60) * 1000)
            terminal.run(0.02)
            if letter == LETTERS[-1]:
                terminal.type("\x15")
                terminal.run(0.1)
        return slowest


@dataclass(frozen=True)
class Opening:
    """Seconds until the end of the session was on the screen, and MB in memory at most, without and with children."""

    seconds: float
    memory: float
    with_children: float


def opening(bench: Bench, program: str, session: Path) -> Opening:
    start = time.perf_counter()
    with shown(bench, program, session) as terminal:
        spent = time.perf_counter() - start
        terminal.settle(6)  # the rest of the session comes after its end
        return Opening(spent, terminal.peak, terminal.peak + terminal.child_peak)


@dataclass(frozen=True)
class Standing:
    """A minute in which nothing happens: seconds of processor time, and how often the program woke up for it."""

    cpu: float
    wakeups: int
    children_cpu: float


def standing(bench: Bench, program: str, entries: int, seconds: float) -> Standing:
    with shown(bench, program, bench.session(entries)) as terminal:
        terminal.settle(2)
        terminal.run(5)
        cpu, children, wakeups = terminal.cpu, terminal.child_cpu, terminal.wakeups
        terminal.run(seconds)
        return Standing(
            (terminal.cpu - cpu) * 60 / seconds,
            round((terminal.wakeups - wakeups) * 60 / seconds),
            (terminal.child_cpu - children) * 60 / seconds,
        )
