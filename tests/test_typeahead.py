"""What a person types while pitui starts."""

import signal
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conversation import Place
from tests.terminal.screen import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    place = Place.make(tmp_path)
    with Terminal([sys.executable, "-m", "pitui", "--demo"], place.project, place.environment()) as terminal:
        yield terminal


def wait_until_quiet(terminal: Terminal) -> None:
    """Until the terminal shows no more what is typed: pitui runs, and has not drawn anything."""
    terminal.wait(lambda _: not terminal.attributes()[3] & termios.ECHO)


def test_what_is_typed_at_once_is_in_the_prompt(terminal: Terminal) -> None:
    terminal.type("words of the first moment, ж")
    terminal.wait("▌ words of the first moment, ж")


def test_what_is_typed_before_the_screen_is_not_shown_below_it(terminal: Terminal) -> None:
    wait_until_quiet(terminal)
    terminal.type("hidden words")
    terminal.wait("▌ hidden words")
    normal_screen, taken, _ = terminal.raw.partition(b"\x1b[?1049h")
    assert taken
    assert b"hidden" not in normal_screen


def test_enter_before_the_screen_sends(terminal: Terminal) -> None:
    wait_until_quiet(terminal)
    terminal.type("#say It was sent.\r")
    terminal.wait(lambda text: "Write to pi" in text and text.count("It was sent.") >= 2)


def test_leaving_before_the_screen_leaves_the_terminal_as_it_was(terminal: Terminal) -> None:
    wait_until_quiet(terminal)
    terminal.press("ctrl+c")
    try:
        code = terminal.exit_code(5)
    except AssertionError:  # the screen was there already, and wants to hear it twice
        terminal.press("ctrl+c", "ctrl+c")
        code = terminal.exit_code()
    assert code in (0, 130, -signal.SIGINT)  # the last is how a program ends that is interrupted before it can listen
    terminal.assert_as_before()
