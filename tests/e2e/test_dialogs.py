"""Extensions ask, and get what the person said; or hear that they would not say."""

from tests.e2e.conftest import Start
from tests.e2e.person import send
from tests.terminal.screen import Terminal

TITLES = {
    "select": "Pick a colour",
    "confirm": "Clear everything?",
    "input": "Your name",
    "editor": "Edit the note",
}


def question(terminal: Terminal, title: str) -> None:
    """A key pressed before the hints are there would go to the prompt."""
    terminal.wait(lambda screen: title in screen and "Esc dismiss" in screen)


def ask(terminal: Terminal, kind: str) -> None:
    send(terminal, f"/ask-{kind}")
    question(terminal, TITLES[kind])


def test_each_question_is_answered(start: Start) -> None:
    terminal = start()
    ask(terminal, "select")
    terminal.press("down", "down", "enter")
    terminal.wait('ask-select: "Blue"')
    ask(terminal, "select")
    terminal.type("gre")
    terminal.press("enter")
    terminal.wait('ask-select: "Green"')
    ask(terminal, "confirm")
    terminal.type("y")
    terminal.wait("ask-confirm: true")
    ask(terminal, "input")
    terminal.type("Ada")
    terminal.press("enter")
    terminal.wait('ask-input: "Ada"')
    ask(terminal, "editor")
    terminal.press("ctrl+end")
    terminal.type(", changed")
    terminal.press("ctrl+s")
    terminal.wait("Line 3, changed")


def test_right_and_enter_pressed_quickly_say_yes(start: Start) -> None:
    terminal = start()
    ask(terminal, "confirm")
    terminal.press("right", "enter")
    terminal.wait("ask-confirm: true", seconds=5)


def test_each_question_is_put_away_with_escape(start: Start) -> None:
    terminal = start()
    for kind, told in (("select", "nothing"), ("confirm", "false"), ("input", "nothing"), ("editor", "nothing")):
        ask(terminal, kind)
        terminal.press("escape")
        terminal.wait(f"ask-{kind}: {told}")


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
