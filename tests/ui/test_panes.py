"""Where things are, at every size, and where the keys go."""

from pathlib import Path

import pytest
from textual import events

from pitui.ui.screens.page import PageScreen
from tests.ui.person import SLOW, at_the_demo


async def test_the_side_bar_stands_beside_the_chat_where_there_is_room(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(100, 30)) as person:
        assert "Tools" in person.row(0)
        await person.press("f2")
        await person.until(lambda: "Tools" not in person.screen())
        await person.press("f2")
        await person.sees("Tools")
        assert person.prompt.has_focus


async def test_elsewhere_a_key_brings_it_over_the_chat_and_escape_takes_it_away(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(99, 30)) as person:
        assert "Tools" not in person.screen()
        await person.press("f2")
        await person.sees("Tools")
        await person.press("escape")
        await person.until(lambda: "Tools" not in person.screen() and person.prompt.has_focus)


async def test_f6_goes_round_the_panes_and_escape_back_to_the_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        main = person.app.main
        for pane in (main.transcript, main.tools, main.queue, main.prompt, main.transcript):
            await person.press("f6")
            await person.until(lambda pane=pane: pane.has_focus)
        await person.press("escape")
        await person.until(lambda: main.prompt.has_focus)


async def test_escape_in_a_pane_stops_nothing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.press("f6", "escape")
        await person.until(lambda: person.prompt.has_focus)
        assert person.runs_a_tool()
        await person.press("escape")
        await person.until(person.is_idle)


async def test_a_tool_of_the_side_bar_is_shown_in_the_chat(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 20)) as person:
        await person.sends('#tool bash {"command":"echo far-above"}\n#then\n#md 3000')
        await person.until(lambda: person.said() and person.is_idle())
        await person.until(lambda: "$ echo far-above" not in person.screen().replace("echo far-above  ", ""))
        person.app.main.tools.focus()
        await person.press("enter")
        await person.until(lambda: any("$ echo far-above" in line[:70] for line in person.screen().split("\n")))


async def test_at_forty_by_twelve_everything_is_there(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(40, 12)) as person:
        await person.sends("hello")
        await person.sees("You said: hello")
        assert "script" in person.row(11)
        assert "ready" in person.row(11)
        assert "%/200k" in person.row(11)
        await person.press("f4")
        await person.sees("All commands")
        await person.types("sidebar")
        await person.press("escape")
        await person.sends("/hotkeys")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))


@pytest.mark.parametrize("over", ["", "f1", "f2", "f4", "slash"])
async def test_no_size_breaks_it(tmp_path: Path, over: str) -> None:
    async with at_the_demo(tmp_path, size=(80, 24)) as person:
        await person.sends("#md 900")
        await person.until(lambda: person.said() and person.is_idle())
        if over:
            await person.press(over)
        for size in ((40, 10), (20, 5), (10, 4), (4, 3), (1, 1), (2, 1), (1, 40), (200, 60)):
            await person.pilot.resize_terminal(*size)
            await person.pilot.pause()
        if over:
            await person.press("escape")
        await person.until(lambda: person.prompt.has_focus)
        await person.pilot.resize_terminal(80, 24)
        await person.press("a")
        assert person.prompt.text.endswith("a")
        await person.sees("script")


async def test_keys_for_reading_work_while_writing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#md 6000")
        await person.until(lambda: person.said() and person.is_idle())
        await person.types("draft")
        transcript = person.app.main.transcript
        assert transcript.following
        await person.press("pageup")
        assert not transcript.following
        await person.press("ctrl+end")
        assert transcript.following
        assert person.prompt.text == "draft"
        assert person.prompt.has_focus


async def test_keys_of_the_main_screen_do_nothing_under_a_list(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("f4")
        await person.sees("All commands")
        await person.press("shift+tab", "f1", "ctrl+p")
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main)
        assert person.agent.session.thinking_level == "medium"


async def test_other_keys_of_the_person_are_used(tmp_path: Path) -> None:
    from pitui.config import Settings

    settings = Settings(keys={"help": ("ctrl+k",), "sidebar": ()}, sidebar=False)
    async with at_the_demo(tmp_path, settings=settings) as person:
        assert "Tools" not in person.screen()
        await person.press("f2")
        assert "Tools" not in person.screen()
        await person.press("ctrl+k")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))
        await person.press("escape", "f1")
        assert person.app.screen is person.app.main


@pytest.mark.parametrize("pane", ["transcript", "tools", "queue"])
async def test_what_is_typed_in_a_pane_goes_to_the_prompt(tmp_path: Path, pane: str) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("hello")
        await person.until(lambda: person.said() and person.is_idle())
        getattr(person.app.main, pane).focus()
        await person.sees("Esc to the prompt")
        await person.types("jkcyo and more")
        assert person.prompt.text == "jkcyo and more"
        assert person.prompt.has_focus
        assert "Esc to the prompt" not in person.screen()
        assert not person.app.clipboard


async def test_keys_pressed_at_once_in_a_pane_keep_their_order(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        person.app.main.set_focus(person.app.main.transcript)
        for letter in "quick":
            person.app.post_message(events.Key(letter, letter))
        await person.until(lambda: person.prompt.text == "quick")


async def test_a_paste_in_a_pane_goes_to_the_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("f6")
        await person.pastes("from elsewhere")
        assert person.prompt.text == "from elsewhere"


async def test_ctrl_c_in_the_chat_copies_the_block_and_clears_nothing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say Hello **you**.")
        await person.until(lambda: person.said() and person.is_idle())
        await person.types("draft")
        await person.press("f6", "ctrl+c")
        await person.until(lambda: person.app.clipboard.strip() == "Hello **you**.")
        assert person.prompt.text == "draft"


async def test_the_keys_of_a_pane_are_in_the_help(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(100, 220)) as person:
        await person.press("f1")
        await person.sees("To the top")
        await person.press("end")
        await person.sees("Open or fold it")
        await person.sees("Show it in the chat")


async def test_end_and_home_are_for_the_chat_while_nothing_is_written(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#md 6000")
        await person.until(lambda: person.said() and person.is_idle())
        transcript = person.app.main.transcript
        await person.press("home")
        assert "#md 6000" in person.screen()
        assert not transcript.following
        await person.press("end")
        assert transcript.following
        await person.types("ab")
        await person.press("home", "x", "end", "y")
        assert person.prompt.text == "xaby"
        assert transcript.following


async def test_the_key_that_goes_to_new_lines_is_named(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#md 3000")
        await person.until(lambda: person.said() and person.is_idle())
        await person.press("home")
        person.agent.notice("error", "something new")
        await person.sends("!seq 50")
        await person.until(lambda: not person.agent.session.bashes)
        await person.press("home")
        await person.agent.bash("echo later")
        await person.sees("Ctrl+End")


async def test_at_forty_cells_no_word_is_cut(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(40, 12)) as person:
        await person.sees("Write to pi; / for commands")
        assert "! for" not in person.screen()
        await person.sends("/ask-select")
        await person.sees("Esc dismiss")
        assert "Enter choose  Esc dismiss  ↑↓ move" in person.screen()
        assert "a-z" not in person.screen()


async def test_f6_pressed_three_times_at_once_goes_three_panes_on(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        for _ in range(3):
            person.app.post_message(events.Key("f6", None))
        await person.until(lambda: person.app.main.queue.has_focus)
