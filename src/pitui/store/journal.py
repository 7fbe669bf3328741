"""The outbox on disk: every prompt from before it is sent until pi has said it, or it is safe with the person again."""

import json
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pitui.store.database import Database

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS prompt (
    owner TEXT NOT NULL, key INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    text TEXT NOT NULL, images TEXT NOT NULL, sent TEXT, skip INTEGER NOT NULL DEFAULT 0, made REAL NOT NULL,
    session_file TEXT NOT NULL, session_id TEXT NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (owner, key)
)
"""
_COLUMNS = "key, kind, state, text, images, sent, skip, made, session_file, session_id, folder"


@dataclass(frozen=True, slots=True)
class Row:
    """A prompt as it is kept.

    `kind` is ``steer``, ``followUp`` or ``command``. `state` is ``open`` when pi may have it, ``changed`` when pi may
    have it as it was before, ``held`` when pi has it not, ``returned`` when it is in the editor. `images` are pairs of
    base64 and media type. `sent` is the text that pi has, where that is another; `made` seconds since the epoch; `skip`
    how many messages with its text that were said since were other prompts.
    """

    key: int
    kind: str
    state: str
    text: str
    images: tuple[tuple[str, str], ...]
    made: float
    session_file: str = ""
    session_id: str = ""
    folder: str = ""
    sent: str | None = None
    skip: int = 0


class Journal:
    """The prompts of one pitui, in a database that all of them share, in `folder`.

    Every method may wait for the disk, and may be called from any thread; `problem` becomes a sentence for the person
    when it is not kept. That this pitui is alive is told to the others by a lock, which the system takes away from
    whoever ends, however it ends.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._owner = uuid.uuid4().hex
        self._database = Database(folder / "outbox.db", _SCHEMA, "What is sent")
        self._guard = threading.Lock()
        self._alive: sqlite3.Connection | None = None
        self._closed = False

    @property
    def problem(self) -> str:
        return self._database.problem

    # writing

    def write(self, row: Row, instead_of: Iterable[int] = ()) -> None:
        """Keep a new prompt, or a changed one; those with the keys `instead_of` are in it, and go."""
        where = (row.session_file, row.session_id, row.folder)
        values = (row.key, row.kind, row.state, row.text, json.dumps(row.images), row.sent, row.made, *where)

        def work(database: sqlite3.Connection) -> None:
            self._delete(database, instead_of)
            database.execute(
                "INSERT INTO prompt (owner, place, key, kind, state, text, images, sent, made, session_file,"
                " session_id, folder) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET kind = excluded.kind, state = excluded.state, text = excluded.text,"
                " images = excluded.images, sent = excluded.sent, session_file = excluded.session_file,"
                " session_id = excluded.session_id, folder = excluded.folder",
                (self._owner, row.key, *values),
            )

        self._do(work)

    def arrange(self, keys: Sequence[int]) -> None:
        """Remember the order in which these are to be said."""
        places = [(place, self._owner, key) for place, key in enumerate(keys)]
        self._do(
            lambda database: database.executemany("UPDATE prompt SET place = ? WHERE owner = ? AND key = ?", places)
        )

    def delivered(self, key: int, at: float) -> None:
        """pi said it at that time, in seconds since the epoch: it goes, and was none of those with the same text."""

        def work(database: sqlite3.Connection) -> None:
            database.execute(
                "UPDATE prompt SET skip = skip + 1 "
                "WHERE owner = :owner AND key != :key AND made <= :at AND state IN ('open', 'changed') AND "
                "coalesce(sent, text) = (SELECT coalesce(sent, text) FROM prompt WHERE owner = :owner AND key = :key)",
                {"owner": self._owner, "key": key, "at": at},
            )
            self._delete(database, [key])

        self._do(work)

    def forget(self, keys: Iterable[int]) -> None:
        """They are delivered, or safe somewhere else."""
        self._do(lambda database: self._delete(database, keys))

    def _delete(self, database: sqlite3.Connection, keys: Iterable[int]) -> None:
        database.executemany("DELETE FROM prompt WHERE owner = ? AND key = ?", [(self._owner, key) for key in keys])

    # what others have left

    def claim(self, wanted: Callable[[Row], bool], next_key: Callable[[], int]) -> tuple[list[Row], list[Row]]:
        """Take over what pituis that are gone have left and is `wanted`; those rows, with keys of ours, and the rest.

        Both in the order in which they were to be said. No other pitui gets them as well.
        """

        def work(database: sqlite3.Connection) -> tuple[list[Row], list[Row]]:
            taken: list[Row] = []
            left: list[Row] = []
            for owner in self._gone(database):
                found = database.execute(f"SELECT {_COLUMNS} FROM prompt WHERE owner = ? ORDER BY place, key", (owner,))
                for row in map(_read, found.fetchall()):
                    if not wanted(row):
                        left.append(row)
                        continue
                    taken.append(replace(row, key=next_key()))
                    database.execute(
                        "UPDATE prompt SET owner = ?, key = ?, place = ? WHERE owner = ? AND key = ?",
                        (self._owner, taken[-1].key, taken[-1].key, owner, row.key),
                    )
            return taken, left

        return self._do(work) or ([], [])

    def _gone(self, database: sqlite3.Connection) -> list[str]:
        """Owners that have ended, the one first whose rows are oldest."""
        owners = database.execute("SELECT owner FROM prompt GROUP BY owner ORDER BY min(made)").fetchall()
        return [owner for (owner,) in owners if owner != self._owner and not self._is_alive(owner)]

    def _is_alive(self, owner: str) -> bool:
        path = self._lock(owner)
        if not path.exists():
            return False
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                return True
        with suppress(OSError):
            path.unlink()
        return False

    # the files

    def _lock(self, owner: str) -> Path:
        return self._folder / f"{owner}.alive"

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        with self._guard:
            return None if self._closed else self._database.run(partial(self._as_owner, work))

    def _as_owner(self, work: Callable[[sqlite3.Connection], T], database: sqlite3.Connection) -> T:
        if self._alive is None:
            path = self._lock(self._owner)
            path.touch(mode=0o600)
            self._alive = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._alive.execute("BEGIN EXCLUSIVE")
        return work(database)

    def close(self) -> None:
        """Leave what is kept to the next pitui."""
        with self._guard:
            self._closed = True
            if self._alive is not None:
                self._alive.close()
                with suppress(OSError):
                    self._lock(self._owner).unlink()
                self._alive = None


def _read(columns: Sequence[Any]) -> Row:
    key, kind, state, text, images, sent, skip, made, file, id_, folder = columns
    pairs = tuple((data, mime) for data, mime in json.loads(images))
    return Row(key, kind, state, text, pairs, made, file, id_, folder, sent, skip)


def now() -> float:
    """Seconds since the epoch, as pi reckons them too."""
    return time.time()
