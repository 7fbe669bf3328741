"""Which sessions are open in which pitui, so that one that opens the same is told before a word is written."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from pitui.operating_system import lock


class Claim:
    """Says that a session file is open here, until `release` or the end of the process, however it ends.

    It is a lock on an empty file, which all who have the session open share. Whoever gets it alone is the only one, and
    the system takes it back from the dead, so that nothing about processes has to be kept or believed.
    """

    def __init__(self, folder: Path, session_file: Path) -> None:
        """`folder` is where the locks are; it is made. Where that cannot be, nothing is claimed."""
        name = hashlib.sha256(os.fsencode(os.path.realpath(session_file))).hexdigest()[:32]
        self._path = folder / f"{name}.lock"
        self._handle: int | None = None
        self.alone = True
        """Whether no other pitui had it open when this was made."""
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            while self._handle is None:
                self._take()

    def _take(self) -> None:
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self.alone = lock(handle)
            lock(handle, shared=True)
            if _is_same(handle, self._path):  # else the last one to leave has just removed it
                self._handle, handle = handle, -1
        finally:
            if handle >= 0:
                os.close(handle)

    def release(self) -> None:
        """The session is not open here any more."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        try:
            if lock(handle):
                self._path.unlink(missing_ok=True)
        except OSError:
            pass  # an empty file is left
        finally:
            os.close(handle)


def is_claimed(folder: Path, session_file: Path) -> bool:
    """Whether a pitui has the session open."""
    claim = Claim(folder, session_file)
    claim.release()
    return not claim.alone


def _is_same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
