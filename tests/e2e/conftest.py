"""pitui in a real terminal, over the demo agent and over the real pi with the same scripted model."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.conversation import ASKING, MODEL, Place, demo_command
from tests.terminal.screen import PLAIN, Terminal

Start = Callable[..., Terminal]
WIDE = (120, 40)


@pytest.fixture(params=["demo", pytest.param("pi", marks=pytest.mark.timeout(180))])
def agent_words(request: pytest.FixtureRequest) -> list[str]:
    """The options of pitui that choose an agent."""
    command = demo_command() if request.param == "demo" else request.getfixturevalue("real_pi")
    extensions = ["-e", str(MODEL), "-e", str(ASKING)]
    return ["--pi", shlex.join(command), *extensions, "--model", "lab/script"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place.make(tmp_path)


@pytest.fixture
def start(agent_words: list[str], place: Place) -> Iterator[Start]:
    """Start pitui in a terminal and wait until pi is ready; further words are the environment."""
    with ExitStack() as stack:

        def run(*words: str, known_modes: frozenset[int] = PLAIN, **environment: str) -> Terminal:
            command = [sys.executable, "-m", "pitui", *agent_words, *words]
            terminal = Terminal(command, place.project, place.environment(**environment), WIDE, known_modes=known_modes)
            stack.enter_context(terminal)
            terminal.wait("script · medium")
            return terminal

        yield run
