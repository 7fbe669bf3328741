"""Writing: lines, pastes, what was written before."""

import re
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from tests.ui.person import Person, at_the_demo


@pytest.mark.parametrize("keys", [("shift+enter",), ("ctrl+j",), ("backslash", "enter")])
async def test_a_new_line_can_be_had_in_every_terminal(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("a", *keys, "b")
        assert person.prompt.text == "a\nb"
        assert person.asked() == []


LINES_BY_ENTER = {"tui.input.newLine": ("enter",), "tui.input.submit": ("ctrl+s",)}


async def test_enter_begins_a_line_and_another_key_sends_where_the_person_wants_it_so(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(100, 50), editor_keys=LINES_BY_ENTER) as person:
        await person.press(*"one", "enter", *"two")
        assert person.prompt.text == "one\ntwo"
        await person.press("ctrl+s")
        await person.until(lambda: person.asked() == ["one\ntwo"])
        await person.press("slash", *"hotk", "enter")  # a command is chosen as from any list
        await person.sees("Keys and commands")
        await person.press("end")
        await person.until(lambda: re.search(r"Ctrl\+S +Send; steers while pi works", person.screen()))
        assert re.search(r"Enter, \\ Ctrl\+S +A new line", person.screen())


@pytest.mark.parametrize("key", ["alt+enter", "ctrl+enter", "ctrl+t", "tab", "up"])
async def test_any_key_can_send_whatever_it_does_else(tmp_path: Path, key: str) -> None:
    async with at_the_demo(tmp_path, editor_keys={"tui.input.submit": (key,)}) as person:
        await person.press("a", "enter", "b", "backslash", key, "c", key)
        await person.until(lambda: person.asked() == ["a\nb\nc"])
        assert not person.agent.session.in_pi


async def test_shift_enter_can_send_also_from_a_terminal_that_knows_only_enter(tmp_path: Path) -> None:
    keys = {"tui.input.submit": ("shift+enter",), "tui.input.newLine": ("enter",)}
    async with at_the_demo(tmp_path, editor_keys=keys) as person:
        await person.press("a", "enter", "b", "backslash", "enter")
        await person.until(lambda: person.asked() == ["a\nb"])


async def test_a_backslash_elsewhere_is_sent(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("a\\b")
        await person.sees("You said: a\\b")


async def test_a_paste_comes_once_without_controls_and_is_not_sent(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.pastes("one\r\ntwo\rthree\n\tfour \x1b]0;title\x07\x1b[31mred\x1b[0m\x00\n")
        assert person.prompt.text == "one\ntwo\nthree\n\tfour red\n"
        assert person.asked() == []
        await person.types("x")
        assert person.prompt.text.endswith("red\nx")


async def test_the_prompt_grows_to_a_third_of_the_screen(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(80, 30)) as person:
        assert person.prompt.size.height == 1
        await person.pastes("\n".join("line" for _ in range(4)))
        assert person.prompt.size.height == 4
        person.prompt.insert("\n".join("line" for _ in range(100)))
        await person.pilot.pause()
        assert person.prompt.size.height == 9
        assert person.prompt.cursor_screen_offset.y < 30


async def test_up_recalls_what_was_said_and_down_brings_the_draft_back(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        for number, text in enumerate(("first", "second\nof two lines"), 1):
            await person.sends(text)
            await person.until(lambda number=number: person.is_idle() and len(person.asked()) == number)
        await person.types("draft")
        await person.press("up")
        assert person.prompt.text == "second\nof two lines"
        await person.press("up")
        assert person.prompt.text == "first"
        await person.press("up", "down")
        assert person.prompt.text == "second\nof two lines"
        await person.press("down")
        assert person.prompt.text == "draft"


async def test_up_moves_within_several_lines_first(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("earlier")
        await person.until(person.is_idle)
        await person.press("a", "ctrl+j", "b", "up", "x")
        assert person.prompt.text == "ax\nb"
        await person.press("up")
        assert person.prompt.text == "earlier"


async def test_what_is_recalled_can_be_gone_on_with_at_the_end_of_its_first_line(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        for number, text in enumerate(("first", "second\nof two lines"), 1):
            await person.sends(text)
            await person.until(lambda number=number: person.is_idle() and len(person.asked()) == number)
        await person.press("up")
        await person.types("!")
        assert person.prompt.text == "second!\nof two lines"
        await person.press("ctrl+c", "up", "up", "up")
        await person.types("!")
        assert person.prompt.text == "first!"


async def test_the_past_goes_on_beyond_a_prompt_that_is_wider_than_the_screen(tmp_path: Path) -> None:
    long = "word " * 40 + "end"
    async with at_the_demo(tmp_path) as person:
        for number, text in enumerate(("first", long), 1):
            await person.sends(text)
            await person.until(lambda number=number: person.is_idle() and len(person.asked()) == number)
        await person.press("up")
        assert person.prompt.text == long
        await person.press("up")
        assert person.prompt.text == "first"


async def test_ctrl_c_clears_the_prompt_and_the_words_can_be_recalled(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("draft text")
        await person.press("ctrl+c")
        assert person.prompt.text == ""
        await person.sees("Ctrl+C again leaves")
        assert person.app.is_running
        await person.press("up")
        assert person.prompt.text == "draft text"


async def test_ctrl_c_twice_leaves(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("ctrl+c", "ctrl+c")
        await person.until(lambda: not person.app.is_running)


async def test_ctrl_c_leaves_only_when_nothing_is_written(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("ctrl+c", "a", "ctrl+c")
        assert person.app.is_running
        assert person.prompt.text == ""
        await person.press("up")
        assert person.prompt.text == "a"


async def test_ctrl_c_copies_what_is_selected_and_clears_nothing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("draft")
        await person.press("shift+home", "ctrl+c")
        assert person.app.clipboard == "draft"
        assert person.prompt.text == "draft"
        await person.sees("Copied 5 characters")


async def test_ctrl_d_leaves_only_an_empty_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("a", "b", "home", "ctrl+d")
        assert person.prompt.text == "b"
        await person.press("ctrl+d", "ctrl+d")
        await person.until(lambda: not person.app.is_running)


async def test_undo_brings_cleared_words_back(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("draft")
        await person.press("ctrl+c", "ctrl+underscore")
        assert person.prompt.text == "draft"


async def test_an_extension_that_writes_into_the_prompt_takes_nothing_away(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/show-all")
        await person.types("my words")
        await person.until(lambda: "text set by an extension" in person.prompt.text)
        if person.prompt.text == "text set by an extension":
            await person.press("up")
            assert person.prompt.text == "my words"


async def test_nobody_can_write_controls_into_the_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        person.prompt.give_back(["back\x1b]52;c;UFdO\x07 again\x9b2J"])
        assert person.prompt.text == "back again"
        person.prompt.fill("set\x1b[2J by\x00 pi\r\nand more")
        assert person.prompt.text == "set by pi\nand more"


async def press_at_once(person: Person, *keys: str) -> None:
    """As a terminal gives what was typed fast: one key is there before the one before has done anything."""
    for key in keys:
        person.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await person.pilot.pause()


async def test_what_is_typed_fast_happens_in_that_order(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await press_at_once(person, *"word", "backspace", "backspace", "k", "home", "a", "ctrl+c", "n", "e", "w")
        await person.until(lambda: person.prompt.text == "new")
        await person.press("up")
        assert person.prompt.text == "awok"


async def test_what_is_typed_fast_into_a_list_happens_in_that_order(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("f4")
        await person.sees("All commands")
        await press_at_once(person, *"thx", "backspace", *"eme", "home", "delete")
        field = person.app.screen.query_one(Input)
        await person.until(lambda: field.value == "heme")
