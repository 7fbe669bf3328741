"""The terminal that tests use shows what a program does to it."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal.screen import Terminal

FULL_SCREEN = r"""
import os, signal, sys, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
say = lambda text: (sys.stdout.write(text), sys.stdout.flush())
signal.signal(signal.SIGWINCH, lambda *_: say("\r\n" + str(os.get_terminal_size().columns) + " columns"))
say("\x1b[?1049h\x1b[?1000h\x1b[?2026$p\x1b[>1u\x1b[H\x1b[2Jready")
heard = os.read(0, 100)
while b"q" not in heard:
    say("\r\nheard " + repr(heard))
    try:
        heard = os.read(0, 100)
    except InterruptedError:
        continue
if "clean" in sys.argv:
    say("\x1b[<u\x1b[?1000l\x1b[?1049l")
    termios.tcsetattr(0, termios.TCSADRAIN, before)
"""


def program(tmp_path: Path, *words: str) -> Terminal:
    return Terminal([sys.executable, "-c", FULL_SCREEN, *words], tmp_path, os.environ, (60, 12))


def test_it_shows_what_is_drawn_and_answers_questions(tmp_path: Path) -> None:
    with program(tmp_path) as terminal:
        terminal.wait("ready")
        terminal.wait(r"heard b'\x1b[?2026;2$y'")
        terminal.press("up")
        terminal.wait(r"heard b'\x1b[A'")
        terminal.press("ctrl+x")
        terminal.wait(r"heard b'\x18'")
        terminal.resize(40, 12)
        terminal.wait("40 columns")


def test_its_size_is_the_only_one_that_a_program_hears_of(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import shutil; print(*shutil.get_terminal_size())"]
    with Terminal(command, tmp_path, {**os.environ, "COLUMNS": "10", "LINES": "5"}, (60, 12)) as terminal:
        terminal.wait("60 12")


def test_a_program_that_cleans_up_leaves_it_as_before(tmp_path: Path) -> None:
    with program(tmp_path, "clean") as terminal:
        terminal.wait("heard")
        terminal.type("q")
        assert terminal.exit_code() == 0
        terminal.assert_as_before()


def test_a_program_that_does_not_is_noticed(tmp_path: Path) -> None:
    with program(tmp_path) as terminal:
        terminal.wait("heard")
        assert terminal.modes() >= {1049, 1000}
        terminal.type("q")
        terminal.exit_code()
        with pytest.raises(AssertionError):
            terminal.assert_as_before()


def test_waiting_ends_when_the_program_has_ended(tmp_path: Path) -> None:
    with program(tmp_path) as terminal:
        terminal.wait("ready")
        os.kill(terminal.process.pid, signal.SIGKILL)
        with pytest.raises(AssertionError, match="has ended with -9"):
            terminal.wait("never")
