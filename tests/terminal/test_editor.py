"""Another editor has the terminal while pi goes on."""

import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.conversation import Place
from tests.terminal.screen import Terminal

EDITOR = """
import sys, pathlib
file = pathlib.Path(sys.argv[1])
print("the editor has:", file.read_text().replace(chr(10), "|"), flush=True)
words = input("words: ")
file.write_text(file.read_text() + words)
if words.startswith("wait"):
    input("saved ")
sys.exit(words.startswith("fail"))
"""

ENDED = """
import os, pathlib, signal, sys
file = pathlib.Path(sys.argv[1])
def end(*_):
    file.with_name(file.name + ".save").write_text(file.read_text() + "and not saved")
    sys.exit(1)
signal.signal(signal.SIGTERM, end)
file.write_text(file.read_text() + "saved, ")
os.kill(os.getppid(), int(os.environ["HOW"]))
signal.pause()
"""

LATE = """
import os, pathlib, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_IGN)
file, pitui = pathlib.Path(sys.argv[1]), os.getppid()
print("open", flush=True)
while os.getppid() == pitui:
    time.sleep(0.01)
file.write_text(file.read_text() + "and saved late")
"""


def drafts(place: Place) -> str:
    (file,) = place.home.rglob("prompts.db")
    with closing(sqlite3.connect(file)) as database:
        return "\n".join(words for (words,) in database.execute("SELECT words FROM draft"))


def test_another_editor_has_the_terminal_and_pi_goes_on(tmp_path: Path) -> None:
    place = Place.make(tmp_path)
    script = tmp_path / "editor.py"
    script.write_text(EDITOR)
    environment = place.environment(VISUAL=f"{sys.executable} {script}")
    lines = "|".join(f"line {number}" for number in range(12))
    with Terminal([sys.executable, "-m", "pitui", "--demo"], place.project, environment) as terminal:
        terminal.wait("thoughtful")
        terminal.type('#tool bash {"command":"sleep 1; echo it-went-on"}\r')
        terminal.wait("sleep 1")
        terminal.paste(lines.replace("|", "\r"))
        terminal.wait("[paste 12 lines]")
        terminal.press("ctrl+g")
        terminal.wait("the editor has: line 0|")
        assert 1049 not in terminal.modes()
        terminal.press("ctrl+c")
        terminal.wait("KeyboardInterrupt")
        terminal.wait("ended with")
        terminal.wait_gone("Traceback")
        terminal.wait("[paste 12 lines]")
        terminal.press("ctrl+g")
        terminal.wait("words:")
        terminal.type(" and more\r")
        terminal.wait("[paste 12 lines] and more")
        terminal.wait("it-went-on")
        terminal.press("ctrl+g")
        terminal.wait("words:")
        terminal.type("fail\r")
        terminal.wait("What was saved in it comes with ↑")
        terminal.wait("[paste 12 lines] and more")
        terminal.press("up")
        terminal.wait("[paste 12 lines] and morefail")


def test_every_field_of_several_lines_can_be_written_in_another_editor(tmp_path: Path) -> None:
    place = Place.make(tmp_path)
    script = tmp_path / "editor.py"
    script.write_text(EDITOR)
    environment = place.environment(VISUAL=f"{sys.executable} {script}")
    command = [sys.executable, "-m", "pitui", "--demo", "-e", "asking-extension.ts"]

    with Terminal(command, place.project, environment, (120, 30)) as terminal:

        def writes(before: str, words: str) -> None:
            terminal.press("ctrl+g")
            terminal.wait(f"the editor has: {before}")
            terminal.wait("words:")
            terminal.type(f"{words}\r")
            terminal.wait_gone("the editor has")

        terminal.wait("thoughtful")
        terminal.type("/ask-editor\r")
        terminal.wait("Ctrl+G your editor")
        writes("Line 1|Line 2|Line 3", " of the note")
        terminal.wait("Line 3 of the note")
        terminal.press("ctrl+s")
        terminal.wait("Line 1\\nLine 2\\nLine 3 of the note")
        terminal.paste("\r".join(f"line {number}" for number in range(12)))
        terminal.wait("[paste 12 lines]")
        terminal.type("\x1bo")
        terminal.wait("Alt+O writes it out")
        writes("line 0|line 1|", " of the paste")
        terminal.wait("line 11 of the paste")
        terminal.type("\x1bo")
        terminal.wait_gone("Alt+O writes it out")
        terminal.press("ctrl+c")
        terminal.type('#tool bash {"command":"sleep 30"}\r')
        terminal.wait("sleep 30")
        terminal.type("wait\r")
        terminal.wait("1 wait")
        terminal.press("f6", "f6", "f6", "ctrl+e")
        terminal.wait("Ctrl+G your editor")
        writes("wait", " a while")
        terminal.wait("wait a while")
        terminal.press("enter")
        terminal.wait("1 wait a while")


def test_what_was_saved_in_another_editor_comes_back_after_pitui_was_killed(tmp_path: Path) -> None:
    place = Place.make(tmp_path)
    script = tmp_path / "editor.py"
    script.write_text(EDITOR)
    environment = place.environment(VISUAL=f"{sys.executable} {script}")
    command = [sys.executable, "-m", "pitui", "--demo"]
    with Terminal(command, place.project, environment) as terminal:
        terminal.wait("thoughtful")
        terminal.type("begun, ")
        terminal.press("ctrl+g")
        terminal.wait("words:")
        terminal.type("wait for it\r")
        terminal.wait("saved")
        terminal.wait(lambda _: "begun, wait for it" in drafts(place))
        os.kill(terminal.process.pid, signal.SIGKILL)
    with Terminal(command, place.project, environment) as terminal:
        terminal.wait("begun, wait for it")
        terminal.wait("Your draft is back")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_what_is_written_in_another_editor_comes_back_after_pitui_had_to_end(
    tmp_path: Path, how: signal.Signals
) -> None:
    place = Place.make(tmp_path)
    script = tmp_path / "editor.py"
    script.write_text(ENDED)
    environment = place.environment(VISUAL=f"{sys.executable} {script}", HOW=str(int(how)))
    command = [sys.executable, "-m", "pitui", "--demo"]
    with Terminal(command, place.project, environment) as terminal:
        terminal.wait("thoughtful")
        terminal.type("begun, ")
        terminal.wait("begun,")
        terminal.press("ctrl+g")
        assert terminal.exit_code() == 128 + how
        assert terminal.attributes() == terminal.attributes_before
    with Terminal(command, place.project, environment) as terminal:
        terminal.wait("begun, saved, and not saved")


@pytest.mark.parametrize("begun", ["begun, ", ""])
def test_what_another_editor_saves_after_pitui_was_killed_comes_back(tmp_path: Path, begun: str) -> None:
    place = Place.make(tmp_path)
    script = tmp_path / "editor.py"
    script.write_text(LATE)
    environment = place.environment(VISUAL=f"{sys.executable} {script}")
    command = [sys.executable, "-m", "pitui", "--demo"]
    with Terminal(command, place.project, environment) as terminal:
        terminal.wait("thoughtful")
        terminal.type(begun)
        terminal.press("ctrl+g")
        terminal.wait("open")
        (file,) = place.home.rglob("prompt.md")
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.process.wait()
        while file.read_text() != f"{begun}and saved late":
            time.sleep(0.01)
    with Terminal(command, place.project, environment) as terminal:
        terminal.wait(f"▌ {begun}and saved late")
        terminal.wait(lambda _: not file.parent.exists())
        terminal.wait(lambda _: f'["{begun}and saved late"]' == drafts(place))
