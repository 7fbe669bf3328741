"""What fills the model's context: about how many tokens each thing takes in it, reckoned as pi does.

pi tells only how many there are in all. Where it has to guess itself it takes a token for four characters
(``estimateTokens`` of pi 1.6.0), and so does this.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, cast

from pitui.rpc.messages import (
    AssistantMessage,
    BashMessage,
    BranchSummaryEntry,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    ContextEditEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    ImagePart,
    Message,
    MessageEntry,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultMessage,
    UserMessage,
)
from pitui.session.tree import branch

CHARACTERS = 4
"""Of a token."""
IMAGE = 4_800
"""Characters that pi reckons for an image."""


class Kind(Enum):
    """What something in the context is; the value is what the person reads."""

    PROMPT = "Prompts"
    ANSWER = "Answers"
    THINKING = "Thinking"
    CALL = "Calls of tools"
    RESULT = "Results"
    IMAGE = "Images"
    COMMAND = "Your ! commands"
    SUMMARY = "Summaries"
    EXTENSION = "From extensions"


class Piece(NamedTuple):
    """Something in the context that takes about so many tokens. `call` is the one that it is, or that it answers."""

    tokens: int
    kind: Kind
    entry: Entry
    tool: str = ""
    call: ToolCallPart | None = None

    @property
    def share(self) -> "Share":
        """What it is counted with: the results of each tool by themselves."""
        return self.kind, self.tool if self.kind is Kind.RESULT else ""


Share = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Context:
    """What is in the context, the biggest first, and about how many tokens everything of a kind takes in it.

    `put_away` is how many entries the compactions have put away, and about how many tokens those had.
    """

    pieces: Sequence[Piece]
    shares: Mapping[Share, int]
    tokens: int
    compactions: int
    put_away: int
    put_away_tokens: int


def reckon(entries: Sequence[Entry], leaf_id: str | None) -> Context:
    """The context at a place of the tree. With thousands of entries it is for a thread."""
    line = branch(entries, leaf_id)
    compactions = [place for place, entry in enumerate(line) if isinstance(entry, CompactionEntry)]
    last = compactions[-1] if compactions else -1
    first = _first_kept(line, last)
    kept = [*line[last : last + 1], *line[first:last], *line[last + 1 :]] if compactions else line
    edits = {entry.target_id: entry for entry in kept if isinstance(entry, ContextEditEntry)}
    calls = {part.id: part for entry in line for part in _calls(entry)}
    pieces = [
        piece
        for place, entry in enumerate(kept)
        if not (place and isinstance(entry, CompactionEntry))  # an older summary is in the newest one
        for piece in _pieces(entry, edits.get(entry.id), calls)
    ]
    away = [piece for entry in line[:first] for piece in _pieces(entry, None, calls)] if compactions else []
    pieces.sort(key=lambda piece: -piece.tokens)
    shares: dict[Share, int] = {}
    for piece in pieces:
        shares[piece.share] = shares.get(piece.share, 0) + piece.tokens
    put_away = sum(piece.tokens for piece in away)
    return Context(pieces, shares, sum(shares.values()), len(compactions), first if compactions else 0, put_away)


def _first_kept(line: Sequence[Entry], last: int) -> int:
    """The place of the first entry that the compaction at `last` has kept; its own when it has kept none."""
    compaction = line[last] if line else None
    if not isinstance(compaction, CompactionEntry):
        return 0
    ids = (place for place in range(last) if line[place].id == compaction.first_kept_entry_id)
    return next(ids, last)


def _calls(entry: Entry) -> Iterator[ToolCallPart]:
    if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
        yield from (part for part in entry.message.content if isinstance(part, ToolCallPart))


def _pieces(entry: Entry, edit: ContextEditEntry | None, calls: Mapping[str, ToolCallPart]) -> Iterator[Piece]:
    """What an entry brings into the context; things without a letter take nothing."""
    if edit is not None:
        if edit.replacement is not None:
            yield Piece(_tokens(_length(edit.replacement)), Kind.EXTENSION, entry)
        return
    match entry:
        case MessageEntry():
            yield from _of_message(entry, entry.message, calls)
        case CompactionEntry() | BranchSummaryEntry():
            yield Piece(_tokens(len(entry.summary)), Kind.SUMMARY, entry)
        case CustomMessageEntry():
            yield from _of_content(entry, entry.content, Kind.EXTENSION)
        case _:
            return


def _of_message(entry: Entry, message: Message, calls: Mapping[str, ToolCallPart]) -> Iterator[Piece]:
    match message:
        case UserMessage():
            yield from _of_content(entry, message.content, Kind.PROMPT)
        case AssistantMessage():
            yield from _of_answer(entry, message)
        case ToolResultMessage():
            call = calls.get(message.tool_call_id)
            yield from _of_content(entry, message.content, Kind.RESULT, message.tool_name, call)
        case BashMessage() if not message.exclude_from_context:
            yield Piece(_tokens(len(message.command) + len(message.output)), Kind.COMMAND, entry)
        case CustomMessage():
            yield from _of_content(entry, message.content, Kind.EXTENSION)
        case BranchSummaryMessage() | CompactionSummaryMessage():
            yield Piece(_tokens(len(message.summary)), Kind.SUMMARY, entry)
        case _:
            return


def _of_answer(entry: Entry, message: AssistantMessage) -> Iterator[Piece]:
    said = sum(len(part.text) for part in message.content if isinstance(part, TextPart))
    thought = sum(len(part.thinking) for part in message.content if isinstance(part, ThinkingPart))
    if said:
        yield Piece(_tokens(said), Kind.ANSWER, entry)
    if thought:
        yield Piece(_tokens(thought), Kind.THINKING, entry)
    for part in _calls(entry):
        yield Piece(_tokens(len(part.name) + _length(part.arguments)), Kind.CALL, entry, part.name, part)


def _of_content(
    entry: Entry, content: Iterable[Part], kind: Kind, tool: str = "", call: ToolCallPart | None = None
) -> Iterator[Piece]:
    written = sum(len(part.text) for part in content if isinstance(part, TextPart))
    if written:
        yield Piece(_tokens(written), kind, entry, tool, call)
    for part in content:
        if isinstance(part, ImagePart):
            yield Piece(_tokens(IMAGE), Kind.IMAGE, entry, tool, call)


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS)


def _length(value: Any) -> int:
    """About how many characters a value has as JSON. Nothing is written for that: an argument may have megabytes."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return 2 + sum(len(key) + 4 + _length(field) for key, field in fields.items())
    if isinstance(value, list):
        return 2 + sum(1 + _length(item) for item in cast("list[Any]", value))
    return len(str(value))
