"""What went over the wire, in a file: for bug reports, for tests, and for `Replay`."""

import contextlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal


class Recorder:
    """Writes each line of both directions as ``{"t": ms, "to": "pi" | "client", "record": {...}}``, flushed at once.

    A line that is no JSON is kept as ``"line"`` in the place of ``"record"``. `t` counts from the making of the
    recorder. The file is for its owner alone, as it holds all that was said. Raises OSError when it cannot be made;
    a disk that fails later is told once to `on_fault`, ends the recording, and harms nothing else.
    """

    def __init__(self, path: Path, on_fault: Callable[[str], None] | None = None) -> None:
        self.path = path
        self.on_fault = on_fault
        self._started = time.monotonic()
        self._file = open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115

    def sent(self, line: bytes) -> None:
        self._write("pi", "record", line.rstrip(b"\n"))

    def received(self, line: bytes, is_json: bool = True) -> None:
        if is_json:
            self._write("client", "record", line)
        else:
            self._write("client", "line", json.dumps(line.decode("utf-8", "replace")).encode())

    def failed(self, fault: str) -> None:
        """A fault of pitui itself."""
        self._write("client", "fault", json.dumps(fault).encode())

    def close(self) -> None:
        try:
            self._file.close()
        except OSError as error:
            self._give_up(error)

    def _write(self, to: Literal["pi", "client"], key: str, value: bytes) -> None:
        if self._file.closed:
            return
        milliseconds = round((time.monotonic() - self._started) * 1000)
        head = f'{{"t": {milliseconds}, "to": "{to}", "{key}": '.encode()
        try:
            self._file.write(b"".join((head, _as_utf8(value), b"}\n")))
            self._file.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        with contextlib.suppress(OSError):
            self._file.close()
        if self.on_fault is not None:
            self.on_fault(f"recording ended, {self.path}: {error.strerror or error}")


def _as_utf8(value: bytes) -> bytes:
    return value if value.isascii() else value.decode("utf-8", "replace").encode()
