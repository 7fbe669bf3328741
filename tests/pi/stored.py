"""Session files as pi writes them, and as nothing should."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pitui.pi.folders import folder_of

Entry = dict[str, Any]


class Store:
    """pi's own folder with sessions in it."""

    def __init__(self, folder: Path) -> None:
        self.environ = {"PI_CODING_AGENT_DIR": str(folder / "agent")}
        self.agent = folder / "agent"
        self.cwd = folder / "project"
        self.times = 0

    def write(
        self, session_id: str, *entries: Entry, cwd: Path | None = None, folder: Path | None = None, parent: str = ""
    ) -> Path:
        """A session; each is newer than the one before."""
        cwd = cwd or self.cwd
        header = {
            "type": "session",
            "version": 3,
            "id": session_id,
            "timestamp": "2026-11-29T21:38:38.824Z",
            "cwd": str(cwd),
        }
        if parent:
            header["parentSession"] = parent
        return self.write_lines(session_id, [header, *entries], folder or folder_of(cwd, self.environ))

    def write_lines(self, session_id: str, lines: Iterable[Entry | bytes], folder: Path | None = None) -> Path:
        folder = folder or folder_of(self.cwd, self.environ)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"2026-11-29T21-38-38-824Z_{session_id}.jsonl"
        path.write_bytes(
            b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
        )
        self.times += 1
        os.utime(path, (self.times, self.times))
        return path


def said(role: str, text: str, **fields: Any) -> Entry:
    return {"type": "message", **fields, "message": {"role": role, "content": [{"type": "text", "text": text}]}}


def named(name: str | None) -> Entry:
    return {"type": "session_info", **({"name": name} if name is not None else {})}


def append(path: Path, *entries: Entry | bytes) -> None:
    with path.open("ab") as file:
        for entry in entries:
            file.write(entry if isinstance(entry, bytes) else json.dumps(entry).encode() + b"\n")
