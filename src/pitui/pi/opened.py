"""The session that a pi is about to open, told from its command line, where it works, and how its file ends.

pi reads all of a file before it says anything, and for a long one that takes seconds. Its end can be shown meanwhile.
"""

import json
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from pitui.pi.folders import chosen_session_folder, folder_of
from pitui.pi.problem import Problem
from pitui.pi.sessions import open_session, read_header, session_files

END_BYTES = 256 * 1024
"""Several screens, unless single entries are huge."""
HOW_TO_FIND = "“pitui --resume” lists the sessions of this folder."
VERSION = 3
"""Of the files that pi 0.84.4 and later write. Older ones are rewritten by pi when it opens them."""


def opens_session(argv: Sequence[str]) -> bool:
    """Whether pi is started on a session that is there, as far as its arguments tell."""
    return bool({"--session", "--continue", "-c"} & set(argv))


def session_to_open(argv: Sequence[str], cwd: Path, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that ``--session FILE`` or ``--continue`` means, as pi chooses it; None when there is none yet."""
    values = dict(pairwise(argv))
    if "--session" in values:
        return cwd / values["--session"]
    if not {"--continue", "-c"} & set(argv):
        return None
    shared = chosen_session_folder(values.get("--session-dir", ""), environ)
    files = {path: status for path, status in session_files([shared or folder_of(cwd, environ)]).items() if status}
    for path in sorted(files, key=lambda path: files[path].st_mtime, reverse=True):
        header = _header(path)
        if header and (not shared or header.get("cwd") == str(cwd)):
            return path
    return None


def look_at_named(argv: Sequence[str], cwd: Path) -> Problem | str:
    """What to tell of the file that ``--session FILE`` names, when it is not there: pi makes it without a word.

    A problem when it makes no sense to go on; nothing when it is there, or no file is named.
    """
    name = dict(pairwise(argv)).get("--session", "")
    path = cwd / Path(name).expanduser()
    if not is_file_name(name) or path.is_file():
        return ""
    if path.is_dir():
        return Problem("A session is a file.", f"{path} is a folder.", HOW_TO_FIND)
    if not path.parent.is_dir():
        return Problem(f"There is no session {path}.", f"There is not even a folder {path.parent}.", HOW_TO_FIND)
    return f"There is no session {path.name} yet: a new one begins there when you say something."


def is_file_name(name: str) -> bool:
    """Whether ``--session`` with this means a file, and not an id, as pi tells them apart."""
    return os.sep in name or "\\" in name or name.endswith(".jsonl")


def read_end(path: Path) -> list[bytes]:
    """The last lines of a session file, each an entry, without the header; none when pi would have to convert it."""
    if _header(path).get("version") != VERSION:
        return []
    try:
        with open_session(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - END_BYTES))
            lines = file.read(END_BYTES).splitlines()
    except OSError:
        return []
    return lines[1:]  # the header, or what is left of the line that was cut


def read_after(path: Path, entry_id: str) -> list[bytes]:
    """The lines of a session file after that entry, or all without the header for none; none when it is not in it."""
    try:
        with open_session(path) as file:
            next(file, None)
            if entry_id:
                next((line for line in file if entry_id.encode() in line and _id_of(line) == entry_id), None)
            return list(file)
    except OSError:  # it was never written, or is not on this machine
        return []


def _id_of(line: bytes) -> object:
    try:
        found: dict[str, object] = json.loads(line)
        return found["id"]
    except (ValueError, LookupError, TypeError):
        return None


def working_folder(path: Path) -> Path | None:
    """The folder in which pi works in this session; None when there is no such file yet, or it does not tell."""
    folder = _header(path).get("cwd")
    return Path(folder) if isinstance(folder, str) and folder else None


def folder_to_open(argv: Sequence[str], cwd: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where a pi that is started with `argv` in `cwd` is going to work."""
    path = session_to_open(argv, cwd, environ)
    return (working_folder(path) if path else None) or cwd


def _header(path: Path) -> Mapping[str, object]:
    try:
        with open_session(path) as file:
            return read_header(file)
    except OSError:
        return {}
