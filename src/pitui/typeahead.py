"""What is typed while pitui starts: it waits in the terminal until the screen reads it."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

try:
    import termios
except ImportError:  # Windows, where the console shows nothing before it is read
    termios = None


def keep_typed() -> Callable[[], None]:
    """Keep the terminal from showing what is typed, and Enter from becoming a line feed; Ctrl+C still interrupts.

    What it returns puts the terminal back as it was, and loses nothing. It may be called again.
    """
    if termios is None:
        return lambda: None
    line = sys.stdin.fileno()
    before, waiting = termios.tcgetattr(line), termios.tcgetattr(line)
    waiting[0] &= ~termios.ICRNL
    waiting[3] &= ~(termios.ECHO | termios.ICANON)
    _set(line, waiting)
    return partial(_set, line, before)


def _set(line: int, attributes: list[Any]) -> None:
    assert termios is not None
    with suppress(termios.error):  # the terminal may be gone
        termios.tcsetattr(line, termios.TCSANOW, attributes)
