"""What reaches the terminal of all that pi says: letters, and nothing that a terminal obeys."""

import json
import os
import re
import sys
from pathlib import Path

from tests import foreign
from tests.foreign import CONTROLS, Json
from tests.render.samples import CONTROLS as OBEYED
from tests.terminal.screen import Terminal

SEQUENCE = re.compile(
    rb"\x1b(?:"
    rb"\[(?P<parameters>[0-?]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    rb"|(?P<string>[]PX^_])[^\x07\x1b]*(?P<end>\x07|\x1b\\)"
    rb"|(?P<other>.))",
    re.DOTALL,
)
PLACED = (b"H", b"m")
"""Ends of sequences that say where and in what colour to write."""


def recording(path: Path, text: str) -> Path:
    """A pi that says `text` everywhere, as a recording of it."""
    answers: list[Json] = [
        {"type": "response", "id": command, "command": command, "success": True, "data": data}
        for command, data in foreign.answers(text).items()
    ]
    said = [*answers, *foreign.records(text), *(foreign.question(method, text) for method in ("confirm", "select"))]
    path.write_text("".join(json.dumps({"t": 0, "to": "client", "record": record}) + "\n" for record in said))
    return path


def written(folder: Path, text: str) -> bytes:
    """All that pitui wrote to its terminal while a person looked around."""
    folder.mkdir()
    command = [sys.executable, "-m", "pitui", "--replay", str(recording(folder / "said.jsonl", text))]
    environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    with Terminal(command, folder, environment, (160, 50)) as terminal:
        terminal.wait("y yes")
        terminal.press("escape")
        terminal.wait("↑↓ move")
        terminal.press("escape")
        terminal.wait_gone("option")
        terminal.press("ctrl+home")
        terminal.wait("thought")
        terminal.press("ctrl+o")
        terminal.wait("result")
        terminal.press("ctrl+c")
        terminal.wait_gone("editor")
        terminal.press("ctrl+q")
        terminal.exit_code()
        return bytes(terminal.raw)


def commands(raw: bytes) -> set[bytes]:
    """What the terminal was told to do: where and in which colours to write is left out, and so are titles."""
    found: set[bytes] = set()
    for match in SEQUENCE.finditer(raw):
        if (
            match["final"] in PLACED
            and not match["between"]
            and match["parameters"][:1] not in (b"<", b"=", b">", b"?")
        ):
            continue
        found.add(match[0].partition(b";")[0] if match["string"] else match[0])
    return found


def controls(raw: bytes) -> set[str]:
    rest = SEQUENCE.sub(b"", raw).decode()
    return {control for control in OBEYED if control in rest}


def test_the_terminal_is_told_nothing_that_it_is_not_told_of_harmless_words(tmp_path: Path) -> None:
    hostile, harmless = written(tmp_path / "hostile", CONTROLS), written(tmp_path / "harmless", "")
    assert commands(hostile) == commands(harmless)
    assert controls(hostile) <= controls(harmless)
    assert b"]0;PWNED" in SEQUENCE.sub(b"", hostile), "titles of tools show what is hidden in them"
