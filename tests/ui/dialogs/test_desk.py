"""Which question of an extension is asked when, and which key reaches it."""

from collections.abc import Iterator

import pytest
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Input

from pitui.ui.dialogs import desk, screen
from pitui.ui.dialogs.screen import DialogScreen
from pitui.ui.system.keyboard import Parser
from tests.ui.dialogs.stage import Scene, stage


class Picker(ModalScreen[str]):
    """A list of the app's own, say of models."""

    def compose(self) -> ComposeResult:
        yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


def answer(id_: str, **field: object) -> dict[str, object]:
    return {"type": "extension_ui_response", "id": id_} | field


@pytest.fixture
def slow_to_take_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A question that has just come up takes no key until it is called."""
    monkeypatch.setattr(screen, "SETTLE", 60)
    monkeypatch.setattr(screen, "NOTICED", 60)
    yield


@pytest.fixture
def never_quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No question comes up by itself after a key."""
    monkeypatch.setattr(desk, "QUIET", 60)
    yield


async def opens_picker(scene: Scene) -> Picker:
    picker = Picker()
    await scene.app.push_screen(picker)
    await scene.pilot.pause()
    return picker


SOON = 3000
"""Milliseconds in which a question surely comes up, and that a test can wait for."""


# Answering


async def test_each_question_gets_its_own_answer_by_its_id_and_nothing_else() -> None:
    async with stage() as scene:
        scene.asks("b2c1d0e4-0000-4000-8000-000000000001", "select", "Pick", options=["Allow", "Block"])
        await scene.asked("Pick")
        await scene.press("enter")
        scene.asks("x2", "confirm", "Sure?", message="")
        await scene.asked("Sure?")
        await scene.press("right", "enter")
        scene.asks("x3", "input", "Name")
        await scene.asked("Name")
        await scene.press("enter")
        scene.asks("x4", "editor", "Note", prefill="as it was")
        await scene.asked("Note")
        await scene.press("ctrl+s")
        scene.asks("n", "notify", "", message="all were answered")
        await scene.until(lambda: scene.agent.session.notices)
        assert scene.answers == [
            answer("b2c1d0e4-0000-4000-8000-000000000001", value="Allow"),
            answer("x2", confirmed=True),
            answer("x3", value=""),
            answer("x4", value="as it was"),
        ]


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("select", {"options": ["a", "b"]}),
        ("confirm", {"message": "?"}),
        ("input", {"placeholder": None}),
        ("editor", {"prefill": "p"}),
    ],
)
async def test_escape_dismisses_whatever_is_asked(method: str, fields: dict[str, object]) -> None:
    async with stage() as scene:
        scene.asks("d1", method, "Well?", **fields)
        await scene.asked("Well?")
        await scene.press("escape")
        await scene.quiet()
        assert scene.answers == [answer("d1", cancelled=True)]


async def test_several_questions_are_asked_one_after_another_in_their_order() -> None:
    async with stage() as scene:
        scene.asks("d1", "select", "One", options=["a", "b"])
        scene.asks("d2", "confirm", "Two", message="?")
        scene.asks("d3", "input", "Three", placeholder=None)
        scene.asks("d4", "editor", "Four", prefill="p")
        scene.asks("d1", "select", "One again (same id)", options=["c"])
        await scene.asked("One")
        assert "1 of 4" in scene.text()
        await scene.press("enter")
        await scene.asked("Two")
        assert "2 of 4" in scene.text()
        await scene.press("enter")
        await scene.asked("Three")
        await scene.press("x", "enter")
        await scene.asked("Four")
        assert "4 of 4" in scene.text()
        await scene.press("ctrl+s")
        await scene.quiet()
        await scene.press("escape")
        assert scene.answers == [
            answer("d1", value="a"),
            answer("d2", confirmed=False),
            answer("d3", value="x"),
            answer("d4", value="p"),
        ]


async def test_a_question_that_comes_while_another_is_asked_is_counted_and_waits() -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "One", message="?")
        await scene.asked("One")
        scene.asks("d2", "confirm", "Two", message="?")
        await scene.until(lambda: "1 of 2" in scene.text())
        assert scene.box and scene.box.dialog.request.title == "One"
        await scene.press("y")
        await scene.asked("Two")
        await scene.press("n")
        await scene.quiet()
        assert scene.answers == [answer("d1", confirmed=True), answer("d2", confirmed=False)]


async def test_a_second_press_of_the_same_key_does_not_answer_the_next_question(slow_to_take_keys: None) -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "One", message="?")
        scene.asks("d2", "confirm", "Two", message="?")
        await scene.until(lambda: isinstance(scene.app.screen, DialogScreen))
        await scene.press("f8", "f8")
        await scene.asked("One")
        await scene.press("y", "y", "enter", "escape", "n")
        await scene.until(lambda: "Two" in scene.text())
        assert scene.answers == [answer("d1", confirmed=True)]


# Typing in the prompt


async def test_typing_at_ten_keys_a_second_answers_none_of_three_questions() -> None:
    now = 1000.0
    async with stage(clock=lambda: now) as scene:
        words = "yes no enter 1 2 3 y n "
        for number, key in enumerate(words):
            now += 0.1
            await scene.press("space" if key == " " else key)
            if number in (2, 5, 9):
                scene.asks(f"d{number}", "confirm", f"Question {number}", message="?")
        await scene.until(lambda: "Question 2 · 2 more" in scene.text())
        await scene.press("enter", "escape", "y")
        assert not isinstance(scene.app.screen, DialogScreen)
        assert scene.app.prompt.text == words + "\ny"
        now += 0.5
        await scene.until(lambda: "other keys go on writing" in scene.text())
        await scene.press("y")
        await scene.until(lambda: scene.app.prompt.text == words + "\nyy" and scene.app.card.display)
        now += 100
        await scene.press("f8")
        await scene.asked("Question 2")
        assert scene.answers == []


async def test_a_key_pressed_just_as_a_question_comes_up_goes_to_the_prompt(slow_to_take_keys: None) -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: "Sure?" in scene.text() and isinstance(scene.app.screen, DialogScreen))
        assert "Esc dismiss" not in scene.text()
        await scene.press("y", "e", "s", "enter")
        assert scene.app.prompt.text == "yes\n"
        assert scene.answers == []
        assert scene.app.card.display


async def test_a_question_over_words_waits_for_its_key_and_makes_way_for_any_other() -> None:
    async with stage() as scene:
        scene.app.prompt.insert("in the midst of ")
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: "F8 answer" in scene.text() and isinstance(scene.app.screen, DialogScreen))
        await scene.press("y")
        await scene.until(lambda: scene.app.prompt.text == "in the midst of y" and scene.app.card.display)
        await scene.press("f8", "y")
        await scene.quiet()
        assert scene.answers == [answer("d1", confirmed=True)]


async def test_a_question_that_was_passed_over_comes_again_when_the_words_are_gone() -> None:
    async with stage() as scene:
        scene.app.prompt.insert("in the midst of ")
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: isinstance(scene.app.screen, DialogScreen))
        await scene.press("i", "t")
        await scene.until(lambda: scene.app.prompt.text == "in the midst of it")
        scene.app.prompt.clear()
        await scene.asked("Sure?")
        assert scene.answers == []


async def test_escape_puts_a_question_over_words_aside_and_does_not_dismiss_it() -> None:
    async with stage() as scene:
        scene.app.prompt.insert("in the midst of ")
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: isinstance(scene.app.screen, DialogScreen))
        await scene.press("escape")
        await scene.until(lambda: scene.app.card.display)
        assert scene.answers == []


async def test_a_question_over_words_can_be_answered_with_the_mouse() -> None:
    async with stage() as scene:
        scene.app.prompt.insert("in the midst of ")
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: isinstance(scene.app.screen, DialogScreen))
        await scene.pilot.click("Button")
        await scene.quiet()
        assert scene.answers == [answer("d1", confirmed=False)]


@pytest.mark.parametrize("words", ["maybe later", "yes but", "no, wait", "not now"])
async def test_words_that_begin_over_a_question_of_yes_or_no_are_for_the_prompt(words: str) -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.asked("Sure?")
        await scene.press(*("space" if letter == " " else letter for letter in words))
        await scene.until(lambda: scene.app.prompt.text == words)
        assert scene.answers == []
        assert scene.app.card.display


@pytest.mark.parametrize("words", ["maybe later", "okay", "yes please", "why?"])
async def test_words_that_come_at_once_over_a_question_are_for_the_prompt(words: str) -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.asked("Sure?")
        for message in Parser().feed(words):
            scene.app.post_message(message)
        await scene.until(lambda: scene.app.prompt.text == words)
        assert scene.answers == []


async def test_words_that_no_option_has_are_for_the_prompt() -> None:
    async with stage() as scene:
        scene.asks("d1", "select", "Where?", options=["staging", "production"])
        await scene.asked("Where?")
        for message in Parser().feed("prefer"):
            scene.app.post_message(message)
        await scene.until(lambda: scene.app.prompt.text == "prefer")
        assert scene.answers == []


async def test_what_is_filtered_for_after_a_question_was_called_stays_there() -> None:
    async with stage() as scene:
        scene.asks("d1", "select", "Where?", options=["staging", "production"])
        await scene.asked("Where?")
        await scene.press("f8", "f8")
        await scene.asked("Where?")
        await scene.press("x", "backspace", "p", "enter")
        await scene.quiet()
        assert scene.answers == [answer("d1", value="production")]
        assert scene.app.prompt.text == ""


async def test_a_paste_just_as_a_question_comes_up_goes_to_the_prompt(slow_to_take_keys: None) -> None:
    async with stage() as scene:
        scene.asks("d1", "input", "Name?")
        await scene.until(lambda: isinstance(scene.app.screen, DialogScreen))
        await scene.pastes("two\nlines")
        await scene.until(lambda: scene.app.prompt.text)
        assert scene.app.prompt.text == "two\nlines"
        assert scene.answers == []


async def test_a_question_that_waits_can_be_opened_at_once_and_takes_keys_at_once(never_quiet: None) -> None:
    async with stage() as scene:
        await scene.press("h", "i")
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: scene.app.card.display)
        await scene.press("f8", "y")
        await scene.quiet()
        assert scene.answers == [answer("d1", confirmed=True)]
        assert scene.app.prompt.text == "hi"
        assert scene.app.prompt.has_focus


async def test_a_click_on_the_card_opens_the_question(never_quiet: None) -> None:
    async with stage() as scene:
        await scene.press("h")
        scene.asks("d1", "confirm", "Sure?", message="?")
        await scene.until(lambda: scene.app.card.display)
        await scene.pilot.click("DialogWaiting")
        await scene.asked("Sure?")


async def test_a_question_is_set_aside_to_read_the_chat_and_comes_back() -> None:
    async with stage() as scene:
        scene.asks("d1", "input", "Name?")
        await scene.asked("Name?")
        await scene.press("f8")
        assert not isinstance(scene.app.screen, DialogScreen)
        assert "Name?" in scene.text()
        await scene.press("h", "i")
        assert scene.app.prompt.text == "hi"
        await scene.press("f8")
        await scene.asked("Name?")
        await scene.press("M", "e", "enter")
        await scene.quiet()
        assert scene.answers == [answer("d1", value="Me")]


# Time


async def test_the_time_that_is_left_is_shown_and_a_question_that_pi_gave_up_closes_by_itself() -> None:
    now = 1000.0
    async with stage(clock=lambda: now) as scene:
        scene.asks("d1", "confirm", "Quick!", message="?", timeout=SOON)
        await scene.asked("Quick!")
        assert "3s left" in scene.text()
        await scene.quiet()
        assert scene.answers == []
        assert [notice.text for notice in scene.agent.session.notices] == ["No answer in time: Quick!"]


async def test_the_time_goes_on_while_a_question_waits(never_quiet: None) -> None:
    async with stage() as scene:
        await scene.press("h")
        scene.asks("d1", "confirm", "Quick!", message="?", timeout=3000)
        await scene.until(lambda: "3s left" in scene.text())
        await scene.until(lambda: "1s left" in scene.text())
        await scene.quiet()


async def test_the_next_question_is_asked_when_the_first_one_has_run_out() -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "One", message="?", timeout=500)
        scene.asks("d2", "select", "Two", options=["a"])
        await scene.asked("Two")
        await scene.press("enter")
        await scene.quiet()
        assert scene.answers == [answer("d2", value="a")]


# Other screens


async def test_a_question_waits_while_a_picker_is_open_and_may_run_out_there() -> None:
    async with stage() as scene:
        picker = await opens_picker(scene)
        scene.asks("d1", "confirm", "While a picker is open", message="?", timeout=300)
        scene.asks("d2", "select", "Second", options=["a"])
        await scene.until(lambda: len(scene.agent.session.dialogs) == 2)
        await scene.until(lambda: len(scene.agent.session.dialogs) == 1)
        assert scene.app.screen is picker
        await scene.press("o", "k", "enter")
        await scene.asked("Second")
        await scene.press("enter")
        await scene.quiet()
        assert scene.answers == [answer("d2", value="a")]


@pytest.mark.parametrize("left", [0, 1])
async def test_a_question_under_a_picker_runs_out_without_closing_the_picker(left: int) -> None:
    """With one that waits behind it, and with none."""
    async with stage() as scene:
        scene.asks("d1", "confirm", "Below", message="?", timeout=SOON)
        await scene.asked("Below")
        picker = await opens_picker(scene)
        if left:
            scene.asks("d2", "confirm", "Behind", message="?")
        await scene.until(lambda: [dialog.request.title for dialog in scene.agent.session.dialogs] == ["Behind"] * left)
        assert scene.app.screen is picker
        await scene.press("o", "k", "enter")
        if left:
            await scene.asked("Behind")
            await scene.press("y")
        await scene.quiet()
        assert scene.answers == [answer("d2", confirmed=True)] * left
        assert scene.app.prompt.has_focus


async def test_what_closes_a_picker_does_not_answer_the_question_under_it(slow_to_take_keys: None) -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "Below", message="?")
        await scene.until(lambda: isinstance(scene.app.screen, DialogScreen))
        await opens_picker(scene)
        await scene.press("enter", "enter", "y")
        assert isinstance(scene.app.screen, DialogScreen)
        assert scene.answers == []


async def test_a_question_called_over_a_picker_leaves_the_picker_as_it_was() -> None:
    async with stage() as scene:
        picker = await opens_picker(scene)
        await scene.press("o")
        scene.asks("d1", "confirm", "Over", message="?")
        await scene.until(lambda: scene.agent.session.dialogs)
        await scene.press("f8")
        await scene.asked("Over")
        await scene.press("y")
        await scene.until(lambda: scene.app.screen is picker)
        await scene.press("k")
        assert picker.query_one(Input).value == "ok"
        assert scene.answers == [answer("d1", confirmed=True)]


async def test_a_question_that_comes_while_an_emptied_one_is_still_covered_is_asked_afterwards() -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "First", message="?", timeout=SOON)
        await scene.asked("First")
        await opens_picker(scene)
        await scene.until(lambda: not scene.agent.session.dialogs)
        scene.asks("d2", "confirm", "Later", message="?")
        await scene.until(lambda: scene.agent.session.dialogs)
        assert sum(isinstance(screen, DialogScreen) for screen in scene.app.screen_stack) == 1
        await scene.press("enter")
        await scene.asked("Later")
        await scene.press("escape")
        await scene.quiet()
        assert scene.answers == [answer("d2", cancelled=True)]


# When it is over


@pytest.mark.parametrize("covered", [False, True])
async def test_when_pi_ends_every_question_closes_and_none_can_be_answered(covered: bool) -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "One", message="?")
        scene.asks("d2", "select", "Two", options=["a"])
        await scene.asked("One")
        picker = await opens_picker(scene) if covered else None
        scene.pi.exits(1)
        await scene.until(lambda: not scene.agent.session.dialogs)
        if picker:
            assert scene.app.screen is picker
            await scene.press("enter")
        await scene.quiet()
        await scene.press("y", "f8", "enter")
        assert scene.answers == []


async def test_when_the_session_is_replaced_every_question_is_dismissed_first() -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "One", message="?")
        scene.asks("d2", "editor", "Two", prefill="x")
        await scene.asked("One")
        await scene.agent.new_session()
        await scene.quiet()
        sent = [line["type"] for line in scene.pi.sent]
        assert scene.answers == [answer("d1", cancelled=True), answer("d2", cancelled=True)]
        assert sent.index("new_session") > sent.index("extension_ui_response")


async def test_a_screen_that_somebody_else_closes_is_asked_anew() -> None:
    async with stage() as scene:
        scene.asks("d1", "confirm", "One", message="?")
        await scene.asked("One")
        scene.app.pop_screen()
        await scene.asked("One")
        await scene.press("n")
        await scene.quiet()
        assert scene.answers == [answer("d1", confirmed=False)]


# Any size


async def test_no_size_breaks_a_question() -> None:
    long = "alpha " * 20
    questions = [
        ("select", {"options": [long, "b", "日本語" * 30]}),
        ("confirm", {"message": long * 10}),
        ("input", {"placeholder": long}),
        ("editor", {"prefill": long * 3}),
    ]
    sizes = [(40, 10), (20, 5), (10, 4), (4, 3), (1, 1), (200, 60), (3, 40), (80, 1), (5, 2), (40, 12)]
    async with stage((40, 10)) as scene:
        for method, fields in questions:
            title = f"{method} {long}"
            scene.asks(method, method, title, **fields)
            await scene.asked(title)
            for width, height in sizes:
                await scene.pilot.resize_terminal(width, height)
            await scene.press("down", "escape")
            await scene.quiet()
        assert len(scene.answers) == len(questions)


@pytest.mark.parametrize("method", ["select", "confirm", "input", "editor"])
@pytest.mark.parametrize("size", [(80, 24), (40, 12), (40, 10)])
async def test_however_long_a_question_is_its_answer_is_on_the_screen(method: str, size: tuple[int, int]) -> None:
    title = "Shall all of this be done? " * 40
    async with stage(size) as scene:
        scene.asks("d", method, title, options=["Do it"], message="Read it. " * 200, prefill="line\n" * 50)
        box = await scene.asked(title)
        screen_region = scene.app.screen.region
        assert box.answering.region in screen_region and box.answering.region.height > 0
        assert box.query_one(".dialog--hints").region in screen_region
        assert box.region in screen_region and box.region.height < size[1]
