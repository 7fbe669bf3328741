"""What pitui's companion in pi is asked and what it says; both travel in records of pi, as companion.ts describes."""

import json
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from pitui.rpc.errors import AnswerUnreadable, RequestRefused
from pitui.rpc.reading import UnreadableError, Wire, read
from pitui.rpc.records import SetStatus
from pitui.rpc.requests import Prompt
from pitui.rpc.results import Envelope, Model

R = TypeVar("R")

COMMAND = "pitui"
_EVENT = "pitui:event"
_ANSWER = "pitui:res:"


class TreeMoved(Wire):
    """The conversation goes on from another entry; None is before the first."""

    type: Literal["tree_moved"] = "tree_moved"
    leaf_id: str | None = None


class Compacted(Wire):
    type: Literal["compacted"] = "compacted"
    entry_id: str = ""


class ModelChanged(Wire):
    type: Literal["model_changed"] = "model_changed"
    model: Model = Model()


class SessionEnded(Wire):
    """The extensions are about to be unloaded. `reason` is reload, new, resume or fork."""

    type: Literal["session_ended"] = "session_ended"
    reason: str = ""


class SessionStarted(Wire):
    """The extensions are loaded. `reason` is startup, reload, new, resume or fork."""

    type: Literal["session_started"] = "session_started"
    reason: str = ""


class DialogsEnded(Wire):
    """No question of an extension is open any more."""

    type: Literal["dialogs_ended"] = "dialogs_ended"


class ModelsUnread(Wire):
    """pi could not take in the file that tells of more models; why."""

    type: Literal["models_unread"] = "models_unread"
    problem: str = ""


Event = TreeMoved | Compacted | ModelChanged | SessionEnded | SessionStarted | DialogsEnded | ModelsUnread
_EVENTS: TypeAdapter[Any] = TypeAdapter(Annotated[Event, Field(discriminator="type")])


class _Outcome(Wire):
    ok: bool = False
    error: str = ""


_OUTCOME: TypeAdapter[_Outcome] = TypeAdapter(_Outcome)


def is_from_companion(record: SetStatus) -> bool:
    return record.status_key.startswith("pitui:")


def encode_ask(id_: str, operation: str, fields: dict[str, Any]) -> Prompt:
    """The prompt that asks it. Fields that are None are left out."""
    given = {to_camel(name): value for name, value in fields.items() if value is not None}
    return Prompt(f"/{COMMAND} {json.dumps({'id': id_, 'op': operation, **given})}", streaming_behavior="steer")


def answered_id(record: SetStatus) -> str | None:
    """The id of the request that this answers; None when it answers none."""
    return record.status_key.removeprefix(_ANSWER) if record.status_key.startswith(_ANSWER) else None


def read_answer(operation: str, text: str, result: type[R]) -> R:
    """What it answered. Raises RequestRefused with its words, and AnswerUnreadable."""
    try:
        outcome = read(_OUTCOME, text.encode())
        if not outcome.ok:
            raise RequestRefused(operation, outcome.error)
        adapter: TypeAdapter[Any] = TypeAdapter(cast(Any, Envelope)[result])
        data: R | None = read(adapter, text.encode()).data
    except (UnreadableError, ValidationError) as error:
        raise AnswerUnreadable(operation, str(error)) from error
    return result() if data is None else data


def read_event(record: SetStatus) -> Event | None:
    """What happened; None when it tells nothing that is known here."""
    if record.status_key != _EVENT:
        return None
    try:
        event: Event = read(_EVENTS, (record.status_text or "").encode())
    except (UnreadableError, ValidationError):
        return None
    return event
