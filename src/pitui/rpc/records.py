"""Everything pi says: events, the questions of extensions, and answers to requests; and how a line becomes one.

From pi's ``json.md``, ``rpc-extension-ui.md`` and ``rpc-commands.md``, and from what pi 1.6.0 really sends.
``agent_end.messages`` and ``turn_end.*`` repeat what was said before and are not declared.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from pitui.rpc.messages import Content, Entry, Message, Text, ToolCallPart, Unknown, UnknownEntry, Usage
from pitui.rpc.reading import Amount, UnreadableError, Whole, Wire, as_unknown, load, read

# Runs, turns and messages


class AgentStart(Wire):
    type: Literal["agent_start"] = "agent_start"


class AgentEnd(Wire):
    """One low-level run ended; pi may go on by itself until AgentSettled."""

    type: Literal["agent_end"] = "agent_end"
    will_retry: bool = False


class AgentSettled(Wire):
    """pi will do nothing more by itself. `aborted` exists since 1.1.0."""

    type: Literal["agent_settled"] = "agent_settled"
    aborted: bool | None = None


class TurnStart(Wire):
    type: Literal["turn_start"] = "turn_start"


class TurnEnd(Wire):
    type: Literal["turn_end"] = "turn_end"


class MessageStart(Wire):
    type: Literal["message_start"] = "message_start"
    message: Message = Unknown()


class MessageEnd(Wire):
    """The authoritative message: it replaces what the deltas gave."""

    type: Literal["message_end"] = "message_end"
    message: Message = Unknown()


class _Delta(Wire):
    content_index: Whole = 0


class StreamStart(Wire):
    type: Literal["start"] = "start"


class TextStart(_Delta):
    type: Literal["text_start"] = "text_start"


class TextDelta(_Delta):
    type: Literal["text_delta"] = "text_delta"
    delta: str = ""


class TextEnd(_Delta):
    type: Literal["text_end"] = "text_end"
    content: str | None = None


class ThinkingStart(_Delta):
    type: Literal["thinking_start"] = "thinking_start"


class ThinkingDelta(_Delta):
    type: Literal["thinking_delta"] = "thinking_delta"
    delta: str = ""


class ThinkingEnd(_Delta):
    type: Literal["thinking_end"] = "thinking_end"
    content: str | None = None


class ToolCallStart(_Delta):
    """`id` and `tool_name` are there since 0.84.3."""

    type: Literal["toolcall_start"] = "toolcall_start"
    id: str = ""
    tool_name: str = ""


class ToolCallDelta(_Delta):
    """A piece of the arguments as JSON text."""

    type: Literal["toolcall_delta"] = "toolcall_delta"
    delta: str = ""


class ToolCallEnd(_Delta):
    type: Literal["toolcall_end"] = "toolcall_end"
    tool_call: ToolCallPart | None = None


class StreamDone(Wire):
    """Admitted by pi's types, though its agent loop turns it into MessageEnd."""

    type: Literal["done"] = "done"
    reason: str = ""
    message: Message | None = None


class StreamError(Wire):
    type: Literal["error"] = "error"
    reason: str = ""
    error: Message | None = None


Delta = Annotated[
    TextDelta
    | ThinkingDelta
    | ToolCallDelta
    | TextStart
    | TextEnd
    | ThinkingStart
    | ThinkingEnd
    | ToolCallStart
    | ToolCallEnd
    | StreamStart
    | StreamDone
    | StreamError
    | Unknown,
    Field(discriminator="type"),
]


class MessageUpdate(Wire):
    """One change of the assistant's message. Cumulative snapshots of versions before 0.84 are not declared.

    `usage` is only final in MessageEnd, and not declared either: this is the record that comes thousands of times.
    """

    type: Literal["message_update"] = "message_update"
    assistant_message_event: Delta = StreamStart()


# Tools, bash, queue, state


class ToolResult(Wire):
    """`details` is the tool's own; ``structuredContent`` repeats `content` and is not declared."""

    content: Content = []
    details: Any = None


class ToolExecutionStart(Wire):
    """`parent_tool_call_id` is set for calls made by another tool (ids like ``<parent>/1``); undocumented."""

    type: Literal["tool_execution_start"] = "tool_execution_start"
    tool_call_id: str = ""
    tool_name: str = ""
    args: dict[str, Any] = {}
    parent_tool_call_id: str | None = None


class ToolExecutionUpdate(Wire):
    """`partial_result` replaces the one before it. pi repeats the arguments in each; they are not declared."""

    type: Literal["tool_execution_update"] = "tool_execution_update"
    tool_call_id: str = ""
    tool_name: str = ""
    partial_result: ToolResult = ToolResult()
    parent_tool_call_id: str | None = None


class ToolExecutionEnd(Wire):
    type: Literal["tool_execution_end"] = "tool_execution_end"
    tool_call_id: str = ""
    tool_name: str = ""
    result: ToolResult = ToolResult()
    is_error: bool = False
    duration_ms: Amount | None = None
    parent_tool_call_id: str | None = None


class BashExecutionUpdate(Wire):
    """A chunk of the output of a ``bash`` request, told apart by that request's `id`."""

    type: Literal["bash_execution_update"] = "bash_execution_update"
    id: str = ""
    delta: str = ""


class QueueUpdate(Wire):
    """Both lists are whole."""

    type: Literal["queue_update"] = "queue_update"
    steering: list[Text] = []
    follow_up: list[Text] = []


class EntryAppended(Wire):
    type: Literal["entry_appended"] = "entry_appended"
    entry: Entry = UnknownEntry()


class SessionInfoChanged(Wire):
    """An absent name means that it was cleared."""

    type: Literal["session_info_changed"] = "session_info_changed"
    name: str = ""


class ThinkingLevelChanged(Wire):
    type: Literal["thinking_level_changed"] = "thinking_level_changed"
    level: str = ""


class CompactionOutcome(Wire):
    summary: str = ""
    first_kept_entry_id: str = ""
    tokens_before: Whole | None = None
    estimated_tokens_after: Whole | None = None
    usage: Usage | None = None


class CompactionStart(Wire):
    """`reason` is manual, threshold or overflow."""

    type: Literal["compaction_start"] = "compaction_start"
    reason: str = ""


class CompactionEnd(Wire):
    type: Literal["compaction_end"] = "compaction_end"
    reason: str = ""
    result: CompactionOutcome | None = None
    aborted: bool = False
    will_retry: bool = False
    error_message: str = ""


class AutoRetryStart(Wire):
    type: Literal["auto_retry_start"] = "auto_retry_start"
    attempt: Whole = 0
    max_attempts: Whole = 0
    delay_ms: Amount = 0
    error_message: str = ""


class AutoRetryEnd(Wire):
    type: Literal["auto_retry_end"] = "auto_retry_end"
    success: bool = False
    attempt: Whole = 0
    final_error: str = ""


class SummarizationRetryScheduled(Wire):
    type: Literal["summarization_retry_scheduled"] = "summarization_retry_scheduled"
    attempt: Whole = 0
    max_attempts: Whole = 0
    delay_ms: Amount = 0
    error_message: str = ""


class SummarizationRetryAttemptStart(Wire):
    """`source` is compaction or branchSummary."""

    type: Literal["summarization_retry_attempt_start"] = "summarization_retry_attempt_start"
    source: str = ""
    reason: str = ""


class SummarizationRetryFinished(Wire):
    type: Literal["summarization_retry_finished"] = "summarization_retry_finished"


class ExtensionError(Wire):
    type: Literal["extension_error"] = "extension_error"
    extension_path: str = ""
    event: str = ""
    error: str = ""


# The questions and statements of extensions


class _UiRequest(Wire):
    type: Literal["extension_ui_request"] = "extension_ui_request"
    id: str = ""


class Select(_UiRequest):
    """`timeout` is milliseconds; pi says nothing when it runs out."""

    method: Literal["select"] = "select"
    title: str = ""
    options: list[Text] = []
    timeout: Amount | None = None


class Confirm(_UiRequest):
    method: Literal["confirm"] = "confirm"
    title: str = ""
    message: str = ""
    timeout: Amount | None = None


class Input(_UiRequest):
    method: Literal["input"] = "input"
    title: str = ""
    placeholder: str = ""
    timeout: Amount | None = None


class Editor(_UiRequest):
    method: Literal["editor"] = "editor"
    title: str = ""
    prefill: str = ""


class Notify(_UiRequest):
    """`notify_type` is info, warning or error."""

    method: Literal["notify"] = "notify"
    message: str = ""
    notify_type: str = "info"


class SetStatus(_UiRequest):
    """An absent text clears the status."""

    method: Literal["setStatus"] = "setStatus"
    status_key: str = ""
    status_text: str | None = None


class SetWidget(_UiRequest):
    """Absent lines clear the widget; `widget_placement` is aboveEditor or belowEditor."""

    method: Literal["setWidget"] = "setWidget"
    widget_key: str = ""
    widget_lines: list[Text] | None = None
    widget_placement: str = "aboveEditor"


class SetTitle(_UiRequest):
    method: Literal["setTitle"] = "setTitle"
    title: str = ""


class SetEditorText(_UiRequest):
    method: Literal["set_editor_text"] = "set_editor_text"
    text: str = ""


Dialog = Select | Confirm | Input | Editor
UiRequest = Annotated[Dialog | Notify | SetStatus | SetWidget | SetTitle | SetEditorText, Field(discriminator="method")]


# Answers


class Response(Wire):
    """An answer to a request. Its ``data`` stays in `line` until the one who asked reads it as what it asked for."""

    type: Literal["response"] = "response"
    id: Any = None
    command: str = ""
    success: bool = False
    error: str = ""
    line: bytes = b""


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A line that is not JSON at all."""

    line: bytes
    reason: str


Event = (
    AgentStart
    | AgentEnd
    | AgentSettled
    | TurnStart
    | TurnEnd
    | MessageStart
    | MessageUpdate
    | MessageEnd
    | ToolExecutionStart
    | ToolExecutionUpdate
    | ToolExecutionEnd
    | BashExecutionUpdate
    | QueueUpdate
    | EntryAppended
    | SessionInfoChanged
    | ThinkingLevelChanged
    | CompactionStart
    | CompactionEnd
    | AutoRetryStart
    | AutoRetryEnd
    | SummarizationRetryScheduled
    | SummarizationRetryAttemptStart
    | SummarizationRetryFinished
    | ExtensionError
)
_Incoming = Annotated[Event | UiRequest | Response | Unknown, Field(discriminator="type")]
Record = Event | Dialog | Notify | SetStatus | SetWidget | SetTitle | SetEditorText | Response | Unknown | Unparsed
_ANSWER_HEAD = re.compile(rb'\{"id":"([^"\\]*)","type":"response","command":"([^"\\]*)","success":true,"data":[{\[]')
_UNKNOWN: TypeAdapter[Unknown] = TypeAdapter(Unknown)
_RECORD: TypeAdapter[Any] = TypeAdapter(_Incoming)


def decode(line: bytes) -> Record:
    """The record of one line without its LF. Never raises: what cannot be read becomes Unknown or Unparsed."""
    try:
        record: Record = read(_RECORD, line)
    except UnreadableError as error:
        return Unparsed(line, str(error))
    except ValidationError:
        return _UNKNOWN.validate_python(as_unknown(load(line)))
    return _with_line(record, line)


def decode_plain(line: bytes) -> Record | None:
    """As `decode`, for a line that is just what pi documents; None for one that takes `decode` and its time."""
    try:
        return _with_line(_RECORD.validate_json(line), line)
    except ValidationError:
        return None


def decode_answer(line: bytes) -> Response | None:
    """As `decode`, for a success as pi writes it, by its head alone; None for any other line.

    Whether the rest is JSON at all shows when the one who asked reads it.
    """
    head = _ANSWER_HEAD.match(line)
    if head is None:
        return None
    id_, command = (group.decode("utf-8", "replace") for group in head.groups())
    return Response(id=id_, command=command, success=True, line=line)


def _with_line(record: Record, line: bytes) -> Record:
    return record.model_copy(update={"line": line}) if isinstance(record, Response) else record
