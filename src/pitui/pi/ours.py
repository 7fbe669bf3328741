"""Which session files are as this pitui has left them, so that it does not take itself for another program."""

import os
import time
from contextlib import suppress
from pathlib import Path

BUSY_SECONDS = 30.0
"""A file that was written so short ago may be in use: pi opens it only to write, so that nothing else tells."""


class Ours:
    """Remembers files as they are when nobody here writes to them any more."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[int, int]] = {}

    def leave(self, path: Path) -> None:
        """What is in the file now was written from here, or was there before."""
        with suppress(OSError, ValueError):
            self._left[os.path.realpath(path)] = _stamp(path.stat())

    def are_last(self, path: Path, status: os.stat_result) -> bool:
        """Whether nobody has written to the file since it was left here."""
        return self._left.get(os.path.realpath(path)) == _stamp(status)

    def is_busy(self, path: Path, status: os.stat_result) -> bool:
        """Whether another program may be writing to it."""
        return time.time() - status.st_mtime < BUSY_SECONDS and not self.are_last(path, status)


def _stamp(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns
