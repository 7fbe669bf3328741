"""The editor alone: its keys, and what is one thing in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from pitui.draft import Draft, Part, Pasted, Picture
from pitui.render.text import cells
from pitui.rpc.messages import ImagePart
from pitui.ui.theme import DARK
from pitui.ui.widgets.editor import Editor
from pitui.ui.widgets.writing import LineInput, LinesInput

PASTE = Pasted("\n".join(f"line {number}" for number in range(12)))
PICTURE = Picture("my shot.png", ImagePart(data="aGVsbG8=" * 2000, mime_type="image/png"), "/tmp/my shot.png")
FAMILY = "👨\u200d👩\u200d👧"
CHARACTERS = {
    "e\u0301": "a letter with its accent",
    FAMILY: "emoji that are joined",
    "👍🏽": "an emoji and its colour",
    "🇩🇪": "a flag",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": "the flag of a region",
    "1\ufe0f\u20e3": "a keycap",
    "\u1112\u1161\u11ab": "a syllable of Hangul",
    "\u0915\u094d": "a letter of Devanagari and its virama",
}
"""What a person sees as one, and what that is."""


class Desk(App[None]):
    """An editor and nothing else."""

    pilot: Pilot[None]

    def __init__(self, editor: Editor | LinesInput | LineInput) -> None:
        super().__init__()
        self.field = editor
        self.register_theme(DARK)
        self.theme = DARK.name

    def compose(self) -> ComposeResult:
        yield self.field

    @property
    def editor(self) -> Editor:
        assert isinstance(self.field, Editor)
        return self.field


@asynccontextmanager
async def writing(*parts: Part, size: tuple[int, int] = (40, 10), **keys: tuple[str, ...]) -> AsyncIterator[Desk]:
    editor = Editor(keys={f"tui.editor.{name}": chosen for name, chosen in keys.items()})
    app = Desk(editor)
    async with app.run_test(size=size) as pilot:
        app.pilot = pilot
        editor.focus()
        editor.write(*parts)
        yield app


def written(field: Editor | LinesInput | LineInput) -> str:
    return field.value if isinstance(field, LineInput) else field.text


def rewrite(field: Editor | LinesInput | LineInput, text: str) -> None:
    if isinstance(field, LineInput):
        field.value = text
    else:
        field.text = text


async def press(app: Desk, *keys: str) -> None:
    await app.pilot.press(*keys)


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        pytest.param(("ctrl+w",), "one two \nthree", id="the word before"),
        pytest.param(("ctrl+u",), "\nthree", id="the line before"),
        pytest.param(("ctrl+a", "ctrl+k"), "\nthree", id="the line after"),
        pytest.param(("ctrl+k",), "one two xthree", id="the line break"),
        pytest.param(("ctrl+a", "alt+d"), " two x\nthree", id="the word after"),
        pytest.param(("alt+backspace", "ctrl+w"), "one \nthree", id="two words"),
    ],
)
async def test_what_is_killed_can_be_yanked(keys: tuple[str, ...], left: str) -> None:
    async with writing("one two x\nthree") as app:
        app.editor.move_cursor((0, 9))
        await press(app, *keys)
        assert app.editor.draft.text == left
        await press(app, "ctrl+y")
        assert app.editor.draft.text == "one two x\nthree"


async def test_alt_y_yanks_what_was_killed_before() -> None:
    async with writing("one two") as app:
        await press(app, "ctrl+w", "left", "right", "ctrl+w", "ctrl+y")
        assert app.editor.draft.text == "one "
        await press(app, "alt+y")
        assert app.editor.draft.text == "two"
        await press(app, "alt+y")
        assert app.editor.draft.text == "one "
        await press(app, "x", "alt+y")
        assert app.editor.draft.text == "one x"


async def test_alt_y_takes_nothing_of_what_has_come_above_what_was_yanked() -> None:
    async with writing("one two") as app:
        await press(app, "ctrl+w", "ctrl+y")
        app.editor.insert("sent before\n\n", (0, 0))
        await press(app, "alt+y")
        assert app.editor.draft.text == "sent before\n\none two"


async def test_jumping_to_a_character() -> None:
    async with writing("a-b-c\nd-e") as app:
        await press(app, "alt+ctrl+right_square_bracket", "b", "x")
        assert app.editor.draft.text == "a-xb-c\nd-e"
        await press(app, "ctrl+right_square_bracket", "e", "y")
        assert app.editor.draft.text == "a-xb-c\nd-ye"
        await press(app, "ctrl+right_square_bracket", "escape", "z")
        assert app.editor.draft.text == "a-xb-c\nd-yze"


async def test_the_keys_of_the_person_go_before() -> None:
    async with writing("one two", deleteWordBackward=("f2",), yank=()) as app:
        await press(app, "ctrl+w", "ctrl+y")
        assert app.editor.draft.text == "one two"
        await press(app, "f2")
        assert app.editor.draft.text == "one "


async def test_a_chip_says_what_it_is() -> None:
    async with writing("see ", PASTE, " and ", PICTURE) as app:
        seen = "\n".join(app.editor.render_line(y).text.rstrip() for y in range(2))
        assert seen == "see [paste 12 lines] and\n[my shot.png 12 KB]"


@pytest.mark.parametrize("chip", [PASTE, PICTURE, *CHARACTERS])
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(("left", "left", "x"), "a x* b", id="left over it"),
        pytest.param(("home", "right", "right", "right", "x"), "a *x b", id="right over it"),
        pytest.param(("left", "backspace", "x"), "a x b", id="backspace"),
        pytest.param(("home", "right", "right", "delete", "x"), "a x b", id="delete"),
        pytest.param(("left", "backspace", "ctrl+underscore", "x"), "a *x b", id="undo"),
        pytest.param(("left", "shift+left", "x"), "a x b", id="select it and write"),
    ],
)
async def test_one_thing_is_one_key(chip: Part, keys: tuple[str, ...], expected: str) -> None:
    async with writing("a ", chip, " b") as app:
        await press(app, "left", *keys)
        before, found, after = expected.partition("*")
        assert app.editor.draft == Draft.of(before, chip if found else "", after)


async def test_flags_that_stand_together_are_each_one() -> None:
    async with writing("x🇩🇪🇫🇷") as app:
        await press(app, "left", "o")
        assert app.editor.text == "x🇩🇪o🇫🇷"
        await press(app, "backspace", "backspace")
        assert app.editor.text == "x🇫🇷"


async def test_a_click_finds_the_character_that_is_seen_there() -> None:
    async with writing() as app:
        for character in CHARACTERS:
            line = f"a{character}bc"
            app.editor.text = f"{line}\n{line * 20}"
            for x, before in ((0, ""), (1, "a"), (1 + cells(character), f"a{character}"), (30, line)):
                assert await clicked(app, x, 0) == (0, len(before))
            places = accumulate(map(len, ("a", character, "b", "c") * 20), initial=0)
            assert {(await clicked(app, x, 2))[1] for x in range(10)} <= set(places)


async def clicked(app: Desk, x: int, y: int) -> tuple[int, int]:
    """Where the cursor is after a click on that cell."""
    await app.pilot.click(Editor, offset=(x + app.editor.gutter.left, y + app.editor.gutter.top))
    return app.editor.cursor_location


@pytest.mark.parametrize("field", [Editor, LinesInput, LineInput])
async def test_two_clicks_select_the_word_and_three_the_line(field: type[Editor | LinesInput | LineInput]) -> None:
    app = Desk(editor := field())
    async with app.run_test() as pilot:
        line = f"say cafe\u0301_1, {FAMILY}no"
        rewrite(editor, line if field is LineInput else f"first\n{line}")
        for x, selected in ((1, "say"), (3, " "), (7, "cafe\u0301_1"), (10, ","), (12, FAMILY), (15, "no"), (30, "no")):
            offset = (x + editor.gutter.left, (field is not LineInput) + editor.gutter.top)
            assert await pilot.double_click(field, offset=offset)
            assert editor.selected_text == selected
            assert await pilot.triple_click(field, offset=offset)
            assert editor.selected_text == line
        await pilot.press("x")
        assert written(editor) == ("x" if field is LineInput else "first\nx")


@pytest.mark.parametrize("field", [Editor, LinesInput, LineInput])
async def test_a_terminal_sends_a_character_part_by_part(field: type[Editor | LinesInput | LineInput]) -> None:
    app = Desk(editor := field())
    async with app.run_test() as pilot:
        editor.focus()
        for character in CHARACTERS:
            rewrite(editor, "")
            for part in f"a{character}b":
                app.post_message(events.Key(part, part))
            await pilot.pause()
            assert written(editor) == f"a{character}b"
            await pilot.press("left", "shift+left", "x")
            assert written(editor) == "axb"


async def test_a_joiner_waits_for_what_it_joins_and_joins_nothing_that_was_there() -> None:
    async with writing("👩 b") as app:
        app.editor.move_cursor((0, 1))
        app.post_message(events.Key("zero_width_joiner", "\u200d"))
        app.post_message(events.Key("👧", "👧"))
        app.post_message(events.Key("zero_width_joiner", "\u200d"))
        await press(app, "right", "c")
        assert app.editor.text == "👩\u200d👧 cb"


@pytest.mark.parametrize("field", [LinesInput, LineInput])
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(("left", "left", "x"), "ax* b", id="left over it"),
        pytest.param(("home", "right", "right", "x"), "a*x b", id="right over it"),
        pytest.param(("left", "backspace", "x"), "ax b", id="backspace"),
        pytest.param(("home", "right", "delete", "x"), "ax b", id="delete"),
        pytest.param(("left", "shift+left", "x"), "ax b", id="select it and write"),
    ],
)
async def test_one_thing_is_one_key_in_every_field(
    field: type[LinesInput | LineInput], keys: tuple[str, ...], expected: str
) -> None:
    app = Desk(editor := field())
    async with app.run_test() as pilot:
        editor.focus()
        for character in CHARACTERS:
            rewrite(editor, f"a{character} b")
            await pilot.press("end", "left", *keys)
            assert written(editor) == expected.replace("*", character)


@pytest.mark.parametrize("chip", [PASTE, PICTURE])
async def test_a_chip_is_one_word(chip: Part) -> None:
    async with writing("a ", chip, " b") as app:
        await press(app, "ctrl+left", "ctrl+left", "x")
        assert app.editor.draft == Draft.of("a x", chip, " b")
        await press(app, "ctrl+right", "y")
        assert app.editor.draft == Draft.of("a x", chip, "y b")
        await press(app, "backspace", "ctrl+w")
        assert app.editor.draft == Draft.of("a x b")


async def test_what_looks_like_a_chip_is_none() -> None:
    async with writing("[paste 12 lines]") as app:
        await press(app, "backspace")
        assert app.editor.draft == Draft.of("[paste 12 lines")


async def test_a_selection_with_a_chip_is_copied_written_out() -> None:
    async with writing("a ", PASTE) as app:
        await press(app, "shift+home")
        assert app.editor.selected_text == "a " + PASTE.text


async def test_undoing_many_lines_is_no_mistake() -> None:
    async with writing(PASTE, size=(40, 5)) as app:
        app.editor.show(Draft.of("line\n" * 30))
        await press(app, "ctrl+underscore")
        assert app.editor.draft == Draft.of(PASTE)


MOVES = ("cursor_left", "cursor_right", "cursor_up", "cursor_down", "cursor_word_left", "cursor_word_right")
EDITS = (
    *("delete_left", "delete_right", "kill_word_left", "kill_word_right", "kill_to_start", "kill_to_end"),
    *("yank", "yank_pop", "undo", "redo", "new_line"),
)
words = st.text(st.sampled_from("ab .\n가é́👩\u200d👧🇩🇪\ufe0f"), max_size=12)
drafts = st.builds(Draft.of, words, st.sampled_from((PASTE, PICTURE)), words, st.sampled_from((PASTE, PICTURE)), words)
deeds = st.lists(st.one_of(st.sampled_from(MOVES + EDITS), st.tuples(st.sampled_from(MOVES[:4]), st.just(True))))


async def test_no_deed_cuts_a_chip_in_two() -> None:
    async with writing() as app:
        editor = app.editor

        @settings(deadline=None, max_examples=150)
        @given(drafts, deeds)
        def check(draft: Draft, done: list[str | tuple[str, bool]]) -> None:
            editor.show(draft)
            assert editor.draft == draft
            for deed in done:
                name, *options = (deed,) if isinstance(deed, str) else deed
                editor._before, editor._done = editor._done, ""
                getattr(editor, f"action_{name}")(*options)
                assert set(editor.draft.chips) <= {PASTE, PICTURE}
                assert "paste" not in "".join(part for part in editor.draft.parts if isinstance(part, str))
                assert "shot" not in "".join(part for part in editor.draft.parts if isinstance(part, str))

        check()
