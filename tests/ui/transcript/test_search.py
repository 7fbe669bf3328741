"""Search finds what was said anywhere, also where nothing of it is to be seen."""

import anyio
from rich.segment import Segment

from pitui.ui.theme import DARK, palette_of
from pitui.ui.widgets.transcript import Transcript
from tests.ui.transcript.talk import Chat, Talk, long_talk

SIZE = (60, 20)


async def search(transcript: Transcript, query: str) -> int:
    """How many hits there are, when everything has been searched."""
    transcript.search(query)
    with anyio.fail_after(30):
        while transcript.searching:  # noqa: ASYNC110
            await anyio.sleep(0.005)
    return transcript.hits.total


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


async def test_a_long_conversation_is_searched_between_frames() -> None:
    chat = Chat(long_talk(2000))
    async with chat.run_test(size=SIZE) as pilot:
        transcript = chat.transcript
        transcript.search("question 17")
        assert transcript.searching
        transcript.page_up()  # the screen is not held up by it
        await pilot.pause()
        assert await search(transcript, "question 17") == 111
        assert transcript.hits.position == 1
