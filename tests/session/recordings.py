"""What the real pi said, as the steps that a session takes: its records, and what a client does with its answers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pitui.rpc.companion import SessionStarted, TreeMoved, read_event
from pitui.rpc.reading import read
from pitui.rpc.records import Record, SetStatus, decode
from pitui.rpc.results import BashResult, Commands, Disposition, Entries, Envelope, State, Stats
from pitui.session.apply import Applied
from pitui.session.facts import Accepted, BashEnded, BashStarted, EntriesLoaded, Refused, Replaced, Sent

FOLDER = Path(__file__).resolve().parent.parent / "recordings"
REPLACING = ("new_session", "switch_session", "fork", "clone")
_ANSWERS: dict[str, TypeAdapter[Any]] = {
    "bash": TypeAdapter(Envelope[BashResult]),
    "get_commands": TypeAdapter(Envelope[Commands]),
    "get_entries": TypeAdapter(Envelope[Entries]),
    "get_session_stats": TypeAdapter(Envelope[Stats]),
    "get_state": TypeAdapter(Envelope[State]),
    "prompt": TypeAdapter(Envelope[Disposition]),
}
_ANSWERS["steer"] = _ANSWERS["follow_up"] = _ANSWERS["prompt"]


@dataclass(frozen=True)
class Step:
    """`at` is seconds; `said` is None for what the client did."""

    at: float
    applied: Applied
    said: dict[str, Any] | None


def recordings() -> list[Path]:
    found = sorted(FOLDER.glob("**/*.jsonl"))
    assert found, f"no recording in {FOLDER}"
    return found


def steps(recording: Path) -> list[Step]:
    return list(_steps(recording))


def _steps(recording: Path) -> Iterator[Step]:
    asked: dict[str, tuple[int, dict[str, Any]]] = {}
    busy = False
    for number, line in enumerate(recording.read_text("utf-8").splitlines(), start=1):
        step = json.loads(line)
        at, record = step["t"] / 1000, step["record"]
        if step["to"] == "pi":
            asked[str(record.get("id"))] = (number, record)
            match record.get("type"):
                case "prompt" if record.get("message", "").startswith("/pitui "):
                    pass  # a question to the companion is not said to the model, nor shown
                case "prompt" | "steer" | "follow_up":
                    yield Step(at, Sent(number, record.get("message", ""), queued=busy), None)
                case "bash":
                    excluded = record.get("excludeFromContext", False)
                    yield Step(at, BashStarted(record["id"], record["command"], excluded), None)
                case _:
                    pass
            continue
        busy = {"agent_start": True, "agent_settled": False}.get(record["type"], busy)
        number_asked, request = asked.get(str(record.get("id")), (0, {}))
        known = record["type"] == "response" and request
        yield Step(at, _answer(record, number_asked, request) if known else _decoded(record), record)
        if record.get("command") == "clear_queue":
            texts = [*record["data"]["steering"], *record["data"]["followUp"]]
            for key, sent in asked.values():
                if sent.get("message") in texts:
                    yield Step(at, Refused(key, ""), None)


def _decoded(record: dict[str, Any]) -> Record | Replaced:
    decoded = decode(json.dumps(record).encode())
    event = read_event(decoded) if isinstance(decoded, SetStatus) else None
    return Replaced(extensions_loaded=True) if isinstance(event, SessionStarted) else decoded


def moved_in_the_tree(step: Step) -> bool:
    return isinstance(step.applied, SetStatus) and isinstance(read_event(step.applied), TreeMoved)


def _answer(record: dict[str, Any], number: int, request: dict[str, Any]) -> Applied:
    command = record["command"]
    if not record["success"]:
        if command in ("prompt", "steer", "follow_up"):
            return Refused(number, record["error"])
        return BashEnded(record["id"], None, record["error"]) if command == "bash" else _decoded(record)
    data = read(_ANSWERS[command], json.dumps(record).encode()).data if command in _ANSWERS else None
    match data:
        case Entries():
            whole = "since" not in request
            return EntriesLoaded(data.entries, data.leaf_id, whole)
        case Disposition() if request["message"].startswith("/pitui "):
            return _decoded(record)
        case Disposition():
            return Accepted(number, data.disposition or "started")  # type: ignore[arg-type]
        case BashResult():
            return BashEnded(record["id"], data)
        case State() | Stats() | Commands():
            return data
        case _:
            replaced = command in REPLACING and not (record.get("data") or {}).get("cancelled")
            return Replaced() if replaced else _decoded(record)
