"""A session: a tree of entries, what the model sees of it, and its file in pi's own format.

The file lets a killed demo be started again on the same session; it lies in the folder that pi is told with
``--session-dir``, else in one of pitui's own.
"""

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitui.demo.identity import as_milliseconds, iso_time, new_id, new_uuid

Entry = dict[str, Any]
Message = dict[str, Any]
VERSION = 3


def session_folder(chosen: str | None, folder: str) -> Path:
    """Where the sessions of a project are kept."""
    if chosen:
        return Path(chosen)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "pitui", "demo-sessions", "--" + folder.strip("/").replace("/", "-") + "--")


@dataclass
class Session:
    folder: str
    file: Path | None
    id: str = field(default_factory=new_uuid)
    created: str = field(default_factory=iso_time)
    entries: list[Entry] = field(default_factory=list[Entry])
    leaf: str | None = None
    parent: str | None = None
    saved: bool = False

    @classmethod
    def new(cls, folder: str, directory: Path | None, parent: str | None = None) -> "Session":
        session = cls(folder, None, parent=parent)
        if directory:
            stamp = re.sub("[:.]", "-", session.created)
            session.file = directory / f"{stamp}_{session.id}.jsonl"
        return session

    @classmethod
    def load(cls, folder: str, path: Path) -> "Session":
        """The session of a file, which works where its header says; one that does not exist is a new session there.

        Raises ValueError for a file that is no session.
        """
        session = cls(folder, path)
        if not path.exists():
            return session
        header, *entries = (json.loads(line) for line in path.read_text("utf-8").splitlines())
        if header.get("type") != "session":
            raise ValueError(f"Session file is not a valid pi session: {path}")
        session.id, session.created, session.folder = header["id"], header["timestamp"], header.get("cwd") or folder
        session.entries, session.saved = entries, True
        session.leaf = entries[-1]["id"] if entries else None
        return session

    def append(self, type_: str, **fields: Any) -> Entry:
        """Add an entry after the leaf. The file begins with the first message of a person."""
        entry = {"type": type_, "id": new_id(), "parentId": self.leaf, "timestamp": iso_time(), **fields}
        self.entries.append(entry)
        self.leaf = entry["id"]
        if self.saved:
            self._write([entry])
        elif fields.get("message", {}).get("role") == "user":
            self.save()
        return entry

    def save(self) -> None:
        header = {"type": "session", "version": VERSION, "id": self.id, "timestamp": self.created, "cwd": self.folder}
        self._write([{**header, **({"parentSession": self.parent} if self.parent else {})}, *self.entries])
        self.saved = True

    def _write(self, lines: list[dict[str, Any]]) -> None:
        if self.file is None:
            return
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with open(handle, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)

    def entry(self, id_: str) -> Entry | None:
        return next((entry for entry in self.entries if entry["id"] == id_), None)

    def path_to(self, id_: str | None) -> list[Entry]:
        """The entries from the root to one of them."""
        by_id = {entry["id"]: entry for entry in self.entries}
        path: list[Entry] = []
        while id_ is not None:
            path.append(by_id[id_])
            id_ = by_id[id_]["parentId"]
        return path[::-1]

    def branch(self) -> list[Entry]:
        return self.path_to(self.leaf)

    def named(self) -> str | None:
        """The name that was given last, on whatever branch; an empty one takes it away."""
        names = [entry["name"] for entry in self.entries if entry["type"] == "session_info"]
        return names[-1] or None if names else None

    def labels(self) -> dict[str, Entry]:
        """By the id of what is labelled, the entry that did it."""
        last = {entry["targetId"]: entry for entry in self.entries if entry["type"] == "label"}
        return {target: entry for target, entry in last.items() if entry.get("label")}

    def visible(self) -> list[Entry]:
        """The entries of the branch that the model sees: after a compaction its summary and what it kept."""
        branch = self.branch()
        hidden = {entry["targetId"] for entry in branch if entry["type"] == "context_edit"}
        compactions = [index for index, entry in enumerate(branch) if entry["type"] == "compaction"]
        if compactions:
            at = compactions[-1]
            ids = [entry["id"] for entry in branch]
            kept = branch[ids.index(branch[at]["firstKeptEntryId"]) : at]
            branch = [branch[at], *kept, *branch[at + 1 :]]
        seen = ("message", "compaction", "branch_summary")
        return [entry for entry in branch if entry["type"] in seen and entry["id"] not in hidden]

    def messages(self) -> list[Message]:
        """The conversation as the model sees it."""
        messages: list[Message] = []
        for entry in self.visible():
            if entry["type"] == "message":
                messages.append(entry["message"])
            elif entry["type"] == "branch_summary":
                said = {"summary": entry["summary"], "fromId": entry["fromId"]}
                at = as_milliseconds(entry["timestamp"])
                messages.append({"role": "branchSummary", **said, "timestamp": at})
            else:
                summary = {
                    "role": "compactionSummary",
                    "summary": entry["summary"],
                    "tokensBefore": entry["tokensBefore"],
                }
                messages += [entry["systemMessage"], {**summary, "timestamp": as_milliseconds(entry["timestamp"])}]
        return messages

    def tree(self) -> list[dict[str, Any]]:
        """The roots, each with its entry and its children."""
        nodes: dict[str, dict[str, Any]] = {entry["id"]: {"entry": entry, "children": []} for entry in self.entries}
        roots: list[dict[str, Any]] = []
        for entry in self.entries:
            parent = nodes.get(entry["parentId"])
            (parent["children"] if parent else roots).append(nodes[entry["id"]])
        return roots

    def forked(self, id_: str | None) -> "Session":
        """A new session beside this one, of the entries up to one of them; unsaved until a person has spoken in it."""
        directory = self.file.parent if self.file else None
        session = Session.new(self.folder, directory, parent=str(self.file) if self.file else None)
        session.entries, session.leaf = _without_labels(self.path_to(id_)), id_
        if session.entries:
            session.leaf = session.entries[-1]["id"]
        kept = {entry["id"] for entry in session.entries}
        for target, entry in self.labels().items():
            if target in kept:
                session.append("label", targetId=target, label=entry["label"])["timestamp"] = entry["timestamp"]
        if any(entry["type"] == "message" and entry["message"]["role"] == "user" for entry in session.entries):
            session.save()
        return session


def _without_labels(path: list[Entry]) -> list[Entry]:
    """The entries of a path but its labels, chained anew."""
    kept: list[Entry] = []
    for entry in path:
        if entry["type"] != "label":
            kept.append({**entry, "parentId": kept[-1]["id"] if kept else None})
    return kept
