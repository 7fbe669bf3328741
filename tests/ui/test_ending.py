"""When pi dies, or never comes: it is said at once, nothing is lost, and a key starts it again."""

import os
import signal
from pathlib import Path

from tests.ui.person import Person, at_a_told_pi, at_the_demo, child_of_this


async def ended(person: Person) -> None:
    os.kill(child_of_this(), signal.SIGKILL)
    await person.sees("pi ended (exit 137): Enter starts it again; what you wrote stays")


async def test_enter_starts_pi_again_on_the_same_session(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("hello")
        await person.until(lambda: person.said() and person.is_idle())
        await ended(person)
        assert "You said: hello" in person.screen()
        file = person.agent.session.file
        await person.press("enter")
        await person.until(person.is_idle)
        assert person.agent.session.file == file
        await person.sends("again")
        await person.sees("You said: again")
        assert person.asked() == ["hello", "again"]


async def test_what_is_written_stays_when_pi_is_gone(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await ended(person)
        await person.types("important")
        await person.press("enter")
        await person.until(person.is_idle)
        assert person.prompt.text == "important"
        assert person.prompt.has_focus
        assert person.asked() == []


async def test_an_action_that_needs_pi_says_why_it_cannot_be(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await ended(person)
        await person.press("ctrl+l")
        await person.sees("pi is not running: /restart")
        await person.sends("/restart")
        await person.until(person.is_idle)


async def test_a_prompt_on_its_way_comes_back_when_pi_dies() -> None:
    async with at_a_told_pi() as (person, told):
        await person.sends("on its way")
        await person.until(lambda: told.sent("prompt"))
        told.pi.exits(1, "boom")
        await person.sees("pi ended (exit 1)")
        assert person.prompt.text == "on its way"
        await person.press("ctrl+c")
        await person.sends("/stderr")
        await person.sees("boom")


async def test_a_running_pi_is_only_started_again_when_the_person_means_it(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        child = child_of_this()
        await person.sends("/restart")
        await person.sees("pi is running.")
        await person.press("escape")
        assert child_of_this() == child
        await person.sends("/restart")
        await person.sees("pi is running.")
        await person.press("right", "enter")
        await person.until(lambda: child_of_this() not in (0, child) and person.is_idle())
        assert "pi ended" not in person.screen()
