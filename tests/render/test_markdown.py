"""Markdown: nothing of a text is left out, nothing is wider than asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from pitui.render.lines import Line
from pitui.render.markdown import draw_markdown
from tests.render.samples import COLOURED, HOSTILE, assert_sound, copied, foreign, look, markdown, rows, squeezed


def seen(text: str, width: int = 80) -> list[str]:
    """The rows without the column of signs at their left."""
    return [row.removeprefix("  ") for row in rows(draw_markdown(text, look(width)))]


def style_of(text: str, lines: list[Line]) -> Style:
    """The style of the first piece that is exactly `text`."""
    return next(segment.style or Style() for line in lines for segment in line.strip if segment.text == text)


def links(text: str) -> set[str]:
    lines = draw_markdown(text, look())
    return {segment.style.link for line in lines for segment in line.strip if segment.style and segment.style.link}


def test_blocks_stand_as_in_the_source_with_at_most_one_empty_row_between_them() -> None:
    assert seen("# Title\n\n\n\nOne *two* **three** `four` ~~five~~.\nNext line\n- a\n- b\n\n---") == [
        *("Title", "", "One two three four five.", "Next line", "- a", "- b", "", "─" * 40),
    ]


def test_marks_of_text_are_styles() -> None:
    lines = draw_markdown("*one* **two** `three` ~~four~~", look())
    assert style_of("one", lines).italic
    assert style_of("two", lines).bold
    assert style_of("four", lines).strike


def test_lists_of_any_depth_are_all_there() -> None:
    levels = [f"{'  ' * depth}- LV{depth:02}" for depth in range(16)]
    assert seen("\n".join(levels)) == levels


def test_nesting_past_every_limit_is_shown_as_text() -> None:
    assert "DEEP" in "".join(seen(">" * 3000 + " DEEP"))
    deep = "\n".join("  " * depth + f"- L{depth}" for depth in range(200))
    shown = squeezed("".join(seen(deep)))
    assert all(f"L{depth}" in shown for depth in range(200))
    assert "x" in "".join(seen("[" * 3000 + "x" + "]" * 3000))


def test_everything_that_others_lose_is_there() -> None:
    text = (
        ">>>>>>>>>>>>>>>>>>>>>>>>> DEEPQUOTE\n\n        indented KEEPME code\n\n"
        "1. a\n\n   ```py\n   INLIST = 1\n   ```\n\n"
        "[late ref]\n\n[late ref]: http://e.x/LATE\n\nfoot[^1]\n\n[^1]: NOTE\n"
    )
    shown = "\n".join(seen(text))
    for words in (
        "DEEPQUOTE",
        "    indented KEEPME code",
        "INLIST = 1",
        "[late ref]",
        "http://e.x/LATE",
        "foot[^1]",
        "[^1]: NOTE",
    ):
        assert words in shown


@pytest.mark.parametrize(
    "text",
    [
        "<details>\n  <summary>more</summary>\n</details>",
        "<config>\n    <a>1</a>\n</config>",
        "a Vec<T> and Map<String, Vec<u8>>",
        "<!-- a comment\n\n   over lines -->",
        "<script>\nalert(1)\n\n</script>",
        r"$\frac{a}{b}$ and $$x^2 + y$$",
        r"$f(x)\,dx = a_1*b_2*c_3$, so \(a\,b_1\_2\) and \[ x \& y \]",
        "$$\n\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}\n$$",
        "[a][b] and [c]",
        "[x](javascript:alert(1))",
    ],
)
def test_html_and_what_is_no_markdown_is_shown_as_written(text: str) -> None:
    assert seen(text) == text.split("\n")


def test_money_is_no_formula() -> None:
    assert seen(r"It costs $5 *or* $10, \$HOME and $PATH is *not* $ 7 $") == [
        "It costs $5 or $10, $HOME and $PATH is not $ 7 $"
    ]


def test_entities_are_letters_but_never_controls() -> None:
    assert seen("Vec&lt;T&gt; &amp; &#x202e;x &#27;[31m") == ["Vec<T> & <U+202E>x \ufffd[31m"]
    assert_sound(draw_markdown("<http://e.x/%1B]0;a%07> [a](http://e.x/%1b%9b) `\x1b[31m`", look()), 80)


def test_links_lead_only_to_the_web_and_to_mail_and_say_where() -> None:
    assert links("[a](http://e.x) <https://e.y> https://e.z/p_q. <me@e.x>") == {
        *("http://e.x", "https://e.y", "https://e.z/p_q", "mailto:me@e.x"),
    }
    assert links("[a](file:///etc/passwd) [b](src/a.py) [c](vscode://x) [d](data:text/html,x)") == set()
    assert seen("[a](http://e.x) and [b](src/a.py), <https://e.y>") == ["a (http://e.x) and b (src/a.py), https://e.y"]


def test_a_picture_is_told_and_never_shown_as_its_bytes() -> None:
    assert seen("![alt text](a.png)") == ["[image alt text] (a.png)"]
    assert seen(f"![x](data:image/png;base64,{'A' * 4000})") == ["[image x] (png 3 KB)"]


def test_tasks_keep_their_boxes() -> None:
    assert seen("- [ ] todo\n- [x] done\n  - [ ] deeper") == ["- [ ] todo", "- [x] done", "  - [ ] deeper"]


def test_numbers_are_those_of_the_source() -> None:
    assert seen("7. seven\n3. three\n\n4) four") == ["7. seven", "3. three", "", "4) four"]


def test_code_is_copied_without_its_frame_and_without_hard_wraps() -> None:
    code = "def hello(name):\n    print('hello', name)"
    assert copied(draw_markdown(f"```python\n{code}\n```", look())) == f"{code}\n"
    assert copied(
        draw_markdown(f"1. a\n\n   ```python\n   {code.replace(chr(10), chr(10) + '   ')}\n   ```", look(20))
    ) == (f"1. a\n\n{code}\n")


def test_a_line_of_code_that_is_too_long_goes_on_under_itself_and_is_copied_whole() -> None:
    code = "def hello(name):\n    return 'hello to you', name, 'and to all the others'"
    lines = draw_markdown(f"```python\n{code}\n```", look(40, palette=COLOURED))
    assert rows(lines) == [
        "    def hello(name):",
        "        return 'hello to you', name, 'an",
        "        ↳ d to all the others'",
    ]
    assert copied(lines) == f"{code}\n"
    assert rows(draw_markdown(f"- ```\n  {'a' * 40}\n  ```", look(30)))[1] == f"      ↳ {'a' * 16}"


def test_code_is_highlighted_and_all_there_in_a_language_or_none() -> None:
    lines = draw_markdown("```python\ndef a(): return 1\n```", look(palette=COLOURED))
    assert style_of("def", lines).color is not None
    for language in ("python", "nosuch", "", "js"):
        for text in ("", "\n\nx\n\n", "  x = '''\n", "a\tb"):
            shown = "\n".join(
                row.strip() for row in rows(draw_markdown(f"```{language}\n{text}\n```", look(palette=COLOURED)))
            )
            assert squeezed(shown) == squeezed(text)


def test_a_wrapped_paragraph_is_copied_as_one_line() -> None:
    text = "one two three four five six seven eight nine ten"
    assert copied(draw_markdown(text, look(20))) == f"{text}\n"
    assert copied(draw_markdown(f"> {text}", look(20))) == f"{text}\n"
    assert copied(draw_markdown(f"- {text}", look(20))) == f"- {text}\n"


def test_bars_of_quotes_are_not_copied() -> None:
    assert copied(draw_markdown("> a\n>\n> - b\n>   c", look())) == "a\n\n- b\nc\n"


def test_an_empty_text_has_no_rows() -> None:
    assert draw_markdown("", look()) == draw_markdown(" \n\n \t", look()) == []


def test_escape_sequences_do_nothing_in_prose_code_and_tables() -> None:
    text = f"{HOSTILE}\n\n```\n{HOSTILE}\n```\n\n| a |\n|---|\n| {HOSTILE} |\n\n# {HOSTILE}\n\n- `{HOSTILE}`"
    lines = draw_markdown(text, look())
    assert_sound(lines, 80)
    assert "PWNED" not in "".join(rows(lines))


@given(markdown, st.integers(1, 200))
def test_no_row_is_wider_than_asked(text: str, width: int) -> None:
    assert_sound(draw_markdown(text, look(width, palette=COLOURED)), width)


@given(foreign, st.integers(1, 200))
def test_no_text_whatever_makes_a_row_unsound(text: str, width: int) -> None:
    assert_sound(draw_markdown(text, look(width, palette=COLOURED)), width)


words = st.lists(st.sampled_from(["alpha", "beta", "漢字", "naïve", "emoji👍🏽", "x1"]), min_size=1, max_size=12).map(
    " ".join
)


@given(
    st.lists(st.tuples(st.sampled_from(["", "# ", "- ", "> ", "1. ", "  - ", ">> ", "- > "]), words), max_size=8),
    st.integers(2, 60),
)
def test_every_word_of_the_text_is_shown(lines: list[tuple[str, str]], width: int) -> None:
    text = "\n\n".join(mark + said for mark, said in lines)
    shown = squeezed("".join(rows(draw_markdown(text, look(width)))).replace("│", ""))
    for _, said in lines:
        assert squeezed(said) in shown
