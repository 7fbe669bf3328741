"""Texts and looks that the tests of drawing share."""

from dataclasses import replace

from hypothesis import strategies as st

from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.palette import Palette

PLAIN = Palette.plain()
COLOURED = replace(PLAIN, syntax="monokai")

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) != "\n"]

HOSTILE = (
    "user \x1b]0;PWNED\x07 \x1b[31mred\x1b[0m \x1b[2J\x1b[H \x1b]52;c;aGk=\x07 \x9b5m \x90q\x9c \x07\b\x7f A\rB"
    " \x1b[?1049l \x1bc \x1b]8;;http://e.x\x07link\x1b]8;;\x07 \x1b[6n \x1bP+q544e\x1b\\ nul\x00x \x0e\x0f"
)

hostile_pieces = st.sampled_from(
    [
        *("\x1b", "\x1b[", "\x1b[31m", "\x1b[38;5;20m", "\x1b]0;t\x07", "\x1b]8;;http://e.x", "\x1bP1$r", "\x9b2J"),
        *(
            "\x9d0;t\x9c",
            "\x90",
            "\r",
            "\r\n",
            "\t",
            "\b",
            "\x00",
            "\u2028",
            "\x85",
            "\x0b",
            "\ud800",
            "\u202e",
            "\u2066",
        ),
        *("漢字", "e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "❤\ufe0f", "👍🏽", "\u200d", "\ufe0f", "\u00ad", "\u200b"),
        *("word", " ", "  ", "\n", "[/]", "[@click=app.exit]", "a" * 30, "שלום", "नमस्ते", "1\ufe0f\u20e3", "🇩"),
    ]
)
foreign = st.lists(st.one_of(hostile_pieces, st.text(max_size=8)), max_size=12).map("".join)
"""Anything that pi, a file or a paste may hold."""

markdown_pieces = st.sampled_from(
    [
        *("- a", "  - b", "1. c", "2", "*", "-", "--", "+ e", "10) z", "   * d", "    - e", "- [ ] todo", "- [x] done"),
        *("```", "```py", "~~~", "    code", "def f(): '''", "\t", "|a|b|", "|--|:-:|", "| 1 | 2", "> q", ">", "> - x"),
        *("para", "# h", "===", "---", "<div>", "</div>", "<!--", "-->", "Vec<T>", "&amp;", "&#x202e;", "**", "_", "`"),
        *(
            "[a](http://b.c)",
            "[a](javascript:b)",
            "![i](p.png)",
            "[r]",
            "[r]: http://d.e",
            "[^1]",
            "[^1]: note",
            "~~s~~",
        ),
        *("\u2028", "\r", "\x1b[31m", "漢字漢字", "👩\u200d👩\u200d👧", "https://e.x/a_b_c", "\\*", "  ", " ", "$x^2$"),
    ]
)
markdown = st.lists(st.tuples(markdown_pieces, st.sampled_from(["", "\n", "\n", "\n\n"])), max_size=14).map(
    lambda pieces: "".join(text + end for text, end in pieces)
)


def look(
    width: int = 80, *, folded: bool = False, full: bool = False, now: float = 0, palette: Palette = PLAIN
) -> Look:
    return Look(width=width, palette=palette, folded=folded, full=full, now=now)


def rows(lines: list[Line]) -> list[str]:
    """What is seen, without blanks at the end."""
    return [line.strip.text.rstrip() for line in lines]


def copied(lines: list[Line]) -> str:
    """What selecting all of it would copy."""
    return "".join(line.unseen + line.plain() + line.joint for line in lines)


def assert_sound(lines: list[Line], width: int) -> None:
    """What holds for every row of everything: it fits, and it holds nothing that a terminal would obey."""
    for line in lines:
        assert line.strip.cell_length <= width
        assert 0 <= line.gutter <= line.strip.cell_length
        for segment in line.strip:
            assert segment.control is None
            assert not any(control in segment.text for control in CONTROLS), repr(segment.text)
            assert "\n" not in segment.text
            assert not any("\ud800" <= char <= "\udfff" or "\u202a" <= char <= "\u202e" for char in segment.text)
            link = segment.style.link if segment.style else None
            assert link is None or link.lower().startswith(("http://", "https://", "mailto:"))


def squeezed(text: str) -> str:
    """The text without any blanks."""
    return "".join(text.split())
