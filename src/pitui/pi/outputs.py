"""The files in which pi keeps the whole output of a tool or a command (`fullOutputPath`). They are only read."""

from __future__ import annotations

import os
import stat
from array import array
from dataclasses import dataclass
from pathlib import Path

LIMIT = 32_000_000
"""Bytes that are kept; of a longer file it is the end."""
_LOOKED_AT = 8192
"""Bytes by which it is told whether a file is text."""


class OutputError(Exception):
    """It cannot be shown; the text says why, to the person."""


@dataclass(frozen=True, slots=True)
class Output:
    """`data` and where each of its lines starts. Before them `left_out` bytes of the file are left out."""

    data: bytes
    starts: array[int]
    left_out: int

    @property
    def count(self) -> int:
        """How many lines."""
        return len(self.starts)

    def line(self, number: int) -> bytes:
        """Line `number`, from 0, without its line break."""
        end = self.starts[number + 1] - 1 if number + 1 < len(self.starts) else len(self.data)
        return self.data[self.starts[number] : end]


def read_output(path: Path, limit: int = LIMIT) -> Output:
    """What the file holds; call from a thread. Raises OutputError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe must not keep us waiting
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OutputError(f"{path} is not a file.")
            left_out = max(0, status.st_size - limit)
            file.seek(left_out)
            data = file.read(limit)
    except FileNotFoundError:
        raise OutputError(f"{path} is no longer there.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError(f"{path} cannot be read: {reason}.") from None
    if b"\0" in data[:_LOOKED_AT]:
        raise OutputError(f"{path} holds {status.st_size:,} bytes that are not text.")
    if left_out and (cut := data.find(b"\n") + 1):
        left_out, data = left_out + cut, data[cut:]
    data = data.removesuffix(b"\n")
    return Output(data, _starts(data), left_out)


def _starts(data: bytes) -> array[int]:
    starts = array("Q", [0] if data else [])
    at = data.find(b"\n") + 1
    while at:
        starts.append(at)
        at = data.find(b"\n", at) + 1
    return starts
