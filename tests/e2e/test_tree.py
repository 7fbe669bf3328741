"""The tree in a real terminal, over the demo agent and the real pi: going back, taking another way, and returning."""

import re

from pitui.companion import COMPANION
from tests.e2e.conftest import Start
from tests.e2e.person import opens_the_tree, send, wait_for_answer


def test_a_person_goes_back_takes_another_way_and_returns(start: Start) -> None:
    terminal = start("--companion", str(COMPANION))
    for word in ("First.", "Second."):
        send(terminal, f"#say {word}")
        wait_for_answer(terminal, word)
    opens_the_tree(terminal)
    terminal.type("#say second")
    terminal.wait("1 found")
    terminal.press("enter")
    terminal.wait("Continue here, with a summary")
    terminal.press("enter")
    terminal.wait("It goes on from here.")
    terminal.wait(lambda screen: not re.search(r"^ *Second\.", screen, re.MULTILINE))
    terminal.wait("▌ #say Second.")  # in the editor, to be changed and sent again
    terminal.press(*["backspace"] * len("Second."))
    terminal.wait(lambda screen: re.search(r"^▌ #say *$", screen, re.MULTILINE))
    terminal.type("Third.")
    terminal.press("enter")
    wait_for_answer(terminal, "Third.")

    opens_the_tree(terminal)
    terminal.wait(lambda screen: "├─" in screen and "└─" in screen)
    terminal.press("end", "enter")
    terminal.wait("Continue here, with a summary")
    terminal.press("enter")
    wait_for_answer(terminal, "Second.")
    terminal.type("\x1bz")
    wait_for_answer(terminal, "Third.")
