"""Which sessions are listed, in which order, and what is said of each."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from pitui.pi.folders import folder_of
from pitui.pi.forks import in_tree, parents
from pitui.pi.sessions import SessionFile
from pitui.pi.words import Words, fold
from pitui.ui.widgets.sessions import Row


class Listing:
    """`everywhere` lists the sessions of all folders, not only those of `cwd`; `as_tree` puts forks under their origin.

    With a `query` those are listed in whose name, first prompt, folder or id its words stand, and those in `found`.
    """

    def __init__(self, cwd: Path, open_file: str, environ: Mapping[str, str] = os.environ) -> None:
        self.files: Sequence[SessionFile] = ()
        self.starred = set[str]()
        self.everywhere = False
        self.as_tree = False
        self.query = ""
        self.found: Mapping[str, int] = {}
        """Where the words were said, by path."""
        self._cwd = os.path.realpath(cwd)
        self._folder = os.path.realpath(folder_of(cwd, environ))
        self._open = os.path.realpath(open_file) if open_file else ""
        self._real: dict[str, str] = {}

    def is_open(self, file: SessionFile) -> bool:
        """Whether it is the session that is open now, by whatever path that is known."""
        return str(file.path) == self._open

    def of_scope(self) -> list[SessionFile]:
        return [file for file in self.files if self.everywhere or self._is_here(file)]

    def rows(self, now: float) -> list[Row]:
        """`now` is seconds since the epoch."""
        files = self.of_scope()
        parent_of = parents(self.files)
        if self.query.strip():
            files = [file for file in files if str(file.path) in self.found or self._is_named(file)]
        flat = not self.as_tree or bool(self.query.strip())
        ranked = [(0, file) for file in files] if flat else in_tree(files)
        return [
            Row(
                file,
                file.title or file.path.name,
                age(now - file.modified),
                " · ".join(self._details(file, parent_of.get(str(file.path)) if not depth else None)),
                depth,
                file.id in self.starred,
                self.is_open(file),
            )
            for depth, file in ranked
        ]

    def _details(self, file: SessionFile, parent: SessionFile | None) -> list[str]:
        details: list[str] = []
        if file.problem:
            details.append(file.problem)
        elif parent is not None:
            details.append(f"fork of {parent.title}")
        elif file.parent and not self.as_tree:
            details.append("a fork")
        if self.everywhere and file.cwd:
            details.append(short(file.cwd))
        return details

    def _is_here(self, file: SessionFile) -> bool:
        if file.cwd:
            return self._real_path(file.cwd) == self._cwd
        return str(file.path.parent) == self._folder

    def _real_path(self, folder: str) -> str:
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        return self._real[folder]

    def _is_named(self, file: SessionFile) -> bool:
        text = fold(
            f"{file.name}\n{file.first_prompt}\n{file.cwd}\n{file.id}\n{file.path.name if file.problem else ''}"
        )
        return all(word in text for word in fold(self.query).split())


def term_of(query: str, text: str) -> str:
    """What to mark of a query in a text: all of it where it stands so, else its longest word."""
    query = query.strip()
    if fold(query) in fold(text):
        return query
    standing = [word for word in query.split() if Words(word).count_in(text)]
    return max(standing, key=len, default="")


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
