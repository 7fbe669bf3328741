"""The messages, parts, usage and session entries that events, answers and session files share.

From pi's ``message-types.md`` and ``session-format.md``, and from what pi 1.6.0 really sends. Only what pitui reads is
declared; every field has a default, so that a missing or damaged one never costs the rest.
"""

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field

from pitui.rpc.reading import Amount, Kept, Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Kept):
    """Something of a type that pitui does not know, kept whole: a record, a part, a message or an entry."""

    type: Literal["?"] = "?"
    role: Literal["?"] = "?"
    method: Literal["?"] = "?"
    name: str = ""
    raw: Any = None


# Parts of a message, by ``contentIndex``


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart(Kept):
    type: Literal["text"] = "text"
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingPart(Kept):
    """A redacted one has no text to show, only a signature for the provider."""

    type: Literal["thinking"] = "thinking"
    thinking: str = ""
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePart(Kept):
    """`data` is base64."""

    type: Literal["image"] = "image"
    data: str = ""
    mime_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart(Kept):
    type: Literal["toolCall"] = "toolCall"
    id: str = ""
    name: str = ""
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])


Part = Annotated[TextPart | ThinkingPart | ImagePart | ToolCallPart | Unknown, Field(discriminator="type")]


def _as_parts(content: Any) -> Any:
    """pi writes a content of one text as a plain string, and damaged sessions hold null."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [] if content is None else content


Content = Annotated[list[Part], BeforeValidator(_as_parts)]


def text_of(content: list[Part]) -> str:
    """The text parts of a content, a line each."""
    return "\n".join(part.text for part in content if isinstance(part, TextPart))


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        found = cast(dict[str, Any], value).get("text")
        if isinstance(found, str):
            return found
    return json.dumps(value, ensure_ascii=False)


Text = Annotated[str, BeforeValidator(_as_text)]
"""An item of a list of texts: what is none is shown as its ``text`` or as JSON, so that no item goes missing."""


# Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Kept):
    """US dollars."""

    input: Amount = 0
    output: Amount = 0
    cache_read: Amount = 0
    cache_write: Amount = 0
    total: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Kept):
    """Tokens."""

    input: Whole = 0
    output: Whole = 0
    cache_read: Whole = 0
    cache_write: Whole = 0
    total_tokens: Whole = 0
    cost: Cost = Cost()


# Messages


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessage(Kept):
    """The prompt and tool loadout (pi 0.86 and later). Never shown."""

    role: Literal["system"] = "system"
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage(Kept):
    role: Literal["user"] = "user"
    content: Content = field(default_factory=list[Part])
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage(Kept):
    """`stop_reason` is ``pending`` while it streams, then stop, length, toolUse, error, aborted, deferred or other."""

    role: Literal["assistant"] = "assistant"
    content: Content = field(default_factory=list[Part])
    provider: str = ""
    model: str = ""
    usage: Usage = Usage()
    stop_reason: str = ""
    error_message: str = ""
    duration_ms: Amount | None = None
    thinking_level: str = ""
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultMessage(Kept):
    role: Literal["toolResult"] = "toolResult"
    tool_call_id: str = ""
    tool_name: str = ""
    content: Content = field(default_factory=list[Part])
    details: Any = None
    is_error: bool = False
    duration_ms: Amount | None = None
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BashMessage(Kept):
    """A command that the person ran with ``bash``; pi writes one only once the run has settled."""

    role: Literal["bashExecution"] = "bashExecution"
    command: str = ""
    output: str = ""
    exit_code: Whole | None = None
    cancelled: bool = False
    truncated: bool = False
    full_output_path: str = ""
    exclude_from_context: bool = False
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomMessage(Kept):
    """Injected by an extension; `display` false means that it is not for people."""

    role: Literal["custom"] = "custom"
    custom_type: str = ""
    content: Content = field(default_factory=list[Part])
    display: bool = True
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchSummaryMessage(Kept):
    role: Literal["branchSummary"] = "branchSummary"
    summary: str = ""
    timestamp: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSummaryMessage(Kept):
    role: Literal["compactionSummary"] = "compactionSummary"
    summary: str = ""
    tokens_before: Whole | None = None
    timestamp: Amount = 0


Message = Annotated[
    SystemMessage
    | UserMessage
    | AssistantMessage
    | ToolResultMessage
    | BashMessage
    | CustomMessage
    | BranchSummaryMessage
    | CompactionSummaryMessage
    | Unknown,
    Field(discriminator="role"),
]


# Entries: the nodes of the session tree


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry(Kept):
    """`timestamp` is ISO 8601, unlike the milliseconds of a message."""

    id: str = ""
    parent_id: str | None = None
    timestamp: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEntry(_Entry):
    type: Literal["message"] = "message"
    message: Message = Unknown()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChangeEntry(_Entry):
    type: Literal["model_change"] = "model_change"
    provider: str = ""
    model_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingLevelEntry(_Entry):
    type: Literal["thinking_level_change"] = "thinking_level_change"
    thinking_level: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageEntry(_Entry):
    type: Literal["usage"] = "usage"
    kind: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionEntry(_Entry):
    type: Literal["compaction"] = "compaction"
    summary: str = ""
    first_kept_entry_id: str = ""
    tokens_before: Whole | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchSummaryEntry(_Entry):
    type: Literal["branch_summary"] = "branch_summary"
    from_id: str | None = None
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEntry(_Entry):
    """State of an extension; not shown in the chat."""

    type: Literal["custom"] = "custom"
    custom_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomMessageEntry(_Entry):
    type: Literal["custom_message"] = "custom_message"
    custom_type: str = ""
    content: Content = field(default_factory=list[Part])
    display: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextEditEntry(_Entry):
    """`replacement` null takes the target out of what the model sees; pi does so with an answer that is retried."""

    type: Literal["context_edit"] = "context_edit"
    target_id: str = ""
    replacement: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelEntry(_Entry):
    """An absent `label` removes the one that `target_id` had."""

    type: Literal["label"] = "label"
    target_id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfoEntry(_Entry):
    type: Literal["session_info"] = "session_info"
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEntry(_Entry):
    """An entry of a type that pitui does not know. It still has its place in the tree."""

    type: Literal["?"] = "?"
    name: str = ""
    raw: Any = None


KnownEntry = (
    MessageEntry
    | ModelChangeEntry
    | ThinkingLevelEntry
    | UsageEntry
    | CompactionEntry
    | BranchSummaryEntry
    | CustomEntry
    | CustomMessageEntry
    | ContextEditEntry
    | LabelEntry
    | SessionInfoEntry
)
Entry = Annotated[KnownEntry | UnknownEntry, Field(discriminator="type")]
