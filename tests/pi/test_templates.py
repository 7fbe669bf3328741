"""What a template takes, read from its file."""

import os
from pathlib import Path

import pytest

from pitui.pi.templates import argument_hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("---\ndescription: Review\nargument-hint: <file> [focus]\n---\nReview $1", "<file> [focus]"),
        ('---\r\nargument-hint: "[pot: size]"\r\n---\r\nBrew', "[pot: size]"),
        ("---\ndescription: no hint\n---\nargument-hint: not this", ""),
        ("argument-hint: no front matter", ""),
        ("---\nargument-hint: never closed", ""),
        ("", ""),
    ],
)
def test_the_front_matter_tells_what_it_takes(tmp_path: Path, text: str, hint: str) -> None:
    path = tmp_path / "review.md"
    path.write_text(text, newline="")
    assert argument_hint(path) == hint


def test_what_is_no_file_says_nothing_and_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert argument_hint(tmp_path / "pipe.md") == argument_hint(tmp_path / "gone.md") == argument_hint(tmp_path) == ""
