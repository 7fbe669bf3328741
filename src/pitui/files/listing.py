"""All files of a folder: as git knows them, or else found by walking through it."""

import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

MOST = 1_000_000
"""Files and folders; a walk also ends after WALK_SECONDS."""
WALK_SECONDS = 30.0
READ_BYTES = 1 << 16
IGNORE_BYTES = 1 << 20
TOGETHER = 1000
"""So many are handed over at a time when they are walked to."""
GIT = (
    *("git", "-c", "core.fsmonitor=false"),  # it names a program, and the folder is not to be trusted
    *("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"),
)


class Listing:
    """Grows in a thread until it is `done`. Paths are relative to `folder`; folders end with ``/``.

    What git ignores is left out, or what every ``.gitignore`` on the way names; hidden files are not, but ``.git`` is.
    Links are listed, and not followed.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.paths: list[str] = []
        self.lowered: list[str] = []
        """The same in small letters; never shorter than `paths`."""
        self.folders: set[str] = set()
        self.limited = False
        """Whether there is more than is listed."""
        self.began = time.monotonic()
        self.grown = threading.Event()
        self._thread = threading.Thread(target=self._fill, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def _fill(self) -> None:
        try:
            for paths in self._of_git():
                self._add(paths)
            if not self.paths:  # no repository, or one that does not want to know of this folder
                for paths in self._walked():
                    self._add(paths)
        finally:
            self.grown.set()

    def _add(self, paths: list[str]) -> None:
        new = paths + [folder for path in paths for folder in self._new_folders(path)]
        self.lowered += [path if (low := path.lower()) == path else low for path in new]
        self.paths += new
        self.grown.set()

    def _new_folders(self, path: str) -> Iterator[str]:
        head = path.rpartition("/")[0] if not path.endswith("/") else path[:-1]
        while head and head not in self.folders:
            self.folders.add(head)
            if len(head) + 1 != len(path):
                yield f"{head}/"
            head = head.rpartition("/")[0]

    def _of_git(self) -> Iterator[list[str]]:
        """What git says; nothing where there is no git."""
        nothing = subprocess.DEVNULL
        environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0"}
        try:
            git = subprocess.Popen(
                GIT, cwd=self.folder, env=environment, stdin=nothing, stdout=subprocess.PIPE, stderr=nothing
            )
        except OSError:
            return
        with git:
            left, stdout = b"", git.stdout
            while stdout and (read := os.read(stdout.fileno(), READ_BYTES)):
                *whole, left = (left + read).split(b"\0")
                yield [os.fsdecode(name) for name in whole]
                if len(self.paths) >= MOST:
                    self.limited = True
                    git.kill()
                    return

    def _walked(self) -> Iterator[list[str]]:
        """The nearest first."""
        ignored = _Ignored()
        waiting = deque([""])
        found: list[str] = []
        while waiting:
            if len(self.paths) + len(found) >= MOST or time.monotonic() - self.began > WALK_SECONDS:
                self.limited = True
                break
            place = waiting.popleft()
            entries = list(_entries(os.path.join(self.folder, place)))
            ignored.read(self.folder, place, entries)
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                path = place + entry.name + "/" * is_folder
                if ignored.has(path):
                    continue
                found.append(path)
                if is_folder:
                    waiting.append(path)
            if len(found) >= TOGETHER:
                yield found
                found = []
        yield found


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """What lies in a folder; nothing when it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            yield from islice((entry for entry in entries if entry.name != ".git"), MOST)
    except OSError:
        return


def names_in(folder: str) -> list[str]:
    """The names in one folder, those of folders and of links to folders with ``/``; none when it cannot be read."""
    return [entry.name + "/" * entry.is_dir() for entry in _entries(folder)]


class _Ignored:
    """What the ``.gitignore`` files say of which one is known."""

    def __init__(self) -> None:
        from pathspec import GitIgnoreSpec  # takes its time, and git alone does without it

        self._spec = GitIgnoreSpec
        self._specs: dict[str, GitIgnoreSpec] = {}

    def read(self, folder: str, place: str, entries: list[os.DirEntry[str]]) -> None:
        if not any(entry.name == ".gitignore" and entry.is_file() for entry in entries):  # a pipe would wait
            return
        try:
            with Path(folder, place, ".gitignore").open("rb") as file:
                lines = file.read(IGNORE_BYTES).decode("utf-8", "replace").splitlines()
            self._specs[place] = self._spec.from_lines(lines)
        except (OSError, ValueError):
            return

    def has(self, path: str) -> bool:
        """The nearest file that says anything of it decides."""
        if not self._specs:
            return False
        place = path.rstrip("/")
        while place:
            place = place.rpartition("/")[0]
            spec = self._specs.get(place and f"{place}/")
            said = spec.check_file(path[len(place) + bool(place) :]).include if spec else None
            if said is not None:
                return said
        return False
