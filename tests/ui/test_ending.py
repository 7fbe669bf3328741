"""When pi dies, or never comes: it is said at once, nothing is lost, and a key starts it again."""

import os
import signal
from pathlib import Path

from pitui.draft import Draft, Pasted
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


PASTE = "\n".join(f"line {number}" for number in range(12))


async def test_what_comes_back_while_a_paste_is_open_is_not_written_over() -> None:
    async with at_a_told_pi() as (person, told):
        await person.sends("on its way")
        await person.until(lambda: told.sent("prompt"))
        await person.types("see ")
        await person.pastes(PASTE)
        await person.types(" and on")
        await person.press(*["left"] * 7, "alt+o")
        await person.sees("Alt+O writes it out")
        await person.types("new")
        told.pi.exits(1)
        await person.until(lambda: "on its way" in person.prompt.text)
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main)
        assert person.prompt.draft == Draft.of("on its way\n\nsee ", Pasted("new" + PASTE), " and on")


async def test_a_paste_that_was_changed_is_above_what_was_written_instead_of_it_meanwhile() -> None:
    async with at_a_told_pi() as (person, told):
        await person.pastes(PASTE)
        await person.press("alt+o")
        await person.sees("Alt+O writes it out")
        await person.types("new")
        told.says(type="extension_ui_request", id="1", method="set_editor_text", text="written by an extension")
        await person.until(lambda: person.prompt.text == "written by an extension")
        await person.press("escape")
        await person.sees("The paste is not there any more")
        assert person.prompt.draft == Draft.of(Pasted("new" + PASTE), "\n\nwritten by an extension")


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
        await person.until(lambda: person.prompt.text == "on its way")
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
