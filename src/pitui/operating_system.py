"""What not every operating system has: process groups, their signals, locks on files. Nothing else names them."""

import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

IS_WINDOWS: bool = sys.platform == "win32"

if sys.platform == "win32":
    END = END_AT_ONCE = signal.SIGTERM
    LEAVING = (signal.SIGTERM,)
else:
    import fcntl
    import os

    END, END_AT_ONCE = signal.SIGTERM, signal.SIGKILL
    LEAVING = (signal.SIGTERM, signal.SIGHUP)
    """What ends a program in order, beside Ctrl+C."""


def signal_group(leader: int, number: int) -> bool:
    """Send the signal to a process group, or with 0 only look: False when nobody is left to get it."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def on_signal(loop: "AbstractEventLoop", number: int, call: Callable[[int], object], argument: int) -> None:
    """Have the event loop call this when the signal comes."""
    if sys.platform != "win32":
        loop.add_signal_handler(number, call, argument)


def lock(handle: int, *, shared: bool = False) -> bool:
    """Whether the open file could be locked, without waiting; its end takes the lock back, also that of the process.

    Where there are no such locks everybody gets one.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def has_job_control() -> bool:
    """Whether a shell is there to bring us back. Started without one, we lead the session, and stopping is for ever."""
    if sys.platform == "win32":
        return False
    return os.getpgrp() != os.getsid(0)


def be_nice(niceness: int) -> None:
    """Let others go first."""
    if sys.platform != "win32":
        os.nice(niceness)


def do_not_wait(handle: int) -> None:
    """Have reading and writing there end at once when they would wait. Raises NotImplementedError on Windows."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.set_blocking(handle, False)
