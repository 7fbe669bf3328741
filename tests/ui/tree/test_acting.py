"""What a person does in the tree of a session that goes on."""

from pathlib import Path

from pitui.ui.screens.entry_menu import EntryMenu
from pitui.ui.screens.tree import TreeScreen
from tests.ui.person import Person, at_the_demo


async def has_said(person: Person, *texts: str) -> None:
    """Have each of them answered; the entries are known then."""
    for text in texts:
        known = len(person.agent.session.entries)
        await person.sends(text)
        await person.until(lambda known=known: len(person.agent.session.entries) > known + 1 and person.is_idle())


async def opens_the_tree(person: Person) -> TreeScreen:
    await person.press("escape", "escape")
    await person.until(lambda: isinstance(person.app.screen, TreeScreen))
    assert isinstance(person.app.screen, TreeScreen)
    return person.app.screen


async def opens_the_menu(person: Person, words: str) -> None:
    """At the entry that has these words."""
    await person.types(words)
    await person.press("enter")
    await person.until(lambda: isinstance(person.app.screen, EntryMenu))


async def test_escape_twice_in_an_empty_prompt_opens_the_tree_and_once_more_closes_it(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.")
        person.prompt.insert("a draft")
        await person.press("escape", "escape")
        assert person.app.screen is person.app.main
        person.prompt.empty()
        screen = await opens_the_tree(person)
        assert "One." in person.screen()
        await has_said_elsewhere(person)
        assert len(screen.tree_view.branches.outline) == 4
        await person.press("escape")
        assert person.app.screen is person.app.main
        assert person.prompt.has_focus


async def has_said_elsewhere(person: Person) -> None:
    """As when what was queued is answered while the person is in the tree."""
    known = len(person.agent.session.entries)
    await person.agent.submit("#say Two.")
    await person.until(lambda: len(person.agent.session.entries) > known + 1 and person.is_idle())


async def test_a_fork_before_a_prompt_brings_it_into_the_editor(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.", "#say Two.")
        file = person.agent.session.file
        await opens_the_tree(person)
        await opens_the_menu(person, "#say two")
        await person.press("down")
        while "A new session with all up to" not in person.screen():
            await person.press("down")
        await person.press("enter")
        await person.until(lambda: person.app.screen is person.app.main and person.prompt.text == "#say Two.")
        assert person.asked() == ["#say One."]
        assert person.agent.session.file != file
