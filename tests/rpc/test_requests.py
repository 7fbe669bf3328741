"""What we send is what pi's documents say."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc import requests as ask
from pitui.rpc.messages import ImagePart

IMAGE = ImagePart(data="iVBORw0KGgo=", mime_type="image/png")
DOCUMENTED: list[tuple[ask.Request[Any], dict[str, Any]]] = [
    (ask.Prompt("Hello"), {"type": "prompt", "message": "Hello"}),
    (
        ask.Prompt("Hello", images=(IMAGE,), streaming_behavior="followUp"),
        {
            "type": "prompt",
            "message": "Hello",
            "images": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}],
            "streamingBehavior": "followUp",
        },
    ),
    (ask.Steer("Stop"), {"type": "steer", "message": "Stop"}),
    (ask.FollowUp("Then"), {"type": "follow_up", "message": "Then"}),
    (ask.Abort(), {"type": "abort"}),
    (ask.ClearQueue(), {"type": "clear_queue"}),
    (ask.NewSession(), {"type": "new_session"}),
    (ask.NewSession("/s/a.jsonl"), {"type": "new_session", "parentSession": "/s/a.jsonl"}),
    (ask.GetState(), {"type": "get_state"}),
    (ask.GetMessages(), {"type": "get_messages"}),
    (ask.SetModel("anthropic", "claude"), {"type": "set_model", "provider": "anthropic", "modelId": "claude"}),
    (ask.CycleModel(), {"type": "cycle_model"}),
    (ask.GetAvailableModels(), {"type": "get_available_models"}),
    (ask.SetThinkingLevel("high"), {"type": "set_thinking_level", "level": "high"}),
    (ask.CycleThinkingLevel(), {"type": "cycle_thinking_level"}),
    (ask.GetAvailableThinkingLevels(), {"type": "get_available_thinking_levels"}),
    (ask.SetSteeringMode("all"), {"type": "set_steering_mode", "mode": "all"}),
    (ask.SetFollowUpMode("one-at-a-time"), {"type": "set_follow_up_mode", "mode": "one-at-a-time"}),
    (ask.Compact(), {"type": "compact"}),
    (ask.Compact("Keep the code"), {"type": "compact", "customInstructions": "Keep the code"}),
    (ask.SetAutoCompaction(False), {"type": "set_auto_compaction", "enabled": False}),
    (ask.SetAutoRetry(True), {"type": "set_auto_retry", "enabled": True}),
    (ask.AbortRetry(), {"type": "abort_retry"}),
    (ask.Bash("ls -la"), {"type": "bash", "command": "ls -la", "excludeFromContext": False}),
    (ask.Bash("ls", True), {"type": "bash", "command": "ls", "excludeFromContext": True}),
    (ask.AbortBash(), {"type": "abort_bash"}),
    (ask.GetSessionStats(), {"type": "get_session_stats"}),
    (ask.ExportHtml(), {"type": "export_html"}),
    (ask.ExportHtml("/tmp/x.html"), {"type": "export_html", "outputPath": "/tmp/x.html"}),
    (ask.SwitchSession("/s/b.jsonl"), {"type": "switch_session", "sessionPath": "/s/b.jsonl"}),
    (ask.Fork("abc123"), {"type": "fork", "entryId": "abc123"}),
    (ask.Clone(), {"type": "clone"}),
    (ask.GetForkMessages(), {"type": "get_fork_messages"}),
    (ask.GetEntries(), {"type": "get_entries"}),
    (ask.GetEntries("abc123"), {"type": "get_entries", "since": "abc123"}),
    (ask.GetRawEntries(), {"type": "get_entries"}),
    (ask.GetTree(), {"type": "get_tree"}),
    (ask.GetLastAssistantText(), {"type": "get_last_assistant_text"}),
    (ask.SetSessionName("my work"), {"type": "set_session_name", "name": "my work"}),
    (ask.GetCommands(), {"type": "get_commands"}),
]
COMMANDS = """prompt steer follow_up abort clear_queue new_session get_state get_messages set_model cycle_model
get_available_models set_thinking_level cycle_thinking_level get_available_thinking_levels set_steering_mode
set_follow_up_mode compact set_auto_compaction set_auto_retry abort_retry bash abort_bash get_session_stats export_html
switch_session fork clone get_fork_messages get_entries get_tree get_last_assistant_text set_session_name
get_commands""".split()


def decoded(line: bytes) -> dict[str, Any]:
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    return json.loads(line)


@pytest.mark.parametrize(("request_", "fields"), DOCUMENTED, ids=lambda value: getattr(value, "wire_type", ""))
def test_a_request_is_sent_as_documented(request_: ask.Request[Any], fields: dict[str, Any]):
    assert decoded(ask.encode(request_, "req-1")) == {"id": "req-1", **fields}


def test_every_command_of_the_protocol_is_there():
    assert {request.wire_type for request in ask.REQUESTS} == set(COMMANDS)
    assert {type(request) for request, _ in DOCUMENTED} == set(ask.REQUESTS)


@given(st.text(st.characters()))  # lone surrogates among them: pastes hold them
def test_any_text_goes_over_as_it_is_in_one_line_of_ascii(text: str):
    line = ask.encode(ask.Prompt(text), "1")
    assert line.isascii()
    assert decoded(line).get("message", "") == text


def test_a_text_that_is_encoded_in_pieces_is_the_same_text():
    text = ('"\\\n\u2028é👩' * ask.PIECE)[: 3 * ask.PIECE + 1]
    request = ask.Prompt("look", images=(ImagePart(data=text, mime_type="image/png"),))
    assert decoded(ask.encode(ask.Prompt(text), "1"))["message"] == text
    assert decoded(ask.encode(request, "1"))["images"][0]["data"] == text


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (ask.Value("Blue"), {"value": "Blue"}),
        (ask.Value(""), {"value": ""}),
        (ask.Confirmed(True), {"confirmed": True}),
        (ask.Confirmed(False), {"confirmed": False}),
        (ask.Dismissed(), {"cancelled": True}),
    ],
)
def test_a_dialog_is_answered_with_its_own_id_and_one_field(answer: ask.Answer, field: dict[str, Any]):
    assert decoded(ask.encode_answer("d1", answer)) == {"type": "extension_ui_response", "id": "d1", **field}
