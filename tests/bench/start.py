"""How long until a person can write, against how long the real pi alone needs until it answers.

Both run offline on the same scripted model, in turn. The first key is pressed before pitui can know of it, and counts
when it stands in the prompt.
"""

import argparse
import codecs
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.pty import Terminal
from tests.e2e.conversation import MODEL, Place, demo_command
from tests.realpi import pi_command

KEY = "ж"
"""Not to be found on the first screen."""
SCREEN, FRAME, TOLD = "\x1b[?1049h", "lists the commands", "script"
"""What pitui writes when it takes the terminal, in its first frame, and when pi has told of itself."""
PATIENCE = 60.0
OPTIONS = ("-e", str(MODEL), "--model", "lab/script")


def agent_alone(command: Sequence[str], place: Place) -> float:
    """Seconds from starting the agent to its answer to the first ``get_state``."""
    start = time.perf_counter()
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*command, "--mode", "rpc", *OPTIONS],
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.DEVNULL,
        cwd=place.project,
        env=place.environment(),
    )
    assert process.stdin and process.stdout
    with process:
        process.stdin.write(b'{"id":"1","type":"get_state"}\n')
        process.stdin.flush()
        while b'"get_state"' not in (line := process.stdout.readline()):
            if not line:
                raise EOFError("the agent has ended")
        spent = time.perf_counter() - start
        process.stdin.close()
    return spent


class Start(NamedTuple):
    """Seconds from starting pitui until then; `processor` are those that pitui alone computed until the key."""

    frame: float
    typed: float
    told: float
    processor: float


def pitui(command: Sequence[str], place: Place) -> Start:
    words = [sys.executable, "-m", "pitui", "--pi", shlex.join(command), *OPTIONS]
    start = time.perf_counter()
    environment = place.environment()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed pitui is compiled
    terminal = Terminal(words, folder=place.project, environment=environment)
    found: dict[str, float] = {}
    processor, written = 0.0, ""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        terminal.type(KEY)
        while len(found) < 3 and (now := time.perf_counter() - start) < PATIENCE:
            written += decoder.decode(terminal.read(PATIENCE - now))
            shown = written.partition(SCREEN)[2]  # before, the terminal itself shows what is typed
            now = time.perf_counter() - start
            found |= {sign: now for sign in (FRAME, KEY, TOLD) if sign in shown and sign not in found}
            if KEY in found and not processor:
                processor = terminal.cpu
    finally:
        terminal.close()
    return Start(found[FRAME], found[KEY], found[TOLD], processor)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench start")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--demo", action="store_true", help="with the demo agent instead of the real pi")
    options = parser.parse_args(arguments)
    command = demo_command() if options.demo else pi_command()
    alone: list[float] = []
    with_screen: list[Start] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Place.make(Path(folder))
        for number in range(options.times + 1):
            measured = agent_alone(command, place), pitui(command, place)
            if number:  # the first run fills caches
                alone.append(measured[0])
                with_screen.append(measured[1])
    frame, typed, told, processor = zip(*with_screen, strict=True)
    print("seconds from the start                   median    best")
    for name, spent in (
        ("the agent alone answers get_state", alone),
        ("pitui: the first frame", frame),
        ("pitui: a key stands in the prompt", typed),
        ("pitui: the agent's state is shown", told),
        ("pitui: processor time until the key", processor),
    ):
        print(f"{name:<40}{statistics.median(spent):7.3f} {min(spent):7.3f}")
    for name, spent in (("ready for typing", typed), ("ready for pi", told)):
        ratio, best = statistics.median(spent) / statistics.median(alone), min(spent) / min(alone)
        print(f"{name + ' / the agent alone':<40}{ratio:7.2f} {best:7.2f}")
