"""The session files on this machine (pi's ``session.md`` and ``session-manager.js``). They are only read.

A file is JSON lines; the first is the header. Only the beginning and the end of each is looked at, so that thousands
can be listed; call from a thread where a screen waits.
"""

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from pitui.itself import to_run
from pitui.pi.entries import Entry, name_of, parse, prompt_of, text_of
from pitui.pi.folders import agent_folder, chosen_session_folder, folder_of
from pitui.pi.problem import Problem

HEADER_BYTES = 1 << 20
"""As far as pi itself looks for the header."""
HEAD_BYTES = 256 << 10
"""How far the first prompt is looked for; a system message and extensions' entries may come before it."""
TAIL_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class SessionFile:
    """One saved session. `problem` says why it cannot be opened; the texts are then empty.

    `modified` is seconds since the epoch. `name` is the last one given near the beginning or the end of the file.
    `parent` is the file that it was forked from. The counts are known when the whole file was read; `messages` is None
    before. `unread` lines are damaged or too long. `last_prompt` is known from then on, too.
    """

    path: Path
    modified: float
    id: str = ""
    cwd: str = ""
    name: str = ""
    first_prompt: str = ""
    problem: str = ""
    parent: str = ""
    size: int = 0
    messages: int | None = None
    tokens: int = 0
    cost: float = 0.0
    unread: int = 0
    last_prompt: str = ""

    @property
    def title(self) -> str:
        """What it is known by."""
        return self.name or self.first_prompt or ("" if self.problem else "(nothing was said)")


def find_session(
    id_prefix: str, cwd: Path, session_dir: Path | None = None, environ: Mapping[str, str] = os.environ
) -> Path | Problem:
    """The file of the session whose id is, or begins with, `id_prefix`, among those of the folder `cwd`.

    pi would ask on stderr about a session of another folder, so that one is a problem, with what to do instead.
    """
    shared = session_dir or chosen_session_folder(environ=environ)
    here = _with_id(shared or folder_of(cwd, environ), id_prefix)
    elsewhere: dict[Path, str] = {}
    if shared:
        elsewhere = {path: folder for path, folder in here.items() if not _same_folder(folder, cwd)}
        here = {path: folder for path, folder in here.items() if path not in elsewhere}
    elif not here:
        for folder in _folders(agent_folder(environ) / "sessions"):
            elsewhere |= _with_id(folder, id_prefix)

    match list(here) or list(elsewhere):
        case [path] if path in here:
            return path
        case [path]:
            return Problem(
                f"The session {id_prefix} belongs to another folder.",
                f"It was made in {elsewhere[path] or 'a folder that its file does not name'}, and goes on there.",
                f"Open it there with “{to_run('--session', str(path))}”, or copy it into this folder with "
                f"“{to_run('--fork', str(path))}”.",
            )
        case []:
            return Problem(
                f"No session {id_prefix} was found.",
                f"None in {shared or folder_of(cwd, environ)} has an id that begins like this.",
                f"Choose one from the list with “{to_run('--resume')}”, or give the path of its file.",
            )
        case paths:
            return Problem(
                f"Several sessions have an id that begins with {id_prefix}.",
                "\n".join(f"  {path}" for path in paths[:5]) + ("\n  ..." if len(paths) > 5 else ""),
                "Give more of the id, or the path of the file.",
            )


def _with_id(folder: Path, prefix: str) -> dict[Path, str]:
    """The files with an id that begins with `prefix`, each with its folder of work; only the one with that very id."""
    found: dict[Path, str] = {}
    for path in _session_paths(folder):
        try:
            with open_session(path) as file:
                header = read_header(file)
        except OSError:
            continue
        if header.get("id") == prefix:
            return {path: text_of(header, "cwd")}
        if text_of(header, "id").startswith(prefix):
            found[path] = text_of(header, "cwd")
    return found


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(path for path in parent.iterdir() if path.is_dir())
    except OSError:
        return []


def _session_paths(folder: Path) -> Iterator[Path]:
    """The ``.jsonl`` files of `folder`, links followed, each once; not those whose path is no text, as for pi."""
    seen: set[str] = set()
    try:
        entries = list(os.scandir(os.path.realpath(folder)))
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(".jsonl"):
            real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
            if real not in seen and _is_text(real):
                seen.add(real)
                yield Path(real)


def _is_text(path: str) -> bool:
    return os.fsencode(path) == path.encode("utf-8", "replace")


def session_folders(
    open_file: str = "", session_dir: Path | None = None, environ: Mapping[str, str] = os.environ
) -> list[Path]:
    """The folders in which this pi keeps the sessions of all folders of work; links are followed, each comes once.

    Where `open_file`, the session that is open, lies says which store pi uses. `session_dir` is ``--session-dir``.
    """
    folders: list[Path] = []
    if session_dir:
        folders = [session_dir]
    else:
        beside = Path(open_file).parent if open_file else None
        if beside is None or not re.fullmatch("--.*--", beside.name):  # else it is one of a folder of work
            chosen = chosen_session_folder(environ=environ)
            folders = [chosen] if chosen else _folders(agent_folder(environ) / "sessions")
            folders += [beside] if beside else []
        else:
            folders = _folders(beside.parent)
    return [Path(real) for real in dict.fromkeys(os.path.realpath(folder) for folder in folders)]


def session_dir_of(argv: Sequence[str], cwd: Path) -> Path | None:
    """The ``--session-dir`` of a pi that was started with `argv` in `cwd`."""
    values = [value for name, value in pairwise(argv) if name == "--session-dir"]
    return cwd / Path(values[-1]).expanduser() if values else None


def session_files(folders: Iterable[Path]) -> dict[Path, os.stat_result | None]:
    """Every file in `folders` that may be a session; None for one that cannot be looked at."""
    found: dict[Path, os.stat_result | None] = {}
    for path in (path for folder in folders for path in _session_paths(folder)):
        try:
            found[path] = path.stat()
        except OSError:
            found[path] = None
    return found


def open_session(path: Path) -> BinaryIO:
    """The file, to be read. Raises OSError, also where it is no file: one would wait for a pipe."""
    try:
        return open(path, "rb", opener=_open_file)
    except ValueError as error:  # a path from a damaged file
        raise _no_file(path) from error


def _open_file(path: str, flags: int) -> int:
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise _no_file(path)


def _no_file(path: str | Path) -> OSError:
    return OSError(errno.EINVAL, "not a file", str(path))


def read_session(path: Path) -> SessionFile:
    """What the beginning and the end of the file tell."""
    modified, size = 0.0, 0
    try:
        status = path.stat()
        modified, size = status.st_mtime, status.st_size
        with open_session(path) as file:
            header = read_header(file)
            if not header:
                problem = "damaged: the first line is not the header of a session" if size else "damaged: it is empty"
                return SessionFile(path, modified, problem=problem, size=size)
            name, prompt = _read_head(file)
            last_name = _read_last_name(file, size)
    except OSError as error:
        return SessionFile(path, modified, problem=error.strerror or "cannot be read", size=size)
    return SessionFile(
        path,
        modified,
        text_of(header, "id"),
        text_of(header, "cwd"),
        name if last_name is None else last_name,
        prompt,
        parent=text_of(header, "parentSession"),
        size=size,
    )


def read_header(file: BinaryIO) -> Entry:
    """The header, and `file` left after it; empty if there is none. It is, as for pi, the first line that is JSON."""
    left = HEADER_BYTES
    while left > 0 and (line := file.readline(left)):
        left -= len(line)
        if header := parse(line):
            return header if header.get("type") == "session" and text_of(header, "id") else {}
    return {}


def _read_head(file: BinaryIO) -> tuple[str, str]:
    """The name given before the first prompt, and the first words of that prompt."""
    name, left = "", HEAD_BYTES
    while left > 0 and (line := file.readline(left)):
        left -= len(line)
        if b'"session_info"' in line:
            given = name_of(parse(line))
            name = name if given is None else given
        elif b'"user"' in line and (prompt := prompt_of(parse(line))):
            return name, prompt
    return name, ""


def _read_last_name(file: BinaryIO, size: int) -> str | None:
    """The last name given in the end of the file, empty when it was cleared; None if there is none."""
    file.seek(max(0, size - TAIL_BYTES))
    tail = file.read(TAIL_BYTES)
    for line in reversed(tail.split(b"\n") if b'"session_info"' in tail else []):
        if b'"session_info"' in line and (name := name_of(parse(line))) is not None:
            return name
    return None


def _same_folder(one: str, other: Path) -> bool:
    return bool(one) and os.path.abspath(one) == os.path.abspath(other)
