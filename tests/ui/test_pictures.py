"""Pictures in the prompt, and pastes that are opened."""

import base64
from pathlib import Path

import pytest

from pitui.draft import Draft, Pasted, Picture
from pitui.rpc.messages import ImagePart
from pitui.ui.widgets.editor import Editor
from tests.ui.person import SLOW, Person, at_a_told_pi, at_the_demo

PNG = b"\x89PNG\r\n\x1a\n" + b"data"
PASTE = Pasted("\n".join(f"line {number}" for number in range(12)))
SEEING = {"id": "eyes", "provider": "lab", "name": "Eyes", "input": ["text", "image"]}
BLIND = {"id": "blind", "provider": "lab", "name": "Blind", "input": ["text"]}
IDLE = {"isStreaming": False, "sessionId": "s", "sessionFile": "/sessions/s.jsonl"}


def shot(folder: Path) -> Path:
    path = folder / "my shot.png"
    path.write_bytes(PNG)
    return path


def pictures(person: Person) -> list[str]:
    return [chip.name for chip in person.prompt.draft.chips if isinstance(chip, Picture)]


async def test_a_dropped_picture_is_sent_as_one(tmp_path: Path) -> None:
    path = shot(tmp_path)
    answers = {"get_state": IDLE | {"model": SEEING}, "prompt": {"disposition": "started"}}
    async with at_a_told_pi(answers) as (person, told):
        await person.types("see ")
        await person.pastes(f"'{path}'")
        await person.until(lambda: pictures(person) == ["my shot.png"])
        await person.sees("see [my shot.png 12 B]")
        await person.press("ctrl+underscore")
        assert person.prompt.draft == Draft.of(f"see '{path}'")
        await person.press("ctrl+shift+z")
        await person.press("enter")
        await person.until(lambda: told.sent("prompt"))
        sent = told.sent("prompt")[0]
        assert sent["message"] == f"see '{path}'"
        assert sent["images"] == [
            {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"},
        ]


async def test_a_typed_path_becomes_a_picture_with_the_space_after_it(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    async with at_a_told_pi() as (person, _):
        person.prompt.insert(f"see {tmp_path}/a.png")
        await person.press("space", "x")
        await person.until(lambda: pictures(person) == ["a.png"])
        assert person.prompt.draft.text == f"see {tmp_path}/a.png x"


async def test_two_pictures_that_are_dropped_one_after_the_other_are_two(tmp_path: Path) -> None:
    path = shot(tmp_path)
    quoted, escaped = f"'{path}'", str(path).replace(" ", "\\ ")
    async with at_a_told_pi({"get_state": IDLE | {"model": SEEING}, "prompt": {"disposition": "started"}}) as (
        person,
        told,
    ):
        await person.types("see:")
        await person.pastes(quoted)
        await person.pastes(escaped)
        await person.until(lambda: len(pictures(person)) == 2)
        await person.types("what")
        await person.sees("see:[my shot.png 12 B] [my shot.png 12 B]what")
        await person.press("enter")
        await person.until(lambda: told.sent("prompt"))
        assert told.sent("prompt")[0]["message"] == f"see:{quoted} {escaped} what"


@pytest.mark.parametrize("how", ["dropped", "typed"])
async def test_a_picture_can_be_put_into_a_prompt_that_waits(tmp_path: Path, how: str) -> None:
    path = shot(tmp_path).rename(tmp_path / "a.png")
    async with at_the_demo(tmp_path, size=(120, 30)) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.sends("look")
        await person.until(lambda: [prompt.text for prompt in person.agent.queue] == ["look"])
        person.app.main.queue.focus()
        await person.press("ctrl+e")
        await person.sees("Edit what waits")
        if how == "dropped":
            await person.pastes(str(path))
        else:
            await person.press("space")
            person.app.screen.query_one(Editor).insert(str(path))
            await person.press("space")
        await person.sees("look [a.png 12 B]")
        await person.press("enter")
        await person.until(lambda: [len(prompt.images) for prompt in person.agent.queue] == [1])
        assert [prompt.text.strip() for prompt in person.agent.queue] == [f"look {path}"]


async def test_a_model_that_sees_nothing_gets_no_picture_and_nothing_is_lost(tmp_path: Path) -> None:
    path = shot(tmp_path)
    async with at_a_told_pi({"get_state": IDLE | {"model": BLIND}}) as (person, told):
        await person.pastes(f"'{path}'")
        await person.sees("Blind takes no pictures")
        await person.until(lambda: pictures(person))
        before = person.prompt.draft
        await person.press("enter")
        await person.until(lambda: person.prompt.draft == before)
        assert told.sent("prompt") == []


async def test_what_is_called_a_picture_and_is_none_is_said_and_stays_as_words(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("words")
    async with at_a_told_pi() as (person, _):
        await person.pastes(f"{tmp_path}/text.png")
        await person.sees("text.png is no picture")
        assert person.prompt.draft.text == f"{tmp_path}/text.png"


async def test_a_picture_that_was_queued_comes_back_as_a_picture(tmp_path: Path) -> None:
    path = shot(tmp_path)
    async with at_the_demo(tmp_path) as person:
        await person.sends('#tool bash {"command":"sleep 30"}')
        await person.until(person.runs_a_tool)
        await person.types("see ")
        await person.pastes(f"'{path}'")
        await person.until(lambda: pictures(person))
        draft = person.prompt.draft
        await person.press("enter")
        await person.until(lambda: not person.prompt.text)
        await person.press("escape")
        await person.until(lambda: person.prompt.draft == draft)


async def test_what_comes_back_has_each_picture_where_it_was_written(tmp_path: Path) -> None:
    path = shot(tmp_path).rename(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(PNG)
    clipped = Picture("clipboard.png", ImagePart(data=base64.b64encode(PNG).decode(), mime_type="image/png"))
    async with at_the_demo(tmp_path) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        drafts: list[Draft] = []
        for name, key in (("a.png", "enter"), ("b.png", "alt+enter")):
            await person.pastes(str(path.with_name(name)))
            await person.until(lambda name=name: pictures(person) == [name])
            await person.types(" steer")
            drafts.append(person.prompt.draft)
            await person.press(key)
        person.prompt.write(clipped)
        await person.types(" follow")
        drafts.append(person.prompt.draft)
        await person.press("alt+enter")
        await person.until(lambda: len(list(person.agent.queue)) == 3)
        await person.press("escape")
        first, *more = drafts
        expected = Draft.of(*first.parts, *(part for draft in more for part in ("\n\n", *draft.parts)))
        await person.until(lambda: person.prompt.draft == expected)


async def test_a_paste_is_opened_changed_and_written_out(tmp_path: Path) -> None:
    async with at_a_told_pi() as (person, _):
        await person.pastes(PASTE.text)
        await person.press("alt+o")
        await person.sees("line 11")
        await person.press("x", "escape")
        await person.until(lambda: person.prompt.draft == Draft.of(Pasted("x" + PASTE.text)))
        await person.pilot.click(person.prompt, offset=(5, 0))
        await person.sees("Alt+O writes it out")
        await person.press("alt+o")
        await person.until(lambda: person.prompt.draft == Draft.of("x" + PASTE.text))
        await person.press("ctrl+underscore", "ctrl+underscore")
        assert person.prompt.draft == Draft.of(PASTE)
        await person.press("home", "a", "home", "alt+o")
        await person.sees("no paste and no picture beside")
