"""Earlier prompts of the folder: recalled and searched, in this session and in the next."""

from pathlib import Path

from pitui.paths import state_folder
from pitui.store.history import History, PastPrompt
from pitui.ui.screens.history import HistoryScreen
from tests.ui.person import Person, at_the_demo


async def recalls(person: Person, text: str) -> None:
    """Press the up key once the store was read."""
    await person.until(lambda: person.prompt.recall.all(()))
    await person.press("up")
    assert person.prompt.text == text


async def test_what_was_sent_and_cleared_is_recalled_in_the_next_session_of_the_folder(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("!echo first")
        await person.types("never sent")
        await person.press("ctrl+c")
    async with at_the_demo(tmp_path) as person:
        await recalls(person, "never sent")
        await person.press("up")
        assert person.prompt.text == "!echo first"


async def test_the_history_is_searched_and_the_draft_waits(tmp_path: Path) -> None:
    History(path := state_folder() / "history.sqlite3").add(
        tmp_path / "project", [*map(PastPrompt, ("mend the fence", "paint it red", "mend\nthe roof"))]
    )
    assert path.exists()
    async with at_the_demo(tmp_path) as person:
        await person.until(lambda: person.prompt.recall.all(()))
        await person.types("draft")
        await person.press("ctrl+r")
        await person.until(lambda: isinstance(person.app.screen, HistoryScreen))
        await person.types("mend")
        await person.sees("mend the roof")
        assert "paint it red" not in person.screen()
        await person.press("escape")
        assert person.prompt.text == "draft"
        await person.press("ctrl+r")
        await person.until(lambda: isinstance(person.app.screen, HistoryScreen))
        await person.types("fen")
        await person.press("enter")
        await person.until(lambda: person.prompt.text == "mend the fence")
        await person.press("down", "down", "down")
        assert person.prompt.text == "draft"


async def test_a_store_that_cannot_be_written_is_told_of_once_and_takes_nothing_away(tmp_path: Path) -> None:
    (state_folder() / "history.sqlite3").mkdir(parents=True)
    async with at_the_demo(tmp_path) as person:
        await person.sees("The history of prompts cannot be kept")
        person.app.clear_notifications()
        await person.sends("first")
        await person.until(lambda: person.asked() and person.is_idle())
        await recalls(person, "first")
        assert "cannot be kept" not in person.screen()
