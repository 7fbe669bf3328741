"""What waits is changed while a tool runs; the model gets it as the person left it, each prompt once."""

import base64
import json

import pytest

from tests.e2e.conftest import Start
from tests.e2e.conversation import Place
from tests.e2e.person import send, wait_for_answer
from tests.terminal.screen import Terminal

TOOL = '#tool bash {"command":"echo started; until [ -e go-on ]; do sleep 0.1; done"}\n#then\n#say Done.'
UP, DOWN, RIGHT = "\x1b[1;2A", "\x1b[1;2B", "\x1b[1;2C"
"""With Shift."""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def queue_of(terminal: Terminal) -> list[str]:
    """The rows of the pane: a lane's name, or a prompt after its number."""
    rows = [row[82:].strip(" ─│") for row in terminal.rows]
    title = next((number for number, row in enumerate(rows) if row.startswith("Queue")), len(rows))
    return rows[title + 1 : next((number for number, row in enumerate(rows) if row.startswith("Alt+Up")), title + 1)]


def waits_for(terminal: Terminal, *texts: str) -> None:
    """Until the prompts of the pane begin with these."""
    terminal.wait(
        lambda _: (
            len(rows := [row[2:] for row in queue_of(terminal) if row[:1].isdigit()]) == len(texts)
            and all(row.startswith(text) for row, text in zip(rows, texts, strict=True))
        )
    )


def said(place: Place) -> list[tuple[str, int]]:
    """The prompts in the session file, each with how many images it has."""
    found: list[tuple[str, int]] = []
    for file in place.home.rglob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            message = json.loads(line).get("message") or {}
            if message.get("role") == "user":
                parts = message["content"]
                parts = [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
                text = "".join(part.get("text", "") for part in parts)
                found.append((text.split("\n")[0], sum(part["type"] == "image" for part in parts)))
    return found


@pytest.mark.timeout(180)
@pytest.mark.parametrize("agent_words", ["pi"], indirect=True)  # the shell of the demo cannot wait for a file
def test_the_model_gets_what_waited_as_the_person_left_it(start: Start, place: Place) -> None:
    (place.project / "dot.png").write_bytes(base64.b64decode(PIXEL))
    terminal = start()
    send(terminal, TOOL)
    wait_for_answer(terminal, "started")
    terminal.type("look at ")
    terminal.paste("dot.png")
    terminal.wait("[dot.png")
    terminal.press("enter")
    waits_for(terminal, "look at")
    send(terminal, "turn right")
    waits_for(terminal, "look at", "turn right")
    for text in ("then rest", "at last"):
        terminal.type(text)
        terminal.press("alt+enter")
    waits_for(terminal, "look at", "turn right", "then rest", "at last")
    terminal.press("f6", "f6", "f6", "down")
    terminal.type(UP)
    waits_for(terminal, "turn right", "look at", "then rest", "at last")
    terminal.press("ctrl+e")
    terminal.wait("Edit what waits")
    terminal.type(" twice")
    terminal.press("enter")
    waits_for(terminal, "turn right twice", "look at", "then rest", "at last")
    terminal.press("end")
    terminal.type(RIGHT)
    waits_for(terminal, "turn right twice", "look at", "at last", "then rest")
    terminal.press("down")
    terminal.type(" ")
    terminal.wait(lambda _: any(row.endswith("held") for row in queue_of(terminal)))
    (place.project / "go-on").touch()
    terminal.wait(
        lambda _: "working" not in terminal.text and [row[2:11] for row in queue_of(terminal)[1:]] == ["then rest"]
    )
    first, *rest = said(place)
    assert first[0].startswith("#tool")
    assert rest == [("turn right twice", 0), ("look at dot.png", 1), ("at last", 0)]
    terminal.type(" ")
    wait_for_answer(terminal, "You said: then rest")
    terminal.wait(lambda _: "working" not in terminal.text)
    assert said(place)[4:] == [("then rest", 0)]
