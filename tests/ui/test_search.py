"""The search bar: found while it is typed, and back to where one was."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from pitui.session.blocks import PromptBlock
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
        await finds(person, "1 of 11")
        await person.press("down")
        await finds(person, "2 of 11")
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


async def test_where_there_is_no_error_it_is_said_and_nothing_moves() -> None:
    async with at_a_told_pi(entries(*TURNS)) as (person, _):
        await person.sees("with some more")
        before = chat(person)
        await person.press("ctrl+shift+up")
        await person.sees("No error above.")
        assert chat(person) == before


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda size: "x".join(map(str, size)))
async def test_how_the_bar_looks(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    async with at_a_told_pi(entries(*TURNS), size=size, clock=lambda: 100.0) as (person, _):
        await person.until(lambda: person.agent.session.stats)
        await person.sees("with some more")
        await person.press("f3", *"more")
        await finds(person, "25 of 30" if size[1] > 30 else "27 of 30")
        assert person.app.export_screenshot(title=" ") == picture
