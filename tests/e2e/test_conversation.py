"""A person writes, and sees what comes of it."""

import re

from tests.e2e.conftest import Start
from tests.e2e.person import send, wait_for_answer
from tests.e2e.scenarios import THREE_TOOLS


def test_the_first_answer_streams_in(start: Start) -> None:
    terminal = start(LAB_TPS="100")
    send(terminal, "#say The beginning.\n#md 300\n#say The end.")
    screen = wait_for_answer(terminal, "The beginning.")
    assert screen.count("The end.") == 1
    screen = wait_for_answer(terminal, "The end.")
    assert "cuts them at \\n alone" in screen


def test_a_turn_with_thinking_three_tools_and_an_edit(start: Start) -> None:
    terminal = start()
    send(terminal, THREE_TOOLS)
    screen = wait_for_answer(terminal, "Three tools and an edit.")
    assert all(name in screen for name in ("bash", "read", "write", "edit"))
    assert "def greet(name):" in screen
    assert "Could not find the exact text" in screen


def test_steering_and_a_follow_up_are_delivered(start: Start) -> None:
    terminal = start()
    send(terminal, '#tool bash {"command":"echo first; sleep 3; echo second"}\n#then\n#say Not reached.')
    terminal.wait("first")
    send(terminal, "#say Steered.")
    terminal.type("#say Followed up.")
    terminal.press("alt+enter")
    terminal.wait(lambda text: "Steering" in text and "Follow-up" in text)
    wait_for_answer(terminal, "Steered.")
    wait_for_answer(terminal, "Followed up.")
    assert "Not reached." not in re.sub("#say .*", "", terminal.text)


def test_alt_enter_of_an_older_terminal_queues_a_follow_up(start: Start) -> None:
    terminal = start()
    send(terminal, '#tool bash {"command":"echo first; sleep 10"}')
    wait_for_answer(terminal, "first")
    terminal.type("#say Followed up.")
    terminal.type("\x1b\r")
    terminal.wait(lambda text: "Follow-up" in text or "Steering" in text)
    terminal.wait("Follow-up", seconds=1)


def test_enter_runs_the_command_that_is_written_however_fast(start: Start) -> None:
    terminal = start()
    terminal.type("/a")
    terminal.wait("/autocompact")
    terminal.type("sk-input\r")
    terminal.wait("Your name", seconds=10)


def test_a_command_of_the_person_shows_what_it_printed(start: Start) -> None:
    terminal = start()
    send(terminal, "!ls")
    terminal.wait("hello.py")
    send(terminal, "!echo one; exit 3")
    terminal.wait("one")
