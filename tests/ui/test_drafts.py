"""What is written and not sent comes back, whatever happens."""

import os
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pitui.draft import Draft, Pasted
from pitui.paths import state_folder
from pitui.store.drafts import Drafts, Kept, Place
from pitui.store.journal import Journal
from pitui.store.shelf import Shelf
from pitui.ui.intents import drafts
from tests.ui.person import Person, at_a_told_pi, at_the_demo

PASTE = Pasted("\n".join(f"line {number}" for number in range(12)))


def on_disk(place: str) -> list[Draft]:
    """What a pitui that starts now would find, if this one were gone."""
    path = state_folder() / "prompts.db"
    if not path.exists():
        return []
    database = sqlite3.connect(path)
    try:
        rows = database.execute("SELECT session_file, folder FROM draft").fetchall()
        places = [file if Path(file).is_file() else f"folder:{folder}" for file, folder in rows]
    finally:
        database.close()
    return [Draft.of(found) for found in places if found.startswith(place)]


def folder(tmp_path: Path) -> str:
    return f"folder:{tmp_path / 'project'}"


def place(tmp_path: Path) -> Place:
    return Place("", str(tmp_path / "project"))


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
        killed = Drafts(Shelf(state_folder()))
        killed.keep(1, place(tmp_path), [words])
        killed.close()
    async with at_the_demo(tmp_path) as person:
        await person.until(lambda: person.prompt.draft.text == "one\n\ntwo")
        await person.until(lambda: len(on_disk(folder(tmp_path))) == 1)


async def test_what_was_sent_does_not_come_back(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("words")
        await is_kept(person, folder(tmp_path))
        await person.press("enter")
        await person.until(lambda: person.is_idle() and not on_disk(""))
    assert Drafts(Shelf(state_folder())).take(place(tmp_path)) == []


async def test_what_is_sent_while_drafts_are_looked_for_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, may_go_on, take = threading.Event(), threading.Event(), Drafts.take

    def takes_long(self: Drafts, place: Place) -> list[Kept]:
        take(self, Place("", "elsewhere"))  # the database is open
        looks.set()
        may_go_on.wait(20)
        return take(self, place)

    monkeypatch.setattr(Drafts, "take", takes_long)
    try:
        async with at_the_demo(tmp_path) as person:
            await person.until(looks.is_set)
            await person.types("words")
            await person.press("enter")
            await person.until(lambda: on_disk(""))
            may_go_on.set()
            await person.until(lambda: person.asked() == ["words"] and person.is_idle() and not on_disk(""))
            assert person.prompt.text == ""
    finally:
        may_go_on.set()


async def test_what_pi_refuses_stays_on_disk(tmp_path: Path) -> None:
    async with at_a_told_pi({"prompt": "No API key"}) as (person, _):
        await person.types("words")
        await is_kept(person, "folder:/project")
        await person.press("enter")
        await person.until(lambda: person.prompt.draft.text == "words")
        await person.until(lambda: not person.agent.session.sending)
        await person.until(lambda: len(on_disk("folder:/project")) == 1)


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


ONCE = """SELECT (SELECT count(*) FROM draft WHERE words LIKE ?1) + (SELECT count(*) FROM prompt WHERE text LIKE ?1)"""


@contextmanager
def watched(words: str) -> Generator[list[int], None, None]:
    """How often something with the words is on disk, at every moment in which it is looked at."""
    seen: list[int] = []
    over = threading.Event()

    def watch() -> None:
        with closing(sqlite3.connect(state_folder() / "prompts.db")) as database:
            while not over.is_set():
                (count,) = database.execute(ONCE, (f"%{words}%",)).fetchone()
                if seen[-1:] != [count]:
                    seen.append(count)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


async def test_what_is_sent_and_comes_back_is_on_disk_once_at_every_moment(tmp_path: Path) -> None:
    journal = Journal(state_folder())
    async with at_a_told_pi({"prompt": ...}, journal=journal) as (person, told):
        await person.types("x")
        await is_kept(person, "folder:/project")
        with watched("words") as seen:
            await person.types("words")
            await person.press("enter")
            await person.until(lambda: told.sent("prompt"))
            told.pi.answers(told.sent("prompt")[0], success=False, error="No API key found")
            await person.until(lambda: person.prompt.text == "xwords")
            await person.press("enter")
            await person.until(lambda: len(told.sent("prompt")) == 2)
            told.pi.answers(told.sent("prompt")[1], success=False, error="No API key found")
            await person.until(lambda: person.prompt.text == "xwords")
            await person.types("!")
            await person.until(lambda: not person.agent.with_person)
        assert seen in ([1], [0, 1])


async def test_every_letter_is_on_disk_before_more_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "KEPT_EVERY", 3600.0)
    async with at_the_demo(tmp_path, journal=Journal(state_folder())) as person:
        await person.types("a")
        await is_kept(person, folder(tmp_path))
        await person.types("nd more")
        await person.until(lambda: words_on_disk() == ['["and more"]'])


async def test_a_command_that_waits_until_pi_tells_its_commands_is_not_brought_back_as_a_draft() -> None:
    journal = Journal(state_folder())
    async with at_a_told_pi({"get_state": ..., "get_commands": ...}, ready=False, journal=journal) as (person, told):
        await person.types("/early ")
        await is_kept(person, "folder:/project")
        await person.press("enter")
        await person.types("x")
        told.pi.answers(told.sent("get_state")[0], {"isStreaming": False, "sessionId": "s"})
        await person.until(lambda: told.sent("get_commands"))
        with watched("xy") as seen:
            await person.types("y")
            await person.until(lambda: seen[-1:] == [1])
        assert person.prompt.text == "xy"


async def test_what_is_sent_while_pi_starts_comes_back_when_pitui_ends_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "KEPT_EVERY", 3600.0)
    for _ in range(2):
        async with at_a_told_pi({"get_state": ...}, ready=False, journal=Journal(state_folder())) as (person, _told):
            await person.types("/early")
            await person.press("enter")
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, _):
        await person.until(lambda: person.prompt.text.count("/early") == 2)


async def test_what_is_wrong_with_the_disk_when_pitui_is_left_is_said_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shelf, "run_at_once", lambda *_: False)  # the disk has to be waited for
    async with at_the_demo(tmp_path) as person:
        await person.types("one")
        await person.until(lambda: words_on_disk() == ['["one"]'])
        monkeypatch.setattr(drafts, "KEPT_EVERY", 1000)
        await person.types(" two")
        damaged = tmp_path / "damaged"
        damaged.write_bytes(b"junk" * 5000)
        for suffix in ("-wal", "-shm"):
            (state_folder() / f"prompts.db{suffix}").unlink()
        damaged.replace(state_folder() / "prompts.db")
    (said,) = person.app.left_to_say
    assert said.startswith("What is written was damaged.")
    (kept,) = Drafts(Shelf(state_folder())).take(place(tmp_path))
    assert kept.parts == ["one two"]


def words_on_disk() -> list[str]:
    if not (state_folder() / "prompts.db").exists():
        return []
    with closing(sqlite3.connect(state_folder() / "prompts.db")) as database:
        return [words for (words,) in database.execute("SELECT words FROM draft")]


def chips_on_disk() -> str:
    with closing(sqlite3.connect(state_folder() / "prompts.db")) as database:
        return "\n".join(str(row) for row in database.execute("SELECT chips FROM draft"))


async def test_what_is_changed_in_an_open_paste_is_on_disk_beside_the_prompt_until_it_is_closed() -> None:
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, _):
        await person.pastes(PASTE.text)
        await is_kept(person, "folder:/project")
        await person.press("alt+o")
        await person.sees("Alt+O writes it out")
        await person.types("new")
        await person.until(lambda: "newline 0" in chips_on_disk())
        assert len(on_disk("folder:/project")) == 2
        await person.press("escape")
        await person.until(lambda: len(on_disk("folder:/project")) == 1)
        await person.until(lambda: "newline 0" in chips_on_disk())
        assert person.prompt.draft == Draft.of(Pasted("new" + PASTE.text))


async def test_what_was_changed_in_a_paste_comes_back_when_pitui_had_to_end_while_it_was_open() -> None:
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, _):
        await person.pastes(PASTE.text)
        await is_kept(person, "folder:/project")
        await person.press("alt+o")
        await person.sees("Alt+O writes it out")
        await person.types("new")
        await person.until(lambda: "newline 0" in chips_on_disk())
        person.app.exit()
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, _):
        await person.until(lambda: Pasted("new" + PASTE.text) in person.prompt.draft.chips)


@pytest.mark.parametrize(("edited", "back"), [("words, and more", ""), ("others", "words\n\n")])
async def test_what_was_saved_elsewhere_after_a_kill_takes_no_other_draft_away(
    tmp_path: Path, edited: str, back: str
) -> None:
    killed = Drafts(Shelf(state_folder()))
    killed.keep(killed.new_number(), place(tmp_path), ["words"])
    killed.file_to_edit.parent.mkdir(parents=True)
    killed.file_to_edit.write_text(edited)
    os.utime(killed.file_to_edit, (0, time.time() + 60))
    killed.close()
    async with at_the_demo(tmp_path) as person:
        await person.until(lambda: person.prompt.draft.text == back + edited)
