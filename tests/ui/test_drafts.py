"""What is written and not sent comes back, whatever happens."""

import sqlite3
from pathlib import Path

from pitui.draft import Draft, Pasted
from pitui.paths import state_folder
from pitui.store.drafts import Drafts
from tests.ui.person import Person, at_a_told_pi, at_the_demo

PASTE = Pasted("\n".join(f"line {number}" for number in range(12)))


def on_disk(place: str) -> list[Draft]:
    """What a pitui that starts now would find, if this one were gone."""
    path = state_folder() / "drafts.db"
    if not path.exists():
        return []
    database = sqlite3.connect(path)
    try:
        places = [place for (place,) in database.execute("SELECT place FROM draft")]
    finally:
        database.close()
    return [Draft.of(found) for found in places if found.startswith(place)]


def folder(tmp_path: Path) -> str:
    return f"folder:{tmp_path / 'project'}"


async def is_kept(person: Person, place: str) -> None:
    await person.until(lambda: on_disk(place))


async def test_a_draft_comes_back_with_its_paste(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("see ")
        await person.pastes(PASTE.text)
        await is_kept(person, folder(tmp_path))
    async with at_the_demo(tmp_path) as person:
        await person.sees("Your draft is back")
        assert person.prompt.draft == Draft.of("see ", PASTE)


async def test_what_two_that_were_killed_had_comes_back_together(tmp_path: Path) -> None:
    for words in ("one", "two"):
        drafts = Drafts(state_folder())
        drafts.keep(None, folder(tmp_path), [words])
        drafts.close()
    async with at_the_demo(tmp_path) as person:
        await person.until(lambda: person.prompt.draft.text == "one\n\ntwo")
        await person.until(lambda: len(on_disk(folder(tmp_path))) == 1)


async def test_what_was_sent_does_not_come_back(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("words")
        await is_kept(person, folder(tmp_path))
        await person.press("enter")
        await person.until(lambda: person.is_idle() and not on_disk(""))
    assert Drafts(state_folder()).take(folder(tmp_path)) == []


async def test_what_pi_refuses_stays_on_disk(tmp_path: Path) -> None:
    async with at_a_told_pi({"prompt": "No API key"}) as (person, _):
        await person.types("words")
        await is_kept(person, "folder:/project")
        await person.press("enter")
        await person.until(lambda: person.prompt.draft.text == "words")
        await person.until(lambda: not person.agent.session.sending)
        assert len(on_disk("folder:/project")) == 1


async def test_each_session_has_its_own_draft(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        session = person.agent.session
        await person.sends("first session")
        await person.until(lambda: person.is_idle() and Path(session.file).is_file())
        first = session.file
        await person.types("for the first")
        await is_kept(person, first)
        await person.agent.new_session()
        person.prompt.show(Draft())
        await person.sends("second session")
        await person.until(lambda: person.is_idle() and session.file != first and Path(session.file).is_file())
        second = session.file
        await person.types("for the second")
        await is_kept(person, second)
        await person.app.perform("session.resume", first)
        await person.until(lambda: session.file == first and not person.prompt.text)
        await person.app.perform("session.resume", second)
        await person.until(lambda: person.prompt.draft.text == "for the second")


async def test_a_draft_goes_along_into_a_new_session(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        session = person.agent.session
        await person.sends("first session")
        await person.until(lambda: person.is_idle() and Path(session.file).is_file())
        first = session.file
        await person.types("on my mind")
        await is_kept(person, first)
        await person.app.perform("session.new")
        await person.until(lambda: session.file != first and on_disk(folder(tmp_path)))
        assert person.prompt.draft.text == "on my mind"
        assert not on_disk(first)
