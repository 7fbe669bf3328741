"""What is written and not sent, for each session: it outlives a crash."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from pitui.store.database import Database
from pitui.store.owner import Owner

T = TypeVar("T")

SCHEMA = """
CREATE TABLE IF NOT EXISTS draft (
    number INTEGER PRIMARY KEY, place TEXT NOT NULL, owner TEXT NOT NULL, words TEXT NOT NULL, chips TEXT NOT NULL,
    at REAL NOT NULL
)
"""
INSERT = "INSERT INTO draft (place, owner, words, chips, at) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft that was found, as the JSON value that was given."""

    number: int
    parts: list[Any]


class Drafts:
    """The drafts of one pitui, in a database that all of them share, in `folder`.

    A draft is a list of JSON values: words are strings, and what else is in it is written only when it has changed, for
    it may be large. A `place` is any string: a session, a folder. Every method may be called from any thread. None
    raises: `problem` says in a sentence what does not work.
    """

    def __init__(self, folder: Path) -> None:
        self._owner = Owner(folder)
        self._database = Database(folder / "drafts.db", SCHEMA, "What is written")
        self._guard = threading.Lock()
        self._closed = False
        self._chips: dict[int, list[Any]] = {}
        """What is on disk of each draft but its words."""

    @property
    def problem(self) -> str:
        return self._database.problem

    def keep(self, number: int | None, place: str, parts: list[Any], instead_of: Collection[int] = ()) -> int | None:
        """Keep a draft: a new one, or another text of that `number`; its number, None where it could not be kept.

        Those with the numbers `instead_of` are in it, and go.
        """
        words, chips = _parted(parts)

        def work(database: sqlite3.Connection) -> int:
            self._forget(database, instead_of)
            if number is not None and self._chips.get(number) == chips:
                change = "UPDATE draft SET place = ?, words = ?, at = ? WHERE number = ? AND owner = ?"
                values = (place, json.dumps(words), time.time(), number, self._owner.id)
                if database.execute(change, values).rowcount:
                    return number
            if number is not None:
                self._forget(database, [number])
            values = (place, self._owner.id, json.dumps(words), json.dumps(chips), time.time())
            return cast("int", database.execute(INSERT, values).lastrowid)

        kept = self._do(work)
        if kept is not None:
            self._chips[kept] = chips
        return kept

    def forget(self, numbers: Collection[int]) -> None:
        """They are sent, or thrown away."""
        self._do(lambda database: self._forget(database, numbers))

    def take(self, place: str) -> list[Kept]:
        """The drafts of a place that are ours, or of a pitui that has ended: those are ours now. The oldest first."""

        def work(database: sqlite3.Connection) -> list[Kept]:
            rows = database.execute(
                "SELECT number, owner, words, chips FROM draft WHERE place = ? ORDER BY at", (place,)
            )
            found: list[Kept] = []
            for number, owner, words, chips in rows.fetchall():
                if self._owner.is_alive(owner) and owner != self._owner.id:
                    continue
                database.execute("UPDATE draft SET owner = ? WHERE number = ?", (self._owner.id, number))
                with suppress(ValueError, LookupError, TypeError):  # what another version wrote stays where it is
                    self._chips[number] = json.loads(chips)
                    found.append(Kept(number, _joined(json.loads(words), self._chips[number])))
            return found

        return self._do(work) or []

    def close(self) -> None:
        """Leave what is kept to the next pitui."""
        with self._guard, suppress(OSError, sqlite3.Error):
            self._closed = True
            self._owner.release()

    def _forget(self, database: sqlite3.Connection, numbers: Collection[int]) -> None:
        database.executemany("DELETE FROM draft WHERE number = ?", [(number,) for number in numbers])

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        def as_owner(database: sqlite3.Connection) -> T:
            self._owner.claim()
            return work(database)

        with self._guard:
            return None if self._closed else self._database.run(as_owner)


def _parted(parts: list[Any]) -> tuple[list[str | int], list[Any]]:
    """Words, with the number of each other thing where it stands, and those things."""
    chips = [part for part in parts if not isinstance(part, str)]
    numbers = iter(range(len(chips)))
    return [part if isinstance(part, str) else next(numbers) for part in parts], chips


def _joined(words: list[str | int], chips: list[Any]) -> list[Any]:
    return [part if isinstance(part, str) else chips[part] for part in words]
