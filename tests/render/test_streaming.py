"""A text that streams looks as it does when it is drawn at once, and costs no more the longer it is.

Only what may be the start of a table waits for its next line; that is left out of what is drawn before it is drawn.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render import cuts, streaming, tables
from pitui.render import markdown as drawing
from pitui.render.blocks import prose
from pitui.render.lines import Line
from pitui.render.markdown import draw_markdown
from pitui.render.streaming import OpenMarkdown, decided
from pitui.session.blocks import TextBlock
from tests.render.samples import COLOURED, foreign, look, markdown, rows

PARAGRAPH = "Some words with `code`, **weight** and a [link](http://e.x) to wrap over more than a row of it."
FENCE = "para\n```py\n{code}\n```\nafter\n\nmore"
CORPUS = {
    "blocks": f"# Title\n\n{PARAGRAPH}\n\n> quote\n> more\n>\n> - in it\n\n{PARAGRAPH}\n---\n## Next\ntext\n",
    "nested lists": "\n".join("  " * depth + f"- LV{depth}" for depth in range(12))
    + "\n\n1. a\n\n   ```py\n   x = 1\n   ```\n2. b\n",
    "loose list": "- a\n\n  more\n\n- b\n\n      code\n\n* other\n\n-\n\nend",
    "table": "text\n| a | b |\n|---|--:|\n" + "".join(f"| {row} | {'w' * row} |\n" for row in range(12)) + "\nafter",
    "short fence": FENCE.format(code="\n".join(f"def f{line}(): '''x" for line in range(45))),
    "long fence": FENCE.format(code="\n".join(f"def f{line}(): '''x" for line in range(150))),
    "fence in a list": "- a\n  ```py\n" + "  x = 1\n" * 50 + "  ```\n- b\n",
    "html": "<details>\n  <summary>x</summary>\n\n**y**\n\n</details>\n\n<!-- a\n\nb -->\n\nVec<T>",
    "references": "[late ref] foot[^1]\n\n[late ref]: http://e.x/LATE\n\n[^1]: NOTE\n",
    "indented code": "a\n\n    one\n\n    two\n\nb",
    "headings by underline": "one\n===\n\ntwo\n---\nthree\n-\n",
    "lines that turn out otherwise": (
        "one\n#tag\n\n1. a\n\n2nd\n\n- b\n-x\n\n- c\n\n--d\ntwo\n```not `code`\nthree **four\na | b**\n--|-x\n"
    ),
    "code and HTML inside": "> -     a\n>       b\n"
    + ">       c\n" * 50
    + "> - <div>\n"
    + ">   <b>\n" * 50
    + ">\n> d\n",
    "no tables": "> |a|b|\n|-|-|-|\n\n- |a|b|\n|-|-|-|\n\n> |a|b|\n> |-|-|\n",
    "tabs and breaks": "-\ta\n\tb\r\n\r\nc\u2028d\x0be\n\n```\n\tx\n```\n",
}


LONG = {
    "long paragraph": f"{PARAGRAPH} " * 40 + "**never closed\n\nend",
    "long paragraph in lines": f"{PARAGRAPH}\n" * 40 + "a | b\n--|--\n1 | 2\n",
    "long heading by underline": f"> {PARAGRAPH}\n" * 40 + "> ---\n> end\n",
    "long line, then a table": f"- {PARAGRAPH} | " * 35 + "\n--|--\n1 | 2\n",
    "long paragraphs inside": f"- a\n  > 1. {PARAGRAPH * 40}\n\tlazy\tone\n  >\n  >    {'漢字' * 2000}\n\n  b\n",
    "nested": "1. a\n\n   - b\n     > c\n     >\n     > 2. d\n     >    ```py\n"
    + "     >    x = 1\n" * 130
    + "     >    ```\n     > 3. e\n\n     f\n   - g\n2. h\n",
}

ROW = "| {0} | {1} | `a\\|b` | [x](http://e.x) | **b** |\n"
TABLE = "| a | b | c | d | e |\n|--:|:-:|---|---|---|\n" + "".join(
    ROW.format(row, "w" * (row % 17)) for row in range(75)
)
LONG |= {
    "table": f"text\n{TABLE}| wider | than {'what came before ' * 3}|\n\nafter\n\n{TABLE}- item",
    "table inside": "1. >| a\n   > - so:\n"
    + "".join(f"   >   {line}\n" for line in TABLE.splitlines())
    + "   > - next\n",
}


def assert_streams(text: str, size: int, width: int, *, full: bool = False) -> None:
    drawn_for = look(width, full=full, palette=COLOURED)
    writer = OpenMarkdown(drawn_for)
    before: list[Line] = []
    for end in range(0, len(text) + size, size):
        lines = writer.update(text[:end])
        assert lines == draw_markdown(text[:end], drawn_for), text[:end]
        assert all(new is old for new, old in zip(lines[: writer.kept], before[: writer.kept], strict=True))
        before = list(lines)


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize("name", CORPUS)
def test_however_a_text_is_cut_it_looks_as_if_drawn_at_once(name: str, size: int) -> None:
    assert_streams(CORPUS[name], size, 40)


@pytest.mark.parametrize("name", LONG)
def test_so_does_a_long_one(name: str) -> None:
    assert_streams(LONG[name], 171, 40)


@pytest.mark.parametrize("width", [12, 30, 60])
@pytest.mark.parametrize("full", [False, True])
def test_so_does_a_table_that_has_no_room(width: int, full: bool) -> None:
    assert_streams(TABLE, 97, width, full=full)


@given(markdown, st.integers(1, 9), st.sampled_from([1, 5, 20, 60]))
def test_so_does_every_other_text(text: str, size: int, width: int) -> None:
    assert_streams(text, size, width)


@given(st.one_of(markdown, st.tuples(markdown, foreign).map("".join)), st.integers(1, 9))
def test_so_do_long_ones_wherever_they_are_cut(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (cuts, drawing):
            patch.setattr(module, "PART", 12)
        patch.setattr(tables, "SETTLING_ROWS", 2)
        for name in ("SLICE_LINES", "WHOLE_LINES", "SLICE_ROWS", "SETTLING_ROWS"):
            patch.setattr(drawing, name, 2)
        for full in (False, True):
            assert_streams(text, size, 20, full=full)


@given(foreign, st.integers(1, 9))
def test_and_so_does_what_is_no_markdown_at_all(text: str, size: int) -> None:
    assert_streams(text, size, 20)


@given(st.lists(markdown, max_size=4))
def test_a_text_that_was_replaced_is_drawn_anew(texts: list[str]) -> None:
    writer = OpenMarkdown(look())
    for text in texts:
        assert writer.update(text) == draw_markdown(text, look())


@pytest.mark.parametrize(
    "start",
    [
        (PARAGRAPH + "\n\n") * 400,
        "".join(f"- item {number}\n" for number in range(2000)),
        "text\n```python\n" + "".join(f"x = {number}\n" for number in range(5000)),
        "".join(f"{number}. item\n\n   more of it\n\n" for number in range(500)),
        "- outer\n" + "  - inner\n" * 1000,
        "- a\n\n  ```py\n" + "  x = 1\n" * 1000,
        "> quoted\n>\n" * 500,
        "> quoted\n" * 2000,
        PARAGRAPH * 600,
        f"{PARAGRAPH}\n" * 600,
        "漢字" * 20_000,
        "<div>\n" + "<p>one</p>\n" * 1000,
        "    x = 1\n" * 1000,
        TABLE + ROW * 1000,
    ],
    ids=[
        *("paragraphs", "a list of 2,000 items", "an open fence of 5,000 lines", "a loose list", "a nested list"),
        *("a fence in an item", "a quote of paragraphs", "a quote of lines", "a long line", "many lines"),
        *("no spaces", "HTML", "indented code", "a table"),
    ],
)
def test_only_the_end_of_a_long_text_is_read_again(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = OpenMarkdown(look())
    writer.update(start)
    read: list[int] = []

    def counted(text: str, *args: object, **options: bool) -> object:
        read.append(len(text))
        return drawn(text, *args, **options)  # type: ignore[arg-type]

    drawn = streaming.draw_page
    monkeypatch.setattr(streaming, "draw_page", counted)
    text = start
    for piece in ("- and", " so", " on\n", "x = 1\n") * 5:
        text += piece
        count = len(writer.update(text))
        assert writer.kept >= count - 110
    assert max(read) < 10_000


def test_a_fence_that_ends_short_is_highlighted_as_one() -> None:
    code = "x = '''\n" + "inside\n" * 30 + "'''\ny = 1"
    writer = OpenMarkdown(look(palette=COLOURED))
    for end in range(len(code)):
        writer.update(f"```py\n{code[:end]}")
    text = f"```py\n{code}\n```\n"
    assert writer.update(text) == draw_markdown(text, look(palette=COLOURED))
    styles = {list(line.strip)[-1].style for line in writer.update(text)[2:30]}
    assert len(styles) == 1


def test_rows_of_a_stream_end_with_the_last_words() -> None:
    writer = OpenMarkdown(look())
    writer.update("one\n\ntw")
    assert rows(writer.update("one\n\ntwo")) == ["  one", "", "  two"]


def test_a_table_is_never_seen_as_it_is_written() -> None:
    written = "Here:\r\n\r\n| a | b |\r\n|---|--:|\r\n| 1 | 2 |\n\n> | c |\n> |:-:|\n\nAnd\n  |d|e|\n--|--\n"
    block, writer = TextBlock(id=1), OpenMarkdown(look())
    for letter in written:
        block.append(letter)
        text, _ = prose(block, look()) or ("", None)
        lines = writer.update(text)
        assert not any("a |" in row or "--" in row or "|d" in row for row in rows(lines)), block.text
    assert rows(lines)[-3:] == ["  And", "  d  e", "  " + "─" * 4]


@pytest.mark.parametrize("text", ["| a | b |", "so\n| a", "| a | b |\n|---|", "> |"])
def test_what_did_not_become_a_table_is_shown_in_the_end(text: str) -> None:
    block, writer = TextBlock(id=1), OpenMarkdown(look())
    block.append(text)
    for finished in (False, True):
        block.finished = finished
        written, _ = prose(block, look()) or ("", None)
        assert (writer.update(written) == draw_markdown(text, look())) is finished


@pytest.mark.parametrize("text", ["| a |\n\n", "| a |\nb", "|a|\n|-|\n| 1", "a | b", "```\n| a |\n+", "|" * 4000])
def test_what_cannot_become_a_table_is_shown_at_once(text: str) -> None:
    assert decided(text) == text


@given(st.lists(st.one_of(markdown, st.sampled_from(["|", "|\n", "| a |\n", " |-", "> |\n"]))).map("".join))
def test_what_is_shown_of_an_open_text_only_grows(text: str) -> None:
    before = ""
    for end in range(len(text) + 1):
        known = decided(text[:end])
        assert text.startswith(known) and known.startswith(before)
        assert text[len(known) : end].count("\n") <= 1
        before = known
