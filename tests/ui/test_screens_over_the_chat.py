"""The tree, a comparison and the list of sessions while pi dies under them, and the terminal changes its size."""

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.screen import Screen

from pitui.ui.screens.changes import ChangesScreen
from pitui.ui.screens.compare import CompareScreen
from pitui.ui.screens.context import ContextScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.screens.tree import TreeScreen
from tests.ui.person import Person, at_the_demo, child_of_this
from tests.ui.test_sessions import Store, opens_the_list, store, writes
from tests.ui.tree.test_acting import WITH_COMPANION, has_said, opens_the_tree

__all__ = ["store"]

SIZES = [(80, 24), (40, 12), (20, 5), (120, 40)]


async def tree(person: Person) -> None:
    await opens_the_tree(person)


async def branch(person: Person) -> None:
    screen = await opens_the_tree(person)
    await person.press("tab")
    await person.until(lambda: screen.preview.has_focus)


async def comparison(person: Person) -> None:
    screen = await opens_the_tree(person)
    await person.types("say two")
    await person.until(lambda: len(screen.tree_view.branches.rows) == 1)
    await person.press("ctrl+k")
    await person.until(lambda: isinstance(person.app.screen, CompareScreen))


async def sessions(person: Person) -> None:
    await opens_the_list(person)


async def changes(person: Person) -> None:
    await person.sends("/changes")
    await person.until(lambda: isinstance(person.app.screen, ChangesScreen))


async def context(person: Person) -> None:
    await person.sends("/context")
    await person.until(lambda: isinstance(person.app.screen, ContextScreen))


SCREENS: dict[Callable[[Person], Awaitable[None]], type[Screen[object]]] = {
    tree: TreeScreen,
    branch: TreeScreen,
    comparison: CompareScreen,
    sessions: SessionsScreen,
    changes: ChangesScreen,
    context: ContextScreen,
}


@pytest.mark.parametrize("opens", SCREENS, ids=lambda opens: opens.__name__)
async def test_pi_dies_under_it_and_is_started_again_from_there(
    store: Store, tmp_path: Path, opens: Callable[[Person], Awaitable[None]]
) -> None:
    writes(store, "one", "an old one", "yes")
    async with at_the_demo(tmp_path, *WITH_COMPANION, size=(120, 40)) as person:
        await has_said(person, "#say One.", "#say Two.")
        await person.agent.navigate(person.agent.session.entry_list[-2].id)
        person.prompt.empty()
        await has_said(person, "#say Three.")
        await opens(person)
        screen = person.app.screen
        assert type(screen) is SCREENS[opens]
        os.kill(child_of_this(), signal.SIGKILL)
        await person.sees("pi ended (exit 137)")
        for size in SIZES:
            await person.pilot.resize_terminal(*size)
            await person.press("down", "pagedown", "up", "tab", "tab")
            assert person.app.screen is screen
        while person.app.screen is not person.app.main:
            await person.press("escape")
        await person.press("enter")
        await person.until(person.is_idle)
        await has_said(person, "#say Four.")
        assert person.said()[-2:] == ["Three.", "Four."]


async def test_the_tree_goes_on_saying_that_pi_has_ended_and_not_when_it_is_there_again(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_said(person, "#say One.")
        await opens_the_tree(person)
        os.kill(child_of_this(), signal.SIGKILL)
        await person.until(lambda: person.row(39).startswith(" ✗ pi ended (exit 137) · Esc leads to the chat"))
        await person.press("escape", "enter")
        await person.until(person.is_idle)
        await opens_the_tree(person)
        await person.until(lambda: person.row(39).startswith(" Enter what to do"))


async def test_after_its_end_pi_is_started_on_the_session_that_is_chosen(store: Store, tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "an old one")
        file = person.agent.session.file
        await person.sends("/new")
        await person.until(lambda: person.agent.session.file != file and person.is_idle())
        await has_said(person, "#say One.")
        os.kill(child_of_this(), signal.SIGKILL)
        await person.sees("pi ended (exit 137)")
        await opens_the_list(person)
        await person.types("old")
        await person.press("enter")
        await person.until(lambda: person.agent.session.file == file and person.is_idle())
        assert person.asked() == ["an old one"]
        await person.press("escape", "escape")  # from the search for the word that it was found by, and from the chat
        await person.sends("#say Two.")
        await person.until(lambda: "Two." in person.said())


@pytest.mark.parametrize("opens", SCREENS, ids=lambda opens: opens.__name__)
async def test_it_fits_every_size_and_the_selection_stays_where_it_was(
    store: Store, tmp_path: Path, opens: Callable[[Person], Awaitable[None]]
) -> None:
    writes(store, "one", "an old one", "yes")
    async with at_the_demo(tmp_path, *WITH_COMPANION, size=(120, 40)) as person:
        await has_said(person, "#say One.", "#say Two.")
        await person.agent.navigate(person.agent.session.entry_list[-2].id)
        person.prompt.empty()
        await has_said(person, "#say Three.")
        await opens(person)
        await person.pilot.pause()
        screen, focused = person.app.screen, person.app.screen.focused
        before = person.screen()
        for width, height in SIZES:
            await person.pilot.resize_terminal(width, height)
            await person.pilot.pause()
            assert {len(row) <= width for row in person.screen().split("\n")} == {True}
        await person.until(lambda: person.screen() == before)
        assert (person.app.screen, person.app.screen.focused) == (screen, focused)
