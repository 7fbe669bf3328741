"""Tables fit, whatever is in them."""

from hypothesis import given
from hypothesis import strategies as st

from pitui.render.markdown import draw_markdown
from tests.render.samples import assert_sound, copied, foreign, look, rows, squeezed

HEAD = "| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n"


def test_columns_are_as_wide_as_what_is_in_them() -> None:
    assert rows(draw_markdown("| left | right | mid |\n|:--|--:|:-:|\n| 1 | 2 | 漢 |\n| long one | | x |", look())) == [
        "  left      right  mid",
        "  " + "─" * 20,
        "  1             2  漢",
        "  long one          x",
    ]


def test_cells_wrap_where_there_is_no_room() -> None:
    text = "| name | what it does |\n|---|---|\n| one | a long story that goes on and on |"
    lines = draw_markdown(text, look(26))
    assert_sound(lines, 26)
    assert rows(lines)[2:] == ["  one   a long story that", "        goes on and on"]


def test_marks_and_escaped_bars_work_inside_of_cells() -> None:
    shown = rows(draw_markdown(HEAD + "| 0 | 漢字 | `a\\|b` | [x](http://e.x) | **b** | |", look(100)))
    assert shown[2].split() == ["0", "漢字", "a|b", "x", "(http://e.x)", "b"]


def test_a_quote_or_a_list_begins_before_a_table_does() -> None:
    assert rows(draw_markdown("> |a|b|\n|-|-|-|", look())) == ["  │ |a|b|", "  │ |-|-|-|"]
    assert rows(draw_markdown("> |a|b|\n> |-|-|", look())) == ["  │ a  b", "  │ ────"]


NAMES = [f"column {number}" for number in range(9)]
WIDE = f"|{'|'.join(NAMES)}|\n{'|---' * 9}|\n" + "".join(
    f"|{'|'.join(f'{row}.{n}' for n in range(9))}|\n" for row in "12"
)


def test_columns_without_room_are_left_out_and_counted() -> None:
    lines = draw_markdown(WIDE, look(40))
    assert rows(lines) == [
        "  column 0  column 1  column 2  column 3",
        "  ────────── … 5 more columns (show all)",
        "  1.0       1.1       1.2       1.3",
        "  2.0       2.1       2.2       2.3",
    ]
    assert rows(draw_markdown(WIDE, look(20)))[1].endswith("… 7 (show all)")
    assert [line.leads for line in lines] == ["", "all", "", ""]
    assert copied(lines) == "\n".join(row.removeprefix("  ") for row in (*rows(lines)[:1], *rows(lines)[2:], ""))


def test_once_opened_each_row_of_them_is_a_record() -> None:
    lines = draw_markdown(WIDE, look(40, full=True))
    records = [[f"{name}: {row}.{number}" for number, name in enumerate(NAMES)] for row in "12"]
    assert rows(lines) == [f"  {line}" if line else "" for line in (*records[0], "", *records[1])]
    story = "a long story that goes on and on"
    assert f"column 1: {story}\n" in copied(draw_markdown(WIDE.replace("1.1", story), look(24, full=True)))


def test_opening_a_table_that_fits_changes_nothing() -> None:
    assert draw_markdown(WIDE, look(120, full=True)) == draw_markdown(WIDE, look(120))


def test_the_first_rows_of_a_long_table_tell_how_wide_it_is() -> None:
    first = "| n | what |\n|--:|---|\n" + "".join(f"| {row} | word |\n" for row in range(40))
    lines = draw_markdown(f"{first}| 1000 | a long story |\n", look(60))
    assert lines[: 2 + 40] == draw_markdown(first, look(60))
    assert rows(lines)[-2:] == ["  1000  a long", "        story"]


def test_a_table_of_many_rows_is_all_there() -> None:
    text = HEAD + "\n".join(
        f"| {row} | 漢字 | `a\\|b` | [x](http://e.x) | **b** | {'w' * (row % 70)} |" for row in range(500)
    )
    lines = draw_markdown(text, look(100))
    assert_sound(lines, 100)
    assert [row.split()[0] for row in rows(lines)[2:] if row[2:3].isdigit()] == [str(row) for row in range(500)]


cell = foreign.map(lambda text: text.replace("\n", " ").replace("|", " ").replace("`", " "))


@given(st.lists(st.lists(cell, min_size=1, max_size=6), min_size=1, max_size=5), st.integers(1, 200), st.booleans())
def test_no_cell_breaks_the_frame(table: list[list[str]], width: int, full: bool) -> None:
    columns = len(table[0])
    text = (
        "|".join(["", *table[0], ""])
        + "\n"
        + "|---" * columns
        + "|\n"
        + "\n".join("|".join(["", *row, ""]) for row in table[1:])
    )
    assert_sound(draw_markdown(text, look(width, full=full)), width)


@given(
    st.lists(st.sampled_from(["word", "漢字漢字", "a much longer cell", "x" * 40]), min_size=3, max_size=3),
    st.integers(2, 80),
)
def test_every_word_of_a_table_is_shown(said: list[str], width: int) -> None:
    text = "| one | two | three |\n|---|---|---|\n| " + " | ".join(said) + " |"
    shown = "".join(rows(draw_markdown(text, look(width, full=True))))
    assert sorted(squeezed(shown).replace("─", "").replace(":", "")) == sorted(squeezed("onetwothree" + "".join(said)))
