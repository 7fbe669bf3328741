"""What is chosen in the menu of a block is done."""

from pathlib import Path
from typing import Any

import pytest

from pitui.config import Settings
from tests.ui.person import Person, Told, at_a_told_pi, at_the_demo


async def runs_a_command(person: Person, told: Told, path: Path) -> None:
    """A tool whose output pi has shortened; the chat has the focus, the block cursor is on the answer after it."""
    call = {"type": "toolCall", "id": "a", "name": "bash", "arguments": {"command": "make"}}
    words = {"type": "text", "text": "It is [here](https://docs.example.org/x)."}
    result: dict[str, Any] = {"content": [{"type": "text", "text": "end"}], "details": {"fullOutputPath": str(path)}}
    told.says(type="agent_start")
    told.says(type="message_end", message={"role": "assistant", "content": [call], "stopReason": "toolUse"})
    told.says(type="tool_execution_start", toolCallId="a", toolName="bash", args=call["arguments"])
    told.says(type="tool_execution_end", toolCallId="a", toolName="bash", result=result, isError=False)
    told.says(type="message_end", message={"role": "assistant", "content": [words], "stopReason": "stop"})
    told.says(type="agent_settled")
    await person.sees("It is here")
    person.app.main.transcript.focus()
    await person.pilot.pause()


async def test_the_full_output_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "pi-bash.log"
    path.write_text("".join(f"row {number}\n" for number in range(1000)))
    async with at_a_told_pi() as (person, told):
        await runs_a_command(person, told, path)
        await person.press("up", "tab")
        await person.sees("Read the full output")
        await person.press("down", "enter")
        await person.sees("of 1,000")
        assert "row 0" in person.screen()
        await person.press("escape")
        path.unlink()
        await person.press("tab")
        await person.sees("Read the full output")
        await person.press("down", "enter")
        await person.until(lambda: any("is no longer there" in said.message for said in person.app._notifications))


async def test_the_menu_copies_all_blocks_that_are_selected(tmp_path: Path) -> None:
    async with at_a_told_pi() as (person, told):
        await runs_a_command(person, told, tmp_path)
        await person.press("up", "shift+down", "tab")
        await person.sees("Copy what is selected")
        await person.press("enter")
        await person.until(lambda: person.app.clipboard == "$ make\nend\n\nIt is [here](https://docs.example.org/x).")


async def test_the_menu_copies_what_the_mouse_has_selected_and_then_nothing_is_selected(tmp_path: Path) -> None:
    async with at_a_told_pi() as (person, told):
        await runs_a_command(person, told, tmp_path)
        transcript = person.app.main.transcript
        y = next(y for y in range(30) if "It is here" in person.row(y))
        x = person.row(y).index("It is")
        await person.pilot.mouse_down(transcript, offset=(x, y))
        await person.pilot.hover(transcript, offset=(x + 4, y))
        await person.pilot.mouse_up(transcript, offset=(x + 4, y))
        await person.pilot.click(transcript, offset=(x, y), button=3)
        await person.sees("Copy what is selected")
        await person.press("enter")
        await person.until(lambda: person.app.clipboard == "It is")
        assert not transcript.selected_source()


async def test_a_link_without_a_browser_is_copied_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with at_a_told_pi(size=(120, 30)) as (person, told):
        await runs_a_command(person, told, tmp_path)
        await person.press("tab")
        await person.sees("Open docs.example.org")
        await person.press("down", "enter")
        await person.sees("There is nothing here to open https://docs.example.org/x")
        await person.until(lambda: person.app.clipboard == "https://docs.example.org/x")


async def test_the_keys_for_times_and_sides_say_what_they_did() -> None:
    async with at_a_told_pi(size=(70, 30)) as (person, _):
        await person.press("f7")
        await person.sees("Times and cost")
        await person.press("f9")
        await person.sees("Two sides need")


async def test_the_key_for_sides_tells_how_to_keep_them() -> None:
    async with at_a_told_pi(size=(120, 30)) as (person, _):
        await person.press("f9")
        await person.sees("“sides = true”")
        await person.press("f9")
        await person.sees("“sides = false”")


async def test_the_setting_for_sides_holds_from_the_start(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, settings=Settings(sides=False)) as person:
        await person.until(lambda: person.app.main.transcript.viewport.sides is False)
