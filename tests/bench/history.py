"""Session files of any length, as pi writes them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.words import answer

LAST_WORDS = "Thelastwordsofthesession"
"""In the last entry alone, and broken by no screen."""
START = 1_790_000_000_000
"""Milliseconds, when the session began."""
NO_COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
USAGE = {"input": 900, "output": 90, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 990, "cost": NO_COST}
TIMESTAMP = "2026-09-21T14:13:20.000Z"


def write_session(path: Path, entries: int, cwd: Path) -> None:
    """A conversation of `entries` entries in `cwd`, half prompts and answers and half tools, about 500 bytes each."""
    with path.open("w", encoding="utf-8") as file:
        for line in _lines(entries, cwd):
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def _lines(entries: int, cwd: Path) -> Iterator[dict[str, Any]]:
    yield {"type": "session", "version": 3, "id": f"bench-{entries}", "timestamp": TIMESTAMP, "cwd": str(cwd)}
    parent = None
    for number in range(entries):
        id_ = f"{number:08x}"
        message = _message(number) if number < entries - 1 else _says(LAST_WORDS)
        message["timestamp"] = START + number * 1000
        yield {"type": "message", "id": id_, "parentId": parent, "timestamp": TIMESTAMP, "message": message}
        parent = id_


def _message(number: int) -> dict[str, Any]:
    match number % 4:
        case 0:
            return {"role": "user", "content": [_text(f"Question {number}: what does the reader do with a torn line?")]}
        case 1:
            call = {"type": "toolCall", "id": f"call-{number}", "name": "read", "arguments": {"path": f"{number}.py"}}
            return _says("I will look at the file.", call)
        case 2:
            return {
                "role": "toolResult",
                "toolCallId": f"call-{number - 1}",
                "toolName": "read",
                "content": [_text(answer(300))],
                "isError": False,
                "durationMs": 12,
            }
        case _:
            return _says(answer(240))


def _says(text: str, *more: dict[str, Any]) -> dict[str, Any]:
    """What the model says; the words for where it came from are as long as a real provider's."""
    return {
        "role": "assistant",
        "content": [_text(text), *more],
        "api": "faux",
        "provider": "lab",
        "model": "script",
        "usage": USAGE,
        "stopReason": "toolUse" if more else "stop",
        "durationMs": 900,
    }


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
