"""The tree in the side bar."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from syrupy.assertion import SnapshotAssertion
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.pilot import Pilot

from pitui.config import Settings
from pitui.session.model import Session
from pitui.ui.screens.entry_menu import EntryMenu
from pitui.ui.theme import DARK, palette_of
from pitui.ui.widgets.tree import TreeView
from pitui.ui.widgets.tree.pane import TreePane
from tests.ui.person import Person, at_a_told_pi, at_the_demo
from tests.ui.test_snapshots import ANSWERS, Picture
from tests.ui.tree.grove import NOW, STYLES, Grove, garden
from tests.ui.tree.test_acting import WITH_COMPANION, chooses, has_said


class PaneApp(App[None]):
    """Nothing but the pane, which keeps the focus from nothing."""

    CSS_PATH = [f"../../../src/pitui/ui/{name}" for name in STYLES]
    CSS = "#side { width: 38; }"
    AUTO_FOCUS = None

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.register_theme(DARK)
        self.theme = DARK.name
        self.pane = TreePane(session, palette_of(DARK), NOW.timestamp)
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="side"):
            yield self.pane

    def on_tree_view_chosen(self, event: TreeView.Chosen) -> None:
        self.chosen.append(event.entry.id)

    async def until_shown(self, entry_id: str) -> None:
        """Until an entry is in the tree."""
        with anyio.fail_after(20):
            while self.pane.branches.tree.place_of(entry_id) < 0:  # noqa: ASYNC110 - it comes from a thread
                await anyio.sleep(0.01)

    @property
    def rows(self) -> list[str]:
        return [self.pane.render_line(y).text.rstrip() for y in range(self.pane.scrollable_content_region.height)]


@asynccontextmanager
async def at_the_pane(grove: Grove, size: tuple[int, int] = (60, 12)) -> AsyncIterator[tuple[PaneApp, Pilot[None]]]:
    app = PaneApp(grove.session())
    async with app.run_test(size=size) as pilot:
        await app.until_shown(grove.entries[-1].id)
        await app.workers.wait_for_complete()
        await pilot.pause()
        yield app, pilot


def tell(app: PaneApp, grove: Grove) -> None:
    grove.tell(app.session)
    app.pane.sync(app.session.take_changes())


async def test_it_goes_along_with_the_conversation() -> None:
    grove = Grove()
    for number in range(30):
        grove.answer(f"a{number}", f"Answer {number}.")
    async with at_the_pane(grove) as (app, pilot):
        assert app.rows[-1] == "◉ Answer 29."
        grove.prompt("on", "And what else?")
        tell(app, grove)
        await app.until_shown("on")
        assert app.rows[-2:] == ["• Answer 29.", "◉ ▌ And what else?"]
        grove.leaf = "a3"
        tell(app, grove)
        await pilot.pause()
        await app.until_shown("on")
        with anyio.fail_after(20):
            while "◉ Answer 3." not in app.rows:  # noqa: ASYNC110
                await anyio.sleep(0.01)


async def test_whoever_moves_in_it_is_left_where_they_are_and_end_goes_along_again() -> None:
    grove = Grove()
    for number in range(30):
        grove.answer(f"a{number}", f"Answer {number}.")
    async with at_the_pane(grove) as (app, pilot):
        app.pane.focus()
        await pilot.press("home")
        grove.prompt("on", "And what else?")
        tell(app, grove)
        await app.until_shown("on")
        assert app.rows[0] == "• Answer 0."
        await pilot.press("enter")
        assert app.chosen == ["a0"]
        await pilot.press("end")
        assert app.rows[-1] == "◉ ▌ And what else?"


async def test_it_is_not_made_while_nobody_sees_it_and_is_up_to_date_when_somebody_does() -> None:
    grove = Grove()
    grove.prompt("first", "The first.")
    async with at_the_pane(grove) as (app, pilot):
        app.pane.display = False
        await pilot.pause()
        grove.prompt("unseen", "The second.")
        tell(app, grove)
        await pilot.pause()
        assert not app.workers
        assert len(app.pane.branches.tree.entries) == 1
        app.pane.display = True
        await app.until_shown("unseen")


async def opens_the_tree_beside(person: Person) -> TreePane:
    await person.press("f5")
    await person.until(lambda: person.app.main.tree_pane and person.app.main.tree_pane.branches.tree.entries)
    assert person.app.main.tree_pane
    return person.app.main.tree_pane


async def test_from_the_side_bar_a_person_goes_on_from_an_earlier_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        pane = await opens_the_tree_beside(person)
        assert person.prompt.has_focus
        await person.press("f6", "f6")
        await person.until(lambda: pane.has_focus)
        await person.press("up", "enter")
        await person.until(lambda: isinstance(person.app.screen, EntryMenu))
        await chooses(person, "Continue here")
        await person.until(lambda: person.prompt.text == "#say Two." and person.prompt.has_focus)
        await person.until(lambda: pane.branches.tree.leaf_id == person.agent.session.leaf_id)
        await person.press("f5")
        await person.until(lambda: "─ Tree" not in person.screen())


async def test_where_it_lies_over_the_chat_its_key_takes_it_away_again(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(80, 24)) as person:
        main = person.app.main
        for shown in (True, False, True):
            await person.press("f5")
            await person.until(lambda shown=shown: (main.tree_pane is not None) is shown)
            assert main.sidebar.display is shown
        await person.types("words")
        assert person.prompt.text == "words"


async def test_what_is_written_while_it_has_the_focus_goes_to_the_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, settings=Settings(sidebar_tree=True)) as person:
        await person.until(lambda: person.app.main.tree_pane)
        await person.press("f6", "f6")
        await person.until(lambda: person.app.main.tree_pane and person.app.main.tree_pane.has_focus)
        await person.types("so")
        assert person.prompt.text == "so"


# how it looks


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


def timeless(grove: Grove) -> Grove:
    """The same at no time, for that goes on."""
    grove.told = [{**entry, "timestamp": ""} for entry in grove.told]
    return grove


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12)], ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("grove", [garden, Grove], ids=["a_tree", "nothing"])
async def test_beside_the_chat(picture: SnapshotAssertion, grove: type[Grove], size: tuple[int, int]) -> None:
    planted = timeless(grove())
    entries = {"entries": planted.told, "leafId": planted.leaf}
    async with at_a_told_pi({**ANSWERS, "get_entries": entries}, size=size, clock=lambda: 100.0) as (person, _):
        await person.until(lambda: person.agent.session.stats and person.agent.session.commands)
        await person.press("f5")
        pane = person.app.main.tree_pane
        assert pane
        pane.focus()
        await person.until(lambda: len(pane.branches.tree.entries) == len(planted.told))
        await person.pilot.pause()
        assert await person.picture() == picture
