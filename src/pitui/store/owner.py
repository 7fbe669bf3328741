"""Which pitui something in the state folder belongs to, and whether that one still runs."""

import sqlite3
import uuid
from contextlib import closing, suppress
from pathlib import Path


class Owner:
    """This pitui. That it runs is told to the others by a lock in `folder`, which the system takes from whoever ends.

    Every method may be called from any thread, and may raise OSError or sqlite3.Error where the disk does not do it.
    """

    def __init__(self, folder: Path) -> None:
        self.id = uuid.uuid4().hex
        self._folder = folder
        self._lock: sqlite3.Connection | None = None

    def claim(self) -> None:
        """From now on this one is known to run."""
        if self._lock is None:
            path = self._path(self.id)
            path.touch(mode=0o600)
            lock = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            lock.execute("BEGIN EXCLUSIVE")
            self._lock = lock

    def is_alive(self, owner: str) -> bool:
        """Whether the pitui with that id runs."""
        path = self._path(owner)
        if owner == self.id or not path.exists():
            return owner == self.id
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                return True
        with suppress(OSError):
            path.unlink()
        return False

    def release(self) -> None:
        """This one is about to end: what it has may be taken."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
            self._path(self.id).unlink(missing_ok=True)

    def _path(self, owner: str) -> Path:
        return self._folder / f"{owner}.alive"
