"""The scripted model: what the person sends says what the model answers.

A line ``#then`` ends a turn; every other line is a piece of it: ``#think TEXT``, ``#say TEXT``, ``#md N`` (N characters
of Markdown), ``#tool NAME {JSON}``, ``#fail MESSAGE``; anything else is said back.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from pitui.demo.identity import new_call_id

Part = dict[str, Any]
Message = dict[str, Any]

SAMPLE = (
    "## What I found\n\n"
    "A reader takes **bytes** from the pipe, cuts them at `\\n` alone and passes each record on. "
    "Wide text keeps its columns: 日本語の文, 한국어, naïve 🚀👩\u200d👩\u200d👧 and a [link](https://example.com/a_b).\n\n"
    "- one point with `code`\n- another\n  - *inside it*\n    1. deeper still\n\n"
    "| name | kind | count |\n|---|:---:|---:|\n| alpha | tool | 12 |\n| βeta | 工具 | 3400 |\n\n"
    '```python\ndef total(counts):\n    """Add them up."""\n    result = 0\n    for count in counts:\n'
    "        result += count\n    return result\n```\n\n"
    "> A quotation with **weight**.\n\n"
    "1. first\n2. second\n\n---\n\n"
    "And a last paragraph, long enough to be wrapped on a screen of eighty columns or fewer.\n\n"
)
SUMMARY = "## Goal\nShow that compaction works.\n\n## Progress\n- [x] The answers were given."


LONG_SUMMARY = 200_000


def cut(text: str, size: int) -> Iterator[str]:
    """The text in pieces of `size` UTF-16 units, as JavaScript cuts: a piece can hold half of a surrogate pair."""
    units = text.encode("utf-16-le", "surrogatepass")
    for start in range(0, max(len(units), 1), size * 2):
        yield units[start : start + size * 2].decode("utf-16-le", "surrogatepass")


def sample(length: int) -> str:
    """`length` UTF-16 units of Markdown."""
    if length <= 0:
        return ""
    return next(cut(SAMPLE * (length // len(SAMPLE) + 1), length))


def summary(instructions: str) -> str:
    """What a compaction wants. Asked to write "at length" it takes long enough to be stopped."""
    return SUMMARY + sample(LONG_SUMMARY) if "at length" in instructions else SUMMARY


@dataclass(frozen=True)
class Answer:
    """What the model wants to say; `error` is set when it fails instead."""

    content: list[Part] = field(default_factory=list[Part])
    error: str = ""

    @property
    def stop_reason(self) -> str:
        if self.error:
            return "error"
        return "toolUse" if any(part["type"] == "toolCall" for part in self.content) else "stop"


def fail_first(times: float) -> Callable[[str], bool]:
    """Says so of the first `times` lines."""
    lines = count()
    return lambda _message: next(lines) < times


class _FailureError(Exception):
    """The script wants the provider to fail."""


def text_of(message: Message) -> str:
    content = message.get("content", "")
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content if "text" in part)


class Script:
    """The model. `translate` makes a script of the words of a person; `fails` says whether a ``#fail`` line does."""

    def __init__(self, translate: Callable[[str], str], fails: Callable[[str], bool]) -> None:
        self._translate = translate
        self._fails = fails

    def answer(self, messages: list[Message]) -> Answer:
        """The answer to a conversation: the turn that follows those given since the person last spoke."""
        spoken = [index for index, message in enumerate(messages) if message["role"] == "user"]
        last = spoken[-1] if spoken else -1
        script = self._translate(text_of(messages[last])) if spoken else ""
        given = sum(message["role"] == "assistant" for message in messages[last + 1 :])
        turns = re.split(r"^#then *$", script, flags=re.MULTILINE)
        turn = turns[given] if given < len(turns) else "#say Done."
        try:
            content = [self._piece(line) for line in turn.split("\n") if line.strip()]
        except _FailureError as failure:
            return Answer(error=str(failure))
        return Answer(content or [{"type": "text", "text": "Nothing to say."}])

    def _piece(self, line: str) -> Part:
        found = re.match(r"#(\w+) ?(.*)$", line)
        word, rest = (found[1], found[2]) if found else ("", "")
        match word:
            case "think":
                return {"type": "thinking", "thinking": rest.replace("\\n", "\n")}
            case "say":
                return {"type": "text", "text": rest.replace("\\n", "\n")}
            case "md":
                return {"type": "text", "text": sample(int(rest))}
            case "tool":
                name, _, arguments = rest.partition(" ")
                return {
                    "type": "toolCall",
                    "id": new_call_id(),
                    "name": name,
                    "arguments": json.loads(arguments or "{}"),
                }
            case "fail":
                return self._recovered(rest)
            case _:
                return {"type": "text", "text": f"You said: {line}\n\n"}

    def _recovered(self, message: str) -> Part:
        if self._fails(message):
            raise _FailureError(message)
        return {"type": "text", "text": "Recovered."}
