"""Every command of pi's RPC mode as a typed value, the type of its answer, and the bytes of both kinds of line we send.

A field that is None or empty is left out of the line: pi takes no JSON null (a line that is ``null`` ends it).
"""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast

from pydantic import TypeAdapter
from pydantic.alias_generators import to_camel

from pitui.rpc import results
from pitui.rpc.entries import read_in_pieces
from pitui.rpc.messages import ImagePart
from pitui.rpc.reading import read

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
PIECE = 1 << 18
"""Characters encoded at a time."""


@dataclass(frozen=True)
class Request(Generic[R_co]):
    """A command whose answer carries an `R_co`."""

    wire_type: ClassVar[str]
    result: ClassVar[type[Any]]
    nullable: ClassVar[bool] = False


Images = tuple[ImagePart, ...]


@dataclass(frozen=True)
class Prompt(Request[results.Disposition]):
    """Always name `streaming_behavior`: it is harmless when idle, and without it a busy pi refuses.

    Answered only when extension hooks, a command's dialogs and image resizing are done: allow minutes.
    """

    wire_type: ClassVar = "prompt"
    result: ClassVar = results.Disposition
    message: str
    images: Images = ()
    streaming_behavior: Literal["steer", "followUp"] | None = None


@dataclass(frozen=True)
class Steer(Request[results.Disposition]):
    """Only for a busy pi: an idle one queues it and starts nothing."""

    wire_type: ClassVar = "steer"
    result: ClassVar = results.Disposition
    message: str
    images: Images = ()


@dataclass(frozen=True)
class FollowUp(Request[results.Disposition]):
    """Only for a busy pi: an idle one queues it and starts nothing."""

    wire_type: ClassVar = "follow_up"
    result: ClassVar = results.Disposition
    message: str
    images: Images = ()


@dataclass(frozen=True)
class Abort(Request[results.Nothing]):
    """Answered when pi is idle. Does not stop `bash`, does not answer dialogs, keeps the queue."""

    wire_type: ClassVar = "abort"
    result: ClassVar = results.Nothing


@dataclass(frozen=True)
class ClearQueue(Request[results.Queues]):
    """Send it before Abort."""

    wire_type: ClassVar = "clear_queue"
    result: ClassVar = results.Queues


@dataclass(frozen=True)
class NewSession(Request[results.Cancelled]):
    wire_type: ClassVar = "new_session"
    result: ClassVar = results.Cancelled
    parent_session: str | None = None


@dataclass(frozen=True)
class GetState(Request[results.State]):
    wire_type: ClassVar = "get_state"
    result: ClassVar = results.State


@dataclass(frozen=True)
class GetMessages(Request[results.Messages]):
    wire_type: ClassVar = "get_messages"
    result: ClassVar = results.Messages


@dataclass(frozen=True)
class SetModel(Request[results.Model]):
    """For this session only."""

    wire_type: ClassVar = "set_model"
    result: ClassVar = results.Model
    provider: str
    model_id: str


@dataclass(frozen=True)
class CycleModel(Request[results.ModelChoice | None]):
    wire_type: ClassVar = "cycle_model"
    result: ClassVar = results.ModelChoice
    nullable: ClassVar = True


@dataclass(frozen=True)
class GetAvailableModels(Request[results.Models]):
    wire_type: ClassVar = "get_available_models"
    result: ClassVar = results.Models


@dataclass(frozen=True)
class SetThinkingLevel(Request[results.Nothing]):
    """pi turns a level that it does not know into ``off`` without a word."""

    wire_type: ClassVar = "set_thinking_level"
    result: ClassVar = results.Nothing
    level: str


@dataclass(frozen=True)
class CycleThinkingLevel(Request[results.LevelChoice | None]):
    wire_type: ClassVar = "cycle_thinking_level"
    result: ClassVar = results.LevelChoice
    nullable: ClassVar = True


@dataclass(frozen=True)
class GetAvailableThinkingLevels(Request[results.Levels]):
    wire_type: ClassVar = "get_available_thinking_levels"
    result: ClassVar = results.Levels


QueueMode = Literal["all", "one-at-a-time"]


@dataclass(frozen=True)
class SetSteeringMode(Request[results.Nothing]):
    """Writes the user's settings of pi."""

    wire_type: ClassVar = "set_steering_mode"
    result: ClassVar = results.Nothing
    mode: QueueMode


@dataclass(frozen=True)
class SetFollowUpMode(Request[results.Nothing]):
    """Writes the user's settings of pi."""

    wire_type: ClassVar = "set_follow_up_mode"
    result: ClassVar = results.Nothing
    mode: QueueMode


@dataclass(frozen=True)
class Compact(Request[results.Compacted]):
    """Stops a running answer first. Failures come twice: as an event and as the answer."""

    wire_type: ClassVar = "compact"
    result: ClassVar = results.Compacted
    custom_instructions: str | None = None


@dataclass(frozen=True)
class SetAutoCompaction(Request[results.Nothing]):
    """Writes the user's settings of pi."""

    wire_type: ClassVar = "set_auto_compaction"
    result: ClassVar = results.Nothing
    enabled: bool


@dataclass(frozen=True)
class SetAutoRetry(Request[results.Nothing]):
    """Writes the user's settings of pi."""

    wire_type: ClassVar = "set_auto_retry"
    result: ClassVar = results.Nothing
    enabled: bool


@dataclass(frozen=True)
class AbortRetry(Request[results.Nothing]):
    wire_type: ClassVar = "abort_retry"
    result: ClassVar = results.Nothing


@dataclass(frozen=True)
class Bash(Request[results.BashResult]):
    """Several may run at once; output comes as BashExecutionUpdate with this request's id."""

    wire_type: ClassVar = "bash"
    result: ClassVar = results.BashResult
    command: str
    exclude_from_context: bool = False


@dataclass(frozen=True)
class AbortBash(Request[results.Nothing]):
    """Kills all of them."""

    wire_type: ClassVar = "abort_bash"
    result: ClassVar = results.Nothing


@dataclass(frozen=True)
class GetSessionStats(Request[results.Stats]):
    wire_type: ClassVar = "get_session_stats"
    result: ClassVar = results.Stats


@dataclass(frozen=True)
class ExportHtml(Request[results.Exported]):
    """A relative path is relative to the folder that pi was started in."""

    wire_type: ClassVar = "export_html"
    result: ClassVar = results.Exported
    output_path: str | None = None


@dataclass(frozen=True)
class SwitchSession(Request[results.Cancelled]):
    """A path that does not exist succeeds: pi makes a new session there. Check first."""

    wire_type: ClassVar = "switch_session"
    result: ClassVar = results.Cancelled
    session_path: str


@dataclass(frozen=True)
class Fork(Request[results.Forked]):
    """A new session of what came before a user message, whose text is given back."""

    wire_type: ClassVar = "fork"
    result: ClassVar = results.Forked
    entry_id: str


@dataclass(frozen=True)
class Clone(Request[results.Cancelled]):
    wire_type: ClassVar = "clone"
    result: ClassVar = results.Cancelled


@dataclass(frozen=True)
class GetForkMessages(Request[results.ForkMessages]):
    wire_type: ClassVar = "get_fork_messages"
    result: ClassVar = results.ForkMessages


@dataclass(frozen=True)
class GetEntries(Request[results.Entries]):
    """All entries in the order of the file, or those strictly after `since`."""

    wire_type: ClassVar = "get_entries"
    result: ClassVar = results.Entries
    since: str | None = None


@dataclass(frozen=True)
class GetRawEntries(Request[results.RawEntries]):
    """All entries for writing them to a file: nothing in them is left out."""

    wire_type: ClassVar = "get_entries"
    result: ClassVar = results.RawEntries


@dataclass(frozen=True)
class GetTree(Request[results.Tree]):
    """Nests one level per entry, and past about 3,000 entries pi itself fails on it. GetEntries is what to use."""

    wire_type: ClassVar = "get_tree"
    result: ClassVar = results.Tree


@dataclass(frozen=True)
class GetLastAssistantText(Request[results.LastText]):
    wire_type: ClassVar = "get_last_assistant_text"
    result: ClassVar = results.LastText


@dataclass(frozen=True)
class SetSessionName(Request[results.Nothing]):
    """An empty name is refused."""

    wire_type: ClassVar = "set_session_name"
    result: ClassVar = results.Nothing
    name: str


@dataclass(frozen=True)
class GetCommands(Request[results.Commands]):
    wire_type: ClassVar = "get_commands"
    result: ClassVar = results.Commands


REQUESTS: tuple[type[Request[Any]], ...] = tuple(cast(list[type[Request[Any]]], Request.__subclasses__()))


# The answers to dialogs: no id of ours, no response to them


@dataclass(frozen=True)
class Value:
    """The answer to a select, input or editor. An empty text is an answer."""

    value: str


@dataclass(frozen=True)
class Confirmed:
    confirmed: bool


@dataclass(frozen=True)
class Dismissed:
    cancelled: Literal[True] = True


Answer = Value | Confirmed | Dismissed


def read_answer(request: Request[R], line: bytes) -> R:
    """What a successful response line answers to `request`. Raises UnreadableError and ValidationError as `read`."""
    if isinstance(request, GetEntries) and (entries := read_in_pieces(line)) is not None:
        return cast(R, entries)
    data = read(_envelope(request.result), line).data
    if data is None and not request.nullable:
        data = request.result()
    return cast(R, data)


@cache
def _envelope(result: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, results.Envelope)[result])


def encode(request: Request[Any], id_: str) -> bytes:
    """The line of a request, LF included."""
    fields: dict[str, Any] = {"id": id_, "type": request.wire_type}
    for field in dataclasses.fields(request):
        value = getattr(request, field.name)
        if value is None or value == ():
            continue
        if field.name == "images":
            value = [{"type": image.type, "data": image.data, "mimeType": image.mime_type} for image in value]
        fields[to_camel(field.name)] = value
    return _line(fields)


def encode_answer(dialog_id: str, answer: Answer) -> bytes:
    """The line of an answer to a dialog, LF included: exactly the dialog's id and the one field of its kind."""
    return _line({"type": "extension_ui_response", "id": dialog_id, **dataclasses.asdict(answer)})


def _line(fields: dict[str, Any]) -> bytes:
    # Lone surrogates of a paste cannot be encoded; ASCII escapes carry everything and hold no separator of lines.
    return "".join([*_json(fields), "\n"]).encode("ascii")


def _json(value: Any) -> Iterator[str]:
    """JSON in pieces, so that a thread that encodes a long text lets the others run in between."""
    if isinstance(value, str) and len(value) > PIECE:
        yield '"'
        for start in range(0, len(value), PIECE):
            yield json.dumps(value[start : start + PIECE])[1:-1]
        yield '"'
    elif isinstance(value, dict | list | tuple):
        named = isinstance(value, dict)
        yield "{" if named else "["
        items: list[Any] = list(cast(Any, value.items() if named else value))
        for index, item in enumerate(items):
            yield ", " if index else ""
            if named:
                yield f"{json.dumps(item[0])}: "
            yield from _json(item[1] if named else item)
        yield "}" if named else "]"
    else:
        yield json.dumps(value)
