"""Lists and quotes within each other, however deep: every word is shown, and streaming changes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render.markdown import draw_markdown
from pitui.render.streaming import OpenMarkdown
from tests.render.samples import assert_sound, look, rows

marks = st.sampled_from(["- ", "* ", "+ ", "1. ", "12) ", "> ", "- [ ] "])


def nested(levels: list[str]) -> str:
    """A word at every level, each within the one before."""
    lines: list[str] = []
    before = ""
    for number, mark in enumerate(levels):
        lines.append(f"{before}{mark}word{number:03}")
        before += mark if mark.startswith(">") else " " * len(mark.removesuffix("[ ] "))
    return "\n".join(lines)


def assert_all_is_said(text: str, levels: int, width: int) -> None:
    lines = draw_markdown(text, look(width))
    assert_sound(lines, width)
    shown = "".join("".join(rows(lines)).replace("│", "").split())
    assert [number for number in range(levels) if f"word{number:03}" not in shown] == []


@given(st.lists(marks, min_size=1, max_size=60), st.integers(20, 120))
def test_every_level_is_shown(levels: list[str], width: int) -> None:
    assert_all_is_said(nested(levels), len(levels), width)


@pytest.mark.parametrize("mark", ["- ", "1. ", "> "])
def test_nesting_that_nobody_writes_is_shown_too(mark: str) -> None:
    assert_all_is_said(nested([mark] * 300), 300, 80)


@given(st.lists(marks, min_size=1, max_size=24), st.integers(1, 40), st.integers(20, 100))
def test_streamed_it_looks_as_if_drawn_at_once(levels: list[str], size: int, width: int) -> None:
    text = nested(levels) + "\n\nafter it\n"
    stream = OpenMarkdown(look(width))
    lines = stream.update("")
    for end in range(size, len(text) + size, size):
        lines = stream.update(text[:end])
    assert rows(lines) == rows(draw_markdown(text, look(width)))
