"""Esc stops what runs. What was queued comes back: steering, then follow-ups, then what was being typed."""

import re

import pytest

from tests.e2e.conftest import Start
from tests.e2e.person import send, stand_below_each_other, wait_for_answer

TOOL = '#say Working.\n#tool bash {"command":"echo started; sleep 30; echo late"}'
STREAM = "#say Streaming.\n#md 200000"
RETRY = "#fail 529 overloaded_error"


@pytest.mark.parametrize(
    ("script", "begun"),
    [
        pytest.param(TOOL, r"^ +started", id="tool"),
        pytest.param(STREAM, r"^ +Streaming\.", id="stream"),
        pytest.param(RETRY, "retrying 3/3", id="retry"),
    ],
)
def test_escape_brings_queued_words_back(start: Start, script: str, begun: str) -> None:
    terminal = start(LAB_TPS="200")
    send(terminal, script)
    terminal.wait(re.compile(begun, re.MULTILINE).search)
    send(terminal, "turn left")
    terminal.wait("Steering")
    terminal.type("then tell me")
    terminal.press("alt+enter")
    terminal.wait("Follow-up")
    terminal.type("half a thought")
    terminal.wait("half a thought")
    terminal.press("escape")
    terminal.wait(lambda text: stand_below_each_other(text, "turn left", "then tell me", "half a thought"))
    terminal.press("ctrl+c")
    terminal.wait_gone("half a thought")
    send(terminal, "#say Still here.")
    wait_for_answer(terminal, "Still here.")


def test_escape_pressed_twice_does_no_harm(start: Start) -> None:
    terminal = start()
    send(terminal, TOOL)
    wait_for_answer(terminal, "started")
    send(terminal, "turn left")
    terminal.wait("Steering")
    terminal.press("escape", "escape")
    terminal.wait(lambda text: "Steering" not in text and text.count("turn left") == 1)
    terminal.press("ctrl+c")
    terminal.wait_gone("turn left")
    send(terminal, "#say Still here.")
    wait_for_answer(terminal, "Still here.")


def test_words_sent_just_before_escape_are_in_the_chat_or_in_the_prompt_once(start: Start) -> None:
    terminal = start()
    send(terminal, TOOL)
    wait_for_answer(terminal, "started")
    send(terminal, "turn left")
    terminal.press("escape")
    terminal.wait("stopped before it was complete")
    terminal.wait(lambda text: "Steering" not in text and text.count("turn left") == 1)
