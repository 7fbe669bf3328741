"""What is done to session files, as pi itself does it (``session-manager.js``, ``session-selector.js``)."""

import errno
import json
import os
import random
import re
import secrets
import time
import uuid
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from send2trash import send2trash

from pitui.pi.entries import TOO_LONG, parse, read_lines, text_of
from pitui.pi.ours import BUSY_SECONDS, Ours
from pitui.pi.sessions import open_session, read_header, read_session

WITH_IDS = 2
"""The first version of the format whose entries have ids."""


class UpkeepError(Exception):
    """It was not done; the text says why."""


def rename(path: Path, name: str, ours: Ours) -> None:
    """Name the session by an entry after its last one, in one write; an empty name takes it away. Raises UpkeepError.

    pi's own list does it so. Not for the session that is open: pi would not know of it. The file is one of `ours` then,
    unless another program was at it.
    """
    name = re.sub(r"[\r\n]+", " ", name).strip()
    try:
        busy = ours.is_busy(path, path.stat())
        with open_session(path) as file:
            header = read_header(file)
            if not header:
                raise UpkeepError(f"{path.name} is not a session.")
            version = header.get("version", 1)
            if not isinstance(version, int) or version < WITH_IDS:
                raise UpkeepError("It was made by an old pi. Open it first, which brings it up to date.")
            ids, last = set[str](), None
            for line in read_lines(file, file.tell()):
                if last := text_of(line.entry, "id") or (None if line.problem == TOO_LONG else last):
                    ids.add(last)
            if ids and last is None:
                raise UpkeepError("Its last entry is too long to be read.")
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            ended = file.read(1) == b"\n"
        entry = {
            "type": "session_info",
            "id": next(id_ for id_ in iter(lambda: secrets.token_hex(4), "") if id_ not in ids),
            "parentId": last,
            "timestamp": now(),
            "name": name,
        }
        _append(path, (b"" if ended else b"\n") + json_line(entry))
    except OSError as error:
        raise UpkeepError(f"It cannot be written: {error.strerror}.") from error
    if not busy:
        ours.leave(path)


def _append(path: Path, line: bytes) -> None:
    """In one write, and whole or not at all. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        size = os.fstat(handle).st_size
        written = os.write(handle, line)
        if written < len(line):
            if os.fstat(handle).st_size == size + written:  # else another program has written behind it
                os.ftruncate(handle, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(handle)


@contextmanager
def _new_file(path: Path) -> Generator[BinaryIO, None, None]:
    """A file that is not there yet; it is taken away again where it is not written whole."""
    with path.open("xb") as file:
        try:
            yield file
            file.flush()
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def check_unused(path: Path, size: int, ours: Ours) -> None:
    """Raises UpkeepError when another program seems to write to it: it is not `size` long any more, or quite new.

    What was written from here, as `ours` tells, is no sign of that.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise UpkeepError(f"It cannot be found: {error.strerror}.") from error
    if ours.are_last(path, status):
        return
    if status.st_size != size:
        raise UpkeepError("Another program has just written to it. It is kept.")
    if ours.is_busy(path, status):
        raise UpkeepError(
            f"It was written less than {BUSY_SECONDS:.0f} seconds ago, perhaps by another pi. It is kept."
        )


def move_to_trash(path: Path) -> None:
    """Raises UpkeepError where there is no trash."""
    try:
        send2trash(path)
    except Exception as error:  # each platform has its own kinds
        raise UpkeepError(f"It could not be moved to the trash: {error}") from error


def delete(path: Path) -> None:
    """For good. Raises UpkeepError."""
    try:
        path.unlink()
    except OSError as error:
        raise UpkeepError(f"It could not be deleted: {error.strerror}.") from error


def fork_into(path: Path, cwd: Path, folder: Path) -> Path:
    """A copy in `folder` that goes on in `cwd` and has `path` for its parent, as pi's ``forkFrom`` makes it.

    Damaged lines are left out. Raises UpkeepError.
    """
    session_id, timestamp = new_session_id(), now()
    made = folder / file_name(session_id, timestamp)
    try:
        with open_session(path) as source:
            header = read_header(source)
            if not header:
                raise UpkeepError(f"{path.name} is not a session.")
            folder.mkdir(parents=True, exist_ok=True)
            with _new_file(made) as copy:
                fresh = {
                    "type": "session",
                    "version": header.get("version", 1),
                    "id": session_id,
                    "timestamp": timestamp,
                }
                copy.write(json_line({**fresh, "cwd": str(cwd), "parentSession": str(path)}))
                for line in source:
                    entry = parse(line)
                    if entry and entry.get("type") != "session":
                        copy.write(line if line.endswith(b"\n") else line + b"\n")
    except OSError as error:
        raise UpkeepError(f"It could not be copied: {error.strerror}.") from error
    return made


def copy_into(path: Path, folder: Path) -> Path:
    """The session itself in `folder`, never in the place of another, as pi's ``/import`` does. Raises UpkeepError."""
    session = read_session(path)
    if session.problem:
        raise UpkeepError(f"{path} cannot be imported: {session.problem}.")
    if os.path.realpath(path.parent) == os.path.realpath(folder):
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes()
        number = 0
        while True:
            suffix = f"-{number}" if number else ""
            made = folder / f"{path.stem}{suffix}{path.suffix}"
            try:
                with _new_file(made) as file:
                    file.write(content)
                return made
            except FileExistsError:
                number += 1
    except OSError as error:
        raise UpkeepError(f"It could not be copied: {error.strerror}.") from error


def new_session_id() -> str:
    """A UUID of version 7, as pi gives them: the time, and chance."""
    milliseconds = int(time.time() * 1000)
    value = milliseconds << 80 | 7 << 76 | random.getrandbits(12) << 64 | 2 << 62 | random.getrandbits(62)
    return str(uuid.UUID(int=value))


def file_name(session_id: str, timestamp: str) -> str:
    """What pi calls the file of a session."""
    return f"{re.sub('[:.]', '-', timestamp)}_{session_id}.jsonl"


def json_line(entry: Mapping[str, Any]) -> bytes:
    """As JavaScript writes it."""
    line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair
        return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def now() -> str:
    """The time as pi writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
