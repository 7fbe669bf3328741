"""However it ends, the terminal is as it was and nothing is left running; and a pi that dies can be started again."""

import os
import signal

import pytest

from tests.e2e.conftest import Start
from tests.e2e.person import send
from tests.terminal.screen import MODERN, PLAIN, Terminal


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def assert_nothing_is_left(terminal: Terminal, children: list[int]) -> None:
    terminal.assert_as_before()
    assert children
    assert [pid for pid in children if alive(pid)] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_a_signal_leaves_the_terminal_as_it_was(start: Start, number: signal.Signals, busy: bool) -> None:
    terminal = start()
    if busy:
        send(terminal, "#say Streaming.\n#md 200000")
        terminal.wait("What I found")
    children = terminal.descendants()
    terminal.process.send_signal(number)
    assert terminal.exit_code() == 128 + number
    assert_nothing_is_left(terminal, children)


@pytest.mark.parametrize("known_modes", [PLAIN, MODERN], ids=["plain", "modern"])
def test_leaving_by_key_leaves_the_terminal_as_it_was(start: Start, known_modes: frozenset[int]) -> None:
    terminal = start(known_modes=known_modes)
    children = terminal.descendants()
    terminal.press("ctrl+q")
    assert terminal.exit_code() == 0
    assert_nothing_is_left(terminal, children)


def test_a_killed_pi_is_told_and_started_again_on_the_same_session(start: Start) -> None:
    terminal = start()
    send(terminal, "#say Remember the word pineapple.")
    terminal.wait(lambda text: text.count("pineapple") == 2)
    for pid in terminal.descendants():
        os.kill(pid, signal.SIGKILL)
    terminal.wait("Enter starts it again", seconds=5)
    terminal.press("enter")
    terminal.wait_gone("Enter starts it again")
    terminal.wait(lambda text: text.count("pineapple") == 2)
    send(terminal, "#say And the word mango.")
    terminal.wait(lambda text: text.count("mango") == 2)
    terminal.wait(lambda text: text.count("pineapple") == 2)


def test_what_is_written_when_pi_dies_is_kept(start: Start) -> None:
    terminal = start()
    terminal.type("half a thought")
    terminal.wait("half a thought")
    for pid in terminal.descendants():
        os.kill(pid, signal.SIGKILL)
    terminal.wait("Enter starts it again", seconds=5)
    terminal.wait("half a thought")
