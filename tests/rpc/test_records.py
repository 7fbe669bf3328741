"""Whatever a line holds becomes a record, and what pi documents becomes what it means."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitui.rpc import messages, records
from pitui.rpc.messages import Unknown
from pitui.rpc.reading import Kept
from pitui.rpc.records import Record, Response, Unparsed, decode, decode_plain

RECORDINGS = sorted((Path(__file__).parent.parent / "recordings").rglob("*.jsonl"))

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=8), children, max_size=4),
    max_leaves=12,
)


def line_of(value: Any) -> bytes:
    return json.dumps(value).encode()


def known_types() -> list[type[Any]]:
    return [*get_args(records.Event), *get_args(get_args(records.UiRequest)[0]), Response]


def documented() -> st.SearchStrategy[dict[str, Any]]:
    """A record of a known type whose fields hold anything at all."""

    def of(kind: type[Any]) -> st.SearchStrategy[dict[str, Any]]:
        tags = {name: field.default for name, field in kind.model_fields.items() if name in ("type", "method")}
        aliases = [field.alias or name for name, field in kind.model_fields.items() if name not in tags]
        return st.fixed_dictionaries({name: st.just(tag) for name, tag in tags.items()}).flatmap(
            lambda tagged: (
                st.dictionaries(st.sampled_from(aliases), VALUES).map(lambda fields: tagged | fields)
                if aliases
                else st.just(tagged)
            )
        )

    return st.sampled_from(known_types()).flatmap(of)


_TAGS = "text thinking toolCall image user assistant toolResult text_delta message ? done".split()
_NAMES = "type role content text message arguments id usage cost entry contentIndex raw".split()
VALUES = st.recursive(
    JSON | st.sampled_from(_TAGS),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(st.sampled_from(_NAMES), children | st.sampled_from(_TAGS), max_size=5)
    ),
    max_leaves=16,
)


@given(st.binary())
def test_no_bytes_are_too_strange(line: bytes):
    record = decode(line)
    assert isinstance(record, Unparsed | Unknown | records.Wire)


@given(JSON)
def test_no_json_is_too_strange(value: Any):
    decode(line_of(value))


@settings(max_examples=200)
@given(documented())
def test_a_record_of_a_known_type_keeps_its_type_whatever_its_fields_hold(value: dict[str, Any]):
    record = decode(line_of(value))
    assert getattr(record, "type", None) == value["type"]
    record.model_dump_json()  # every text in it can be written somewhere


@given(documented())
def test_the_quick_way_reads_what_the_thorough_one_reads(value: dict[str, Any]):
    quick = decode_plain(line_of(value))
    if quick is not None:
        assert quick == decode(line_of(value))


@pytest.mark.parametrize("kind", known_types(), ids=lambda kind: kind.__name__)
def test_every_documented_type_is_read_from_its_name_alone(kind: type[Any]):
    tags = {name: field.default for name, field in kind.model_fields.items() if name in ("type", "method")}
    assert type(decode(line_of(tags))) is kind


DELTAS = [
    ({"type": "start"}, records.StreamStart()),
    ({"type": "text_start", "contentIndex": 1}, records.TextStart(content_index=1)),
    ({"type": "text_delta", "contentIndex": 1, "delta": "a"}, records.TextDelta(content_index=1, delta="a")),
    ({"type": "text_end", "contentIndex": 1, "content": "ab"}, records.TextEnd(content_index=1, content="ab")),
    ({"type": "thinking_start", "contentIndex": 0}, records.ThinkingStart()),
    ({"type": "thinking_delta", "contentIndex": 0, "delta": "h"}, records.ThinkingDelta(delta="h")),
    ({"type": "thinking_end", "contentIndex": 0, "content": "hm"}, records.ThinkingEnd(content="hm")),
    (
        {"type": "toolcall_start", "contentIndex": 2, "id": "c1", "toolName": "read"},
        records.ToolCallStart(content_index=2, id="c1", tool_name="read"),
    ),
    (
        {"type": "toolcall_delta", "contentIndex": 2, "delta": '{"p'},
        records.ToolCallDelta(content_index=2, delta='{"p'),
    ),
    (
        {"type": "toolcall_end", "contentIndex": 2, "toolCall": {"type": "toolCall", "id": "c1", "name": "read"}},
        records.ToolCallEnd(content_index=2, tool_call=messages.ToolCallPart(id="c1", name="read")),
    ),
    (
        {"type": "done", "reason": "stop", "message": {"role": "assistant", "content": "hi"}},
        records.StreamDone(reason="stop", message=messages.AssistantMessage(content=[messages.TextPart(text="hi")])),
    ),
    (
        {"type": "error", "reason": "aborted", "error": {"role": "assistant", "errorMessage": "no"}},
        records.StreamError(reason="aborted", error=messages.AssistantMessage(error_message="no")),
    ),
]


@pytest.mark.parametrize(("event", "delta"), DELTAS, ids=lambda value: getattr(value, "type", ""))
def test_every_change_of_a_message_is_typed(event: dict[str, Any], delta: records.Delta):
    record = decode(line_of({"type": "message_update", "assistantMessageEvent": event}))
    assert record == records.MessageUpdate(assistant_message_event=delta)


def test_separators_of_lines_inside_a_text_stay_in_it():
    text = "left\u2028mid\u2029right\u0085nel\vvt\fff end"
    for line in (
        line_of({"type": "extension_ui_request", "method": "setTitle", "title": text}),
        json.dumps({"type": "extension_ui_request", "method": "setTitle", "title": text}, ensure_ascii=False).encode(),
    ):
        assert decode(line) == records.SetTitle(title=text)


# A later pi says things that this one does not know


def test_an_unknown_record_is_kept_whole_under_its_name():
    value = {"type": "hologram_started", "phase": 3}
    assert decode(line_of(value)) == Unknown(name="hologram_started", raw=value)


def test_an_unknown_question_of_an_extension_is_kept_under_its_method():
    value = {"type": "extension_ui_request", "id": "u1", "method": "showHologram", "title": "new"}
    record = decode(line_of(value))
    assert isinstance(record, Unknown)
    assert (record.name, record.raw["id"]) == ("showHologram", "u1")


def test_an_unknown_role_is_kept_and_its_event_still_counts():
    message = {"role": "futureRole", "content": [{"type": "hologram", "z": 1}]}
    record = decode(line_of({"type": "message_end", "message": message}))
    assert isinstance(record, records.MessageEnd)
    assert record.message == Unknown(name="futureRole", raw=message)


def test_an_unknown_part_stands_at_its_place_beside_known_ones():
    content = [{"type": "audio", "data": "AAAA"}, {"type": "text", "text": "known text"}, {"no": "type"}, None, "bare"]
    message = {"role": "assistant", "content": content, "stopReason": "paused_by_policy", "newField": {"x": [1]}}
    record = decode(line_of({"type": "message_end", "message": message}))
    assert isinstance(record, records.MessageEnd)
    assert isinstance(record.message, messages.AssistantMessage)
    assert record.message.stop_reason == "paused_by_policy"
    audio, text, *others = record.message.content
    assert audio == Unknown(name="audio", raw=content[0])
    assert text == messages.TextPart(text="known text")
    assert [other.raw for other in others if isinstance(other, Unknown)] == content[2:]


def test_an_unknown_change_of_a_message_is_kept():
    event = {"type": "audio_delta", "contentIndex": 0, "delta": "zzz"}
    record = decode(line_of({"type": "message_update", "assistantMessageEvent": event}))
    assert record == records.MessageUpdate(assistant_message_event=Unknown(name="audio_delta", raw=event))


def test_an_unknown_entry_keeps_what_says_its_place_in_the_tree():
    entry = {"type": "future", "id": "e2", "parentId": "e1", "timestamp": "2026-01-01T00:00:00.000Z", "x": 1}
    record = decode(line_of({"type": "entry_appended", "entry": entry}))
    assert isinstance(record, records.EntryAppended)
    assert isinstance(record.entry, messages.UnknownEntry)
    assert (record.entry.name, record.entry.id, record.entry.parent_id) == ("future", "e2", "e1")
    assert record.entry.raw == entry


@pytest.mark.parametrize("number", ["1e309", "-1e309", "NaN", "Infinity", "1e300", str(10**400)])
def test_a_number_that_can_mean_nothing_costs_that_field_only(number: str) -> None:
    line = f'{{"type": "auto_retry_start", "attempt": {number}, "delayMs": {number}, "errorMessage": "busy"}}'
    assert decode(line.encode()) == records.AutoRetryStart(error_message="busy")


def test_a_field_of_the_wrong_type_costs_that_field_only():
    line = line_of({"type": "queue_update", "steering": [{"text": "an object"}, "a text"], "followUp": None})
    assert decode(line) == records.QueueUpdate(steering=["an object", "a text"])
    line = line_of({"type": "tool_execution_end", "toolCallId": "c1", "isError": "so so", "durationMs": "long"})
    assert decode(line) == records.ToolExecutionEnd(tool_call_id="c1")
    assert decode(line_of({"type": "session_info_changed", "name": None})) == records.SessionInfoChanged()


def test_null_where_an_old_or_damaged_session_has_it():
    message = {"role": "assistant", "content": None, "usage": None, "stopReason": None}
    record = decode(line_of({"type": "message_end", "message": message}))
    assert record == records.MessageEnd(message=messages.AssistantMessage())
    assert decode(line_of({"type": "compaction_end", "result": None})) == records.CompactionEnd()


def test_an_extension_may_send_half_a_character():
    record = decode(b'{"type":"extension_ui_request","method":"notify","message":"a \\ud83d b \\ud83d\\ude00"}')
    assert record == records.Notify(message="a \ufffd b 😀")


def test_damaged_utf8_is_shown_as_such():
    record = decode(b'{"type":"extension_ui_request","method":"notify","message":"caf\xe9"}')
    assert record == records.Notify(message="caf\ufffd")


def test_what_is_no_json_is_kept_with_the_reason():
    record = decode(b"npm warn deprecated")
    assert isinstance(record, Unparsed)
    assert record.line == b"npm warn deprecated"
    assert record.reason


# An older pi says everything again and again


def test_the_snapshots_of_old_versions_are_not_kept():
    snapshot = {"role": "assistant", "content": [{"type": "text", "text": "tok " * 1000}]}
    event = {"type": "text_delta", "contentIndex": 0, "delta": "tok ", "partial": snapshot}
    record = decode(line_of({"type": "message_update", "message": snapshot, "assistantMessageEvent": event}))
    assert record == records.MessageUpdate(assistant_message_event=records.TextDelta(delta="tok "))
    assert "tok tok" not in repr(record)


@pytest.mark.parametrize("type_", ["agent_end", "turn_end"])
def test_the_messages_that_an_end_repeats_are_not_kept(type_: str):
    said = [{"role": "user", "content": "said before"}]
    record = decode(line_of({"type": type_, "messages": said, "message": said[0], "toolResults": said}))
    assert "said before" not in repr(record)


# What the real pi said


def said_in(recording: Path) -> list[bytes]:
    entries = [json.loads(line) for line in recording.read_bytes().splitlines()]
    return [line_of(entry["record"]) for entry in entries if entry["to"] == "client" and "record" in entry]


def unknown_in(value: Any) -> list[str]:
    """The names of everything in a record that was not understood."""
    if isinstance(value, Unknown | messages.UnknownEntry):
        return [value.name]
    if isinstance(value, list):
        return [name for item in value for name in unknown_in(item)]
    if isinstance(value, records.Wire):
        return [name for field in type(value).model_fields for name in unknown_in(getattr(value, field))]
    if isinstance(value, Kept):
        return [name for field in fields(value) for name in unknown_in(getattr(value, field.name))]
    return []


def test_there_are_recordings():
    assert RECORDINGS


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.stem)
def test_everything_the_real_pi_said_is_understood(recording: Path):
    for line in said_in(recording):
        record: Record = decode(line)
        assert not isinstance(record, Unparsed)
        assert unknown_in(record) == []
        if "\ufffd" not in record.model_dump_json():  # a provider may tear a character in two, which takes a repair
            assert decode_plain(line) == record


@pytest.mark.parametrize("recording", RECORDINGS[:3], ids=lambda path: path.stem)
def test_no_cut_of_what_pi_said_is_too_strange(recording: Path):
    for line in said_in(recording)[:40]:
        for at in range(0, len(line), 7):
            assert isinstance(decode(line[:at]), Unparsed)
