"""What pi has changed in a session: the files, and their changes beside them."""

import json
from pathlib import Path
from typing import Any

import pytest

from pitui.session.blocks import ToolBlock
from pitui.ui.screens.changes import ChangesScreen
from tests.ui.person import Person, at_a_told_pi, at_the_demo
from tests.ui.tree.test_acting import has_said

TEA = "def brew(leaves):\n    return len(leaves)\n"


def call(tool: str, **arguments: Any) -> str:
    return f"#tool {tool} {json.dumps(arguments)}"


def edit(path: str, old: str, new: str) -> str:
    return call("edit", path=path, edits=[{"oldText": old, "newText": new}])


WRITES = "\n".join([call("write", path="src/tea.py", content=TEA), call("write", path="notes.md", content="# Tea\n")])
EDITS = edit("./src/tea.py", "return len(leaves)", "return 3 * len(leaves)")
BREWS = f"{EDITS}\n#then\n#say Brewed."


async def opens(person: Person) -> ChangesScreen:
    await person.sends("/changes")
    await person.until(lambda: isinstance(person.app.screen, ChangesScreen))
    screen = person.app.screen
    assert isinstance(screen, ChangesScreen)
    return screen


async def has_changed_two_files(person: Person) -> None:
    await has_said(person, f"{WRITES}\n#then\n#say Written.", BREWS)


def listed(screen: ChangesScreen) -> list[tuple[str, str]]:
    return [
        (item.label, " ".join(item.note.split()).replace("\N{MULTIPLICATION SIGN}", "x")) for item in screen.files.items
    ]


def runs(person: Person) -> list[ToolBlock]:
    return list(person.agent.session.tools.values())


async def test_the_files_are_listed_with_their_lines_and_the_latest_first(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        screen = await opens(person)
        await person.until(lambda: screen.files.items)
        assert listed(screen) == [("src/tea.py", "+3 -1 2x"), ("notes.md", "+1 -0 1x")]
        assert person.row(0).split() == "Changes 2 files · 3 changes · +4 -1 the latest first".split()
        await person.press("down")
        await person.press("ctrl+s")
        assert [path for path, _ in listed(screen)] == ["notes.md", "src/tea.py"]
        assert screen.files.highlighted == 0  # it stays on its file
        assert person.row(0).endswith("by path ")


async def test_the_changes_of_a_file_stand_in_order_under_their_prompts(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        await opens(person)
        await person.sees("in the turn of")
        shown = person.screen()
        order = (
            "in the turn of “#tool write",
            "✓ write src/tea.py",
            "in the turn of “#tool edit",
            "✓ edit ./src/tea.py",
        )
        places = [shown.index(words) for words in order]
        assert places == sorted(places)
        assert "return 3 * len(leaves)" in shown
        assert "# Tea" not in shown
        await person.press("down")
        await person.sees("# Tea")


async def test_enter_on_a_change_shows_it_in_the_chat_with_the_cursor_on_it(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        screen = await opens(person)
        await person.press("tab")
        await person.until(lambda: screen.transcript.has_focus)
        await person.press("home", "enter")
        await person.until(lambda: person.app.screen is person.app.main)
        chat = person.app.main.transcript
        assert (chat.has_focus, chat.cursor.block_id) == (True, runs(person)[0].id)


async def test_enter_on_a_file_shows_its_latest_change_in_the_chat(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        screen = await opens(person)
        await person.until(lambda: screen.files.items)
        await person.press("enter")
        await person.until(lambda: person.app.screen is person.app.main)
        assert person.app.main.transcript.cursor.block_id == runs(person)[-1].id


async def test_esc_leaves_the_draft_and_the_chat_as_they_were(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        chat = person.app.main.transcript
        chat.top()
        place = chat.viewport.place
        person.prompt.insert("Half a thought")
        await person.app.perform("changes")
        await person.until(lambda: isinstance(person.app.screen, ChangesScreen))
        await person.press("tab", "down", "escape")
        await person.until(lambda: person.app.screen is person.app.main)
        assert (person.prompt.text, person.prompt.has_focus) == ("Half a thought", True)
        assert chat.viewport.place == place


async def test_it_grows_while_pi_works_and_stays_on_the_file(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_said(person, f"{WRITES}\n#then\n#say Written.")
        screen = await opens(person)
        await person.until(lambda: screen.files.items)
        assert listed(screen) == [("notes.md", "+1 -0 1x"), ("src/tea.py", "+2 -0 1x")]
        await person.agent.submit(BREWS)
        await person.until(lambda: screen.files.items[0].label == "src/tea.py")
        assert listed(screen) == [("src/tea.py", "+3 -1 2x"), ("notes.md", "+1 -0 1x")]
        assert screen.files.highlighted == 1
        await person.sees("# Tea")


async def test_what_is_read_stays_where_it_is_when_more_files_are_listed(tmp_path: Path) -> None:
    lines = "\n".join(f"line {number}" for number in range(14))
    async with at_the_demo(tmp_path, size=(80, 24)) as person:
        await has_said(person, f"{call('write', path='first.txt', content=lines)}\n#then\n#say Written.")
        screen = await opens(person)
        await person.sees("line 13")
        others = "\n".join(call("write", path=f"{number}.txt", content="x") for number in range(12))
        await person.agent.submit(f"{others}\n#then\n#say Written.")
        await person.until(lambda: len(screen.files.items) == 13)
        await person.until(lambda: "in the turn of" in person.screen() and "line 13" not in person.screen())


async def test_what_failed_is_not_listed_and_what_commands_changed_is_not_known(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_said(person, f"{edit('none.py', 'a', 'b')}\n{call('bash', command='true')}\n#then\n#say Failed.")
        screen = await opens(person)
        await person.sees("pi has changed no file yet.")
        await person.sees("1 shell command ran; what it changed cannot be known.")
        assert screen.files.items == []
        await person.press("tab", "enter", "down", "ctrl+s", "ctrl+c", "f9")
        assert person.app.screen is screen


async def test_the_path_and_the_change_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        screen = await opens(person)
        await person.until(lambda: screen.files.items)
        await person.press("ctrl+c")
        await person.until(lambda: person.app.clipboard == "src/tea.py")
        await person.press("tab")
        await person.until(lambda: screen.transcript.has_focus)
        await person.press("end", "ctrl+c")
        await person.until(lambda: "+    return 3 * len(leaves)" in person.app.clipboard)
        assert person.app.clipboard.startswith(("---", "Index", " ", "@@", "-", "+"))


async def test_f9_puts_the_sides_beside_each_other_where_there_is_room(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        await opens(person)
        await person.sees("return 3 * len(leaves)")
        await person.press("f9")
        both = ("return len(leaves)", "return 3 * len(leaves)")
        await person.until(lambda: any(all(side in row for side in both) for row in person.screen().split("\n")))
        await person.press("f9")
        await person.pilot.resize_terminal(70, 30)
        await person.press("f9")
        await person.sees("There is no room for two sides")


async def test_a_narrow_and_low_screen_shows_one_side_after_the_other(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_changed_two_files(person)
        screen = await opens(person)
        await person.until(lambda: screen.files.items)
        await person.pilot.resize_terminal(80, 24)
        await person.until(lambda: "notes.md" in person.screen() and "in the turn of" in person.screen())
        await person.pilot.resize_terminal(40, 12)
        await person.until(lambda: "notes.md" in person.screen() and "in the turn of" not in person.screen())
        await person.press("tab")
        await person.until(lambda: "notes.md" not in person.screen() and "in the turn of" in person.screen())


async def test_foreign_names_and_texts_are_shown_and_never_obeyed() -> None:
    evil = "\x1b]0;owned\x07[bold]\u202egpj.\n" + "x" * 300
    message = {"role": "user", "content": f"[red]{evil}", "timestamp": 1}
    tool = {"type": "toolCall", "id": "a", "name": "write", "arguments": {"path": evil, "content": evil}}
    result = {"role": "toolResult", "toolCallId": "a", "toolName": "write", "content": "done", "timestamp": 3}
    said = [message, {"role": "assistant", "content": [tool], "timestamp": 2}, result]
    entries = [
        {"type": "message", "id": str(at), "parentId": str(at - 1) if at else None, "message": message}
        for at, message in enumerate(said)
    ]
    answers = {"get_entries": {"entries": entries, "leafId": "2"}}
    async with at_a_told_pi(answers, size=(120, 40)) as (person, _):
        await person.until(lambda: person.agent.session.tools)
        screen = await opens(person)
        await person.until(lambda: screen.files.items)
        await person.sees("[red]")
        shown = person.screen()
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert {len(row) for row in shown.split("\n")} == {120}


async def test_opened_twice_at_once_it_is_there_once(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.app.perform("changes")
        await person.app.perform("changes")
        await person.until(lambda: isinstance(person.app.screen, ChangesScreen))
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main)
