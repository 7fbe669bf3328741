"""What a line of a session file says (pi's ``session-format.md``): in words, and in numbers for the list."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple, cast

Entry = dict[str, Any]

LONGEST_LINE = 4 << 20
"""Bytes; a longer line is nearly always a picture, and is counted but not read: parsing it would stop the screen."""
TOO_LONG = "too long to be read"
SAID_CHARACTERS = 40_000
"""What a person, a model or a summary says is kept up to here."""
OUTPUT_BEGINNING, OUTPUT_END = 3000, 1000
"""Of what a tool was given or put out, only so much of the beginning and of the end is kept."""
PROMPT_CHARACTERS = 500


class Line(NamedTuple):
    """A line of a session file. `start` and `end` are offsets in bytes; `entry` is empty when it is damaged."""

    start: int
    end: int
    entry: Entry
    problem: str = ""


class Said(NamedTuple):
    """`role` is pi's: ``user``, ``assistant``, ``toolResult``, ``bashExecution``; or the type of the entry."""

    role: str
    text: str
    entry_id: str = ""
    start: int = 0
    """Where its line starts in the file, in bytes."""


def read_lines(file: BinaryIO, start: int = 0) -> Iterator[Line]:
    """The lines from the offset `start` on, without empty ones and without a last one that is not whole yet.

    What pi cannot parse it skips, and so should everyone else: two records in one line, or a line that was torn.
    """
    file.seek(start)
    while line := file.readline(LONGEST_LINE):
        end = start + len(line)
        whole = line.endswith(b"\n")
        if not whole and len(line) == LONGEST_LINE:
            end, whole = _skip_line(file, end)
            if whole:
                yield Line(start, end, _long_entry(line), TOO_LONG)
            start = end
            continue
        entry = parse(line)
        if not (whole or entry):
            return  # it is being written
        if entry or line.strip():
            yield Line(start, end, entry, "" if entry else "damaged")
        start = end


def _skip_line(file: BinaryIO, end: int) -> tuple[int, bool]:
    """Where the line ends that `file` is in, and whether it does."""
    while part := file.readline(LONGEST_LINE):
        end += len(part)
        if part.endswith(b"\n"):
            return end, True
    return end, False


def _long_entry(beginning: bytes) -> Entry:
    """Of a line that is too long to be parsed: its kind and its id, where pi writes them."""
    match = re.match(rb'\{"type":"(\w+)","id":"([\w-]+)"', beginning)
    return {"type": match[1].decode(), "id": match[2].decode()} if match else {}


def parse(line: bytes) -> Entry:
    """The object in a line; empty if there is none."""
    try:
        value: Any = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return cast("Entry", value) if isinstance(value, dict) else {}


def text_of(entry: Entry, key: str) -> str:
    value = entry.get(key)
    return _whole(value) if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """Without the halves of characters that JavaScript lets a text have, and neither a database nor a file takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def said(entry: Entry, start: int = 0) -> Said | None:
    """What the entry says in words, or None. Pictures say nothing, and of long outputs the middle is left out."""
    kind = text_of(entry, "type")
    if kind == "message":
        message = _object(entry.get("message"))
        role = text_of(message, "role")
        text = "" if role == "system" else "\n".join(filter(None, _words(role, message)))
    elif kind in ("compaction", "branch_summary"):
        role, text = kind, text_of(entry, "summary")[:SAID_CHARACTERS]
    elif kind == "custom_message":
        role, text = kind, _content(entry.get("content"))[:SAID_CHARACTERS]
    elif kind in ("label", "session_info"):
        role, text = kind, text_of(entry, "label") or text_of(entry, "name")
    else:
        return None
    return Said(role, text, text_of(entry, "id"), start) if text.strip() else None


def _words(role: str, message: Entry) -> Iterator[str]:
    if role == "bashExecution":
        yield text_of(message, "command")[:SAID_CHARACTERS]
        yield shortened(text_of(message, "output"))
    elif role == "toolResult":
        yield shortened(_content(message.get("content")))
    else:
        yield _content(message.get("content"))[:SAID_CHARACTERS]
        yield text_of(message, "errorMessage")
        for part in _parts(message.get("content")):
            if text_of(part, "type") == "toolCall":
                yield text_of(part, "name")
                yield from (shortened(text) for text in _strings(part.get("arguments")))
            elif text_of(part, "type") == "thinking":
                yield text_of(part, "thinking")[:SAID_CHARACTERS]


def shortened(text: str) -> str:
    """The beginning and the end of a long text."""
    if len(text) <= OUTPUT_BEGINNING + OUTPUT_END:
        return text
    return f"{text[:OUTPUT_BEGINNING]}\n…\n{text[-OUTPUT_END:]}"


def _content(content: Any) -> str:
    if isinstance(content, str):
        return _whole(content)
    return "\n".join(filter(None, (text_of(part, "text") for part in _parts(content))))


def _parts(content: Any) -> list[Entry]:
    items = cast("list[Any]", content) if isinstance(content, list) else []
    return [_object(item) for item in items if isinstance(item, dict)]


def _strings(value: Any) -> Iterator[str]:
    """Every text in the arguments of a tool."""
    waiting: list[Any] = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += reversed(list(cast("Entry", value).values()))
        elif isinstance(value, list):
            waiting += reversed(cast("list[Any]", value))


def _object(value: Any) -> Entry:
    return cast("Entry", value) if isinstance(value, dict) else {}


def prompt_of(entry: Entry) -> str:
    """The first words of a message of the person; empty when the entry is something else."""
    message = _object(entry.get("message"))
    if entry.get("type") != "message" or message.get("role") != "user":
        return ""
    return _content(message.get("content")).strip()[:PROMPT_CHARACTERS]


def name_of(entry: Entry) -> str | None:
    """The name that the entry gives to the session, empty when it takes it away; None when it does neither."""
    return text_of(entry, "name").strip() if entry.get("type") == "session_info" else None


@dataclass(slots=True)
class Summary:
    """What a session comes to, as pi's statistics count: the system message is none of those that were said.

    `last` is seconds since the epoch, or 0.
    """

    name: str = ""
    first_prompt: str = ""
    messages: int = 0
    tokens: int = 0
    cost: float = 0.0
    last: float = 0.0
    unread: int = 0
    """Lines that are damaged or too long."""
    last_prompt: str = ""

    def add(self, line: Line) -> None:
        entry = line.entry
        self.unread += bool(line.problem)
        message = _object(entry.get("message"))
        self.messages += entry.get("type") == "message" and message.get("role") != "system"
        name = name_of(entry)
        self.name = self.name if name is None else name
        if prompt := prompt_of(entry):
            self.first_prompt, self.last_prompt = self.first_prompt or prompt, prompt
        if message.get("role") in ("user", "assistant"):
            self.last = max(self.last, _seconds(message.get("timestamp")) or iso_seconds(text_of(entry, "timestamp")))
        usage = _object(message.get("usage") or entry.get("usage"))
        self.tokens += int(_number(usage.get("totalTokens")))
        self.cost += _number(_object(usage.get("cost")).get("total"))


def _seconds(milliseconds: Any) -> float:
    return _number(milliseconds) / 1000


def iso_seconds(timestamp: str) -> float:
    """Seconds since the epoch; 0 for what is no time."""
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _number(value: Any) -> float:
    """A number that is one, and not endless or below nothing."""
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e18 else 0.0
