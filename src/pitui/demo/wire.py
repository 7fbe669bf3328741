"""Lines in and out: JSON records on stdin and stdout, cut at LF alone."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any

Record = dict[str, Any]
CHUNK = 1 << 16


def encoded(record: Record) -> bytes:
    """The line of a record, as JavaScript writes it: UTF-8, half of a surrogate pair escaped."""
    try:
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


class Wire:
    """`heard` is called with each line of stdin, and with None at its end."""

    def __init__(self, heard: Callable[[bytes | None], None]) -> None:
        self._heard = heard
        self._rest = b""
        self.closed = False

    def listen(self) -> None:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._read)

    def _read(self) -> None:
        chunk = os.read(sys.stdin.fileno(), CHUNK)
        if not chunk:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self._heard(None)
            return
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._heard(line)

    def say(self, **record: Any) -> None:
        """Write a record. When nobody reads any more the agent ends, as pi does."""
        if self.closed:
            return
        try:
            sys.stdout.buffer.write(encoded(record))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            os._exit(1)
