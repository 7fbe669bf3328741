"""What the keys and the mouse do with the block under the cursor."""

import anyio
from textual.pilot import Pilot

from pitui.session.blocks import BashBlock, TurnBlock
from pitui.ui.widgets.transcript import Transcript
from tests.ui.transcript.talk import Chat, Talk, long_talk

SIZE = (70, 20)


class Listening(Chat):
    """Keeps what the transcript asks for."""

    def __init__(self, talk: Talk) -> None:
        super().__init__(talk)
        self.asked: list[object] = []

    def on_transcript_menu_requested(self, message: Transcript.MenuRequested) -> None:
        self.asked.append(("menu", message.block_id))

    def on_transcript_output_requested(self, message: Transcript.OutputRequested) -> None:
        self.asked.append(("output", message.block_id))

    def on_transcript_link_clicked(self, message: Transcript.LinkClicked) -> None:
        self.asked.append(("link", message.address))


async def test_tab_and_the_right_button_ask_for_the_menu_of_a_block() -> None:
    talk = Talk()
    first, last = talk.answer("first"), talk.answer("last")
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.focus()
        await pilot.press("tab")
        await pilot.click(chat.transcript, offset=(4, chat.row_of("first")), button=3)
        assert chat.asked == [("menu", last.id), ("menu", first.id)]


async def test_a_click_on_a_link_opens_it_but_a_double_click_and_a_drag_over_it_select() -> None:
    talk = Talk()
    talk.answer("see https://a.b/c or [it](ssh://x) here")
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        link = (chat.rows[0].index("a.b"), 0)
        await pilot.click(chat.transcript, offset=link, times=2)
        assert chat.transcript.selected_source() == "https://a.b/c"
        other = (chat.rows[0].index("it ("), 0)
        await pilot.click(chat.transcript, offset=other)
        await pilot.click(chat.transcript, offset=link, control=True)
        await pilot.click(chat.transcript, offset=other)
        await pilot.click(chat.transcript, offset=link)
        assert ("link", "https://a.b/c") in chat.asked
        with anyio.fail_after(10):
            while len(chat.asked) < 2:  # noqa: ASYNC110
                await anyio.sleep(0.01)
        assert chat.asked == [("link", "https://a.b/c")] * 2
        await drag(pilot, chat, chat.rows[0].index("https"), chat.rows[0].index(" or"))
        assert chat.transcript.selected_source() == "https://a.b/c"
        assert len(chat.asked) == 2


async def drag(pilot: Pilot[None], chat: Chat, start: int, end: int) -> None:
    await pilot.mouse_down(chat.transcript, offset=(start, 0))
    await pilot.hover(chat.transcript, offset=(end, 0))
    await pilot.mouse_up(chat.transcript, offset=(end, 0))


async def test_the_row_of_a_full_output_opens_it() -> None:
    talk = Talk()
    block = BashBlock(id=talk.next_id, command="make", full_output_path="/tmp/all", finished=True)
    talk.add(block)
    talk.answer("It ends with (show all)")
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        await pilot.click(chat.transcript, offset=(5, chat.row_of("(full output: /tmp/all)")))
        await pilot.click(chat.transcript, offset=(5, chat.row_of("ends with")))
        assert chat.asked == [("output", block.id)]


async def test_shift_and_arrows_take_several_blocks_and_copy_them_all() -> None:
    talk = Talk()
    talk.prompt("question")
    talk.answer("one **bold**")
    talk.add(TurnBlock(id=talk.next_id, tools={"read": 1}, finished=True))
    talk.prompt("again")
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.focus()
        await pilot.press("shift+up", "shift+up", "ctrl+c", "shift+down", "ctrl+c", "up", "ctrl+c")
        assert chat.copied == ["question\n\none **bold**\n\nagain", "one **bold**\n\nagain", "question"]


async def test_right_shows_all_of_it_and_left_folds_it() -> None:
    talk = Talk()
    tool = talk.tool(output="\n".join(f"line {number}" for number in range(1000)))
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        transcript = chat.transcript
        transcript.focus()
        await pilot.press("enter")
        assert transcript.has_more(tool.id)
        assert "600 more lines" in "\n".join(line.strip.text for line in transcript.viewport.drawn(0).lines)
        await pilot.press("right")
        assert len(transcript.viewport.drawn(0).lines) == 1001
        await pilot.press("left", "left")
        assert len(transcript.viewport.drawn(0).lines) == 1
        await pilot.press("enter")
        assert len(transcript.viewport.drawn(0).lines) == 402


async def test_code_is_copied_one_after_another_and_from_the_first_in_another_block() -> None:
    talk = Talk()
    talk.answer("```\na\n```\n\n```\nb\n```")
    talk.answer("```\nc\n```\n\n```\nd\n```")
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.focus()
        await pilot.press("ctrl+y", "up", "ctrl+y", "ctrl+y", "ctrl+y")
        assert chat.copied == ["c", "a", "b", "a"]
        assert chat.copied_names == [f"code {number} of 2 (1 line)" for number in (1, 1, 2, 1)]


async def test_what_a_run_took_is_not_copied_and_moves_nothing() -> None:
    talk = long_talk(20)
    chat = Listening(talk)
    async with chat.run_test(size=SIZE) as pilot:
        transcript = chat.transcript
        transcript.scroll_rows(-20)
        before = chat.rows[:-1]
        talk.add(TurnBlock(id=talk.next_id, tools={"read": 3}, duration=12, finished=True))
        chat.sync()
        assert chat.rows[:-1] == before
        transcript.set_times(True)
        assert chat.rows[:-1] == before
        transcript.end()
        assert chat.rows[-1] == "  12s · read \u00d73 · 0↑ 0↓ · $0.000"
        await pilot.mouse_down(transcript, offset=(2, 15))
        await pilot.hover(transcript, offset=(60, 19))
        assert "read" not in transcript.selected_source()
        await pilot.mouse_up(transcript, offset=(60, 19))


async def test_sides_of_a_diff_stand_beside_each_other_where_there_is_room() -> None:
    talk = Talk()
    talk.tool("edit", path="a.py", oldText="old line\n", newText="new line\n")
    for width, told in ((70, [None]), (80, [True, False, True])):
        chat = Listening(talk)
        async with chat.run_test(size=(width, 20)):
            shown = [chat.transcript.toggle_sides() for _ in told]
            assert shown == told
            assert ("old line" in chat.rows[1] and "new line" in chat.rows[1]) == (width == 80)
