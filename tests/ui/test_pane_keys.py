"""A person's own keys in the tree, where two branches are compared, and in the list of sessions."""

from pathlib import Path

import pytest

from pitui.config import Settings
from pitui.pane_actions import pane_keys_in_force
from pitui.pi.keybindings import read_keybindings
from pitui.session.outline import Filter
from pitui.ui.screens.compare import CompareScreen
from pitui.ui.screens.entry_menu import LineScreen
from pitui.ui.screens.page import PageScreen
from pitui.ui.screens.picker import PickerScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.widgets.sessions import SessionList
from tests.ui.person import Person, at_the_demo
from tests.ui.test_sessions import Store, opens_the_list, store, titles, writes
from tests.ui.tree.test_acting import WITH_COMPANION, has_said, opens_the_tree

__all__ = ["store"]


def kept_by_pi(folder: Path, content: str) -> Settings:
    """The settings of somebody who has this in pi's file of keys."""
    file = folder / "keybindings.json"
    file.write_text(content)
    of_pi, problems = read_keybindings(file)
    assert problems == []
    return Settings(keys=pane_keys_in_force(of_pi, {}))


async def test_in_the_tree_the_keys_hold_that_the_person_gave_to_pi(tmp_path: Path) -> None:
    settings = kept_by_pi(
        tmp_path,
        """{"app.tree.foldOrUp": "ctrl+f", "app.tree.unfoldOrDown": ["ctrl+g"], "app.tree.editLabel": "shift+l",
        "app.tree.filter.userOnly": "ctrl+p", "app.tree.filter.cycleForward": [], "tui.select.confirm": "f8"}""",
    )
    async with at_the_demo(tmp_path, *WITH_COMPANION, size=(160, 30), settings=settings) as person:
        await has_said(person, "#say One.", "#say Two.")
        screen = await opens_the_tree(person)
        view = screen.tree_view
        await person.sees("F8 what to do · Ctrl+F Ctrl+G fold · Tab look · type to search · Esc back")
        everything = len(view.branches.rows)
        await person.press("home", "ctrl+f")
        assert len(view.branches.rows) == 1
        await person.press("left", "right", "ctrl+o")
        assert len(view.branches.rows) == 1
        await person.press("ctrl+g", "ctrl+p")
        assert view.branches.filter is Filter.USER
        assert len(view.branches.rows) == 2
        await person.press("ctrl+p")
        assert len(view.branches.rows) == everything
        await person.press("L")
        await person.until(lambda: isinstance(person.app.screen, LineScreen))
        await person.types("here")
        await person.press("enter")
        await person.sees("[here · now]")
        assert view.branches.query == ""
        await person.press("alt+t")
        await person.sees("[here] ")
        await person.types("l")
        assert view.branches.query == "l"


async def test_help_in_the_tree_tells_its_keys_and_those_of_the_person(tmp_path: Path) -> None:
    settings = Settings(keys={"tree.label": ("f9",), "tree.look": ()})
    async with at_the_demo(tmp_path, size=(100, 40), settings=settings) as person:
        await has_said(person, "#say One.")
        screen = await opens_the_tree(person)
        await person.press("f1")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))
        assert "F9" in person.screen()
        assert "Label it" in person.screen()
        assert "What was said there, and back" not in person.screen()
        await person.press("escape")
        assert person.app.screen is screen


async def test_tab_goes_to_what_is_shown_beside_the_tree_and_back(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(140, 30)) as person:
        await has_said(person, "#say One.")
        screen = await opens_the_tree(person)
        await person.press("tab")
        await person.until(lambda: screen.preview.has_focus)
        await person.press("tab")
        await person.until(lambda: screen.tree_view.has_focus)
        assert person.app.screen is screen


async def test_tab_and_the_arrows_go_from_one_side_of_a_comparison_to_the_other(tmp_path: Path) -> None:
    settings = Settings(keys={"compare.leave": ("ctrl+n",)})
    async with at_the_demo(tmp_path, *WITH_COMPANION, size=(140, 30), settings=settings) as person:
        await has_said(person, "#say One.", "#say Two.")
        await person.agent.navigate(person.agent.session.entry_list[-2].id)
        await has_said(person, "#say Three.")
        tree = await opens_the_tree(person)
        await person.types("say two")
        await person.until(lambda: len(tree.tree_view.branches.rows) == 1)
        await person.press("ctrl+k")
        await person.until(lambda: isinstance(person.app.screen, CompareScreen))
        compared = person.app.screen
        assert isinstance(compared, CompareScreen)
        for keys, at in ((("tab",), 1), (("shift+tab",), 0), (("right",), 1), (("left",), 0)):
            await person.press(*keys)
            await person.until(lambda at=at: compared.sides[at].transcript.has_focus)
        await person.press("escape", "q")
        assert person.app.screen is compared
        await person.sees("Ctrl+N back")
        await person.press("ctrl+n")
        assert person.app.screen is tree


async def lists(person: Person) -> SessionsScreen:
    await opens_the_list(person)
    screen = person.app.screen
    assert isinstance(screen, SessionsScreen)
    return screen


async def test_in_the_list_of_sessions_the_keys_hold_that_the_person_gave_to_pi(store: Store, tmp_path: Path) -> None:
    settings = kept_by_pi(
        tmp_path,
        """{"app.session.rename": "ctrl+e", "app.session.delete": "f9", "app.session.toggleSort": "shift+t",
        "app.session.togglePath": ["f7"], "app.session.toggleNamedFilter": "f6"}""",
    )
    origin = writes(store, "one", "apples", "x", name="The plan")
    writes(store, "two", "pears", "y", parent=str(origin))
    async with at_the_demo(tmp_path, size=(180, 30), settings=settings) as person:
        screen = await lists(person)
        shown = screen.query_one(SessionList)
        await person.sees("T as forks · Ctrl+E rename")
        await person.press("T")
        await person.sees("of this folder, as forks")
        await person.press("T", "f6")
        await person.until(lambda: titles(shown) == ["The plan"])
        await person.sees("Sessions with a name of this folder")
        await person.press("f7")
        await person.sees(f"{origin.name} ")
        await person.press("f7", "f6")
        await person.until(lambda: titles(shown) == ["pears", "The plan"])
        await person.press("ctrl+e", "ctrl+u")
        await person.types("Tea")
        await person.press("enter")
        await person.until(lambda: "Tea" in titles(shown))
        await person.press("ctrl+d", "ctrl+r")
        assert person.app.screen is screen
        await person.press("up", "f9")
        await person.sees("Delete “pears”?")


@pytest.mark.parametrize("searched", [False, True])
async def test_a_key_that_is_also_for_words_deletes_a_session_while_there_are_none(
    store: Store, tmp_path: Path, searched: bool
) -> None:
    writes(store, "one", "apples", "x")
    async with at_the_demo(tmp_path) as person:
        screen = await lists(person)
        if searched:
            await person.types("apples")
            await person.press("ctrl+backspace")
            assert person.app.screen is screen
            await person.press("escape")
        await person.press("ctrl+backspace")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
