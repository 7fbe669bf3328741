"""The search bar: found while it is typed, and back to where one was."""

from typing import Any

from tests.ui.person import Person, at_a_told_pi


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
