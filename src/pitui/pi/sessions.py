"""The session files on this machine (pi's ``session.md`` and ``session-manager.js``). They are only read.

A file is JSON lines; the first is the header. Only the beginning and the end of each is looked at, so that thousands
can be listed; call from a thread where a screen waits.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from pitui.pi.folders import agent_folder, chosen_session_folder, folder_of
from pitui.pi.problem import Problem

HEADER_BYTES = 1 << 20
"""As far as pi itself looks for the header."""
HEAD_BYTES = 256 << 10
"""How far the first prompt is looked for; a system message and extensions' entries may come before it."""
TAIL_BYTES = 64 << 10
PROMPT_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class SessionFile:
    """One saved session. `problem` says why it cannot be opened; the texts are then empty.

    `modified` is seconds since the epoch. `name` is the last one given near the beginning or the end of the file.
    """

    path: Path
    modified: float
    id: str = ""
    cwd: str = ""
    name: str = ""
    first_prompt: str = ""
    problem: str = ""


def list_sessions(
    cwd: Path, session_dir: Path | None = None, environ: Mapping[str, str] = os.environ
) -> list[SessionFile]:
    """The sessions of the folder `cwd`, the latest first.

    `session_dir` is a folder that holds the sessions of every `cwd`; without it, the one that the user has chosen in
    pi's settings, or else pi's own for `cwd`.
    """
    shared = session_dir or chosen_session_folder(environ=environ)
    files = [_read_session(path) for path in _session_paths(shared or folder_of(cwd, environ))]
    if shared:
        files = [file for file in files if file.problem or _same_folder(file.cwd, cwd)]
    return sorted(files, key=lambda file: file.modified, reverse=True)


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
                f"Open it there with “pitui --session {path}”, or copy it into this folder with “pitui --fork {path}”.",
            )
        case []:
            return Problem(
                f"No session {id_prefix} was found.",
                f"None in {shared or folder_of(cwd, environ)} has an id that begins like this.",
                "Choose one from the list with “pitui --resume”, or give the path of its file.",
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
            with path.open("rb") as file:
                header = _read_header(file)
        except OSError:
            continue
        if header.get("id") == prefix:
            return {path: _text(header, "cwd")}
        if _text(header, "id").startswith(prefix):
            found[path] = _text(header, "cwd")
    return found


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(path for path in parent.iterdir() if path.is_dir())
    except OSError:
        return []


def _session_paths(folder: Path) -> Iterator[Path]:
    """The regular ``.jsonl`` files of `folder`, links followed, each once."""
    seen: set[str] = set()
    try:
        entries = list(os.scandir(os.path.realpath(folder)))
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(".jsonl"):
            real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
            if real not in seen:
                seen.add(real)
                yield Path(real)


def _read_session(path: Path) -> SessionFile:
    modified = 0.0
    try:
        status = path.stat()
        modified = status.st_mtime
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait
            return SessionFile(path, modified, problem="not a file")
        with path.open("rb") as file:
            header = _read_header(file)
            if not header:
                return SessionFile(path, modified, problem="damaged: the first line is not the header of a session")
            name, prompt = _read_head(file)
            last_name = _read_last_name(file, status.st_size)
    except OSError as error:
        return SessionFile(path, modified, problem=error.strerror or "cannot be read")
    return SessionFile(
        path, modified, _text(header, "id"), _text(header, "cwd"), name if last_name is None else last_name, prompt
    )


def _read_header(file: BinaryIO) -> dict[str, Any]:
    """The header, and `file` left after it; empty if there is none."""
    header = _object(file.readline(HEADER_BYTES))
    return header if header.get("type") == "session" and _text(header, "id") else {}


def _read_head(file: BinaryIO) -> tuple[str, str]:
    """The name given before the first prompt, and the first words of that prompt."""
    name, left = "", HEAD_BYTES
    while left > 0 and (line := file.readline(left)):
        left -= len(line)
        if b'"session_info"' in line:
            entry = _object(line)
            if entry.get("type") == "session_info":
                name = _text(entry, "name").strip()
        elif b'"user"' in line and (prompt := _prompt_text(_object(line))):
            return name, prompt[:PROMPT_CHARACTERS]
    return name, ""


def _read_last_name(file: BinaryIO, size: int) -> str | None:
    """The last name given in the end of the file, empty when it was cleared; None if there is none."""
    file.seek(max(0, size - TAIL_BYTES))
    tail = file.read(TAIL_BYTES)
    for line in reversed(tail.split(b"\n") if b'"session_info"' in tail else []):
        if b'"session_info"' in line:
            entry = _object(line)
            if entry.get("type") == "session_info":
                return _text(entry, "name").strip()
    return None


def _prompt_text(entry: dict[str, Any]) -> str:
    message: Any = entry.get("message")
    if entry.get("type") != "message" or not isinstance(message, dict):
        return ""
    fields = cast("dict[str, Any]", message)
    content: Any = fields.get("content")
    if fields.get("role") != "user":
        return ""
    if isinstance(content, str):
        return content.strip()
    parts: list[Any] = cast("list[Any]", content) if isinstance(content, list) else []
    texts = [_text(cast("dict[str, Any]", part), "text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if text).strip()


def _object(line: bytes) -> dict[str, Any]:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _same_folder(one: str, other: Path) -> bool:
    return bool(one) and os.path.abspath(one) == os.path.abspath(other)
