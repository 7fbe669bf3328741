"""What was chosen in each folder: how often, and how long ago."""

import sqlite3
import time
from pathlib import Path

from pitui.store.database import Database
from pitui.store.history import folder_key

HALF_LIFE = 7 * 86_400.0
"""Seconds after which a choice counts half."""
KEPT = 10_000
"""Things in all folders together; those that were not chosen for longest go first."""
WEIGHED = 500

SCHEMA = """CREATE TABLE IF NOT EXISTS choices (
    folder BLOB NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, weight REAL NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (folder, kind, name))"""
WEIGH = "SELECT weight, at FROM choices WHERE folder = ? AND kind = ? AND name = ?"
STORE = "INSERT OR REPLACE INTO choices (folder, kind, name, weight, at) VALUES (?, ?, ?, ?, ?)"
WEIGHTS = "SELECT name, weight, at FROM choices WHERE folder = ? AND kind = ? ORDER BY at DESC LIMIT ?"
PRUNE = "DELETE FROM choices WHERE rowid IN (SELECT rowid FROM choices ORDER BY at DESC LIMIT -1 OFFSET ?)"


class Usage:
    """Every method may be called from any thread, and none raises: what cannot be remembered is not."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, (SCHEMA,), "What was chosen")

    def add(self, folder: Path, kind: str, name: str) -> None:
        """It was chosen now."""

        def store(database: sqlite3.Connection) -> None:
            key, now = (folder_key(folder), kind, _writable(name)), time.time()
            weight, at = database.execute(WEIGH, key).fetchone() or (0.0, now)
            database.execute(STORE, (*key, 1.0 + _faded(weight, at, now), now))
            database.execute(PRUNE, (KEPT,))

        self._database.run(store)

    def weights(self, folder: Path, kind: str) -> dict[str, float]:
        """How much each thing counts: one for a choice now, half of it a week later."""

        def weigh(database: sqlite3.Connection) -> dict[str, float]:
            now = time.time()
            rows = database.execute(WEIGHTS, (folder_key(folder), kind, WEIGHED)).fetchall()
            return {name: _faded(weight, at, now) for name, weight, at in rows}

        return self._database.run(weigh) or {}


def _faded(weight: float, at: float, now: float) -> float:
    return float(weight * 0.5 ** (max(0.0, now - at) / HALF_LIFE))


def _writable(name: str) -> str:
    return name.encode("utf-8", "replace").decode()
