"""The prompts that were written in each folder, whatever the session."""

import os
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pitui.store.database import Database

KEPT_IN_A_FOLDER = 1000
KEPT = 20_000
KEPT_CHARACTERS = 64_000_000
"""In all folders together; the oldest go first. It is looked after at every hundredth prompt."""
PRUNED_EVERY = 100

SCHEMA = """CREATE TABLE IF NOT EXISTS prompts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, folder BLOB NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    data TEXT NOT NULL, size INTEGER NOT NULL, at REAL NOT NULL)"""
LAST = "SELECT text, data FROM prompts WHERE folder = ? ORDER BY number DESC LIMIT 1"
INSERT = "INSERT INTO prompts (folder, kind, text, data, size, at) VALUES (?, ?, ?, ?, ?, ?)"
RECALL = "SELECT text, data, at FROM prompts WHERE folder = ? ORDER BY number DESC LIMIT ?"
PRUNE = """DELETE FROM prompts WHERE number IN (SELECT number FROM (
    SELECT number, ROW_NUMBER() OVER (PARTITION BY folder ORDER BY number DESC) AS place,
    ROW_NUMBER() OVER newest AS overall, SUM(size) OVER newest AS characters
    FROM prompts WINDOW newest AS (ORDER BY number DESC)
) WHERE place > ? OR overall > ? OR (characters > ? AND overall > 1))"""


@dataclass(frozen=True, slots=True)
class PastPrompt:
    """A text as it stood in the editor, with the ``!`` of a shell command.

    `data` is JSON of what else was in the editor, ``""`` for nothing. `at` is seconds since 1970, 0 for now; two that
    differ in that alone are equal.
    """

    text: str
    data: str = ""
    at: float = field(default=0.0, compare=False)

    @property
    def kind(self) -> str:
        """shell, command or prompt."""
        return {"!": "shell", "/": "command"}.get(self.text[:1], "prompt")


class History:
    """Every method may be called from any thread. None raises: `problem` says in a sentence what does not work."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, (SCHEMA,), "The history of prompts")

    @property
    def problem(self) -> str:
        return self._database.problem

    def add(self, folder: Path, prompts: Sequence[PastPrompt]) -> None:
        """Remember these, the oldest first; one that is the same as the last in the folder is not written again."""

        def insert(database: sqlite3.Connection) -> None:
            key = folder_key(folder)
            last = database.execute(LAST, (key,)).fetchone()
            for prompt in prompts:
                text = prompt.text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be written
                if last == (text, prompt.data):
                    continue
                last = (text, prompt.data)
                row = (key, prompt.kind, *last, len(text) + len(prompt.data), prompt.at or time.time())
                number = database.execute(INSERT, row).lastrowid or 0
                if number % PRUNED_EVERY == 0:
                    database.execute(PRUNE, (KEPT_IN_A_FOLDER, KEPT, KEPT_CHARACTERS))

        self._database.run(insert)

    def recall(self, folder: Path) -> list[PastPrompt] | None:
        """The latest of the folder, the oldest first; None when they cannot be read."""

        def select(database: sqlite3.Connection) -> list[PastPrompt]:
            rows = database.execute(RECALL, (folder_key(folder), KEPT_IN_A_FOLDER)).fetchall()
            return [PastPrompt(*row) for row in reversed(rows)]

        return self._database.run(select)


def folder_key(folder: Path) -> bytes:
    """A folder as it stands in a table, by whatever link it was come to."""
    return os.fsencode(os.path.realpath(folder))
