"""The search bar: found while it is typed, and back to where one was."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from pitui.session.blocks import PromptBlock
from pitui.ui.widgets.transcript.selection import Selection
from tests.ui.person import Person, at_a_told_pi
from tests.ui.test_snapshots import Picture


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


def entries(*texts: str) -> dict[str, Any]:
    """A session in which the person and the model take turns to say these."""
    told: list[dict[str, Any]] = []
    for number, text in enumerate(texts):
        message = {"role": ("user", "assistant")[number % 2], "content": [{"type": "text", "text": text}]}
        parent = f"e{number - 1}" if number else None
        told.append({"type": "message", "id": f"e{number}", "parentId": parent, "message": message})
    return {"get_entries": {"entries": told, "leafId": told[-1]["id"]}}


TURNS = [text for turn in range(30) for text in (f"question {turn}", f"answer {turn}\n\nwith some more")]


def found(person: Person) -> str:
    """What the bar says at its right end."""
    row = next((line for line in person.screen().split("\n") if line.startswith(" Find ")), "")
    return row.rstrip().rpartition("  ")[2].strip()


def chat(person: Person) -> list[str]:
    """The rows of the chat."""
    transcript = person.app.main.transcript
    return [transcript.render_line(y).text for y in range(transcript.size.height)]


async def finds(person: Person, told: str) -> None:
    """Wait until the bar says that."""
    try:
        await person.until(lambda: person.app.main.search.is_open and found(person) == told)
    except TimeoutError:
        raise AssertionError(f"not {told!r} in\n{person.screen()}") from None


async def test_words_are_found_as_they_are_typed_and_escape_goes_back_with_the_draft_untouched() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        person.prompt.insert("half a thought")
        person.prompt.move_cursor((0, 4))
        await person.sees("with some more")
        before = chat(person)
        await person.press("f3", "n", "space", "3")
        await finds(person, "1 of 1")
        await person.press("backspace")
        await finds(person, "27 of 30")
        await person.press("up")
        await finds(person, "26 of 30")
        await person.press("f3")
        await finds(person, "27 of 30")
        await person.press("escape")
        await person.until(lambda: chat(person) == before)
        assert person.prompt.has_focus
        assert person.prompt.cursor_location == (0, 4)
        assert person.app.main.transcript.following


async def test_a_paste_is_one_line_and_tab_stays_at_the_hit() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        await person.sees("with some more")
        await person.press("f3")
        assert not person.app.main.transcript.has_focus
        await person.pastes("question\n7")
        await finds(person, "1 of 1")
        await person.press("tab")
        transcript = person.app.main.transcript
        await person.until(lambda: transcript.has_focus and not person.app.main.search.is_open)
        block = transcript.cursor.block()
        assert isinstance(block, PromptBlock) and block.text == "question 7"
        assert "question 7" in person.screen()
        assert person.prompt.text == ""


async def test_find_with_words_and_the_last_words_again() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        await person.sees("with some more")
        await person.sends("/find answer 1")
        await finds(person, "11 of 11")
        await person.press("up")
        await finds(person, "10 of 11")
        await person.press("escape", "f3", "x")
        await finds(person, "nothing found")
        assert person.app.main.search.words.value == "x"


async def test_what_streams_in_is_found_while_the_bar_is_open() -> None:
    async with at_a_told_pi(entries("a zebra?")) as (person, told):
        await person.sees("a zebra?")
        await person.press("f3", *"zebra")
        await finds(person, "1 of 1")
        told.says(type="message_end", message={"role": "assistant", "content": [{"type": "text", "text": "Zebra!"}]})
        await finds(person, "1 of 2")


async def test_escape_after_going_on_in_the_prompt_closes_the_bar_and_nothing_moves() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        await person.sees("with some more")
        await person.press("f3", *"question", "space", "3")
        await finds(person, "1 of 1")
        before = chat(person)
        await person.press("f6")
        await person.until(lambda: person.prompt.has_focus)
        await person.types("so")
        await person.press("escape")
        await person.until(lambda: not person.app.main.search.is_open)
        assert [row[:-3] for row in chat(person)][: len(before)] == [row[:-3] for row in before]
        assert person.prompt.has_focus and person.prompt.text == "so"


async def test_ctrl_c_in_the_bar_copies_what_is_selected_in_the_chat_and_else_leaves_it_and_the_draft() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        person.prompt.insert("half a thought")
        await person.sees("with some more")
        await person.press("f3", *"question", "space", "3")
        await finds(person, "1 of 1")
        transcript = person.app.main.transcript
        transcript.select(Selection.block(transcript.viewport, transcript.viewport.blocks[-1].id))
        await person.press("ctrl+c")
        assert person.app.clipboard == TURNS[-1]
        assert person.app.main.search.is_open
        await person.press("ctrl+c")
        await person.until(lambda: not person.app.main.search.is_open)
        assert transcript.following
        assert person.prompt.has_focus and person.prompt.text == "half a thought"


async def test_a_question_waits_while_words_are_typed_into_the_bar() -> None:
    now = 100.0
    async with at_a_told_pi(entries(*TURNS), clock=lambda: now) as (person, told):
        await person.sees("with some more")
        await person.press("f3", "m")
        told.says(type="extension_ui_request", id="d", method="confirm", title="Really?", message="Sure?")
        await person.until(lambda: person.agent.session.dialogs)
        assert person.app.screen is person.app.main
        await person.press("o", "r", "e")
        assert person.app.main.search.words.value == "more"
        assert person.app.screen is person.app.main
        now += 1
        await person.is_asked()


async def test_another_session_is_searched_for_the_same_words() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, told):
        await person.sees("with some more")
        await person.press("f3", *"question", "space", "3")
        await finds(person, "1 of 1")
        told.answers |= {"new_session": {"cancelled": False}, **entries("question 31", "none", "question 3", "so")}
        told.answers["get_state"] = {"isStreaming": False, "sessionId": "t", "sessionFile": "/sessions/t.jsonl"}
        await person.app.perform("session.new")
        await finds(person, "1 of 2")
        await person.press("escape")
        await person.until(lambda: not person.app.main.search.is_open)
        assert person.prompt.has_focus and person.app.main.transcript.following


async def test_past_the_last_prompt_comes_the_end() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        await person.sees("with some more")
        transcript = person.app.main.transcript
        await person.press("ctrl+up", "ctrl+up", "ctrl+down", "ctrl+down")
        assert transcript.following
        await person.press("ctrl+down")
        assert transcript.following and "No prompt" not in person.screen()


async def test_where_there_is_no_error_it_is_said_and_nothing_moves() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        await person.sees("with some more")
        before = chat(person)
        await person.press("ctrl+shift+up")
        await person.sees("No error above.")
        assert chat(person) == before


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12)], ids=lambda size: "x".join(map(str, size)))
async def test_how_the_bar_looks(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    first = {120: "25 of 30", 80: "27 of 30", 40: "29 of 30"}[size[0]]
    async with at_a_told_pi(entries(*TURNS), size=size, clock=lambda: 100.0) as (person, _):
        await person.until(lambda: person.agent.session.stats)
        await person.sees("with some more")
        await person.press("f3", *"more")
        await finds(person, first)
        assert await person.picture() == picture
