"""Questions of an extension that come while a person writes: in the whole app, where every letter has its place."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing

import pytest
from textual.widgets import Input, TextArea

from pitui.paths import state_folder
from pitui.store.journal import Journal
from pitui.ui.dialogs.screen import DialogScreen
from pitui.ui.screens.pane import PaneScreen
from tests.ui.person import Person, at_a_told_pi

WORDS = "yes 1 no 2 quit all of it y n "
QUESTIONS = {
    3: {"id": "d1", "method": "select", "title": "Pick one", "options": ["yes", "no", "all of it"]},
    9: {"id": "d2", "method": "confirm", "title": "Sure?", "message": "It cannot be undone."},
    15: {"id": "d3", "method": "input", "title": "Your name", "placeholder": None},
}
"""By the number of the letter after which pi asks it."""


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def stops_for_half_a_second(person: Person, clock: Clock) -> None:
    clock.now += 0.5
    await person.sees("F8 answer")
    await person.press("f8")


async def calls_for_them(person: Person, clock: Clock) -> None:
    await person.press("f8")


@pytest.mark.parametrize("then", [stops_for_half_a_second, calls_for_them])
async def test_three_questions_wait_for_someone_who_types_ten_keys_a_second(
    then: Callable[[Person, Clock], Awaitable[None]],
) -> None:
    clock = Clock()
    async with at_a_told_pi(clock=clock) as (person, told):
        for number, letter in enumerate(WORDS):
            await person.types(letter)
            clock.now += 0.1
            if number in QUESTIONS:
                told.says(type="extension_ui_request", **QUESTIONS[number])
                await person.sees("F8 Pick one")
        await person.sees("F8 Pick one · 2 more")
        assert not isinstance(person.app.screen, DialogScreen)
        assert person.prompt.text == WORDS
        assert not told.sent("extension_ui_response")

        await then(person, clock)
        await person.is_asked()
        await person.sees("1 of 3")
        await person.press("enter")
        await person.sees("2 of 3")
        await person.is_asked()
        await person.press("y")
        await person.sees("3 of 3")
        await person.is_asked()
        await person.types("Ada")
        await person.press("enter")
        await person.until(lambda: len(told.sent("extension_ui_response")) == len(QUESTIONS))
        assert told.sent("extension_ui_response") == [
            {"type": "extension_ui_response", "id": "d1", "value": "yes"},
            {"type": "extension_ui_response", "id": "d2", "confirmed": True},
            {"type": "extension_ui_response", "id": "d3", "value": "Ada"},
        ]
        await person.until(lambda: person.prompt.has_focus)
        assert person.prompt.text == WORDS
        assert not told.sent("prompt")


@pytest.mark.parametrize(("method", "sends"), [("input", "enter"), ("editor", "ctrl+s")])
async def test_an_answer_that_was_begun_is_still_there_after_reading_the_chat(method: str, sends: str) -> None:
    async with at_a_told_pi() as (person, told):
        told.says(type="extension_ui_request", id="d1", method=method, title="Well?", prefill="")
        await person.is_asked()
        await person.types("half an ")
        await person.press("f8")
        await person.sees("F8 Well?")
        await person.types("note")
        await person.press("f8")
        await person.is_asked()
        await person.types("answer")
        await person.press(sends)
        await person.until(lambda: told.sent("extension_ui_response"))
        assert told.sent("extension_ui_response")[0]["value"] == "half an answer"
        assert person.prompt.text == "note"


@pytest.mark.parametrize("method", ["input", "editor"])
@pytest.mark.parametrize("ends", ["escape", "pi"])
async def test_an_answer_that_was_begun_and_not_sent_can_be_recalled(method: str, ends: str) -> None:
    async with at_a_told_pi() as (person, told):
        told.says(type="extension_ui_request", id="d1", method=method, title="Well?", prefill="")
        await person.is_asked()
        await person.types("half an answer")
        if ends == "escape":
            await person.press("escape")
            await person.sees("↑ brings back what was written for it")
        else:
            told.pi.exits(1)
        await person.until(lambda: person.app.screen is person.app.main and person.prompt.has_focus)
        await person.press("up")
        assert person.prompt.text == "half an answer"


def drafts_on_disk() -> str:
    with closing(sqlite3.connect(state_folder() / "prompts.db")) as database:
        return "\n".join(words for (words,) in database.execute("SELECT words FROM draft"))


@pytest.mark.parametrize("method", ["input", "editor"])
async def test_an_answer_that_was_begun_is_on_disk_until_it_is_sent(method: str) -> None:
    async with at_a_told_pi(journal=Journal(state_folder())) as (person, told):
        told.says(type="extension_ui_request", id="d1", method=method, title="Well?", prefill="")
        await person.is_asked()
        await person.types("half an answer")
        await person.until(lambda: "half an answer" in drafts_on_disk())
        await person.press("enter" if method == "input" else "ctrl+s")
        await person.until(lambda: told.sent("extension_ui_response") and not drafts_on_disk())


@pytest.mark.parametrize("method", ["input", "editor"])
async def test_a_paste_comes_once_into_the_answer_and_not_into_the_prompt(method: str) -> None:
    async with at_a_told_pi() as (person, told):
        person.prompt.insert("a draft")
        told.says(type="extension_ui_request", id="d1", method=method, title="Well?", prefill="")
        await person.sees("F8 answer")
        await person.press("f8")
        await person.is_asked()
        await person.pastes("once")
        field = person.app.screen.query_one(Input if method == "input" else TextArea)
        await person.until(lambda: (field.value if isinstance(field, Input) else field.text) == "once")
        await person.press("enter" if method == "input" else "ctrl+s")
        await person.until(lambda: told.sent("extension_ui_response"))
        assert told.sent("extension_ui_response") == [{"type": "extension_ui_response", "id": "d1", "value": "once"}]
        assert person.prompt.text == "a draft"


@pytest.mark.parametrize("command", ["/changes", "/context"])
async def test_a_question_is_told_of_on_a_screen_over_the_chat_until_it_is_answered(command: str) -> None:
    async with at_a_told_pi() as (person, told):
        await person.sends(command)
        await person.until(lambda: isinstance(person.app.screen, PaneScreen))
        told.says(type="extension_ui_request", id="d1", method="confirm", title="Well?", message="?")
        await person.sees("? F8 Well?")
        await person.press("f8")
        await person.is_asked()
        await person.press("y")
        await person.until(lambda: told.sent("extension_ui_response") and isinstance(person.app.screen, PaneScreen))
        await person.until(lambda: "Well?" not in person.screen())
