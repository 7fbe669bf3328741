"""Small databases in the state folder, which several pituis use at once."""

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LOCK_SECONDS = 10.0
AGAIN_SECONDS = 0.1
"""How long somebody else is waited for who has the file, and how long when that was in vain just before."""
RETRY_SECONDS = 0.01
TIDIED_AT = 1000
"""Pages of what was last written, after which SQLite puts them where they belong: for that it waits for the disk."""
_UNUSABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Database:
    """One file with the tables of `schema`; where an older one has made them they get the columns that were `added`.

    Every method may be called from any thread, but by one at a time if it `stays_open`: else it is opened for each
    piece of work, so that nothing is held in between. `holds` says what is in it, at the beginning of a sentence:
    ``The history of prompts``. `problem` becomes a sentence for the person when the file cannot be used, or was
    damaged; one that was damaged is put aside and begun anew.
    """

    def __init__(
        self,
        path: Path,
        schema: Sequence[str],
        holds: str,
        *,
        added: Sequence[tuple[str, str, str]] = (),
        stays_open: bool = False,
    ) -> None:
        self.problem = ""
        self.fails = False
        """Whether what was to be done last could not be."""
        self._path = path
        self._schema = schema
        self._added = added
        self._holds = holds
        self._stays_open = stays_open
        self._open: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        """Which file is open."""

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` gives, all of it one transaction; None when it cannot be done."""
        end = time.monotonic() + (AGAIN_SECONDS if self.fails else LOCK_SECONDS)
        while True:
            try:
                return self._attempt(work)
            except sqlite3.DatabaseError as error:
                if _is_busy(error) and time.monotonic() < end:
                    time.sleep(RETRY_SECONDS)  # SQLite itself does not wait for who makes the file one with a log
                    continue
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _UNUSABLE:
                    return self._failed(error)
                break
            except OSError as error:
                return self._failed(error)
        try:
            self._put_aside()
            return self._attempt(work)
        except (sqlite3.Error, OSError) as error:
            return self._failed(error)

    def run_at_once(self, work: Callable[[sqlite3.Connection], object]) -> bool:
        """Do it in one transaction without waiting for anybody; False when that cannot be, and nothing is done."""
        if self._open is None or not self._is_there():
            return False
        try:
            self._transact(self._open, work, tidied_at=0)
        except sqlite3.Error:
            return False
        return True

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._open is None or not self._is_there():
            self._begin()
        assert self._open
        try:
            return self._transact(self._open, work, tidied_at=TIDIED_AT)
        except sqlite3.Error as error:
            if not _is_busy(error):
                self.close()
            raise
        finally:
            if not self._stays_open:
                self.close()

    def _transact(self, database: sqlite3.Connection, work: Callable[[sqlite3.Connection], T], tidied_at: int) -> T:
        database.execute(f"PRAGMA wal_autocheckpoint = {tidied_at}")
        database.execute("BEGIN IMMEDIATE")
        with database:
            done = work(database)
        self.fails = False
        return done

    def _begin(self) -> None:
        self.close()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite would let everybody read it
        self._file = _identity(self._path)
        database = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            self._transact(database, self._make_tables, tidied_at=TIDIED_AT)
        except BaseException:
            database.close()
            raise
        self._open = database

    def _make_tables(self, database: sqlite3.Connection) -> None:
        for table in self._schema:
            database.execute(table)
        for table, column, kind in self._added:
            if column not in [found[1] for found in database.execute(f"PRAGMA table_info({table})")]:
                database.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")

    def _is_there(self) -> bool:
        """Whether the file that is open is still the one at its path: somebody may have taken it away."""
        return _identity(self._path) == self._file

    def _put_aside(self) -> None:
        self.close()
        aside = self._path.with_name(f"{self._path.name}.damaged")
        self._path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self.problem = f"{self._holds} was damaged. It is kept as {aside}, and a new one is begun."

    def _failed(self, error: sqlite3.Error | OSError) -> None:
        self.fails = True
        reason = error.strerror if isinstance(error, OSError) else str(error)
        self.problem = f"{self._holds} cannot be kept in {self._path}: {reason}"


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
