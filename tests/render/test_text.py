"""The gate: nothing foreign reaches the terminal as anything but letters."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.text import (
    cells,
    clean,
    clean_line,
    coloured,
    grapheme_around,
    graphemes,
    row_counts,
    truncate,
    truncate_start,
    unmarked,
    visible,
    wrap,
)
from tests.render.samples import CONTROLS, HOSTILE, foreign

BASE = Style()


def test_escape_sequences_go_and_letters_stay() -> None:
    shown = clean(HOSTILE)
    assert not any(control in shown for control in CONTROLS)
    assert "PWNED" not in shown and "aGk=" not in shown
    assert shown.split() == ["user", "red", "A", "B", "link", "nulx"]


@pytest.mark.parametrize(
    ("torn", "shown"),
    [
        ("a\x1b", "a"),
        ("a\x1b[", "a"),
        ("a\x1b[31", "a"),
        ("a\x1b]0;title\nb", "a\nb"),
        ("a\x1b]8;;http://e.x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x9b31mb", "ab"),
        ("a\x1b[漢", "a漢"),
        ("\x1b\x1b[31m[31mb", "[31mb"),
        ("a\x1b(Bb", "ab"),
    ],
)
def test_a_torn_sequence_takes_no_more_than_itself(torn: str, shown: str) -> None:
    assert clean(torn) == shown


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        (" 10%\r 20%\r100%\n", "100%\n"),
        ("漢字\r\n", "漢字\n"),
        ("漢字\r", "漢字"),
        ("one\r\r\ntwo", "one\ntwo"),
        ("10%\r\x1b[K20%", "20%"),
    ],
)
def test_progress_collapses_to_its_last_value(output: str, shown: str) -> None:
    assert clean(output, progress=True) == shown


def test_every_line_break_of_unicode_is_one() -> None:
    assert clean("left\u2028mid\u2029right\u0085nel\u000bvt\fff end").split("\n") == [
        "left",
        "mid",
        "right",
        "nel",
        "vt",
        "ff end",
    ]


def test_tabs_go_to_their_stops() -> None:
    assert clean("a\tb\n\tc") == "a   b\n    c"
    assert clean("a\tb", tab_size=8) == "a       b"


def test_a_turn_of_direction_is_shown_and_hebrew_is_left_alone() -> None:
    assert clean("safe \u202etxt\u202c") == "safe <U+202E>txt<U+202C>"
    assert clean("שלום עולם") == "שלום עולם"
    assert visible("مرحبا بالعالم") == "مرحبا بالعالم"


def test_a_title_shows_whatever_hides() -> None:
    assert visible("file\u202egnp.exe zero\u200bwidth \u00adsoft \u2060wj tag\U000e0041\U000e0042") == (
        "file<U+202E>gnp.exe zero<U+200B>width <U+00AD>soft <U+2060>wj tag<U+E0041><U+E0042>"
    )
    assert visible("a\nb\x1b[31m\x7f\x9b") == "a⏎b␛[31m␡<U+009B>"


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d👩\u200d👧",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "क्\u200dष",
        "\u0645\u06cc\u200c\u062e\u0648",
        "🇩🇪",
    ],
)
def test_joiners_stay_where_they_are_needed(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "\u200c", "x\U000e0041"])
def test_joiners_that_join_nothing_are_shown(text: str) -> None:
    assert "<U+" in visible(text)


def test_a_line_is_one_line_of_a_bounded_length() -> None:
    assert clean_line("a\nb\r\n c") == "a⏎b⏎ c"
    assert clean_line("x" * 5000) == "x" * 2000 + "…"


def test_brackets_are_never_markup() -> None:
    for text in ('[ OK ] started  [a=b]  [/  q["year"]', "[@click=app.exit]click me[/]", "[a='"):
        assert clean(text) == visible(text) == text


def test_colours_become_styles() -> None:
    [line] = coloured("\x1b[1;31mred\x1b[0m plain \x1b[38;5;208mpalette\x1b[38;2;1;2;3mtrue\x1b[39;7mturned", BASE)
    assert [segment.text for segment in line] == ["red", " plain ", "palette", "true", "turned"]
    styles = [segment.style for segment in line]
    assert styles[0] == Style(bold=True, color="color(1)")
    assert styles[1] == BASE
    assert styles[2] == Style(color="color(208)")
    assert styles[3] == Style(color="#010203")
    assert styles[4] == Style(reverse=True)


def test_colours_go_on_over_lines_and_over_returns() -> None:
    first, second = coloured("\x1b[31mone\r\x1b[1mtwo\nthree", BASE)
    assert [segment.text for segment in first] == ["two"]
    assert first[0].style == second[0].style == Style(bold=True, color="color(1)")


def test_a_code_in_chunks_is_whole_once_all_of_it_is_there() -> None:
    chunks = ["\x1b", "[3", "1mre", "d\x1b[0", "m plain 漢", "字\r", "\n", " 10%\r 20%\r100%\n"]
    text = ""
    for chunk in chunks:
        text += chunk
        shown = "\n".join("".join(segment.text for segment in line) for line in coloured(text, BASE))
        assert "[3" not in shown and "1m" not in shown and not shown.startswith("m")
    assert shown == "red plain 漢字\n100%\n"


sequences = st.sampled_from(
    [
        *(
            "\x1b[31m",
            "\x1b[1;38;5;208m",
            "\x1b[38;2;1;2;3m",
            "\x1b[0m",
            "\x1b[m",
            "\x9b4m",
            "\x1b[2J",
            "\x1b[?25l",
            "\x1b[6n",
        ),
        *(
            "\x1b]0;7title\x07",
            "\x1b]8;;http://e.x\x1b\\",
            "\x1b]52;c;QUJD\x07",
            "\x9d0;7title\x9c",
            "\x1b]1337;File=x:QUJD\x07",
        ),
        *("\x1bP1$r0m\x1b\\", "\x1b_Ga=T;QUJD\x1b\\", "\x90q7\x9c", "\x1bc", "\x1b(B", "\x1b7"),
    ]
)
letters = st.text("abc 漢字é\n", max_size=6)


@given(st.lists(st.one_of(sequences, letters), max_size=12).map("".join))
def test_wherever_an_output_is_cut_no_part_of_a_sequence_is_shown(text: str) -> None:
    whole = clean(text, progress=True)
    for end in range(len(text)):
        for shown in (clean(text[:end], progress=True), "\n".join(map(letters_of, coloured(text[:end], BASE)))):
            assert whole.startswith(shown)


def letters_of(line: list[Segment]) -> str:
    return "".join(segment.text for segment in line)


@given(foreign)
def test_nothing_that_comes_out_can_be_obeyed(text: str) -> None:
    drawn = "\n".join("".join(segment.text for segment in line) for line in coloured(text, BASE))
    for shown in (clean(text), clean_line(text), visible(text), drawn):
        assert not any(control in shown for control in CONTROLS)
        assert not any("\ud800" <= char <= "\udfff" for char in shown)
        json.dumps(shown).encode()
    assert drawn == clean(text, progress=True)


@given(foreign)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_what_was_written_by_hand_keeps_what_stands_before_a_return() -> None:
    assert clean("old\rmac\r\nend") == "old\nmac\nend"
    assert clean_line("rm -rf ~\recho safe") == "rm -rf ~⏎echo safe"


@given(foreign, foreign)
def test_lines_do_not_depend_on_each_other(first: str, second: str) -> None:
    assert clean(f"{first}\n{second}") == f"{clean(first + chr(10))[:-1]}\n{clean(second)}"


@given(foreign, st.integers(1, 40))
def test_what_is_cut_fits(text: str, width: int) -> None:
    line = clean_line(text)
    assert cells(truncate(line, width)) <= width
    if cells(line) <= width:
        assert truncate(line, width) == line


@given(foreign, st.integers(1, 40))
def test_of_what_is_cut_at_its_start_the_end_stays(text: str, width: int) -> None:
    line = clean_line(text)
    cut = truncate_start(line, width)
    assert cells(cut) <= width
    assert line.endswith(cut.removeprefix("…"))
    if cells(line) <= width:
        assert cut == line


def segments_of(line: str, cuts: list[int]) -> list[Segment]:
    """The line in pieces of different styles."""
    ends = sorted({min(cut, len(line)) for cut in cuts} | {len(line)})
    starts = [0, *ends]
    return [
        Segment(line[start:end], Style(bold=bool(at % 2)))
        for at, (start, end) in enumerate(zip(starts, ends, strict=False))
    ]


@given(foreign, st.lists(st.integers(0, 40), max_size=3), st.integers(1, 60), st.booleans())
def test_a_wrapped_line_fits_and_is_all_there(text: str, cuts: list[int], width: int, words: bool) -> None:
    line = clean(text).replace("\n", " ")
    rows = wrap(segments_of(line, cuts), width, words=words)
    for row, _ in rows:
        assert Strip(row).cell_length <= width
    if width > 1:
        joined = "".join("".join(segment.text for segment in row) + joint for row, joint in rows).removesuffix("\n")
        assert joined.rstrip(" ") == line.rstrip(" ") if words else joined == line


def test_a_few_words_of_markdown_stand_without_the_marks_of_headings_weight_and_code() -> None:
    assert unmarked("## What *I* found\n\n**All** of it: `a ** b`, 2**3**4, ``a`b``\n # one\n#no\n```py") == (
        "What *I* found\n\nAll of it: a ** b, 2**3**4, ``a`b``\none\n#no\n```py"
    )


@given(foreign, st.lists(st.integers(0, 40), max_size=3), st.integers(4, 60))
def test_what_hangs_is_all_there_and_fits_beside_what_it_hangs_by(text: str, cuts: list[int], width: int) -> None:
    line = clean(text).replace("\n", " ")
    rows = wrap(segments_of(line, cuts), width, words=False, hang=width // 2)
    assert "".join(segment.text for row, _ in rows for segment in row) == line
    for number, (row, _) in enumerate(rows):
        assert Strip(row).cell_length <= (width - width // 2 if number else width)


joined = st.text(
    st.sampled_from(
        ["\u200d", "\ufe0f", "\u200b", "\u0301", "a", " ", "/", "1", "漢", "❤", "👩", "🏽", "🇩", "🇪", "ष", "\u094d"]
    ),
    max_size=12,
)


@given(joined)
@example("\u0301e\u0301")
@example("🇩🇪🇫🇷🇩")
@example("é\tb")
def test_a_character_is_found_from_any_place_in_it(text: str) -> None:
    whole = [(first, after) for first, after, _ in graphemes(text.replace("\t", " "))]
    for at in range(len(text) + 1):
        expected = [(first, after) for first, after in whole if first < at < after]
        assert [grapheme_around(text, at)] == (expected or [None])


def test_a_character_is_found_by_what_is_near() -> None:
    assert grapheme_around("👩\u200d" * 100_000, 150_001) is not None
    assert grapheme_around("e" + "\u0301" * 100_000, 50_000) is not None


@given(joined)
def test_characters_are_as_wide_alone_as_in_the_row_that_they_start(text: str) -> None:
    found = graphemes(text)
    assert "".join(text[start:end] for start, end, _ in found) == text
    for first in range(len(found)):
        for last in range(first, len(found)):
            assert cells(text[found[first][0] : found[last][1]]) == sum(size for _, _, size in found[first : last + 1])


@example("\u200d\u200d[/]", [], 1, True)
@given(joined, st.lists(st.integers(0, 12), max_size=3), st.integers(1, 6), st.booleans())
def test_nothing_that_joins_makes_a_row_too_wide(text: str, cuts: list[int], width: int, words: bool) -> None:
    assert cells(truncate(text, width)) <= width
    assert cells(truncate_start(text, width)) <= width
    for row, _ in wrap(segments_of(text, cuts), width, words=words):
        assert Strip(row).cell_length <= width


def test_a_line_ends_between_words_and_remembers_the_spaces() -> None:
    rows = wrap([Segment("one two  three")], 8)
    assert [("".join(segment.text for segment in row), joint) for row, joint in rows] == [
        ("one two", "  "),
        ("three", "\n"),
    ]


def test_a_character_as_people_see_it_is_never_cut() -> None:
    family, flag = "👩\u200d👩\u200d👧", "🇩🇪"
    for character in (family, flag, "e\u0301", "❤\ufe0f", "한"):
        for row, _ in wrap([Segment(character * 5)], 3, words=False):
            assert "".join(segment.text for segment in row).replace(character, "") == ""


def test_east_asian_text_breaks_anywhere_but_before_a_closing_mark() -> None:
    rows = wrap([Segment("漢字漢字。漢字")], 8)
    assert ["".join(segment.text for segment in row) for row, _ in rows] == ["漢字漢", "字。漢字"]


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_wide_character_never_makes_a_row_too_wide(width: int) -> None:
    for row, _ in wrap([Segment("a漢👩\u200d👩\u200d👧b")], width):
        assert cell_len("".join(segment.text for segment in row)) <= width


@given(foreign, st.integers(1, 60))
def test_rows_are_counted_as_they_are_drawn(text: str, width: int) -> None:
    counts = row_counts(text, width)
    if counts is not None:
        assert counts == [len(wrap(line, width, words=False)) for line in coloured(text, BASE)]
