"""Small databases in the state folder, which several pituis use at once."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LOCK_SECONDS = 10.0
RETRY_SECONDS = 0.01
_UNUSABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Database:
    """Opened for each piece of work, so that nothing is held in between; every method may be called from any thread.

    `holds` says what is in it, at the beginning of a sentence: ``The history of prompts``. `problem` becomes a sentence
    for the person when the file cannot be used, or was damaged; one that was damaged is put aside and begun anew.
    """

    def __init__(self, path: Path, schema: str, holds: str) -> None:
        self.problem = ""
        self._path = path
        self._schema = schema
        self._holds = holds

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` gives, all of it one transaction; None when it cannot be done."""
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                return self._attempt(work)
            except sqlite3.DatabaseError as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code == sqlite3.SQLITE_BUSY and time.monotonic() < end:
                    time.sleep(RETRY_SECONDS)  # SQLite itself does not wait for who makes the file one with a log
                    continue
                if code not in _UNUSABLE:
                    return self._failed(error)
                break
            except OSError as error:
                return self._failed(error)
        try:
            self._put_aside()
            return self._attempt(work)
        except (sqlite3.Error, OSError) as error:
            return self._failed(error)

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite would let everybody read it
        with closing(sqlite3.connect(self._path, timeout=LOCK_SECONDS, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("BEGIN IMMEDIATE")
            with database:
                database.execute(self._schema)
                return work(database)

    def _put_aside(self) -> None:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        self._path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self.problem = f"{self._holds} was damaged. It is kept as {aside}, and a new one is begun."

    def _failed(self, error: sqlite3.Error | OSError) -> None:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        self.problem = f"{self._holds} cannot be kept in {self._path}: {reason}"
