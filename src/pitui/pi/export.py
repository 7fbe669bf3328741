"""Sessions written to files, as pi itself writes them (``session-export.js``). Call from a thread.

Entries are those of ``get_entries``, as they stand in a session file.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitui.pi.entries import Entry, text_of
from pitui.pi.upkeep import file_name, json_line, new_session_id, now

VERSION = 3
"""Of the format of session files that pi 0.84.4 and later write."""


class ExportError(Exception):
    """It was not written; the text says why."""


def branch(entries: Sequence[Entry], leaf_id: str | None) -> list[Entry]:
    """The entries from the root to the leaf, chained without a gap, as pi's ``/export x.jsonl`` has them."""
    by_id = {text_of(entry, "id"): entry for entry in entries}
    found: dict[str, Entry] = {}
    at = leaf_id
    while at and at in by_id and at not in found:
        found[at] = by_id[at]
        at = by_id[at].get("parentId")
    parent: str | None = None
    chained: list[Entry] = []
    for id_, entry in reversed(found.items()):
        chained.append({**entry, "parentId": parent})
        parent = id_
    return chained


def session_lines(header: Mapping[str, Any], entries: Iterable[Entry]) -> Iterator[bytes]:
    """The lines of a session file."""
    yield json_line({"type": "session", "version": VERSION, **header})
    yield from map(json_line, entries)


@dataclass(frozen=True, slots=True)
class Exported:
    """A session as pi knows it: its folder of work and its entries in the order of the file."""

    id: str
    cwd: Path
    entries: Sequence[Entry]
    leaf_id: str | None


def save_anew(file: Path, session: Exported) -> Path:
    """A new session beside `file` with all of the entries; pi opens it at the leaf. Raises ExportError."""
    on_branch = {text_of(entry, "id") for entry in branch(session.entries, session.leaf_id)}
    in_order = sorted(session.entries, key=lambda entry: text_of(entry, "id") in on_branch)  # pi takes the last one
    session_id, timestamp = new_session_id(), now()
    header = {"id": session_id, "timestamp": timestamp, "cwd": str(session.cwd), "parentSession": str(file)}
    made = file.with_name(file_name(session_id, timestamp))
    with suppress(OSError):
        made.parent.mkdir(parents=True, exist_ok=True)
    write(made, session_lines(header, in_order))
    return made


def export_branch(path: Path, session: Exported, *, replace: bool) -> None:
    """The active branch under the id of its session. Raises ExportError."""
    header = {"id": session.id, "timestamp": now(), "cwd": str(session.cwd)}
    write(path, session_lines(header, branch(session.entries, session.leaf_id)), replace=replace)


def write(path: Path, pieces: Iterable[bytes], *, replace: bool = False) -> None:
    """Write a file whole or not at all; one that is there is only replaced when that is wanted. Raises ExportError."""
    if not path.parent.is_dir():
        raise ExportError(f"There is no folder {path.parent}.")
    if path.is_dir():
        raise ExportError(f"{path} is a folder.")
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        try:
            with part.open("xb") as file:
                file.writelines(pieces)
            if not replace:
                path.open("xb").close()  # not by a link, which not every disk has
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError:
        raise ExportError(f"{path} is there already.") from None
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error
