"""The view follows the end while it is seen, and else does not move by itself."""

import pytest

from pitui.session.blocks import Delivery
from pitui.session.model import Aspect, Changes
from pitui.ui.widgets.transcript.painting import text_width
from tests.ui.transcript.talk import Chat, Talk, long_talk

SIZE = (80, 24)


async def test_a_conversation_opens_at_its_end() -> None:
    async with Chat(long_talk()).run_test(size=SIZE) as pilot:
        chat = pilot.app
        assert isinstance(chat, Chat)
        assert chat.rows[-1].endswith("words")
        assert chat.transcript.following


async def test_what_comes_is_followed() -> None:
    talk = long_talk(3)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        answer = talk.answer(finished=False)
        for number in range(50):
            talk.says(answer, f"line {number}\n\n")
            chat.sync()
        assert "line 49" in chat.rows[-1]


async def test_after_page_up_two_thousand_pieces_do_not_move_a_row() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        answer = talk.answer("it begins", finished=False)
        chat.sync()
        chat.transcript.page_up()
        assert not chat.transcript.following
        before = chat.rows[:-1]  # the last row may tell that there is more
        for number in range(2000):
            talk.says(answer, f"more {number}\n\n")
            chat.sync()
        assert chat.rows[:-1] == before
        assert "new lines" in chat.rows[-1]
        assert chat.transcript.unseen > 1000


async def test_what_comes_above_a_prompt_that_waits_is_new_too() -> None:
    talk = long_talk()
    talk.prompt("do that next").delivery = Delivery.SENDING
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        chat.transcript.page_up()
        answer = talk.answer("the newest\n\n" * 10)
        talk.session.blocks.remove(answer)
        talk.session.blocks.insert(-1, answer)
        chat.sync()
        assert "new lines" in chat.rows[-1]


async def test_the_marker_brings_to_the_end_and_following_resumes() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.page_up()
        assert "new line" not in chat.rows[-1]
        talk.answer("the newest")
        chat.sync()
        assert "new line" in chat.rows[-1]
        await pilot.click(chat.transcript, offset=(40, SIZE[1] - 1))
        assert "the newest" in chat.rows[-1]
        assert chat.transcript.following
        talk.answer("newer still")
        chat.sync()
        assert "newer still" in chat.rows[-1]


async def test_scrolling_down_to_the_end_follows_again() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        chat.transcript.scroll_rows(-7)
        chat.transcript.scroll_rows(6)
        assert not chat.transcript.following
        chat.transcript.scroll_rows(1)
        assert chat.transcript.following


@pytest.mark.parametrize("fold", [True, False])
async def test_folding_above_and_below_does_not_move_the_view(fold: bool) -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        if fold:
            transcript.toggle_kind("tool")
        transcript.page_up()
        transcript.page_up()
        seen = {row.number for row in transcript.viewport.screen}
        before = chat.rows
        for number, block in enumerate(talk.session.blocks):
            if number not in seen and block.kind == "tool":
                transcript.viewport.folds.set(block, fold)
                talk.changed(block)
        chat.sync()
        assert chat.rows[:-1] == before[:-1]


async def test_opening_a_tool_leaves_its_first_line_where_it_is() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        y = chat.row_of("read")
        await pilot.click(chat.transcript, offset=(5, y))
        assert "read" in chat.rows[y]
        assert "found" in chat.rows[y + 1]
        assert chat.opened == [chat.transcript.viewport.blocks[chat.transcript.viewport.screen[y].number].id]
        await pilot.click(chat.transcript, offset=(5, y))
        assert "found" not in "".join(chat.rows)


@pytest.mark.parametrize("width", [200, 60, 30, 12, 5])
async def test_the_top_of_the_view_stays_when_the_width_changes(width: int) -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.previous_prompt()
        chat.transcript.previous_prompt()
        first = chat.rows[0]
        assert "question" in first
        await pilot.resize_terminal(width, 20)
        await pilot.pause()
        assert "que" in chat.rows[0]
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert chat.rows[0] == first
        assert not chat.transcript.following


async def test_the_text_at_the_top_comes_back_from_any_widths() -> None:
    talk = long_talk()
    answer = talk.answer(" ".join(f"word{number}" for number in range(3000)))
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        transcript.viewport.show(answer.id, line=20)
        transcript.show()
        first = chat.rows[0]
        for width in (13, 40, 200, 10, 70, 80):
            transcript.viewport.resize(width, SIZE[1])
            top = transcript.viewport.fill()[0]
            assert first.split()[0] in top.drawn.lines[top.line].strip.text
        transcript.viewport.resize(text_width(SIZE[0]), SIZE[1])
        transcript.show()
        assert chat.rows[0] == first


async def test_while_following_the_end_stays_at_the_bottom_when_the_size_changes() -> None:
    chat = Chat(long_talk())
    async with chat.run_test(size=SIZE) as pilot:
        for size in ((40, 12), (120, 40), (80, 3)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert chat.rows[-1].endswith("words")


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 10), (3, 3), (11, 2), (40, 10)])
async def test_any_size_is_survived(size: tuple[int, int]) -> None:
    talk = long_talk(5)
    talk.answer("| a | b |\n|---|---|\n| x | " + "y" * 200 + " |\n\n```\n" + "z" * 300 + "\n```\n\n漢字漢字 👩‍👩‍👧 🇩🇪")
    chat = Chat(talk)
    async with chat.run_test(size=size) as pilot:
        transcript = chat.transcript
        for go in (transcript.page_up, transcript.top, transcript.next_prompt, transcript.page_down, transcript.end):
            go()
            await pilot.pause()
        await pilot.click(transcript, offset=(0, 0))
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert any("question 4" in row for row in chat.rows) or transcript.viewport.screen


async def test_everything_may_be_asked_for_before_there_is_a_screen() -> None:
    talk = long_talk(5)
    transcript = Chat(talk).transcript
    talk.answer("one more")
    transcript.sync(talk.take())
    for go in (transcript.page_up, transcript.top, transcript.previous_prompt, transcript.next_error, transcript.end):
        go()
    transcript.show_block(2)
    transcript.toggle_block(2)
    transcript.toggle_kind("tool")
    transcript.viewport.fold(talk.session.blocks[1], False)
    assert transcript.last_answer_source().endswith("one more")
    assert transcript.selected_source() == ""


async def test_an_empty_conversation_says_what_will_come() -> None:
    chat = Chat(Talk(), empty="Nothing has been said yet.\nType below.")
    async with chat.run_test(size=(40, 8)) as pilot:
        assert "Nothing has been said yet." in chat.rows[3]
        transcript = chat.transcript
        for go in (transcript.page_up, transcript.end, transcript.previous_prompt, transcript.next_error):
            go()
        assert transcript.search("x") == 0
        transcript.show_block(5)
        transcript.toggle_kind("tool")
        await pilot.click(transcript)
        assert transcript.last_answer_source() == ""


async def test_keys_go_from_prompt_to_prompt_and_from_error_to_error() -> None:
    talk = long_talk(10)
    talk.error("it broke")
    for _ in range(10):
        talk.answer("after that\n\n" * 10)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        transcript.previous_error()
        assert "it broke" in "".join(chat.rows[:2])
        transcript.previous_prompt()
        assert "question 9" in chat.rows[0]
        transcript.previous_prompt()
        assert "question 8" in chat.rows[0]
        transcript.next_prompt()
        assert "question 9" in chat.rows[0]
        transcript.top()
        assert "question 0" in chat.rows[0]
        transcript.end()
        assert transcript.following


async def test_page_up_reaches_the_first_of_three_thousand_and_keeps_few_lines() -> None:
    chat = Chat(long_talk(1000))
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        most = pages = 0
        while "question 0" not in chat.rows[0]:
            transcript.page_up()
            pages += 1
            most = max(most, transcript.viewport.drawings.lines)
            assert pages < 2000
        assert most <= transcript.viewport.drawings.limit
        transcript.page_down()
        for _ in range(5):
            transcript.page_up()
        assert "question 0" in chat.rows[0]


async def test_pages_neither_skip_nor_repeat_a_line() -> None:
    talk = Talk()
    for number in range(300):
        talk.answer(f"row {number}")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        transcript.top()
        seen: list[str] = []
        while not transcript.following:
            seen += [row for row in chat.rows if row not in seen[-30:] and row]
            transcript.page_down()
        seen += [row for row in chat.rows if row not in seen[-30:] and row]
        assert [row.strip() for row in seen] == [f"row {number}" for number in range(300)]


async def test_another_session_shows_its_own_end() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        chat.transcript.page_up()
        talk.session.blocks[:] = long_talk(2).session.blocks
        chat.transcript.sync(Changes(aspects=Aspect.REPLACED | Aspect.BLOCKS))
        assert chat.transcript.following
        assert "question 1" in "".join(chat.rows)


async def test_blocks_that_go_while_reading_leave_the_rest_where_it_is() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        chat.transcript.page_up()
        before = chat.rows
        del talk.session.blocks[:3]
        talk.changes.aspects |= Aspect.BLOCKS
        chat.sync()
        assert chat.rows == before


async def test_new_thinking_is_as_the_switch_says() -> None:
    talk = Talk()
    talk.thinking("deep thought\n\nsecond thought")
    chat = Chat(talk)

    def thoughts() -> list[str]:
        return [row.strip() for row in chat.rows if row.strip() in ("second thought", "third thought")]

    async with chat.run_test(size=SIZE):
        assert thoughts() == []
        chat.transcript.toggle_kind("thinking")
        talk.thinking("another one\n\nthird thought")
        chat.sync()
        assert thoughts() == ["second thought", "third thought"]
        chat.transcript.toggle_kind("thinking")
        assert thoughts() == []


async def test_a_second_press_brings_back_what_was_open_and_what_was_folded() -> None:
    talk = Talk()
    talk.tool("read", "what was read", path="a.py")
    talk.tool("edit", path="a.py", edits=[{"oldText": "was", "newText": "an edit"}])
    opened = talk.tool("read", "what was looked at", path="b.py")
    folded = talk.tool("edit", path="b.py", edits=[{"oldText": "was", "newText": "another edit"}])
    chat = Chat(talk)

    def seen() -> list[str]:
        words = ("what was read", "an edit", "what was looked at", "another edit")
        return [word for word in words if word in "\n".join(chat.rows)]

    async with chat.run_test(size=SIZE):
        chat.transcript.toggle_block(opened.id)
        chat.transcript.toggle_block(folded.id)
        assert seen() == ["an edit", "what was looked at"]
        chat.transcript.toggle_kind("tool")
        assert seen() == ["what was read", "an edit", "what was looked at", "another edit"]
        chat.transcript.toggle_kind("tool")
        assert seen() == ["an edit", "what was looked at"]


async def test_home_and_end_take_the_block_cursor_with_them() -> None:
    talk = long_talk()
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.focus()
        await pilot.press("home")
        assert chat.transcript.cursor.block() is talk.session.blocks[0]
        await pilot.press("end")
        assert chat.transcript.cursor.block() is talk.session.blocks[-1]
        assert chat.transcript.following


async def test_the_scroll_bar_can_be_dragged_to_either_end() -> None:
    chat = Chat(long_talk())
    async with chat.run_test(size=SIZE) as pilot:
        x = SIZE[0] - 1
        thumb = chat.transcript.canvas.thumb(SIZE[1])
        await pilot.mouse_down(chat.transcript, offset=(x, thumb.start))
        await pilot.hover(chat.transcript, offset=(x, 0))
        assert "question 0" in chat.rows[0]
        assert not chat.transcript.following
        await pilot.hover(chat.transcript, offset=(x, SIZE[1] - 1))
        assert chat.transcript.following
        await pilot.mouse_up(chat.transcript, offset=(x, SIZE[1] - 1))


async def test_the_block_cursor_moves_opens_and_copies() -> None:
    talk = long_talk(4)
    answer = talk.answer("See:\n\n```sh\nls -l\n```\n\nor\n\n```\npwd\n```")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.focus()
        await pilot.press("ctrl+c", "ctrl+y", "ctrl+y")
        assert chat.copied == [answer.text, "ls -l", "pwd"]
        await pilot.press("up", "up", "enter")
        assert chat.opened == [talk.session.blocks[-3].id]
        await pilot.press("home")
        assert "question 0" in chat.rows[0]
        await pilot.press("end")
        assert chat.transcript.following


async def test_the_rest_of_a_long_output_is_shown_by_a_click() -> None:
    talk = Talk()
    tool = talk.tool("read", output="\n".join(f"row {number}" for number in range(5000)))
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.toggle_block(tool.id)
        chat.transcript.end()
        y = chat.row_of("(show all)")
        await pilot.click(chat.transcript, offset=(10, y))
        chat.transcript.end()
        while chat.transcript.viewport.unfinished:  # so much is drawn in steps
            await pilot.pause(0.01)
        assert "row 4999" in chat.rows[-1]


async def test_one_line_of_two_million_characters_can_be_read() -> None:
    talk = Talk()
    talk.prompt("what is in it?")
    tool = talk.tool("bash", output="x" * 2_000_000, command="cat big.json")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        chat.transcript.toggle_block(tool.id)
        chat.transcript.page_up()
        chat.transcript.end()
        assert "xxxx" in "".join(chat.rows)
        await pilot.resize_terminal(40, 10)
        assert chat.transcript.viewport.drawings.lines < 2000
