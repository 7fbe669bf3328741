"""What is written and not sent, for each session: it outlives a crash."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from pitui.store.shelf import LIGHT, Shelf

KEEP_WORDS = "UPDATE draft SET session_file = ?, folder = ?, words = ?, at = ? WHERE owner = ? AND number = ?"
KEEP = (
    "INSERT OR REPLACE INTO draft (session_file, folder, words, at, owner, number, chips) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
FIND = (
    "SELECT owner, number, session_file, words, chips, at FROM draft WHERE session_file = ? OR folder = ? ORDER BY at"
)
LATEST = "SELECT max(at) FROM draft WHERE owner = ?"
ELSEWHERE = "SELECT owner, session_file, folder, words FROM draft WHERE session_file NOT IN ('', ?) ORDER BY at DESC"
TAKE = "UPDATE draft SET owner = ?, number = ? WHERE owner = ? AND number = ?"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written: in the session with that file, which there need not be yet, and in that folder."""

    session_file: str = ""
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft that was found, as the JSON value that was given.

    `edited` is what another editor has made of the whole of it after its pitui had ended.
    """

    number: int
    parts: list[Any]
    edited: str | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """A draft that waits in another session. Of it `words` are what is neither paste nor picture."""

    place: Place
    words: str


class Drafts:
    """The drafts of one pitui on a shelf.

    A draft is a list of JSON values: words are strings, and what else is in it is written only when it has changed, for
    it may be large. Every method may be called from any thread. Those with `waits` say whether it was done: without
    `waits` they do it at once, or not at all where the disk would have to be waited for. `problem` says in a sentence
    what does not work.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._numbers = count(1)
        self._chips: dict[int, list[Any]] = {}
        """What is on disk of each draft but its words."""
        self._editing = shelf.folder / "editing"
        self._edited: list[Path] = []
        """Files of other editors that were taken."""

    @property
    def problem(self) -> str:
        return self._shelf.problem

    @property
    def fails(self) -> bool:
        """Whether nothing can be kept now."""
        return self._shelf.fails

    def new_number(self) -> int:
        """For a draft that is to be kept; no other one has had it."""
        return next(self._numbers)

    def keep(
        self,
        number: int,
        place: Place,
        parts: list[Any],
        *,
        instead_of: Collection[int] = (),
        prompts: Collection[int] = (),
        waits: bool = True,
    ) -> bool:
        """Keep the draft with that number. Drafts with the numbers `instead_of`, and `prompts` of the outbox, are in it
        and go. One that is gone itself is not kept any more.
        """
        words, chips = _parted(parts)
        changed = self._chips.get(number, []) != chips
        if not waits and (changed or sum(len(part) for part in words if isinstance(part, str)) > LIGHT):
            return False

        def work(database: sqlite3.Connection) -> bool:
            self._shelf.forget_drafts(database, instead_of)
            self._shelf.forget_prompts(database, prompts)
            if self._shelf.is_gone("draft", number):
                return True
            values = (place.session_file, place.folder, json.dumps(words), time.time(), self._shelf.owner, number)
            if changed or not database.execute(KEEP_WORDS, values).rowcount:
                database.execute(KEEP, (*values, json.dumps(chips)))
            return True

        if done := self._do(work, waits):
            self._chips[number] = chips
        return done

    def forget(self, numbers: Collection[int], prompts: Collection[int] = (), *, waits: bool = True) -> bool:
        """They are sent, or thrown away, and so are `prompts` of the outbox."""

        def work(database: sqlite3.Connection) -> bool:
            self._shelf.forget_drafts(database, numbers)
            self._shelf.forget_prompts(database, prompts)
            return True

        return self._do(work, waits)

    def take(self, place: Place) -> list[Kept]:
        """What was written here, or in a session of this folder that was never saved, by us or by a pitui that has
        ended: it is ours now. The oldest first; at the end what was begun in another editor, it may be anywhere.
        """

        def work(database: sqlite3.Connection) -> list[Kept]:
            found: list[Kept] = []
            rows = database.execute(FIND, (place.session_file or None, place.folder)).fetchall()
            for owner, number, file, words, chips, at in rows:
                edited = None
                if file and file != place.session_file and Path(file).exists():
                    continue
                if owner == self._shelf.owner:
                    ours = number
                elif self._shelf.is_free(owner):
                    ours = self.new_number()
                    if database.execute(LATEST, (owner,)).fetchone() == (at,):
                        edited = self._take_edited(owner, at)
                    database.execute(TAKE, (self._shelf.owner, ours, owner, number))
                else:
                    continue
                with suppress(ValueError, LookupError, TypeError):  # what another version wrote stays where it is
                    self._chips[ours] = json.loads(chips)
                    found.append(Kept(ours, _joined(json.loads(words), self._chips[ours]), edited))
            for owner in self._edited_by_others():
                has_none = database.execute(LATEST, (owner,)).fetchone() == (None,)
                if has_none and self._shelf.is_free(owner):
                    found.append(Kept(self.new_number(), [], self._take_edited(owner)))
            return found

        return self._shelf.run(work) or []

    def elsewhere(self, place: Place) -> list[Left]:
        """What we, and pituis that have ended, have left in other sessions, the latest first. It stays there."""

        def work(database: sqlite3.Connection) -> list[Left]:
            found: list[Left] = []
            free: dict[str, bool] = {self._shelf.owner: True}
            for owner, file, folder, words in database.execute(ELSEWHERE, (place.session_file,)).fetchall():
                if owner not in free:
                    free[owner] = self._shelf.is_free(owner)
                if free[owner] and Path(file).exists():
                    with suppress(ValueError, TypeError):
                        typed = (part for part in json.loads(words) if isinstance(part, str))
                        found.append(Left(Place(file, folder), "".join(typed)))
            return found

        return self._shelf.run(work) or []

    # what another editor has of the draft

    @property
    def file_to_edit(self) -> Path:
        """Where an editor may have what was kept last. What it writes there when this pitui is gone is found."""
        return self._file_of(self._shelf.owner)

    def forget_edited(self) -> None:
        """What was taken of other editors is kept as a draft."""
        for file in self._edited:
            shutil.rmtree(file.parent, ignore_errors=True)
        self._edited.clear()

    def _file_of(self, owner: str) -> Path:
        return self._editing / owner / "prompt.md"

    def _edited_by_others(self) -> list[str]:
        with suppress(OSError):
            owners = os.listdir(self._editing)
            return [owner for owner in owners if self._file_of(owner) not in self._edited]
        return []

    def _take_edited(self, owner: str, at: float = 0) -> str | None:
        """What it wrote after that time."""
        file = self._file_of(owner)
        try:
            newer = file.stat().st_mtime > at
            text = file.read_text("utf-8", "replace").removesuffix("\n") if newer else None
        except OSError:
            return None
        self._edited.append(file)
        return text

    def close(self) -> None:
        """Leave what is kept to the next pitui."""
        self._shelf.close()

    def _do(self, work: Callable[[sqlite3.Connection], bool], waits: bool) -> bool:
        return bool(self._shelf.run(work)) if waits else self._shelf.run_at_once(work)


def _parted(parts: list[Any]) -> tuple[list[str | int], list[Any]]:
    """Words, with the number of each other thing where it stands, and those things."""
    chips = [part for part in parts if not isinstance(part, str)]
    numbers = iter(range(len(chips)))
    return [part if isinstance(part, str) else next(numbers) for part in parts], chips


def _joined(words: list[str | int], chips: list[Any]) -> list[Any]:
    return [part if isinstance(part, str) else chips[part] for part in words]
