"""What a person writes, from its first letter until pi has said it: drafts, and prompts that were sent.

Both are in one database, so that what is sent leaves the drafts in the moment in which it is in the outbox, and what
comes back leaves the outbox in the moment in which it is in a draft: it is never in neither, and never in both.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pitui.store.database import Database
from pitui.store.owner import Owner

T = TypeVar("T")

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS prompt (
    owner TEXT NOT NULL, key INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    text TEXT NOT NULL, images TEXT NOT NULL, sent TEXT, after REAL NOT NULL DEFAULT 0, made REAL NOT NULL,
    session_file TEXT NOT NULL, session_id TEXT NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (owner, key))""",
    """CREATE TABLE IF NOT EXISTS draft (
    owner TEXT NOT NULL, number INTEGER NOT NULL, session_file TEXT NOT NULL, folder TEXT NOT NULL,
    words TEXT NOT NULL, chips TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (owner, number))""",
)
ADDED = (("prompt", "after", "REAL NOT NULL DEFAULT 0"),)
"""Columns that were not in the first tables."""
LIGHT = 64 * 1024
"""Characters up to which something is written in a fraction of a millisecond."""
TIDIED_EVERY = 200
"""How often something that could be written at once is not, so that SQLite can tidy up beside the event loop."""
SLOW_SECONDS, PATIENT_SECONDS = 0.016, 10.0
"""A disk that takes longer than that is waited for beside the event loop for so long."""


class Shelf:
    """What one pitui has written, among what others have, in `folder`.

    Every method may be called from any thread. None raises: `problem` says in a sentence what does not work. What is
    gone stays gone, also where something that was to be kept of it comes later.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._owner = Owner(folder)
        self._database = Database(folder / "prompts.db", SCHEMA, "What is written", added=ADDED, stays_open=True)
        self._guard = threading.Lock()
        self._closed = False
        self._at_once = 0
        self._slow_until = 0.0
        self._gone: dict[str, set[int]] = {"prompt": set(), "draft": set()}

    @property
    def owner(self) -> str:
        """The id of this pitui."""
        return self._owner.id

    @property
    def problem(self) -> str:
        return self._database.problem

    @property
    def fails(self) -> bool:
        """Whether nothing can be kept now."""
        return self._database.fails

    def is_free(self, owner: str) -> bool:
        """Whether what belongs to that one may be taken: it has ended."""
        return owner != self.owner and not self._owner.is_alive(owner)

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` gives, all of it one transaction; None when it cannot be done. It may wait for the disk."""

        def as_owner(database: sqlite3.Connection) -> T:
            self._owner.claim()
            return work(database)

        with self._guard:
            return None if self._closed else self._database.run(as_owner)

    def run_at_once(self, work: Callable[[sqlite3.Connection], object]) -> bool:
        """Do it without waiting for anything, as the event loop may; False when that cannot be, and nothing is done."""
        began = time.monotonic()
        self._at_once += 1
        if self._at_once % TIDIED_EVERY == 0 or began < self._slow_until or not self._guard.acquire(blocking=False):
            return False
        try:
            return not self._closed and self._database.run_at_once(work)
        finally:
            self._guard.release()
            if time.monotonic() - began > SLOW_SECONDS:
                self._slow_until = began + PATIENT_SECONDS

    def close(self) -> None:
        """Leave what is kept to the next pitui."""
        with self._guard, suppress(OSError, sqlite3.Error):
            if not self._closed:
                self._closed = True
                self._database.close()
                self._owner.release()

    # what is in it, for both of its tables

    def is_gone(self, table: str, key: int) -> bool:
        return key in self._gone[table]

    def forget_prompts(self, database: sqlite3.Connection, keys: Iterable[int]) -> None:
        self._forget(database, "prompt", "DELETE FROM prompt WHERE owner = ? AND key = ?", keys)

    def forget_drafts(self, database: sqlite3.Connection, numbers: Iterable[int]) -> None:
        self._forget(database, "draft", "DELETE FROM draft WHERE owner = ? AND number = ?", numbers)

    def _forget(self, database: sqlite3.Connection, table: str, delete: str, keys: Iterable[int]) -> None:
        for key in keys:
            self._gone[table].add(key)
            database.execute(delete, (self.owner, key))
