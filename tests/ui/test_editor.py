"""The editor alone: its keys, and what is one thing in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from pitui.draft import Draft, Part, Pasted, Picture
from pitui.rpc.messages import ImagePart
from pitui.ui.theme import DARK
from pitui.ui.widgets.editor import Editor

PASTE = Pasted("\n".join(f"line {number}" for number in range(12)))
PICTURE = Picture("my shot.png", ImagePart(data="aGVsbG8=" * 2000, mime_type="image/png"), "/tmp/my shot.png")
FAMILY = "👨\u200d👩\u200d👧"


class Desk(App[None]):
    """An editor and nothing else."""

    pilot: Pilot[None]

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self.editor = editor
        self.register_theme(DARK)
        self.theme = DARK.name

    def compose(self) -> ComposeResult:
        yield self.editor


@asynccontextmanager
async def writing(*parts: Part, size: tuple[int, int] = (40, 10), **keys: tuple[str, ...]) -> AsyncIterator[Desk]:
    editor = Editor(keys={f"tui.editor.{name}": chosen for name, chosen in keys.items()})
    app = Desk(editor)
    async with app.run_test(size=size) as pilot:
        app.pilot = pilot
        editor.focus()
        editor.write(*parts)
        yield app


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


@pytest.mark.parametrize("chip", [PASTE, PICTURE, "e\u0301", FAMILY])
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
words = st.text(st.one_of(st.sampled_from("ab .\n가é́"), st.just(FAMILY[0])), max_size=12)
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
