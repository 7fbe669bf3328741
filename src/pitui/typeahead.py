"""What is typed while pitui starts: it waits in the terminal until the screen reads it."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

if sys.platform != "win32":
    import termios


def keep_typed() -> tuple[Callable[[], None], Callable[[], None]]:
    """Two calls: one that keeps what is typed, one that puts the terminal back as it was, which may be made again.

    While it is kept the terminal does not show it, and Enter does not become a line feed; Ctrl+C still interrupts.
    """
    if sys.platform == "win32":  # the console shows nothing before it is read
        return _nothing, _nothing
    line = sys.stdin.fileno()
    before, waiting = termios.tcgetattr(line), termios.tcgetattr(line)
    waiting[0] &= ~termios.ICRNL
    waiting[3] &= ~(termios.ECHO | termios.ICANON)
    return partial(_set, line, waiting), partial(_set, line, before)


def _nothing() -> None:
    """There is no such terminal."""


def _set(line: int, attributes: list[Any]) -> None:
    if sys.platform != "win32":
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(line, termios.TCSANOW, attributes)
