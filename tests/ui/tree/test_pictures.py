"""How the tree, its menu and the comparison look."""

from collections.abc import Awaitable, Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from pitui.ui.screens.compare import CompareScreen, compared
from pitui.ui.screens.entry_menu import EntryMenu, LineScreen, offers
from pitui.ui.theme import DARK, palette_of
from tests.ui.test_snapshots import Picture
from tests.ui.tree.grove import TreeApp, at_the_tree, garden, thicket

SIZES = [(120, 40), (80, 24), (40, 12)]
State = Callable[[TreeApp, Pilot[None]], Awaitable[None]]


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


async def opens(app: TreeApp, pilot: Pilot[None]) -> None:
    pass


async def folds_a_branch(app: TreeApp, pilot: Pilot[None]) -> None:
    await pilot.press("left", "left", "end", "up", "up")


async def searches_everything(app: TreeApp, pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+a", *"format")


async def looks_at_a_branch(app: TreeApp, pilot: Pilot[None]) -> None:
    await pilot.press("end", "up", "tab")


async def opens_the_menu(app: TreeApp, pilot: Pilot[None]) -> None:
    view = app.tree_screen.tree_view
    assert view.selected
    tree = view.branches.tree
    await pilot.press("up")
    missing = "pi did not load it; /stderr may say why."
    await app.push_screen(EntryMenu(view.words_of(view.selected), offers(tree, view.selected, "", missing)))
    await pilot.press("down")


async def asks_for_a_label(app: TreeApp, pilot: Pilot[None]) -> None:
    await app.push_screen(LineScreen("Label", "with format", note="Enter keeps it; an empty one takes the label away"))


async def compares(app: TreeApp, pilot: Pilot[None]) -> None:
    tree = app.tree_screen.tree_view.branches.tree
    comparison, talks = compared(tree, tree.leaf, tree.place_of("percented"))
    names = ("Where you are", "The branch chosen here")
    await app.push_screen(CompareScreen(comparison, names, talks, palette_of(DARK)))


async def shows_everything(app: TreeApp, pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+a", "home", "down")


async def looks_at_foreign_words(app: TreeApp, pilot: Pilot[None]) -> None:
    app.tree_screen.tree_view.select("evil-answer")
    await pilot.press("tab")


async def asks_what_to_do_with_foreign_words(app: TreeApp, pilot: Pilot[None]) -> None:
    view = app.tree_screen.tree_view
    view.select("evil")
    assert view.selected
    await app.push_screen(EntryMenu(view.words_of(view.selected), offers(view.branches.tree, view.selected, "two", "")))


async def compares_foreign_words(app: TreeApp, pilot: Pilot[None]) -> None:
    tree = app.tree_screen.tree_view.branches.tree
    comparison, talks = compared(tree, tree.leaf, tree.place_of("evil-answer"))
    names = ("Where you are", "The branch chosen here")
    await app.push_screen(CompareScreen(comparison, names, talks, palette_of(DARK)))


async def compares_branches_of_one_prompt(app: TreeApp, pilot: Pilot[None]) -> None:
    tree = app.tree_screen.tree_view.branches.tree
    comparison, talks = compared(tree, tree.place_of("evil-tool"), tree.place_of("evil-answer"))
    names = ("The marked branch", "The branch chosen here")
    await app.push_screen(CompareScreen(comparison, names, talks, palette_of(DARK)))
    await pilot.press("tab")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize(
    "state",
    [
        *(opens, shows_everything, looks_at_foreign_words, asks_what_to_do_with_foreign_words),
        *(compares_foreign_words, compares_branches_of_one_prompt),
    ],
    ids=lambda state: state.__name__,
)
async def test_a_tree_that_is_damaged_and_means_harm(
    picture: SnapshotAssertion, state: State, size: tuple[int, int]
) -> None:
    async with at_the_tree(thicket().session(), size) as (app, pilot):
        await state(app, pilot)
        await app.looks()
        assert await app.picture(pilot) == picture


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize(
    "state",
    [opens, folds_a_branch, searches_everything, looks_at_a_branch, opens_the_menu, asks_for_a_label, compares],
    ids=lambda state: state.__name__,
)
async def test_a_person(picture: SnapshotAssertion, state: State, size: tuple[int, int]) -> None:
    async with at_the_tree(garden().session(), size) as (app, pilot):
        await state(app, pilot)
        await app.looks()
        assert await app.picture(pilot) == picture
