"""While a person looks at an earlier prompt, what they were writing is where it was."""

from pathlib import Path

import pytest

from pitui.paths import state_folder
from pitui.store.journal import Journal
from tests.ui.person import SLOW, Person, at_a_told_pi, at_the_demo
from tests.ui.test_drafts import folder, is_kept, on_disk


async def looks_back(person: Person, text: str) -> None:
    """At what they have sent, with a draft in the prompt."""
    await person.types("my draft here")
    await person.press("up")
    assert person.prompt.text == text


@pytest.mark.parametrize("key", ["escape", "alt+up"])
async def test_what_comes_back_from_the_queue_is_put_above_the_draft(tmp_path: Path, key: str) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        for text in ("s1", "s2"):
            await person.sends(text)
        await person.until(lambda: len(person.agent.session.in_pi) == 2)
        await looks_back(person, "s2")
        await person.press(key)
        await person.until(lambda: "s1" in person.prompt.text)
        assert person.prompt.text == "s1\n\ns2\n\nmy draft here"
        await person.press("escape")
        await person.until(person.is_idle)


async def test_what_was_made_of_an_earlier_prompt_is_what_is_written_and_the_draft_can_be_recalled(
    tmp_path: Path,
) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("earlier")
        await person.until(person.is_idle)
        await looks_back(person, "earlier")
        await person.types("!")
        person.prompt.give_back(["back"])
        assert person.prompt.text == "back\n\nearlier!"
        await person.press("up", "up", "up")
        assert person.prompt.text == "my draft here"


@pytest.mark.parametrize("changed", ["", "!"])
async def test_what_an_extension_writes_takes_no_draft_away(tmp_path: Path, changed: str) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("earlier")
        await person.until(person.is_idle)
        await looks_back(person, "earlier")
        await person.types(changed)
        person.prompt.fill("by an extension")
        for text in (*(["earlier!"] if changed else []), "my draft here"):
            await person.press("up")
            assert person.prompt.text == text


async def test_clearing_an_earlier_prompt_leaves_the_draft_to_the_up_key(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("earlier")
        await person.until(person.is_idle)
        await looks_back(person, "earlier")
        await person.press("ctrl+c")
        assert person.prompt.text == ""
        await person.press("up")
        assert person.prompt.text == "my draft here"


async def test_a_draft_that_is_left_behind_an_earlier_prompt_comes_back_at_the_next_start(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("!echo earlier")
        await person.until(person.is_idle)
        await looks_back(person, "!echo earlier")
        await is_kept(person, folder(tmp_path))
    async with at_the_demo(tmp_path) as person:
        await person.sees("Your draft is back")
        assert person.prompt.text == "my draft here"


async def test_what_was_made_of_an_earlier_prompt_is_on_disk_with_the_draft() -> None:
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, _):
        person.prompt.keep("earlier")
        await looks_back(person, "earlier")
        await person.types("!")
        await person.until(lambda: len(on_disk("")) == 1)
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, _):
        await person.until(lambda: person.prompt.text == "my draft here\n\nearlier!")


async def test_a_draft_behind_an_earlier_prompt_stays_in_its_session(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        session = person.agent.session
        await person.sends("first session")
        await person.until(lambda: person.is_idle() and Path(session.file).is_file())
        first = session.file
        await person.agent.new_session()
        await person.until(lambda: session.file != first)
        await person.sends("second session")
        await person.until(lambda: person.is_idle() and Path(session.file).is_file())
        second = session.file
        await looks_back(person, "second session")
        await person.app.perform("session.resume", first)
        await person.until(lambda: session.file == first and not person.prompt.text)
        await person.app.perform("session.resume", second)
        await person.until(lambda: person.prompt.text == "my draft here")


async def test_a_draft_waits_while_another_prompt_is_deleted_in_the_queue_and_looked_at(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.sends("s1")
        await person.until(lambda: person.agent.session.in_pi and person.app.main.queue.prompts)
        await person.types("draft here")
        await person.press("f6", "f6", "f6", "delete")
        await person.until(lambda: not person.agent.session.in_pi)
        await person.press("f6", "up")
        assert person.prompt.text == "s1"
        await person.agent.submit("s2")
        await person.until(lambda: person.app.main.queue.prompts)
        await person.press("f6", "f6", "f6", "delete")  # also while it is looked at
        await person.until(lambda: not person.agent.session.in_pi)
        await person.press("f6")
        await person.press("down")
        assert person.prompt.text == "draft here"
        await person.press("escape")
        await person.until(person.is_idle)
