"""What is said in passing."""

from pathlib import Path
from typing import Any

import pytest
from textual.widgets._toast import Toast

from pitui.ui.screens.pane import PaneScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.screens.tree import TreeScreen

from .person import Person, at_a_told_pi, at_the_demo


def toasts(person: Person) -> list[str]:
    return [str(toast.render()) for toast in person.app.screen.query(Toast)]


def words_on(person: Person) -> str:
    """The words on the screen as one line, however they are wrapped."""
    return " ".join(person.screen().split())


async def test_a_flood_of_notices_does_not_cover_the_screen(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        for number in range(300):
            person.agent.notice("info", f"notice {number}")
        await person.until(lambda: any("299" in toast for toast in toasts(person)))
        assert len(toasts(person)) <= 4
        assert "more notices" in person.screen()
        await person.types("still here")
        assert person.prompt.text == "still here"


async def test_what_is_said_stands_above_the_prompt_and_covers_nothing() -> None:
    async with at_a_told_pi(size=(80, 24)) as (person, _):
        await person.press("f7")
        await person.sees("Times and cost are shown.")
        await person.press("f7")
        await person.sees("Times and cost are hidden.")
        assert "Times and cost" in person.row(person.app.main.prompt.region.y - 1)
        assert not toasts(person)


@pytest.mark.parametrize("screen", [TreeScreen, SessionsScreen])
async def test_what_is_said_over_the_chat_covers_nothing_and_goes_again(
    screen: type[PaneScreen[Any]], tmp_path: Path
) -> None:
    error = "The provider did not take it: " + " ".join(f"reason{number}" for number in range(14)) + " the end."
    async with at_the_demo(tmp_path, size=(80, 24)) as person:
        await person.sends("/tree" if screen is TreeScreen else "/resume")
        await person.until(lambda: isinstance(person.app.screen, screen))
        await person.sees("Esc")
        head = person.row(0)
        person.agent.notice("error", error)
        await person.until(lambda: all(word in words_on(person) for word in error.split()))
        person.app.say("this goes first")
        person.app.say("this comes then")
        await person.sees("this comes then")
        assert "the end." in person.screen()
        assert "this goes first" not in person.screen()
        assert person.row(0) == head
        assert not toasts(person)
        person.app.clear_notifications()
        await person.sees("Esc")


async def test_a_warning_is_not_lost_to_what_is_said_after_it() -> None:
    async with at_a_told_pi(size=(80, 24)) as (person, told):
        for level in ("warning", "error", "info"):
            told.says(
                type="extension_ui_request", id=level, method="notify", message=f"this is {level}", notifyType=level
            )
        await person.sees("! this is warning")
        await person.sees("this is error")
        await person.sees("this is info")
        await person.press("f7")
        await person.sees("Times and cost")
        assert "! this is warning" in person.screen()


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_a_long_error_can_be_read_to_its_end(size: tuple[int, int]) -> None:
    error = "The provider did not take it: " + " ".join(f"reason{number}" for number in range(14)) + " the end."
    async with at_a_told_pi(size=size) as (person, _):
        person.agent.notice("error", error)
        await person.until(lambda: all(word in words_on(person) for word in error.split()))
