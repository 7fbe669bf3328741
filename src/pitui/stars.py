"""The sessions that the person has starred: pitui's own, and kept apart from pi's files."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, cast


class Stars:
    """Ids of sessions in the file `path`, read when it is asked for and written at every change."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> set[str]:
        try:
            ids: Any = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return set()
        return {id_ for id_ in cast("list[Any]", ids) if isinstance(id_, str)} if isinstance(ids, list) else set()

    def toggle(self, session_id: str) -> bool:
        """Star it or take the star away; whether it has one now. Raises OSError."""
        ids = self.read() ^ {session_id}
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            written.write_text(json.dumps(sorted(ids)), "utf-8")
            written.replace(self._path)
        finally:
            with suppress(OSError):
                written.unlink()
        return session_id in ids
