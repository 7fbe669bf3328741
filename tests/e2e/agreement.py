"""Two tellings of the same scenario made comparable: what differs from run to run by nature is taken out."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.e2e.conversation import Line

Record = dict[str, Any]

IDS = {
    "id",
    "entryId",
    "parentId",
    "toolCallId",
    "leafId",
    "targetId",
    "firstKeptEntryId",
    "fromId",
    "sessionId",
    "since",
}
NUMBERS = {"timestamp", "durationMs", "wall_time_seconds", "tokensBefore", "estimatedTokensAfter"}
OPAQUE = {"usage", "tokens", "cost", "contextUsage", "sections"}
"""Objects of which only the names and types of the fields count: the tokens of a made-up model, a prompt's sections."""
ASSIGNED = re.compile(r"req-\d+|x|nope")
PLACES = re.compile(
    r"/home/dev/(?:\.pi|\.local/state/pitui/demo-sessions)\S*\.jsonl|/home/dev\S*/pi-bash-\w+\.log|/tmp/pi-bash-\w+\.log"
)


PARSER = re.compile(r"(?<=Failed to parse command: ).*")
"""What the JSON parser says is its own matter."""
CUT_OFF = "<cut off>"


class Names:
    """Ids in the order in which they first occur: the same in two tellings when they refer alike."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def of(self, id_: Any) -> Any:
        if not isinstance(id_, str) or ASSIGNED.fullmatch(id_):
            return id_
        return self._names.setdefault(id_, f"<{len(self._names) + 1}>")


def shape(value: Any) -> Any:
    """The names and types of what is there."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in sorted(value.items()) if key != "totalFromProvider"}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def plain(value: Any, names: Names, key: str = "") -> Any:
    """A value without what differs from run to run."""
    if key in IDS:
        return names.of(value)
    if key in NUMBERS or key in OPAQUE:
        return shape(value)
    if key in ("api", "summary"):
        return type(value).__name__
    if key == "toolsAdded":
        return [tool["name"] for tool in value]
    if isinstance(value, dict):
        return {name: plain(item, names, name) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item, names) for item in value]
    if isinstance(value, str):
        return joined_pairs(PARSER.sub("...", PLACES.sub("<a file>", value)))
    return value


def joined_pairs(text: str) -> str:
    """Halves of surrogate pairs put together."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def joined_deltas(records: Iterable[Record]) -> Iterator[Record]:
    """Runs of deltas as one, before what was answered meanwhile; of the updates of a tool only the last, just before
    its end.
    """
    run: Record | None = None
    meanwhile: list[Record] = []
    updates: dict[str, Record] = {}
    for record in records:
        event = record.get("assistantMessageEvent", record)
        if record.get("type") == "tool_execution_update":
            updates[record["toolCallId"]] = record
            continue
        if run is not None:
            before = run.get("assistantMessageEvent", run)
            same = [before.get(key) == event.get(key) for key in ("type", "contentIndex", "id")]
            if all(same) and "delta" in event:
                before["delta"] += event["delta"]
                continue
            if record.get("type") in ("queue_update", "response"):
                meanwhile.append(record)
                continue
            yield run
            yield from meanwhile
            run, meanwhile = None, []
        if "delta" in event:
            run = json.loads(json.dumps(record))
            continue
        if record.get("type") == "tool_execution_end" and record["toolCallId"] in updates:
            yield updates.pop(record["toolCallId"])
        yield record
    if run is not None:
        yield run
    yield from meanwhile


def tools_in_order(records: Iterable[Record]) -> Iterator[Record]:
    """Tools that run beside each other, told one after another: the starts, then what each said until its end."""
    starts: list[Record] = []
    rest: dict[str, list[Record]] = {}
    for record in records:
        kind = record.get("type", "")
        if kind == "tool_execution_start":
            starts.append(record)
            rest[record["toolCallId"]] = []
        elif kind.startswith("tool_execution_") and record["toolCallId"] in rest:
            rest[record["toolCallId"]].append(record)
        elif kind == "message_start" and record["message"]["role"] == "toolResult" and starts:
            for start in starts:
                yield start
            for start in starts:
                yield from rest[start["toolCallId"]]
            starts, rest = [], {}
            yield record
        else:
            yield record


def cut_off(records: list[Record]) -> list[Record]:
    """What a stop cut off, replaced: where exactly it did so is chance."""
    found: set[str] = set()
    for at, record in enumerate(records):
        message = record.get("message", {})
        if record["type"] != "message_end" or message.get("stopReason") != "aborted" or not message["content"]:
            continue
        part, last = message["content"][-1], records[at - 1].get("assistantMessageEvent", {})
        if "delta" in last:
            text = json.dumps(part["arguments"]) if "arguments" in part else part[part["type"]]
            found |= {last["delta"], text, text.strip()} - {""}
    return [_replaced(record, found) for record in records]


def _replaced(value: Any, found: set[str]) -> Any:
    if isinstance(value, dict):
        if json.dumps(value) in found:
            return CUT_OFF
        return {key: _replaced(item, found) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, found) for item in value]
    return CUT_OFF if isinstance(value, str) and value in found else value


def read_companion(record: Record) -> Record:
    """The record with what the companion says in a status as what it is."""
    if str(record.get("statusKey", "")).startswith("pitui:"):
        return {**record, "statusText": json.loads(record["statusText"])}
    return record


def comparable(lines: list[Line]) -> list[Record]:
    """What the agent said, ready to be compared with another telling."""
    names = Names()
    for line in lines:
        if line.record.get("type") == "message_start":
            line.record["message"].pop("durationMs", None)  # pi may fill it in before it is written, or after
    said = [read_companion(line.record) for line in lines if line.to == "client"]
    return [plain(record, names) for record in tools_in_order(cut_off(list(joined_deltas(said))))]
