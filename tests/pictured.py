"""What the pictures of the README show: sessions of the last days, one of them with branches."""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.ui.tree.grove import NOW, Grove

HALF_AN_HOUR = timedelta(minutes=30)
"""No picture is taken just when an age becomes another one."""

QUICKER = 40
"""Minutes of a grove are as many seconds and a half here."""

OTHERS = (
    (3, "Why does the parser drop the last line?", "It splits at \\n and leaves out what has no end. I mended it."),
    (7, "Write the changelog of 0.3", "Here it is: three things were added and one was mended."),
    (26, "Make the tests of the parser faster", "They read the file once now; 40 s became 3 s."),
    (50, "What would it take to run on Windows?", "Two things use signals; both can stand behind one module."),
    (75, "Rename greet() to welcome() everywhere", "Seven files changed, and the tests pass."),
)
"""Hours ago, a prompt, and its answer."""


def branches() -> Grove:
    """Two ways to greet, the first one left with a summary."""
    grove = Grove()
    grove.prompt("greet", "Greet people by their name, and keep the comma.")
    grove.tool("read", "read", path="hello.py")
    grove.answer("shall", "One line has to change. Shall I use an **f-string**, or `format()`?")
    grove.prompt("format", "Use format(), as the rest of the code does.")
    grove.tool("write", "edit", path="hello.py", edits=[{"oldText": "print('hello', name)", "newText": FORMAT}])
    grove.tool("red", "bash", failed=True, command="pytest -q")
    grove.answer("formatted", "It is done with `format()`, but a test fails: the comma is gone.")
    grove.label("formatted", "with format")
    summary = "The greeting was written with `format()`; the test of the comma failed."
    grove.add("summary", "branch_summary", after="shall", fromId="formatted", summary=summary)
    grove.prompt("string", "Then rather an f-string.")
    grove.tool("edit", "edit", path="hello.py", edits=[{"oldText": "print('hello', name)", "newText": FSTRING}])
    grove.tool("green", "bash", command="pytest -q")
    grove.answer("done", f"## Done\n\nAll tests pass with an f-string:\n\n```python\n{FSTRING}\n```")
    grove.prompt("more", "Say it in the README too.")
    grove.answer("said", "The README shows the new greeting.")
    return grove


OUTPUTS = {
    "read": "def hello(name):\n    print('hello', name)",
    "write": "Successfully replaced 1 block(s) in hello.py.",
    "edit": "Successfully replaced 1 block(s) in hello.py.",
    "red": "test_hello.py:4: assert 'hello {}' == 'hello, {}'\n1 failed, 11 passed in 0.31s",
    "green": "12 passed in 0.30s",
}
"""By the tool call."""
USAGE = {
    "input": 1200,
    "output": 80,
    "cacheRead": 9000,
    "cacheWrite": 400,
    "totalTokens": 10_680,
    "cost": {"input": 0.0036, "output": 0.0012, "cacheRead": 0.0027, "cacheWrite": 0.0015, "total": 0.009},
}
FORMAT = "print('hello, {}'.format(name))"
FSTRING = "print(f'hello, {name}')"


def write_sessions(folder: Path, project: Path) -> Path:
    """The sessions of a project as files; the one with branches is the newest."""
    folder.mkdir()
    for hours, prompt, answer in OTHERS:
        grove = Grove()
        grove.prompt("prompt", prompt)
        grove.answer("answer", answer)
        _write(folder, project, grove, hours)
    return _write(folder, project, branches(), 1, name="greeting")


def workday() -> Grove:
    """Three prompts for which files were changed, and a compaction after the first."""
    grove = Grove()
    grove.prompt("greet", "Greet people by their name, and keep the comma.")
    grove.tool("look", "read", output="def hello(name):\n" * 2400, path="hello.py")
    grove.tool("first", "edit", details=_patch(1, HELLO, GREETING), **_edits("hello.py", HELLO, GREETING))
    grove.answer("greeted", "People are greeted by their name now.")
    grove.prompt("readme", "Say it in the README too, and write a test.")
    summary = "## Goal\nGreet people by their name.\n\n## Done\n- `hello.py` greets with an f-string.\n"
    system = {"role": "system", "content": "", "timestamp": 0}
    compacted = {"summary": summary * 40, "tokensBefore": 31_200, "usage": USAGE, "systemMessage": system}
    grove.add("compaction", "compaction", firstKeptEntryId="readme", **compacted)
    grove.tool("readme-read", "read", output="# hello\n\nSays hello.\n" * 4200, path="README.md")
    grove.tool("readme-edit", "edit", details=_patch(3, USE, USE_NOW), **_edits("README.md", USE, USE_NOW))
    grove.tool("test", "write", path="tests/test_hello.py", content=TEST)
    grove.tool("run", "bash", output="tests/test_hello.py::test_hello PASSED\n" * 1200, command="pytest -v")
    grove.answer("tested", "The README tells of it, and a test holds it.")
    grove.prompt("languages", "And in other languages, please.")
    thought = {"type": "thinking", "thinking": "A table of greetings, by the language. " * 160}
    grove.answer("thought", [thought, {"type": "text", "text": "I shall keep them in a table."}])  # type: ignore[arg-type]
    grove.tool("table", "write", path="src/greetings/languages.py", content=TABLE)
    grove.tool("second", "edit", details=_patch(1, GREETING, POLYGLOT), **_edits("./hello.py", GREETING, POLYGLOT))
    grove.answer("done", "`hello()` takes a language now.\n\n" + "- and it says so\n" * 900)
    return grove


HELLO = ("def hello(name):", "    print('hello', name)")
GREETING = ("def hello(name):", "    print(f'hello, {name}')")
POLYGLOT = ("def hello(name, language='en'):", "    print(f'{GREETINGS[language]}, {name}')")
USE, USE_NOW = ("    hello world",), ("    hello, world", "", "It keeps the comma.")
TEST = """from hello import hello


def test_hello(capsys):
    hello('Ada')
    assert capsys.readouterr().out == 'hello, Ada\\n'
"""
TABLE = "GREETINGS = {\n    'de': 'hallo',\n    'en': 'hello',\n    'fr': 'bonjour',\n}\n"


def _edits(path: str, old: Sequence[str], new: Sequence[str]) -> dict[str, Any]:
    return {"path": path, "edits": [{"oldText": "\n".join(old), "newText": "\n".join(new)}]}


def _patch(line: int, old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """What pi tells of an edit: a line above it and one below are as they were."""
    lines = [" ", *(f"-{text}" for text in old), *(f"+{text}" for text in new), " "]
    return {"patch": f"--- a\n+++ b\n@@ -{line},{len(old) + 2} +{line},{len(new) + 2} @@\n" + "\n".join(lines)}


MORNING = datetime(2026, 11, 30, 9, 5)
FULL = {**USAGE, "input": 4_800, "cacheRead": 41_400, "totalTokens": 46_680}


def told_workday() -> list[dict[str, Any]]:
    """The workday as pi tells it; it was the same time wherever that is."""
    entries = list[dict[str, Any]]()
    for number, told in enumerate(workday().told):
        entry = _told(told, (MORNING + number * timedelta(minutes=4)).astimezone())
        entries.append(entry)
        if entry.get("message", {}).get("role") == "assistant":
            entry["message"]["usage"] = FULL
    return entries


def write_workday(folder: Path, project: Path) -> Path:
    """The workday as the file of a session."""
    folder.mkdir()
    entries = told_workday()
    header = {"type": "session", "version": 3, "id": "work", "timestamp": entries[0]["timestamp"], "cwd": str(project)}
    path = folder / "2026-11-30T08-05-00-000Z_work.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *entries)), "utf-8")
    return path


def _write(folder: Path, project: Path, grove: Grove, hours: int, name: str = "") -> Path:
    id_, written = f"session-{hours}", datetime.now(UTC) - timedelta(hours=hours) - HALF_AN_HOUR
    last = _time_of(grove.told[-1])
    entries = [_told(entry, written - (last - _time_of(entry)) / QUICKER) for entry in grove.told]
    if name:
        entry = {"type": "session_info", "id": "name", "parentId": grove.leaf, "name": name}
        entries.append({**entry, "timestamp": _iso(written)})
    began = entries[0]["timestamp"]
    header: dict[str, Any] = {"type": "session", "version": 3, "id": id_, "timestamp": began, "cwd": str(project)}
    path = folder / f"{NOW:%Y-%m-%dT%H-%M-%S}-000Z_{id_}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *entries)), "utf-8")
    os.utime(path, (written.timestamp(), written.timestamp()))
    return path


def _time_of(entry: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(entry["timestamp"])


def _told(entry: dict[str, Any], when: datetime) -> dict[str, Any]:
    """An entry as pi writes it, at another time."""
    message = entry.get("message", {})
    if isinstance(message.get("content"), str):
        message = {**message, "content": [{"type": "text", "text": message["content"]}]}
    if "role" in message:
        message = {**message, "timestamp": when.timestamp() * 1000}
    if message.get("role") == "toolResult":
        output = OUTPUTS.get(message["toolCallId"])
        content = [{"type": "text", "text": output}] if output else message["content"]
        message = {**message, "content": content, "durationMs": 400}
    if message.get("role") == "assistant":
        message = {**message, "usage": USAGE, "provider": "demo", "model": "thoughtful", "api": "demo"}
    return {**entry, "timestamp": _iso(when), **({"message": message} if message else {})}


def _iso(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
