"""The ruler beside the scroll bar shows where things are, and goes there."""

from hypothesis import given
from hypothesis import strategies as st

from pitui.session.blocks import ToolState
from pitui.ui.widgets.transcript.rows import Rows
from tests.ui.transcript.talk import Chat, Talk, search

SIZE = (60, 20)


def ruler(chat: Chat) -> str:
    width, height = chat.transcript.size
    return "".join(chat.transcript.render_line(y).text[width - 2] for y in range(height))


def busy_talk() -> Talk:
    talk = Talk()
    for _ in range(20):
        talk.answer("some words\n\n" * 5)
    talk.prompt("the only question")
    for _ in range(20):
        talk.answer("some words\n\n" * 5)
    return talk


async def test_it_shows_prompts_edits_errors_and_hits_and_jumps_to_them() -> None:
    talk = busy_talk()
    talk.tool("edit", path="a.py")
    for _ in range(20):
        talk.answer("some words\n\n" * 5)
    failed = talk.tool("read")
    failed.state = ToolState.FAILED
    talk.changed(failed)
    talk.answer("and so on\n\n" * 30)
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        marks = ruler(chat)
        assert marks.replace(" ", "") == "·±!"
        await pilot.click(chat.transcript, offset=(SIZE[0] - 2, marks.index("·")))
        assert "the only question" in "".join(chat.rows)
        assert not chat.transcript.following
        assert await search(chat.transcript, "and so on")
        assert "•" in ruler(chat)


async def test_every_hit_in_a_long_block_has_its_mark_and_a_click_goes_to_it() -> None:
    talk = Talk()
    talk.answer("\n\n".join(f"{number} needle" if number % 25 == 10 else str(number) for number in range(100)))
    talk.prompt("the end")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE) as pilot:
        await search(chat.transcript, "needle")
        marks = ruler(chat)
        assert marks.count("•") == 4
        await pilot.click(chat.transcript, offset=(SIZE[0] - 2, marks.index("•")))
        assert "10 needle" in "".join(chat.rows)


async def test_hits_in_a_long_block_are_marked_about_where_they_are_before_it_is_drawn() -> None:
    talk = Talk()
    talk.answer("\n\n".join(f"{number} needle" if number in (1, 98) else str(number) for number in range(100)))
    for number in range(60):
        talk.answer(f"answer {number}")
    talk.answer("no needle")
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        await search(chat.transcript, "needle")
        assert ruler(chat).count("•") == 3


async def test_a_tool_that_fails_is_marked_as_soon_as_it_does() -> None:
    talk = busy_talk()
    tool = talk.tool("read")
    tool.state, tool.finished = ToolState.RUNNING, False
    chat = Chat(talk)
    async with chat.run_test(size=SIZE):
        assert "!" not in ruler(chat)
        tool.state, tool.finished = ToolState.FAILED, True
        talk.changed(tool)
        chat.sync()
        assert "!" in ruler(chat)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5))), st.lists(st.integers(0, 5), min_size=1, max_size=31))
def test_rows_know_their_starts_after_any_changes(changes: list[tuple[int, int]], heights: list[int]) -> None:
    rows = Rows(heights)
    for index, height in changes:
        if index < len(heights):
            heights[index] = height
            rows[index] = height
        assert rows.total == sum(heights)
    for index in range(len(heights)):
        assert rows.start(index) == sum(heights[:index])
    flat = [(index, offset) for index, height in enumerate(heights) for offset in range(height)]
    assert [rows.at(row) for row in range(rows.total)] == flat
