"""Search finds what was said anywhere, also where nothing of it is to be seen."""

from collections.abc import Callable

import anyio
from rich.segment import Segment

from pitui.session.model import Aspect
from pitui.ui.theme import DARK, palette_of
from tests.ui.transcript.talk import Chat, Talk, long_talk, search

SIZE = (60, 20)


PALETTE = palette_of(DARK)


def marked(chat: Chat, style_name: str) -> list[str]:
    """Texts that stand on the ground of a style."""
    ground = getattr(PALETTE, style_name).bgcolor
    rows = [chat.transcript.render_line(y) for y in range(chat.transcript.size.height)]
    segments: list[Segment] = [segment for row in rows for segment in row]
    return [segment.text for segment in segments if segment.style is not None and segment.style.bgcolor == ground]


async def test_a_hit_in_a_folded_tool_is_opened_and_folded_again() -> None:
    talk = long_talk(10)
    talk.tool(output="nothing\n" * 3000 + "the needle\n" + "nothing\n" * 50)
    talk.prompt("and now?")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        before = chat.rows
        assert await search(transcript, "needle") == 1
        assert "the needle" in "".join(chat.rows)
        assert marked(chat, "search_current") == ["needle"]
        transcript.clear_search(back=True)
        assert chat.rows == before
        assert transcript.following


async def test_it_narrows_while_it_is_typed_and_counts() -> None:
    chat = Chat(long_talk(30))
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        counts = [await search(transcript, "question 12"[:end]) for end in range(1, 12)]
        assert counts == sorted(counts, reverse=True)
        assert counts[-1] == 1
        assert await search(transcript, "question 1") == 11
        assert await search(transcript, "no such words") == 0
        assert transcript.hits.position == 0


async def test_only_capitals_make_it_case_sensitive() -> None:
    talk = Talk()
    talk.answer("Apple apple APPLE")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        assert await search(chat.transcript, "apple") == 3
        assert await search(chat.transcript, "Apple") == 1


async def test_next_and_previous_go_round_and_mark_where_they_are() -> None:
    talk = long_talk(30)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        transcript.top()
        total = await search(transcript, "goes on")
        assert (total, transcript.hits.position) == (30, 1)
        for expected in (2, 3):
            transcript.next_hit()
            assert transcript.hits.position == expected
            assert marked(chat, "search_current") == ["goes on"]
        for expected in (2, 1, 30):
            transcript.previous_hit()
            assert transcript.hits.position == expected
        transcript.next_hit()
        assert transcript.hits.position == 1


async def test_a_hit_across_a_wrapped_line_is_marked_on_both_rows() -> None:
    talk = Talk()
    talk.answer("x " * 27 + "split words here")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        assert await search(chat.transcript, "split words") == 1
        assert "".join(marked(chat, "search_current")).replace(" ", "") == "splitwords"


async def test_a_hit_that_is_seen_does_not_move_the_view() -> None:
    chat = Chat(long_talk(30))
    async with chat.run_test(size=SIZE):
        before = chat.rows
        await search(chat.transcript, "question 29")
        assert chat.rows == before


async def test_what_comes_while_searching_is_found() -> None:
    talk = long_talk(3)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        assert await search(chat.transcript, "zebra") == 0
        answer = talk.answer("a zebra", finished=False)
        chat.sync()
        assert chat.transcript.hits.total == 1
        talk.says(answer, " and a zebra")
        chat.sync()
        assert chat.transcript.hits.total == 2


def lines_with(needles: set[int], lines: int = 100) -> str:
    """Many lines, some of which have the needle in them."""
    return "\n".join(f"line {number}" + " has a needle" * (number in needles) for number in range(lines))


async def test_the_hit_nearest_to_where_one_reads_is_shown_first() -> None:
    talk = Talk()
    talk.answer("needle 1")
    talk.answer(lines_with(set()))
    talk.answer("needle 2")
    for _ in range(3):
        talk.answer(lines_with(set()))
    talk.answer("needle 3")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        assert await search(transcript, "needle") == 3
        assert "needle 3" in "".join(chat.rows)
        transcript.clear_search(back=True)
        transcript.show_block(talk.session.blocks[3].id)
        await search(transcript, "needle")
        assert (transcript.hits.position, "needle 2" in "".join(chat.rows)) == (2, True)
        transcript.next_hit()
        assert "needle 3" in "".join(chat.rows)


async def test_of_a_long_answer_the_hit_nearest_to_where_one_reads_is_shown() -> None:
    talk = Talk()
    talk.tool("bash", lines_with({2, 20, 50, 90}), command="make")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        transcript.toggle_block(talk.session.blocks[0].id)
        transcript.top()
        transcript.scroll_rows(60)
        await search(transcript, "needle")
        assert (transcript.hits.position, transcript.hits.total) == (4, 4)
        transcript.clear_search(back=True)
        transcript.scroll_rows(-15)
        before = chat.rows
        await search(transcript, "needle")
        assert transcript.hits.position == 3
        assert chat.rows == before


async def test_every_hit_of_a_block_is_gone_to_and_marked_one_after_another() -> None:
    talk = Talk()
    talk.prompt("go")
    talk.answer("\n\n".join(f"{number}: a needle and a needle" for number in range(5)) + "\n" * 3)
    talk.tool("bash", lines_with({2, 20, 50, 90}), command="make")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        transcript = chat.transcript
        transcript.top()
        assert await search(transcript, "needle") == 14
        assert marked(chat, "search_hit").count("needle") == 9
        for expected in range(2, 15):
            transcript.next_hit()
            assert (transcript.hits.position, transcript.hits.total) == (expected, 14)
            assert marked(chat, "search_current") == ["needle"]


async def test_a_long_conversation_is_searched_between_frames() -> None:
    chat = Chat(long_talk(2000))
    async with chat.run_test(size=SIZE) as pilot:
        transcript = chat.transcript
        transcript.search("question 17")
        assert transcript.searching
        transcript.page_up()  # the screen is not held up by it
        await pilot.pause()
        assert await search(transcript, "question 17") == 111
        assert transcript.hits.position == 111


async def counted(block_of: Callable[[Talk], object], query: str) -> tuple[int, list[str]]:
    """How many hits are counted in a block once it is shown, and what is marked as the current one."""
    talk = Talk()
    block_of(talk)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        await search(chat.transcript, query)
        return chat.transcript.hits.total, marked(chat, "search_current")


async def test_what_is_seen_is_counted_not_how_it_was_written() -> None:
    assert await counted(lambda talk: talk.answer("a **bo**ld word, `bo`ld"), "bold") == (2, ["bo", "ld"])
    assert await counted(lambda talk: talk.answer("[docs](http://x.y)"), "docs (http") == (1, ["docs", " (http"])
    assert await counted(lambda talk: talk.tool(path="notes.txt", output="x"), "notes.txt") == (1, ["notes.txt"])


async def test_what_markdown_hides_counts_once_and_marks_the_first_line() -> None:
    assert await counted(lambda talk: talk.answer("see\n\n```needle\nx\n```"), "needle") == (1, ["see"])


async def test_letters_that_change_their_length_do_not_move_the_marks() -> None:
    assert await counted(lambda talk: talk.answer("İİİ needle"), "needle") == (1, ["needle"])
    assert await counted(lambda talk: talk.answer("ΟΔΟΣ and οδος"), "οδος") == (2, ["ΟΔΟΣ"])


async def test_a_wide_letter_before_a_hit_counts_two_cells() -> None:
    assert await counted(lambda talk: talk.answer("漢字 needle"), "needle") == (1, ["needle"])


async def test_the_end_is_followed_again_after_going_back_although_more_came() -> None:
    talk = long_talk(30)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        await search(chat.transcript, "question 2")
        talk.answer("the newest\n\nwords")
        chat.sync()
        chat.transcript.clear_search(back=True)
        assert chat.transcript.following
        assert "words" in "".join(chat.rows)


async def test_words_without_a_hit_go_back_to_where_the_search_began() -> None:
    chat = Chat(long_talk(30))
    async with chat.run_test(size=SIZE):
        before = chat.rows
        await search(chat.transcript, "question 1")
        assert chat.rows != before
        await search(chat.transcript, "question 1zz")
        assert chat.rows == before


async def test_staying_at_a_hit_leaves_its_block_open_and_the_cursor_on_it() -> None:
    talk = Talk()
    tool = talk.tool(output="a needle")
    talk.prompt("and now?")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        await search(chat.transcript, "needle")
        chat.transcript.stay_at_hit(cursor=True)
        assert chat.transcript.cursor.block_id == tool.id
        assert "a needle" in "".join(chat.rows)
        assert marked(chat, "search_current") == []


async def test_another_session_is_searched_anew() -> None:
    talk = long_talk(3)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        assert await search(chat.transcript, "question") == 3
        del talk.session.blocks[:]
        talk.prompt("one question here")
        talk.changes.aspects |= Aspect.REPLACED
        chat.sync()
        with anyio.fail_after(30):
            while chat.transcript.searching:  # noqa: ASYNC110
                await anyio.sleep(0.005)
        assert (chat.transcript.hits.total, chat.transcript.hits.position) == (1, 1)
        chat.transcript.clear_search(back=True)
        assert "one question here" in "".join(chat.rows)
