"""What is appended to a session file while it is open. It is only read; call from a thread.

pi 1.6.0 appends each entry to the file by its path, takes no lock and never reads the file again
(``session-manager.js``). Two pis on one file therefore both write, and neither sees the other: what each says goes on
after its own last entry, so that the file then holds two branches of one tree. Whoever opens it next finds both, and is
on the one that was written to last. A file that is deleted comes back with the next entry, but without the header, and
then no pi opens it.
"""

import os
import stat
from enum import Enum, auto
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pitui.pi.entries import Entry, iso_seconds, read_lines, said, text_of

LOOK_BYTES = 8 << 20
"""About as much is read at a time; the rest the next time."""
TAIL_BYTES = 64 << 10
"""How far back the first look goes: what was written while pi opened the file is in it."""
SEAM_BYTES = 128
"""So much of what was read last has to be there still."""
WORDS = 200
"""Characters of what an entry says."""


class Damage(Enum):
    """What was done to the file that no pi does."""

    DELETED = auto()
    SHORTENED = auto()
    REWRITTEN = auto()
    """What stood there before is not there any more."""


class Written(NamedTuple):
    """An entry in the file: its id, empty when it has none, its first words, and seconds since the epoch or 0."""

    id: str
    words: str
    at: float


class Look(NamedTuple):
    """What has come since the look before."""

    written: list[Written]
    damage: Damage | None = None


class Tail:
    """The end of the session file `path`, which need not be there yet. The first look tells its last entries."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: os.stat_result | None = None
        self._offset = 0
        self._seam = b""
        """What stands before the offset."""
        self._first = True
        self._more = False
        """There is more to read than the last look took."""

    @property
    def is_there(self) -> bool:
        """Whether the last look found it."""
        return self._seen is not None

    def look(self) -> Look:
        """The entries that were appended, without one that is not whole yet; each is told once."""
        first, self._first = self._first, False
        try:
            now = self.path.stat()
        except (FileNotFoundError, ValueError):  # no file has a name with a zero byte in it
            now = None
        except OSError:
            return Look([])  # it may be readable again
        if now is None or not stat.S_ISREG(now.st_mode):
            lost, self._seen = self._seen is not None, None
            return Look([], Damage.DELETED if lost else None)
        seen, self._seen = self._seen, now
        if seen is None:
            self._offset, self._seam = 0, b""
        elif not self._more and (seen.st_size, seen.st_mtime_ns) == (now.st_size, now.st_mtime_ns):
            return Look([])
        try:
            with self.path.open("rb") as file:
                return self._read(file, first)
        except OSError:
            return Look([])

    def _read(self, file: BinaryIO, first: bool) -> Look:
        size = file.seek(0, os.SEEK_END)
        damage = None
        if size < self._offset:
            damage = Damage.SHORTENED
        elif self._seam != _before(file, self._offset):
            damage = Damage.REWRITTEN
        if damage or first:
            self._offset = _line_after(file, max(0, size - TAIL_BYTES))
        written: list[Written] = []
        start, self._more = self._offset, False
        for line in read_lines(file, start):
            self._offset = line.end
            if line.entry and line.entry.get("type") != "session":
                written.append(_written(line.entry))
            if line.end - start > LOOK_BYTES:
                self._more = True
                break
        self._seam = _before(file, self._offset)
        if first:
            written = [one for one in written if one.id]  # pi leaves out what is damaged, and nobody wrote it now
        return Look([] if damage else written, damage)


def _written(entry: Entry) -> Written:
    what = said(entry)
    words = " ".join(what.text[: 4 * WORDS].split())[:WORDS] if what else ""
    return Written(text_of(entry, "id"), words, iso_seconds(text_of(entry, "timestamp")))


def _before(file: BinaryIO, offset: int) -> bytes:
    start = max(0, offset - SEAM_BYTES)
    file.seek(start)
    return file.read(offset - start)


def _line_after(file: BinaryIO, offset: int) -> int:
    """Where the next line starts."""
    if not offset:
        return 0
    file.seek(offset - 1)
    file.readline()
    return file.tell()
