"""What is selected is copied as it was written: no gutters, no wraps, no borders."""

import pytest
from textual.pilot import Pilot

from tests.ui.transcript.talk import Chat, Talk, long_talk

SIZE = (60, 20)
LONG = "one sentence that is much longer than the sixty columns of this screen and is therefore wrapped into rows"


async def drag(pilot: Pilot[None], chat: Chat, start: tuple[int, int], *ends: tuple[int, int]) -> None:
    await pilot.mouse_down(chat.transcript, offset=start)
    for end in ends:
        await pilot.hover(chat.transcript, offset=end)
    await pilot.mouse_up(chat.transcript, offset=ends[-1])


async def test_a_drag_over_several_blocks_copies_their_source() -> None:
    talk = Talk()
    talk.prompt("first words\nsecond line")
    talk.answer(LONG)
    talk.answer("the last one")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        await drag(pilot, chat, (0, chat.row_of("first")), (58, chat.row_of("last")))
        assert chat.transcript.selected_source() == f"first words\nsecond line\n\n{LONG}\n\nthe last one"


async def test_code_that_is_wrapped_is_copied_with_every_space_and_without_the_signs() -> None:
    talk = Talk()
    code = "    " + "word " * 30 + "end"
    talk.answer(f"before\n\n```\n{code}\n```\n\nafter")
    for width in range(30, 40):
        chat = Chat(talk)
        async with chat.run_test(size=(width, 20)) as pilot:
            assert any(row.lstrip().startswith("↳") for row in chat.rows)
            await drag(pilot, chat, (0, chat.row_of("before")), (width - 4, chat.row_of("after")))
            assert chat.transcript.selected_source() == f"before\n\n{code}\n\nafter"


async def test_a_heading_is_seen_without_its_marks_and_copied_with_them() -> None:
    talk = Talk()
    talk.answer("## What I found\n\nAll of it.\n\n- a\n\n  ### Deeper")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        assert not any("#" in row for row in chat.rows)
        last = chat.row_of("Deeper")
        await drag(pilot, chat, (0, 0), (58, last))
        assert chat.transcript.selected_source() == "## What I found\n\nAll of it.\n\n- a\n\n### Deeper"
        await drag(pilot, chat, (chat.rows[0].index("I found"), 0), (58, 0))
        assert chat.transcript.selected_source() == "I found"


async def test_a_drag_backwards_selects_the_same() -> None:
    talk = Talk()
    talk.answer("alpha beta gamma")
    talk.answer("delta epsilon")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        top, bottom = chat.row_of("alpha"), chat.row_of("delta")
        left, right = chat.rows[top].index("beta"), chat.rows[bottom].index(" epsilon") - 1
        await drag(pilot, chat, (left, top), (right, bottom))
        forward = chat.transcript.selected_source()
        await drag(pilot, chat, (right, bottom), (left, top))
        assert chat.transcript.selected_source() == forward == "beta gamma\n\ndelta"


@pytest.mark.parametrize("whole", ["漢字", "👩‍👩‍👧", "🇩🇪", "é"])
async def test_characters_are_never_cut(whole: str) -> None:
    talk = Talk()
    talk.answer(f"ab{whole}cd")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        start = chat.rows[0].index("b")
        for end in range(start, start + 8):
            await drag(pilot, chat, (start, 0), (end + 1, 0))
            text = chat.transcript.selected_source()
            assert f"b{whole}cd".startswith(text)
            assert all(text.count(part) == whole.count(part) for part in whole if len(whole) > 2 and part in text)


async def test_twice_selects_a_word_and_three_times_the_block() -> None:
    talk = Talk()
    answer = talk.answer(f"see `src/pitui/cli.py` for it\n\n- {LONG}")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        x = chat.rows[0].index("pitui")
        await pilot.click(chat.transcript, offset=(x, 0), times=2)
        assert chat.transcript.selected_source() == "src/pitui/cli.py"
        await pilot.click(chat.transcript, offset=(x, 0), times=3)
        assert chat.transcript.selected_source() == answer.text
        await pilot.click(chat.transcript, offset=(x, 0))
        assert chat.transcript.selected_source() == ""


async def test_a_drag_past_the_edge_scrolls_and_selects_on() -> None:
    talk = long_talk(20)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        transcript = chat.transcript
        await pilot.mouse_down(transcript, offset=(40, 10))
        await pilot.hover(transcript, offset=(5, 5))
        top = transcript.viewport.top
        from textual import events

        move = events.MouseMove(transcript, 0, -3, 0, -8, 1, False, False, False, 0, -3)
        transcript.post_message(move)
        while transcript.viewport.top > top - 12:
            await pilot.pause(0.01)
        await pilot.mouse_up(transcript, offset=(0, 0))
        assert not transcript.following
        assert len(transcript.selected_source().splitlines()) > 12


async def test_a_drag_into_the_first_row_of_the_terminal_scrolls_as_there_is_none_above_it() -> None:
    chat = Chat(long_talk(20))
    async with chat.run_test(size=SIZE) as pilot:
        transcript = chat.transcript
        await pilot.mouse_down(transcript, offset=(5, 4))
        await pilot.hover(transcript, offset=(5, 0))
        top = transcript.viewport.top
        while transcript.viewport.top > top - 5:
            await pilot.pause(0.01)
        await pilot.mouse_up(transcript, offset=(5, 0))
        assert len(transcript.selected_source().splitlines()) > 5


async def test_new_text_neither_moves_nor_loses_the_selection() -> None:
    talk = long_talk(10)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        await drag(pilot, chat, (2, 3), (30, 9))
        before, text = chat.rows[:-1], chat.transcript.selected_source()
        answer = talk.answer(finished=False)
        for number in range(100):
            talk.says(answer, f"more {number}\n\n")
            chat.sync()
        assert chat.rows[:-1] == before
        assert chat.transcript.selected_source() == text


async def test_the_last_answer_is_all_of_its_parts() -> None:
    talk = long_talk(2)
    talk.answer("# One")
    talk.answer("- two")
    talk.tool()
    assert Chat(talk).transcript.last_answer_source().endswith("\n\n# One\n\n- two")


async def test_how_long_a_run_took_is_not_copied_with_its_title() -> None:
    talk = Talk()
    talk.tool("read", path="a.py")
    talk.tool("read", path="b.py")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        assert "0.2s" in chat.rows[0]
        await drag(pilot, chat, (0, 0), (58, 1))
        assert chat.transcript.selected_source() == "read a.py\nread b.py"
