"""Another program writes to the session that is open: the person is asked, and what they choose is done."""

from pathlib import Path

import pytest

from pitui import watch
from pitui.watch import Stance
from tests.pi.stored import append, said
from tests.queued import held
from tests.ui.person import Person, at_the_demo


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.02)


async def sees_another_write(person: Person, entry_id: str = "theirs") -> None:
    file = Path(person.agent.session.file)
    await person.until(lambda: file.exists() and person.agent.watch.watches(file))
    append(file, said("user", "mend the parser", id=entry_id, parentId=None))


async def test_read_only_keeps_what_is_written_in_the_prompt_until_it_is_changed(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        await sees_another_write(person)
        await person.is_asked()
        assert "1 entry" in person.screen()
        assert "beginning with “mend the parser”" in person.screen()
        await person.press("enter")
        await person.sees("Read only: /writers changes it.")
        assert person.row(29).startswith(" read only  ")
        await person.sends("#say Two.")
        await person.sees("This session is read only here")
        assert person.prompt.text == "#say Two."
        person.prompt.clear()
        await person.sends("/writers")
        await person.is_asked()
        await person.press("end", "enter")
        await person.until(lambda: not person.agent.watch.read_only)
        await person.sends("#say Two.")
        await person.until(lambda: person.said() == ["One.", "Two."])


async def test_what_is_typed_goes_to_the_prompt_and_the_question_waits(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        await sees_another_write(person)
        await person.is_asked()
        await person.press("h")
        await person.sees("Another program writes to this session.")
        await person.until(lambda: person.prompt.text == "h" and person.app.screen is person.app.main)
        await sees_another_write(person, "again")
        await person.until(lambda: person.agent.watch.others.count == 2)
        assert person.app.screen is person.app.main
        await person.press("f8")
        await person.is_asked()
        await person.press("down", "enter")
        await person.sees("Cloned: this is the copy.")
        assert not person.agent.watch.others


async def test_what_is_sent_waits_also_after_escape_until_the_person_has_chosen(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        await sees_another_write(person)
        await person.is_asked()
        await person.press("escape")
        await person.sees("Another program writes to this session.")
        await person.sends("#say Two.")
        await person.sees("It waits here: others write to this session.")
        await person.until(lambda: [prompt.text for prompt in held(person.agent)] == ["#say Two."])
        assert person.app.screen is person.app.main
        await person.press("f8")
        await person.is_asked()
        await person.press("end", "enter")
        await person.until(lambda: person.said() == ["One.", "Two."])


async def test_what_waited_is_in_the_prompt_when_the_person_leaves_the_session_to_others(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        count = len(person.agent.session.entries)
        await sees_another_write(person)
        await person.is_asked()
        await person.press("escape")
        await person.sends("#say Two.")
        await person.until(lambda: held(person.agent))
        await person.press("f8")
        await person.is_asked()
        await person.press("down", "enter")
        await person.sees("Cloned: this is the copy.")
        await person.until(lambda: person.prompt.text == "#say Two.")
        assert len(person.agent.session.entries) == count


async def test_a_command_of_an_extension_waits_too(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        await sees_another_write(person)
        await person.is_asked()
        await person.press("escape")
        await person.sends("/ask-confirm")
        await person.sees("It waits here: others write to this session.")
        assert not person.agent.session.dialogs
        person.agent.watch.decide(Stance.GO_ON)
        await person.until(lambda: person.agent.session.dialogs)
