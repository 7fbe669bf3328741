"""A session is written to a file: which kind, where, and never over another one unasked."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from pitui.ui.screens.picker import PickerScreen
from tests.pi.stored import said
from tests.ui.person import at_a_told_pi, at_the_demo
from tests.ui.test_snapshots import Picture


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


async def test_markdown_is_written_and_a_file_that_is_there_is_kept_unless_asked(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(140, 30)) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle() and person.agent.session.entries)
        await person.sends("/export nowhere/talk.md")
        await person.sees("There is no folder")
        await person.sends("/export talk.pdf")
        await person.sees("talk.pdf: its end says what it becomes")
        await person.sends("/export talk.md")
        await person.sees("Exported to")
        await person.press("enter")
        path = tmp_path / "project" / "talk.md"
        text = path.read_text("utf-8")
        assert "## Prompt\n\n" in text
        assert "## Answer\n\nOne.\n" in text
        path.write_text("mine")
        await person.sends("/export talk.md")
        await person.sees("is there already.")
        await person.press("enter")
        await person.until(lambda: not person.app.main.question.is_open)
        assert path.read_text() == "mine"


async def test_without_a_path_the_kind_is_chosen_and_each_says_what_it_gives(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(140, 30)) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle() and person.agent.session.entries)
        await person.sends("/export")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        assert "A session that pi opens again" in person.screen()
        await person.press("end", "down", "down", "enter")
        await person.sees("Exported to")
        [made] = (tmp_path / "project").glob("pi-session-*.jsonl")
        assert made.read_text().startswith('{"type":"session"')


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])
async def test_the_choice_of_a_format(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    answers = {"get_entries": {"entries": [said("user", "hello", id="a", parentId=None)], "leafId": "a"}}
    async with at_a_told_pi(answers, size=size) as (person, _):
        await person.until(lambda: person.agent.session.entries)
        await person.sends("/export")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        await person.pilot.pause()
        assert await person.picture() == picture
