"""Tables fit, whatever is in them."""

from hypothesis import given
from hypothesis import strategies as st

from pitui.render.markdown import draw_markdown
from tests.render.samples import assert_sound, foreign, look, rows, squeezed

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


def test_a_table_is_shown_as_written_where_its_columns_cannot_be_read() -> None:
    lines = draw_markdown(HEAD + "| first | second | third | fourth | fifth | sixth |", look(20))
    assert_sound(lines, 20)
    assert "first" in "".join(rows(lines)) and "|" in "".join(rows(lines))


def test_a_table_of_many_rows_is_all_there() -> None:
    text = HEAD + "\n".join(
        f"| {row} | 漢字 | `a\\|b` | [x](http://e.x) | **b** | {'w' * (row % 70)} |" for row in range(500)
    )
    lines = draw_markdown(text, look(100))
    assert_sound(lines, 100)
    assert [row.split()[0] for row in rows(lines)[2:] if row[2:3].isdigit()] == [str(row) for row in range(500)]


cell = foreign.map(lambda text: text.replace("\n", " ").replace("|", " ").replace("`", " "))


@given(st.lists(st.lists(cell, min_size=1, max_size=6), min_size=1, max_size=5), st.integers(1, 120))
def test_no_cell_breaks_the_frame(table: list[list[str]], width: int) -> None:
    columns = len(table[0])
    text = (
        "|".join(["", *table[0], ""])
        + "\n"
        + "|---" * columns
        + "|\n"
        + "\n".join("|".join(["", *row, ""]) for row in table[1:])
    )
    assert_sound(draw_markdown(text, look(width)), width)


@given(
    st.lists(st.sampled_from(["word", "漢字漢字", "a much longer cell", "x" * 40]), min_size=3, max_size=3),
    st.integers(2, 80),
)
def test_every_word_of_a_table_is_shown(said: list[str], width: int) -> None:
    lines = draw_markdown("| one | two | three |\n|---|---|---|\n| " + " | ".join(said) + " |", look(width))
    shown = "".join(rows(lines))
    assert sorted(squeezed(shown).replace("─", "").replace("|", "").replace("-", "")) == sorted(
        squeezed("onetwothree" + "".join(said))
    )
