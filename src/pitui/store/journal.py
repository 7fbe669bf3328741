"""The outbox on disk: every prompt from before it is sent until pi has said it, or it is safe with the person again."""

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pitui.store.drafts import Drafts
from pitui.store.shelf import LIGHT, Shelf

_COLUMNS = "key, kind, state, text, images, sent, after, made, session_file, session_id, folder"
_WRITE = (
    "INSERT INTO prompt"
    " (owner, place, key, kind, state, text, images, sent, after, made, session_file, session_id, folder)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind,"
    " state = excluded.state, text = excluded.text, images = excluded.images, sent = excluded.sent,"
    " after = excluded.after, session_file = excluded.session_file, session_id = excluded.session_id,"
    " folder = excluded.folder"
)


@dataclass(frozen=True, slots=True)
class Row:
    """A prompt as it is kept.

    `kind` is ``steer``, ``followUp`` or ``command``. `state` is ``open`` when pi may have it, ``changed`` when pi may
    have it as it was before, ``held`` when pi has it not, ``returned`` when it is in the editor. `images` are pairs of
    base64 and media type. `sent` is the text that pi has, where that is another; `made` seconds since the epoch.
    `after` is the time that pi gave to the last message that was said before it, 0 where there was none: it tells
    which message that was and nothing else, for pi's clock may be that of another machine.
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
    after: float = 0

    @property
    def is_light(self) -> bool:
        """Whether it is written in no time."""
        return len(self.text) + sum(len(data) for data, _ in self.images) < LIGHT


class Journal:
    """The prompts of one pitui on a shelf in `folder`.

    Every method may be called from any thread. Those with `waits` say whether it was done: without `waits` they do it
    at once, or not at all where the disk would have to be waited for. `problem` becomes a sentence for the person when
    something cannot be kept.
    """

    def __init__(self, folder: Path) -> None:
        self._shelf = Shelf(folder)
        self.drafts = Drafts(self._shelf)
        """What is written in the same pitui and not sent."""

    @property
    def problem(self) -> str:
        return self._shelf.problem

    # writing

    def write(
        self, row: Row, instead_of: Collection[int] = (), drafts: Collection[int] = (), *, waits: bool = True
    ) -> bool:
        """Keep a new prompt, or a changed one. Prompts with the keys `instead_of`, and `drafts`, are in it, and go."""
        where = (row.session_file, row.session_id, row.folder)

        def work(database: sqlite3.Connection) -> None:
            self._shelf.forget_prompts(database, instead_of)
            self._shelf.forget_drafts(database, drafts)
            if not self._shelf.is_gone("prompt", row.key):
                words = (_writable(row.text), json.dumps(row.images), row.sent and _writable(row.sent), row.after)
                what = (row.key, row.kind, row.state, *words, row.made)
                database.execute(_WRITE, (self._shelf.owner, row.key, *what, *where))

        return self._do(work, waits) if waits or row.is_light else False

    def arrange(self, keys: Sequence[int], *, waits: bool = True) -> bool:
        """Remember the order in which these are to be said."""
        places = [(place, self._shelf.owner, key) for place, key in enumerate(keys)]
        change = "UPDATE prompt SET place = ? WHERE owner = ? AND key = ?"
        return self._do(lambda database: database.executemany(change, places), waits)

    def delivered(self, key: int, after: float, waiting: Collection[int], *, waits: bool = True) -> bool:
        """pi said it: it goes. What is `waiting` is not said yet, and the last that was said is the one of `after`."""

        def work(database: sqlite3.Connection) -> None:
            places = [(after, self._shelf.owner, other) for other in waiting]
            database.executemany("UPDATE prompt SET after = ? WHERE owner = ? AND key = ?", places)
            self._shelf.forget_prompts(database, [key])

        return self._do(work, waits)

    def forget(self, keys: Iterable[int], *, waits: bool = True) -> bool:
        """They are delivered, or safe somewhere else."""
        gone = tuple(keys)
        return self._do(lambda database: self._shelf.forget_prompts(database, gone), waits)

    def _do(self, work: Callable[[sqlite3.Connection], object], waits: bool) -> bool:
        if not waits:
            return self._shelf.run_at_once(work)
        self._shelf.run(work)
        return True

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
                        (self._shelf.owner, taken[-1].key, taken[-1].key, owner, row.key),
                    )
            return taken, left

        return self._shelf.run(work) or ([], [])

    def _gone(self, database: sqlite3.Connection) -> list[str]:
        """Owners that have ended, the one first whose rows are oldest."""
        owners = database.execute("SELECT owner FROM prompt GROUP BY owner ORDER BY min(made)").fetchall()
        return [owner for (owner,) in owners if self._shelf.is_free(owner)]

    def close(self) -> None:
        """Leave what is kept to the next pitui."""
        self._shelf.close()


def _read(columns: Sequence[Any]) -> Row:
    key, kind, state, text, images, sent, after, made, file, id_, folder = columns
    pairs = tuple((data, mime) for data, mime in json.loads(images))
    return Row(key, kind, state, text, pairs, made, file, id_, folder, sent, after)


def _writable(text: str) -> str:
    """Without lone surrogates: they cannot be written."""
    return text.encode("utf-8", "replace").decode()


def now() -> float:
    """Seconds since the epoch."""
    return time.time()
