"""A person writes, and sees what comes of it."""

from tests.e2e.conftest import Start
from tests.e2e.person import send
from tests.e2e.scenarios import THREE_TOOLS


def test_the_first_answer_streams_in(start: Start) -> None:
    terminal = start(LAB_TPS="40")
    send(terminal, "#say The beginning, and then quite a few words more before there comes the end.")
    screen = terminal.wait("The beginning,")
    assert "comes the end." not in screen.split("#say")[-1].split("\n", 1)[-1]
    terminal.wait(lambda text: text.count("comes the end.") == 2)


def test_a_turn_with_thinking_three_tools_and_an_edit(start: Start) -> None:
    terminal = start()
    send(terminal, THREE_TOOLS)
    screen = terminal.wait("Three tools and an edit.")
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
    terminal.wait(lambda text: "#say Steered." in text and "#say Followed up." in text)
    terminal.wait(lambda text: text.count("Followed up.") > 1 or "\nFollowed up." in text)
    screen = terminal.wait(lambda text: any(row.strip() == "Followed up." for row in text.split("\n")))
    assert any(row.strip().startswith("Steered.") for row in screen.split("\n"))


def test_a_command_of_the_person_shows_what_it_printed(start: Start) -> None:
    terminal = start()
    send(terminal, "!ls")
    terminal.wait("hello.py")
    send(terminal, "!echo one; exit 3")
    terminal.wait("one")
