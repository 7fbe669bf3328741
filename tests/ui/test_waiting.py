"""What was written in another session and not sent is not forgotten: it is told of, and marked where one looks."""

from pathlib import Path

import pytest

from pitui.paths import state_folder
from pitui.store.drafts import Drafts, Place
from pitui.store.journal import Journal, Row
from pitui.store.shelf import Shelf
from tests.ui.person import Person, at_the_demo


async def a_session(tmp_path: Path, prompt: str, *drafts: str, name: str = "") -> str:
    """Begun with that prompt; its pitui is killed with the drafts in it."""
    async with at_the_demo(tmp_path) as person:
        await person.sends(prompt)
        await person.until(lambda: person.is_idle() and Path(person.agent.session.file).is_file())
        if name:
            await person.agent.rename(name)
        file = person.agent.session.file
    killed = Drafts(Shelf(state_folder()))
    for draft in drafts:
        killed.keep(killed.new_number(), Place(file, str(tmp_path / "project")), [draft])
    killed.close()
    return file


def leave_prompt(tmp_path: Path, file: str) -> None:
    """In the queue of a pitui that is killed."""
    killed = Journal(state_folder())
    killed.write(Row(1, "steer", "open", "blue", (), 2e9, file, "", str(tmp_path / "project")))
    killed.close()


def told(person: Person) -> list[str]:
    return [line.strip() for line in person.screen().split("\n") if "wait in" in line or "waits in" in line]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_draft_of_a_session_that_is_not_opened_again_is_told_of_on_one_line(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    await a_session(tmp_path, "\n".join(f"line {number}" for number in range(11)), "long\nprecious draft " * 50)
    async with at_the_demo(tmp_path, size=size) as person:
        await person.sees("A draft waits in “line 0")
        (line,) = told(person)
        assert "“long precious" in line
        assert line.endswith("/resume opens it")
        assert person.prompt.text == ""
    async with at_the_demo(tmp_path, size=size) as person:
        await person.sees("A draft waits in “line 0")  # it is not lost by being told of


async def test_a_named_session_with_a_draft_is_opened_by_the_command_that_is_told(tmp_path: Path) -> None:
    await a_session(tmp_path, "hi", "long precious draft", name="garden")
    async with at_the_demo(tmp_path) as person:
        await person.sees("A draft waits in “garden”: “long precious draft” · /resume garden opens it")
        await person.sends("/resume garden")
        await person.until(lambda: person.prompt.text == "long precious draft")
    async with at_the_demo(tmp_path, "--continue") as person:
        await person.until(lambda: person.prompt.text == "long precious draft")
        assert not told(person)


async def test_of_drafts_in_several_sessions_the_last_is_told_of(tmp_path: Path) -> None:
    await a_session(tmp_path, "mend the fence", "one")
    await a_session(tmp_path, "paint it red", "two", "three")
    async with at_the_demo(tmp_path) as person:
        await person.sees("Drafts wait in 2 sessions, the last in “paint it red”: “three” · /resume")


async def test_the_list_of_sessions_marks_what_waits_in_them(tmp_path: Path) -> None:
    await a_session(tmp_path, "mend the fence", "one")
    file = await a_session(tmp_path, "paint it red", "two", "three")
    leave_prompt(tmp_path, file)
    async with at_the_demo(tmp_path, size=(120, 40), journal=Journal(state_folder())) as person:
        await person.until(lambda: person.agent.undelivered)
        await person.sends("/resume")
        await person.sees("mend the fence  a draft waits")
        await person.sees("paint it red  a draft waits wit…")
        await person.sees("A draft waits with a prompt until it is opened.")


async def test_that_prompts_wait_elsewhere_is_not_told_again_with_every_session(tmp_path: Path) -> None:
    file = await a_session(tmp_path, "paint it red")
    leave_prompt(tmp_path, file)
    async with at_the_demo(tmp_path, journal=Journal(state_folder())) as person:
        session = person.agent.session
        await person.until(lambda: session.notices)
        before = session.file
        await person.app.perform("session.new")
        await person.until(lambda: session.file != before)
        await person.agent.until_loaded()
        assert len([notice for notice in session.notices if "paint it red" in notice.text]) == 1
