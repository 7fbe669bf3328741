"""Brings the index of all sessions up to date once, so that nobody feels it:

    python -m pitui.pi.indexer INDEX OPEN_FILE SESSION_DIR

The last two are what `session_folders` takes, and may be empty. It does nothing where another one is at it already, or
where the index cannot be kept, and ends when its input does. It says nothing: the list of sessions tells what is wrong.
"""

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from pitui.operating_system import be_nice, lock
from pitui.pi.index import SessionIndex
from pitui.pi.sessions import session_folders

NICENESS = 19
UNUSED_DAYS = 30
"""After so long the index of another version of pitui is deleted."""
REST_SECONDS = 0.25
"""Between two times that it writes, for others that want to."""


def main() -> None:
    be_nice(NICENESS)
    threading.Thread(target=_end_with_input, daemon=True).start()
    index_file, open_file, session_dir = sys.argv[1:]
    index = SessionIndex(Path(index_file))
    if _is_first(Path(index_file).with_suffix(".lock")) and index.is_kept:
        folders = session_folders(open_file, Path(session_dir) if session_dir else None)
        index.refresh(folders, threading.Event(), lambda _: time.sleep(REST_SECONDS))
        delete_unused(Path(index_file))
    index.close()


def delete_unused(index_file: Path) -> None:
    """Delete the indexes beside this one that no pitui has written to for long: they are of other versions."""
    kind = index_file.name.partition("-")[0]
    for other in index_file.parent.glob(f"{kind}-*.sqlite3*"):
        with suppress(OSError):
            old = time.time() - other.stat().st_mtime > UNUSED_DAYS * 86400
            if old and not other.name.startswith(index_file.name):
                other.unlink()


def _end_with_input() -> None:
    while os.read(0, 1024):
        pass
    os._exit(0)  # in the midst of anything: SQLite takes back what was not done


def _is_first(path: Path) -> bool:
    """Whether no other process has this lock. It is kept until this one ends, however it ends."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        return lock(handle)
    except OSError:
        return False


if __name__ == "__main__":
    main()
