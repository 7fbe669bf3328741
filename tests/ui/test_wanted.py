"""What is completed, told from what stands before the cursor; and how a path is written into a prompt."""

import pytest

from pitui.ui.wanted import Kind, path_before, wanted, written


@pytest.mark.parametrize(
    ("before", "kind", "typed", "length"),
    [
        ("/", "command", "", 1),
        ("/mod", "command", "mod", 4),
        ("/model ", "argument", "", 0),
        ("/model  lab/s", "argument", "lab/s", 5),
        ("/name two words", "argument", "two words", 9),
        ("/etc/ho", "path", "/etc/ho", 7),
        ("/etc/hosts and", None, "", 0),
        ("@", "file", "", 1),
        ("look at @src/ma", "file", "src/ma", 7),
        ('look at @"a fi', "file", "a fi", 6),
        ('"done" @x', "file", "x", 2),
        ("mail me@home", None, "", 0),
        ("see ./a", "path", "./a", 3),
        ("see ~/a", "path", "~/a", 3),
        ("see src/a", "path", "src/a", 5),
        ('see "src/a b', "path", "src/a b", 8),
        ("key=/a", "path", "/a", 2),
        ("plain words", None, "", 0),
        ("it's", None, "", 0),
        ("", None, "", 0),
    ],
)
def test_what_is_wanted(before: str, kind: Kind | None, typed: str, length: int) -> None:
    found = wanted(before)
    assert (found and found.kind, found.typed if found else "", found.length if found else 0) == (kind, typed, length)


def test_several_lines_are_no_command_but_may_hold_a_path() -> None:
    assert (found := wanted("/mod", alone=False)) is not None
    assert found.kind == "path"


def test_the_tab_key_takes_any_word_for_a_path() -> None:
    assert path_before("see READ").typed == "READ"
    assert path_before("see ").typed == ""


@pytest.mark.parametrize(
    ("path", "in_a_prompt"),
    [
        ("src/a.py", "@src/a.py"),
        ("a b/c", '@"a b/c"'),
        ("it's", '@"it\'s"'),
        ("日本語", "@日本語"),
        ("[red]", "@[red]"),
        ("back\\slash", "@back\\slash"),
        ("two\nlines", '@"two\\nlines"'),
        ("esc\x1b[31m\\", '@"esc\\x1b[31m\\\\"'),
        ('quo"te', '@"quo\\"te"'),
        ("no\udcfftext", '@"no\\xfftext"'),
        ("turn\u202etxt", '@"turn\\u202etxt"'),
    ],
)
def test_a_path_is_quoted_where_it_has_to_be(path: str, in_a_prompt: str) -> None:
    assert written(path, marked=True, quoted=False) == in_a_prompt


def test_a_path_that_was_begun_in_quotes_stays_in_quotes() -> None:
    assert written("a", marked=False, quoted=True) == '"a"'
