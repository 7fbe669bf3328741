"""Extensions ask, and get what the person said; or hear that they would not say."""

import time

import pytest

from tests.e2e.conftest import Start
from tests.e2e.person import send
from tests.terminal.screen import Terminal

QUESTIONS = {
    "select": ("Pick a colour", ["down", "down", "enter"], '"Blue"', "nothing"),
    "confirm": ("Clear everything?", ["right", "enter"], "true", "false"),
    "input": ("Your name", ["A", "d", "a", "enter"], '"Ada"', "nothing"),
}


def question(terminal: Terminal, title: str) -> None:
    """A person reads the question before they press a key; one pressed at once would go to the prompt."""
    terminal.wait(title)
    time.sleep(1.5)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_question_is_answered(start: Start, kind: str) -> None:
    title, keys, answer, _ = QUESTIONS[kind]
    terminal = start()
    send(terminal, f"/ask-{kind}")
    question(terminal, title)
    for key in keys:
        terminal.press(key) if len(key) > 1 else terminal.type(key)
    terminal.wait(f"ask-{kind}: {answer}")


@pytest.mark.parametrize("kind", [*QUESTIONS, "editor"])
def test_a_question_is_put_away_with_escape(start: Start, kind: str) -> None:
    title, _, _, nothing = QUESTIONS.get(kind, ("Edit the note", [], "", "nothing"))
    terminal = start()
    send(terminal, f"/ask-{kind}")
    question(terminal, title)
    terminal.press("escape")
    terminal.wait(f"ask-{kind}: {nothing}")


def test_a_select_is_narrowed_by_typing(start: Start) -> None:
    terminal = start()
    send(terminal, "/ask-select")
    question(terminal, "Pick a colour")
    terminal.type("gre")
    terminal.press("enter")
    terminal.wait('ask-select: "Green"')


def test_a_note_is_edited(start: Start) -> None:
    terminal = start()
    send(terminal, "/ask-editor")
    question(terminal, "Edit the note")
    terminal.press("ctrl+end")
    terminal.type(", changed")
    terminal.press("ctrl+s")
    terminal.wait("Line 3, changed")


def test_a_question_that_ran_out_of_time_goes_by_itself(start: Start) -> None:
    terminal = start()
    send(terminal, "/ask-timeout")
    terminal.wait("ask-timeout: false")
    terminal.wait_gone("You have one second.")


def test_a_dangerous_command_runs_only_when_allowed(start: Start) -> None:
    terminal = start()
    send(terminal, '#tool bash {"command":"rm -rf build"}\n#then\n#say Done.')
    question(terminal, "Dangerous command")
    terminal.press("enter")
    terminal.wait("Blocked by the user")


def test_extensions_show_statuses_widgets_and_notices(start: Start) -> None:
    terminal = start()
    send(terminal, "/show-all")
    screen = terminal.wait("Turn 3 running")
    assert "--- below ---" in screen
    assert "--- above ---" not in screen
    assert "second status" not in screen
    assert "text set by an extension" in screen
