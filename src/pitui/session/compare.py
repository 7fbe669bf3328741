"""Two branches of a session side by side, from where they part."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pitui.rpc.messages import (
    AssistantMessage,
    Entry,
    MessageEntry,
    ToolCallPart,
    ToolResultMessage,
    Usage,
    UsageEntry,
    UserMessage,
)
from pitui.session.changes import changed_path
from pitui.session.tree import Tree


@dataclass(slots=True)
class FileChange:
    """How often a file was changed: by ``edit`` and by ``write``. Calls that failed do not count."""

    edits: int = 0
    writes: int = 0


@dataclass(slots=True)
class Side:
    """What is on one branch alone. Tokens and cost (US dollars) are what pi was billed for; `seconds` from the first
    entry to the last, None where no two of them tell their time.
    """

    entries: Sequence[Entry] = ()
    prompts: int = 0
    answers: int = 0
    tools: int = 0
    failed_tools: int = 0
    files: dict[str, FileChange] = field(default_factory=dict[str, FileChange])
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    cost: float = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`common` entries are on both branches; `parting` is the last of them, None where the branches share nothing."""

    common: int
    parting: Entry | None
    left: Side
    right: Side


def compare(tree: Tree, left: int, right: int) -> Comparison:
    """The branches that end at two places of a tree."""
    one, other = tree.line(left), tree.line(right)
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    parting = tree.entries[one[common - 1]] if common else None
    sides = ([tree.entries[place] for place in line[common:]] for line in (one, other))
    return Comparison(common, parting, *map(side, sides))


def side(entries: Sequence[Entry]) -> Side:
    """What a part of a branch comes to."""
    found = Side(entries)
    calls: dict[str, ToolCallPart] = {}
    for entry in entries:
        if isinstance(entry, UsageEntry):
            _bill(found, entry.usage)
        elif isinstance(entry, MessageEntry):
            match entry.message:
                case UserMessage():
                    found.prompts += 1
                case AssistantMessage() as answer:
                    found.answers += 1
                    _bill(found, answer.usage)
                    calls |= {part.id: part for part in answer.content if isinstance(part, ToolCallPart)}
                case ToolResultMessage() as result:
                    _count(found, calls.get(result.tool_call_id), result)
                case _:
                    pass
    times = [time for time in (_seconds(entry.timestamp) for entry in entries) if time is not None]
    if len(times) > 1:
        found.seconds = max(times) - min(times)
    return found


def _bill(found: Side, usage: Usage) -> None:
    found.tokens_in += usage.input + usage.cache_write
    found.tokens_cached += usage.cache_read
    found.tokens_out += usage.output
    found.cost += usage.cost.total


def _count(found: Side, call: ToolCallPart | None, result: ToolResultMessage) -> None:
    found.tools += 1
    if result.is_error:
        found.failed_tools += 1
    elif call is not None and (path := changed_path(call.name, call.arguments)):
        change = found.files.setdefault(path, FileChange())
        change.edits += call.name == "edit"
        change.writes += call.name == "write"


def _seconds(timestamp: str) -> float | None:
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
