"""How each kind of question looks and is answered."""

import pytest
from textual.events import MouseScrollDown
from textual.widgets import Button, Input, TextArea

from pitui.ui.dialogs.options import Options
from tests.ui.dialogs.stage import Scene, stage

HIDDEN = "Run \u202egpj.exe\u202c \u200b\u2066now\u2069 \u00ad\ufeff \U000e0041?"
HIDDEN_SHOWN = "Run <U+202E>gpj.exe<U+202C> <U+200B><U+2066>now<U+2069> <U+00AD><U+FEFF> <U+E0041>?"
CONTROLS = "a\x1b]0;PWNED\x07 \x1b[31mred\x1b[0m \x1b[2J \x9b5m \x90q\x9c \x1b]52;c;aGk=\x07 \x08\x7f\x1bc z"
CONTROL = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) != "\n"]


def value(scene: Scene) -> object:
    assert len(scene.answers) == 1
    return scene.answers[0]["value"]


# Whatever it says


@pytest.mark.parametrize("method", ["select", "confirm", "input", "editor"])
async def test_nothing_hidden_in_a_question_stays_hidden(method: str) -> None:
    async with stage((120, 24)) as scene:
        scene.asks("d", method, HIDDEN, message=HIDDEN, options=[HIDDEN], placeholder=HIDDEN, prefill=HIDDEN)
        await scene.asked(HIDDEN)
        assert scene.text().count(HIDDEN_SHOWN) == 2
        assert "\u202e" not in scene.text()


async def test_hebrew_arabic_and_joined_emoji_are_shown_as_they_are() -> None:
    async with stage() as scene:
        scene.asks("d", "confirm", "שלום مرحبا", message="👩\u200d💻 می\u200cخواهم")  # noqa: RUF001
        await scene.asked("שלום مرحبا")
        assert "שלום مرحبا" in scene.text()
        assert "<U+" not in scene.text()


@pytest.mark.parametrize("method", ["select", "confirm", "input", "editor"])
async def test_control_characters_of_a_question_do_not_reach_the_terminal(method: str) -> None:
    async with stage() as scene:
        fields = {"message": CONTROLS, "options": [CONTROLS], "placeholder": CONTROLS, "prefill": CONTROLS}
        scene.asks("d", method, CONTROLS, **fields)
        await scene.asked(CONTROLS)
        assert not [character for character in CONTROL if character in scene.text()]
        assert "red" in scene.text()


async def test_a_carriage_return_hides_nothing() -> None:
    async with stage() as scene:
        scene.asks("d", "confirm", "Delete everything?\rList files?", message="rm -rf ~ #\rls")
        await scene.asked("Delete everything?\rList files?")
        assert "Delete everything?" in scene.text()
        assert "rm -rf ~ #" in scene.text()


@pytest.mark.parametrize("method", ["select", "confirm", "input", "editor"])
async def test_square_brackets_are_only_brackets(method: str) -> None:
    text = "[ OK ] [a=b] [/ [a=' [@click=app.exit]x[/]"
    async with stage() as scene:
        scene.asks("d", method, text, message=text, options=[text], placeholder=text, prefill=text)
        await scene.asked(text)
        assert scene.text().count(text) == 2


# Options


async def chosen_is_seen(scene: Scene) -> bool:
    options = scene.app.screen.query_one(Options)
    assert options.chosen is not None
    return f"▸ option {options.chosen}" in scene.text()


async def test_hundreds_of_options_are_walked_through_and_the_chosen_one_is_always_seen() -> None:
    async with stage((40, 12)) as scene:
        scene.asks("d", "select", "Which?", options=[f"option {number}" for number in range(500)])
        await scene.asked("Which?")
        for key in ("end", "up", "pageup", "home", "down", "pagedown", "pagedown", "end", "down", "home", "up"):
            await scene.press(key)
            assert await chosen_is_seen(scene), key
        await scene.press("end", "up", "enter")
        await scene.quiet()
        assert value(scene) == "option 498"


async def test_typing_filters_the_options_and_digits_are_typed_too() -> None:
    async with stage() as scene:
        scene.asks("d", "select", "Which?", options=[f"File {number} of the Box" for number in range(200)])
        await scene.asked("Which?")
        await scene.press(*"box", "space", *"19", "backspace", "7")
        assert "/box 17  12 of 200" in scene.text()
        await scene.press("down", "enter")
        await scene.quiet()
        assert value(scene) == "File 117 of the Box"


async def test_a_filter_that_fits_nothing_says_so_and_can_be_taken_back() -> None:
    async with stage() as scene:
        scene.asks("d", "select", "Which?", options=["one", "two"])
        await scene.asked("Which?")
        await scene.press("f8", "f8")
        await scene.asked("Which?")
        await scene.press("x", "enter")
        assert "Nothing has that in it." in scene.text()
        await scene.press("ctrl+u")
        await scene.pastes("two\nlines?")
        await scene.press("ctrl+u", "t", "enter")
        await scene.quiet()
        assert value(scene) == "two"


async def test_an_option_is_answered_as_it_was_given_however_it_is_shown() -> None:
    option = "  rm\u200b [x]\n-rf \x1b[31m" + "long " * 200
    async with stage((40, 12)) as scene:
        scene.asks("d", "select", "Which?", options=["", option, option])
        await scene.asked("Which?")
        await scene.press("end", "enter")
        await scene.quiet()
        assert value(scene) == option


async def test_a_question_without_options_says_so_and_can_only_be_dismissed() -> None:
    async with stage() as scene:
        scene.asks("d", "select", "Which?", options=[])
        await scene.asked("Which?")
        assert "There is nothing to choose from." in scene.text()
        await scene.press("down", "end", "pagedown", "enter", "escape")
        await scene.quiet()
        assert scene.answers[0]["cancelled"] is True


async def test_an_option_is_chosen_by_a_click_and_the_wheel_scrolls() -> None:
    async with stage() as scene:
        scene.asks("d", "select", "Which?", options=[f"option {number}" for number in range(100)])
        await scene.asked("Which?")
        options = scene.app.screen.query_one(Options)
        await scene.pilot._post_mouse_events([MouseScrollDown] * 3, options, offset=(2, 2))
        await scene.until(lambda: options.scroll_y > 0)
        first = round(options.scroll_y)
        await scene.pilot.click(options, offset=(4, 1))
        await scene.quiet()
        assert value(scene) == f"option {first + 1}"


# Yes or no


@pytest.mark.parametrize(
    ("keys", "confirmed"),
    [
        (["enter"], False),
        (["n"], False),
        (["y"], True),
        (["tab", "enter"], True),
        (["tab", "tab", "space"], False),
        (["right", "enter"], True),
        (["right", "left", "enter"], False),
    ],
)
async def test_no_is_the_answer_unless_yes_is_meant(keys: list[str], confirmed: bool) -> None:
    async with stage() as scene:
        scene.asks("d", "confirm", "Sure?", message="")
        await scene.asked("Sure?")
        await scene.press(*keys)
        await scene.quiet()
        assert scene.answers[0]["confirmed"] is confirmed


async def test_yes_can_be_clicked() -> None:
    async with stage() as scene:
        scene.asks("d", "confirm", "Sure?", message="")
        await scene.asked("Sure?")
        await scene.pilot.click(scene.app.screen.query(Button).last())
        await scene.quiet()
        assert scene.answers[0]["confirmed"] is True


async def test_a_long_message_is_read_to_its_end_before_it_is_answered() -> None:
    async with stage((40, 12)) as scene:
        scene.asks("d", "confirm", "Sure?", message="\n".join(f"line {number}." for number in range(40)))
        await scene.asked("Sure?")
        assert "line 39." not in scene.text()
        await scene.press(*["pagedown"] * 9)
        assert "line 39." in scene.text()
        await scene.press("y")
        await scene.quiet()


# A line


async def test_a_line_is_typed_and_a_paste_of_several_stays_one() -> None:
    async with stage() as scene:
        scene.asks("d", "input", "Name?", placeholder="first and last")
        await scene.asked("Name?")
        assert "first and last" in scene.text()
        await scene.press(*"I", "space", *"am", "space")
        await scene.pastes("one\r\ntwo\rthree\x1b[31m\tfour")
        assert scene.app.screen.query_one(Input).value == "I am one two three four"
        await scene.press("enter")
        await scene.quiet()
        assert value(scene) == "I am one two three four"


# Several lines


async def test_lines_are_edited_and_sent() -> None:
    async with stage() as scene:
        scene.asks("d", "editor", "Note", prefill="one\ntwo")
        await scene.asked("Note")
        await scene.press("enter", *"three", "ctrl+s")
        await scene.quiet()
        assert value(scene) == "one\ntwo\nthree"


async def test_a_paste_brings_lines_and_tabs_but_no_control_characters() -> None:
    async with stage() as scene:
        scene.asks("d", "editor", "Note", prefill="")
        await scene.asked("Note")
        await scene.pastes("one\r\n\ttwo\x1b]52;c;aGk=\x07\rthree")
        await scene.press("ctrl+s")
        await scene.quiet()
        assert value(scene) == "one\n\ttwo\nthree"


async def test_a_text_that_is_left_as_it_was_is_answered_letter_by_letter() -> None:
    text = "a\r\nb\u2028c\x1b[31m\tred\x0b\u202e\ud800\n"
    async with stage() as scene:
        scene.asks("d", "editor", "Note", prefill=text)
        await scene.asked("Note")
        assert "<U+202E>" in scene.app.screen.query_one(TextArea).text
        await scene.press("ctrl+s")
        await scene.quiet()
        assert value(scene) == text.replace("\ud800", "\ufffd")


async def test_escape_dismisses_an_editor_also_after_typing() -> None:
    async with stage() as scene:
        scene.asks("d", "editor", "Note", prefill="x")
        await scene.asked("Note")
        await scene.press("tab", *"abc", "escape")
        await scene.quiet()
        assert scene.answers[0]["cancelled"] is True
