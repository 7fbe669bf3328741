"""Fields of one line: what is written in them is seen, however long it is."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pitui.ui.dialogs.box import DialogBox
from pitui.ui.screens.entry_menu import LineScreen
from pitui.ui.screens.picker import Choice, PickerScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.widgets.search import SearchWords
from pitui.ui.widgets.writing import LineInput
from tests.ui.person import Person, at_the_demo

LONG = " ".join(f"word{number}" for number in range(30))


async def looks_for_a_session(person: Person) -> None:
    await person.sends("/resume")
    await person.until(lambda: isinstance(person.app.screen, SessionsScreen))


async def renames_a_session(person: Person) -> None:
    await person.sends("#say Hello.")
    await person.until(lambda: person.said() and person.is_idle())
    await looks_for_a_session(person)
    await person.sees("#say Hello.")
    await person.press("ctrl+r")
    await person.sees("A name")


async def chooses_from_a_list(person: Person) -> None:
    person.app.push_screen(PickerScreen("Which?", [Choice(1, "one")]))
    await person.until(lambda: isinstance(person.app.screen, PickerScreen))


async def labels_an_entry(person: Person) -> None:
    person.app.push_screen(LineScreen("Label"))
    await person.until(lambda: isinstance(person.app.screen, LineScreen))


async def looks_for_words(person: Person) -> None:
    await person.press("f3")
    await person.until(lambda: isinstance(person.app.focused, SearchWords))


async def is_asked_for_a_line(person: Person) -> None:
    await person.sends("/ask-input")
    await person.until(lambda: person.app.screen.query(DialogBox))
    await person.is_asked()


PLACES = [looks_for_a_session, renames_a_session, chooses_from_a_list, labels_an_entry, looks_for_words]


@pytest.mark.parametrize("size", [(120, 40), (40, 12)])
@pytest.mark.parametrize("place", [*PLACES, is_asked_for_a_line])
async def test_a_line_that_is_longer_than_its_field_goes_along_with_the_cursor(
    place: Callable[[Person], Awaitable[None]], size: tuple[int, int], tmp_path: Path
) -> None:
    async with at_the_demo(tmp_path, size=size) as person:
        await place(person)
        await person.pastes(LONG)
        await person.sees("word29")
        await person.press("home")
        await person.sees("word0 word1")
        await person.press("end", *["backspace"] * 12)
        await person.sees("word27")
        await person.press("ctrl+a", *["right"] * 3, "ctrl+k")
        await person.sees("wor")


@pytest.mark.parametrize("size", [(120, 40), (40, 12)])
async def test_the_end_of_a_long_line_is_seen_where_its_field_begins_and_when_it_becomes_narrow(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with at_the_demo(tmp_path, size=size) as person:
        person.app.push_screen(LineScreen("Label", LONG))
        await person.sees("word29")
        await person.pilot.resize_terminal(30, 12)
        await person.sees("word29")
        field = person.app.screen.query_one(LineInput)
        assert field.cursor_position == len(LONG)
