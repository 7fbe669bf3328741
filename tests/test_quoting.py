"""What is quoted in a sentence."""

import pytest

from pitui.quoting import LIMIT, brief, quoted


def test_a_short_text_is_quoted_as_it_is() -> None:
    assert quoted("mend the fence") == "“mend the fence”"


def test_of_a_paste_the_first_words_are_quoted_on_one_line() -> None:
    assert brief("\n".join(f"line {number}" for number in range(11)), 20) == "line 0 line 1 line…"


@pytest.mark.parametrize("text", ["w" * 10_000, "two words " * 1000, "\n" * 1000 + "late"])
def test_however_long_it_is_it_takes_one_short_line(text: str) -> None:
    assert len(brief(text)) <= LIMIT
    assert "\n" not in brief(text)
