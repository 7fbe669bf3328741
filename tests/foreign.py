"""A pi that says one text wherever it can say any: what is foreign must be harmless in each of those places."""

from typing import Any

Json = dict[str, Any]

MARKUP = "[/] [ OK ] [a='"
"""What a parser of markup raises on, swallows, or takes for something to click."""

CONTROLS = (
    "\x1b]0;PWNED\x07\x1b]52;c;UFdORUQ=\x07\x1b]8;;http://pwned.example\x1b\\\x1b[31m\x1b[2J\x1b[6n\x1b[?1049l\x1bc"
    "\x1bP+q544e\x1b\\\x1b_G\x1b\\\x9b5m\x90q\x9c\x9d0;PWNED\x9c\x00\x07\x08\x0e\x0f\x7f\x85\x1b["
)
"""Every kind of control: title, clipboard, link, colour, clearing, questions, reset, device control, C1, a torn one."""

TURNS = "\u202e\u2066\u200b"
"""What turns the direction of what follows, and what hides."""

PLACES = (
    *("model-id", "model-name", "provider", "level", "/sessions/file", "described", "source", "fork"),
    *("asked", "thought", "answered", "code", "cell", "tool", "key", "file", "part", "reason", "result"),
    *("shell", "printed", "custom", "injected", "compacted", "branch", "label"),
    *("steered", "picture", "ended", "ran", "output", "edited", "removed", "added", "written", "content"),
    *("uncompacted", "path", "event", "broken", "record", "data", "renamed", "streamed", "retry"),
    *("steer", "follow", "status", "above", "below", "editor", "noticed"),
    *("question", "message", "option", "holder", "prefill", "stderr"),
)
"""The names before the text, wherever it can be seen."""


def answers(text: str) -> Json:
    """By the type of the request: a session with a history, with `text` after the name of each place."""

    def at(place: str) -> str:
        return f"{place}{text}"

    model = {"id": at("model-id"), "name": at("model-name"), "provider": at("provider"), "contextWindow": 100_000}
    return {
        "get_state": {
            "model": model,
            "thinkingLevel": at("level"),
            "isStreaming": False,
            "sessionId": at("id"),
            "sessionFile": at("/sessions/file"),
            "sessionName": at("session"),
        },
        "get_available_models": {"models": [model]},
        "get_available_thinking_levels": {"levels": [at("level")]},
        "get_commands": {"commands": [{"name": "command", "description": at("described"), "source": at("source")}]},
        "get_fork_messages": {"messages": [{"entryId": at("entry"), "text": at("fork")}]},
        "get_entries": {"entries": _entries(text), "leafId": "e7"},
    }


def _entries(text: str) -> list[Json]:
    usage = {"input": 1, "output": 1, "totalTokens": 2}
    messages: list[Json] = [
        {"role": "user", "content": f"asked{text}"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": f"thought{text}"},
                {"type": "text", "text": f"answered{text}\n\n```\ncode{text}\n```\n\n| cell{text} |\n|---|\n| x |"},
                {"type": "toolCall", "id": f"call{text}", "name": f"tool{text}", "arguments": {f"key{text}": text}},
                {"type": "toolCall", "id": "r", "name": "read", "arguments": {"path": f"file{text}"}},
                {"type": f"part{text}"},
            ],
            "usage": usage,
            "stopReason": "error",
            "errorMessage": f"reason{text}",
        },
        {"role": "toolResult", "toolCallId": f"call{text}", "content": [{"type": "text", "text": f"result{text}"}]},
        {"role": "bashExecution", "command": f"shell{text}", "output": f"printed{text}", "exitCode": 0},
        {"role": "custom", "customType": f"custom{text}", "content": f"injected{text}"},
    ]
    entries: list[Json] = [
        {"type": "message", "message": message | {"timestamp": 1000 + number}}
        for number, message in enumerate(messages)
    ]
    entries += [
        {"type": "compaction", "summary": f"compacted{text}", "tokensBefore": 5},
        {"type": "branch_summary", "summary": f"branch{text}", "fromId": "e0"},
        {"type": "label", "targetId": "e0", "label": f"label{text}"},
    ]
    return [
        entry | {"id": f"e{number}", "parentId": f"e{number - 1}" if number else None}
        for number, entry in enumerate(entries)
    ]


def records(text: str) -> list[Json]:
    """What pi says by itself, as `answers`; it works when all of it is said."""
    image = {"type": "image", "data": "AAAA", "mimeType": f"picture{text}"}
    diff = f"--- a\n+++ b\n@@ -1 +1 @@\n-removed{text}\n+added{text}"
    return [
        {"type": "agent_start"},
        _message("user", [{"type": "text", "text": f"steered{text}"}, image]),
        _message("assistant", [{"type": "text", "text": f"ended{text}"}]),
        *_run("1", "bash", {"command": f"ran{text}"}, [{"type": "text", "text": f"output{text}"}], {}, failed=True),
        *_run("2", "edit", {"path": f"edited{text}"}, [{"type": "text", "text": "ok"}], {"patch": diff, "diff": diff}),
        *_run("3", "write", {"path": f"written{text}", "content": f"content{text}"}, [image], None),
        {"type": "compaction_start", "reason": "manual"},
        {"type": "compaction_end", "reason": "manual", "errorMessage": f"uncompacted{text}"},
        {"type": "extension_error", "extensionPath": f"path{text}", "event": f"event{text}", "error": f"broken{text}"},
        {"type": f"record{text}", "data": f"data{text}"},
        {"type": "session_info_changed", "name": f"renamed{text}"},
        {"type": "thinking_level_changed", "level": f"level{text}"},
        {"type": "queue_update", "steering": [f"steer{text}"], "followUp": [f"follow{text}"]},
        _ui("setStatus", statusKey=f"key{text}", statusText=f"status{text}"),
        _ui("setWidget", widgetKey=f"key{text}", widgetLines=[f"above{text}"]),
        _ui("setWidget", widgetKey=f"2{text}", widgetLines=[f"below{text}"], widgetPlacement="belowEditor"),
        _ui("setTitle", title=f"title{text}"),
        _ui("set_editor_text", text=f"editor{text}"),
        _ui("notify", message=f"noticed{text}", notifyType="warning"),
        {"type": "agent_start"},
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        _delta("text", f"streamed{text}"),
        {"type": "auto_retry_start", "attempt": 1, "maxAttempts": 2, "delayMs": 9e6, "errorMessage": f"retry{text}"},
    ]


def question(method: str, text: str) -> Json:
    return _ui(
        method,
        title=f"question{text}",
        message=f"message{text}",
        options=[f"option{text}"],
        placeholder=f"holder{text}",
        prefill=f"prefill{text}",
    )


def _ui(method: str, **fields: Any) -> Json:
    return {"type": "extension_ui_request", "id": f"ui-{method}", "method": method, **fields}


def _message(role: str, content: list[Json]) -> Json:
    message = {"role": role, "content": content, "stopReason": "stop", "timestamp": 2000}
    return {"type": "message_end", "message": message}


def _delta(kind: str, text: str) -> Json:
    return {
        "type": "message_update",
        "assistantMessageEvent": {"type": f"{kind}_delta", "contentIndex": 0, "delta": text},
    }


def _run(id_: str, name: str, args: Json, content: list[Json], details: Any, *, failed: bool = False) -> list[Json]:
    head = {"toolCallId": id_, "toolName": name}
    result = {"content": content, "details": details}
    return [
        {"type": "tool_execution_start", **head, "args": args},
        {"type": "tool_execution_update", **head, "partialResult": result},
        {"type": "tool_execution_end", **head, "result": result, "isError": failed, "durationMs": 5},
    ]
