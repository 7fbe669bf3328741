"""Changes to files, from what pi says of them or from what the model asked for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render.diff import changed_lines, diff_pieces
from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.pieces import lines_of
from tests.render.samples import assert_sound, copied, foreign, look, rows

PATCH = (
    "--- hello.py\n+++ hello.py\n@@ -1,2 +1,2 @@\n"
    " def hello(name):\n-    print('hello', name)\n+    print(f'hello {name}')\n"
    "@@ -40,2 +40,3 @@\n last = 1\n+more = 2\n\\ No newline at end of file\n"
)
NUMBERED = (
    "  1 def hello(name):\n- 2     print('hello', name)\n+ 2     print(f'hello {name}')\n"
    "    ...\n 40 last = 1\n+41 more = 2"
)
ARGUMENTS: dict[str, Any] = {
    "path": "hello.py",
    "edits": [
        {
            "oldText": "def hello(name):\n    print('hello', name)",
            "newText": "def hello(name):\n    print(f'hello {name}')",
        },
        {"oldText": "last = 1", "newText": "last = 1\nmore = 2"},
    ],
}


def draw_diff(details: Any, arguments: dict[str, Any], look: Look) -> list[Line]:
    return lines_of(diff_pieces(details, arguments, look))


def words_of(lines: list[Line], *attributes: str) -> list[str]:
    return [
        segment.text
        for line in lines
        for segment in line.strip
        if segment.style and all(getattr(segment.style, attribute) for attribute in attributes)
    ]


def test_a_patch_shows_numbers_signs_and_what_was_skipped() -> None:
    assert rows(draw_diff({"patch": PATCH}, {}, look())) == [
        "   1   def hello(name):",
        "   2 -     print('hello', name)",
        "   2 +     print(f'hello {name}')",
        "  ⋯",
        "  40   last = 1",
        "  41 + more = 2",
    ]


def test_a_numbered_diff_shows_the_same() -> None:
    assert rows(draw_diff({"diff": NUMBERED}, {}, look())) == rows(draw_diff({"patch": PATCH}, {}, look()))


def test_a_line_without_a_sign_keeps_its_first_character() -> None:
    for told in ({"patch": "@@ -1 +1 @@\ngarbage\n"}, {"diff": "garbage\n"}):
        assert rows(draw_diff(told, {}, look()))[0].endswith("  garbage")
    assert rows(draw_diff({"diff": "@@@\n"}, {}, look()))[0].endswith("  @@@")


def test_an_edit_is_shown_before_it_has_run() -> None:
    assert rows(draw_diff(None, ARGUMENTS, look())) == [
        *(
            "    def hello(name):",
            "  -     print('hello', name)",
            "  +     print(f'hello {name}')",
            "  ⋯",
            "    last = 1",
            "  + more = 2",
        ),
    ]
    old_form = {"oldText": "a\nb\nc", "newText": "a\nB\nc"}
    assert rows(draw_diff(None, old_form, look())) == ["    a", "  - b", "  + B", "    c"]


@pytest.mark.parametrize("told", [({"patch": PATCH}, {}), ({"diff": NUMBERED}, {}), (None, ARGUMENTS)])
def test_changed_lines_are_counted(told: tuple[Any, dict[str, Any]]) -> None:
    assert changed_lines(*told) == (2, 1)


def test_neither_numbers_nor_signs_are_copied() -> None:
    assert copied(draw_diff({"patch": PATCH}, {}, look())) == (
        "def hello(name):\n    print('hello', name)\n    print(f'hello {name}')\nlast = 1\nmore = 2\n"
    )


def test_the_words_that_changed_are_marked() -> None:
    lines = draw_diff({"patch": PATCH}, {}, look())
    assert "".join(words_of(lines, "underline", "dim")) == ", name"
    assert "".join(words_of(lines, "underline", "bold")) == "f {name}"


def test_both_sides_stand_beside_each_other_where_there_is_room() -> None:
    lines = draw_diff({"patch": PATCH}, {}, look(160))
    assert_sound(lines, 160)
    assert [[half.rstrip() for half in row.split("│")] for row in rows(lines)] == [
        ["   1   def hello(name):", "  1   def hello(name):"],
        ["   2 -     print('hello', name)", "  2 +     print(f'hello {name}')"],
        ["  ⋯"],
        ["  40   last = 1", " 40   last = 1"],
        ["", " 41 + more = 2"],
    ]
    assert copied(lines) == "def hello(name):\n    print(f'hello {name}')\nlast = 1\nmore = 2\n"


def test_a_long_diff_is_cut_and_shown_whole_when_wanted() -> None:
    patch = "--- a\n+++ a\n@@ -1,9 +1,9 @@\n" + "".join(f"-old {line}\n+new {line}\n" for line in range(3000))
    cut = draw_diff({"patch": patch}, {}, look())
    assert len(cut) < 200
    assert rows(cut)[-1] == "  … +3000 -3000 lines in all (show all)"
    whole = draw_diff({"patch": patch}, {}, look(full=True))
    assert len(whole) == 6000
    assert rows(whole)[-1].endswith("+ new 2999")


@pytest.mark.parametrize(
    "diff",
    [
        "-" + "a" * 2_500_000 + "\n+" + "b" * 2_500_000,
        "\n".join(f"-{line} {'x' * 40}" for line in range(120_000)),
        "+" * 5_000_000,
    ],
    ids=["two long lines", "many lines", "one line"],
)
def test_five_megabytes_are_cut_by_characters_too(diff: str) -> None:
    lines = draw_diff({"diff": diff}, {}, look(100))
    assert len(lines) < 400
    assert rows(lines)[-1].endswith("(show all)")


def test_damaged_details_are_shown_as_far_as_they_go() -> None:
    for details in (
        None,
        [],
        "x",
        {"patch": 1},
        {"patch": "no hunk"},
        {"diff": "\n\n"},
        {"patch": "@@ nonsense @@\n+x"},
    ):
        assert_sound(draw_diff(details, {"edits": [None, 3, {"oldText": 5}]}, look()), 80)


@given(st.lists(st.tuples(st.sampled_from("+- @\\"), foreign), max_size=8), st.integers(1, 200))
def test_no_diff_makes_a_row_unsound(changes: list[tuple[str, str]], width: int) -> None:
    body = "\n".join(sign + text for sign, text in changes)
    for details in ({"patch": "@@ -1,1 +1,1 @@\n" + body}, {"diff": body}):
        assert_sound(draw_diff(details, {}, look(width)), width)


@given(foreign, foreign, st.integers(1, 200))
def test_no_edit_makes_a_row_unsound(old: str, new: str, width: int) -> None:
    assert_sound(draw_diff(None, {"oldText": old, "newText": new}, look(width)), width)
