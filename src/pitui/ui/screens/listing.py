"""Which sessions are listed, in which order, and what is said of each."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pitui.pi.folders import folder_of
from pitui.pi.forks import in_tree, parents
from pitui.pi.sessions import SessionFile
from pitui.pi.words import Words, fold
from pitui.ui.widgets.sessions import Ranked, Row

NEAR = 40
"""Characters that may stand between words which are marked together."""


class Known(NamedTuple):
    """A session with what is asked of it at every key."""

    file: SessionFile
    path: str
    name: str
    """All that it is known by, in small letters."""
    is_here: bool


class Listing:
    """`everywhere` lists the sessions of all folders, not only those of `cwd`; `as_tree` puts forks under their origin.
    Elsewhere those that are `starred` stand first.

    `named_only` leaves out those without a name, and with `paths` it is said of each in which file it is.
    With a `query` those are listed in whose name, first prompt, folder or id its words stand, and those in `found`.
    """

    def __init__(
        self,
        cwd: Path,
        open_file: str,
        environ: Mapping[str, str] = os.environ,
        *,
        waiting: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`waiting` says, by path, what was written in a session and not sent."""
        self.waiting = waiting
        self.starred = set[str]()
        self.everywhere = False
        self.as_tree = False
        self.named_only = False
        self.paths = False
        self.query = ""
        self.found: Mapping[str, int] = {}
        """Where the words were said, by path."""
        self._cwd = os.path.realpath(cwd)
        self._folder = os.path.realpath(folder_of(cwd, environ))
        self._open = os.path.realpath(open_file) if open_file else ""
        self._real: dict[str, str] = {}
        self._known: list[Known] = []
        self._parents: dict[str, SessionFile] = {}

    def take(self, files: Sequence[SessionFile]) -> None:
        """List these from now on. With thousands it is for a thread."""
        known = [Known(file, str(file.path), _name(file), self._is_here(file)) for file in files]
        self._parents = parents(files)
        self._known = known

    def is_open(self, file: SessionFile) -> bool:
        """Whether it is the session that is open now, by whatever path that is known."""
        return str(file.path) == self._open

    @property
    def total(self) -> int:
        """How many there are without the query."""
        return sum(map(self._is_offered, self._known))

    def ranked(self) -> list[Ranked]:
        """The sessions in their order, each with its depth in the tree."""
        words = fold(self.query).split()
        chosen = [
            known.file
            for known in self._known
            if self._is_offered(known)
            and (not words or known.path in self.found or all(word in known.name for word in words))
        ]
        if self.as_tree and not words:
            return in_tree(chosen)
        return [(0, file) for file in sorted(chosen, key=lambda file: file.id not in self.starred)]

    def _is_offered(self, known: Known) -> bool:
        return (self.everywhere or known.is_here) and (not self.named_only or bool(known.file.name))

    def row(self, ranked: Ranked, now: float) -> Row:
        """How one of them stands in the list. `now` is seconds since the epoch."""
        depth, file = ranked
        return Row(
            file,
            file.title or file.path.name,
            age(now - file.modified) if file.modified else "",
            " · ".join(self._details(file, None if depth else self._parents.get(str(file.path)))),
            depth,
            file.id in self.starred,
            self.is_open(file),
            short(file.cwd) if self.everywhere else "",
        )

    def _details(self, file: SessionFile, parent: SessionFile | None) -> list[str]:
        details = [waits] if (waits := self.waiting.get(str(file.path))) else []
        if self.paths:
            details.append(file.path.name)
        if file.problem:
            details.append(file.problem)
        elif file.parent and file.last_prompt not in ("", file.first_prompt):
            details.append(f"last: {' '.join(file.last_prompt.split())}")  # it begins like what it was made from
        if parent is not None:
            details.append(f"fork of {parent.title}")
        elif file.parent and not self.as_tree:
            details.append("a fork")
        return details

    def _is_here(self, file: SessionFile) -> bool:
        if not file.cwd:
            return str(file.path.parent) == self._folder
        if file.cwd not in self._real:
            self._real[file.cwd] = os.path.realpath(file.cwd)
        return self._real[file.cwd] == self._cwd


def _name(file: SessionFile) -> str:
    return fold(f"{file.name}\n{file.first_prompt}\n{file.cwd}\n{file.id}\n{file.path.name if file.problem else ''}")


def term_of(query: str, text: str) -> str:
    """What to mark of a query in a text, in small letters: all of it where it stands so, else the words from the first
    to the last of its words where they stand near each other, else its longest word.
    """
    query = query.strip()
    if (at := fold(text).find(fold(query))) >= 0:
        return text[at : at + len(query)].lower()
    words = Words(query)
    near = [line[start:end] for line in text.splitlines() for start, end in filter(None, [words.stretch(line)])]
    if near and len(shortest := min(near, key=len)) <= len(query) + NEAR:
        return shortest.lower()
    standing = [word for word in query.split() if Words(word).count_in(text)]
    return max(standing, key=len, default="").lower()


def age(seconds: float) -> str:
    """How long ago that was, in a few cells."""
    for unit, length in (("y", 365 * 86400), ("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit}"
    return "now"


def short(folder: str) -> str:
    """A folder with ``~`` for the person's home."""
    home = str(Path.home())
    return "~" + folder[len(home) :] if folder == home or folder.startswith(home + os.sep) else folder
