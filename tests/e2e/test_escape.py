"""Esc stops what runs. What was queued comes back: steering, then follow-ups, then what was being typed."""

import json
import re

import pytest

from tests.e2e.conftest import Start
from tests.e2e.conversation import Place
from tests.e2e.person import send, stand_below_each_other, wait_for_answer
from tests.terminal.screen import Terminal

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
    gives_everything_back_at_escape(terminal, "turn left", "then tell me", "half a thought")


LONG_SUMMARY = {"LAB_TPS": "4000", "LAB_CHUNK": "1000"}
"""An answer of 41,000 characters takes two seconds, a summary at length takes twelve."""


def test_escape_in_a_compaction_by_hand_brings_back_what_waits_for_its_end(start: Start) -> None:
    terminal = start(**LONG_SUMMARY)
    for number in ("one", "two"):
        send(terminal, f"#say Part {number}.\n#md 41000\n#say End of part {number}.")
        wait_for_answer(terminal, f"End of part {number}.")
    send(terminal, "/compact write at length")
    terminal.wait("compacting…")
    send(terminal, "turn left")
    terminal.wait("1 waits")
    terminal.type("then tell me")
    terminal.press("alt+enter")
    terminal.wait("2 wait")
    terminal.type("half a thought")
    gives_everything_back_at_escape(terminal, "turn left", "then tell me", "half a thought")


@pytest.mark.parametrize("agent_words", ["pi"], indirect=True)  # the demo agent compacts only by hand
def test_escape_in_a_compaction_that_pi_began_brings_queued_words_back(start: Start, place: Place) -> None:
    settings = place.home / ".pi/agent/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"compaction": {"reserveTokens": 190_000, "keepRecentTokens": 1000}}), "utf-8")
    terminal = start(**LONG_SUMMARY)
    send(terminal, "#say Told at length.")
    wait_for_answer(terminal, "Told at length.")
    send(terminal, "#md 41000")
    terminal.wait("compacting…")
    send(terminal, "turn left")
    terminal.wait("Steering")
    terminal.type("then tell me")
    terminal.press("alt+enter")
    terminal.wait("Follow-up")
    terminal.type("half a thought")
    gives_everything_back_at_escape(terminal, "turn left", "then tell me", "half a thought")


def gives_everything_back_at_escape(terminal: Terminal, *texts: str) -> None:
    """And is idle then: the next prompt is answered, and nothing of this is."""
    terminal.wait(texts[-1])
    terminal.press("escape")
    terminal.wait(lambda screen: stand_below_each_other(screen, *texts))
    terminal.press("ctrl+c")
    terminal.wait_gone(texts[-1])
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
