"""The keys the user has given to pi's actions hold in pitui too."""

import string
from pathlib import Path

import pytest
from textual.keys import _character_to_key  # pyright: ignore[reportPrivateUsage]

from pitui.pi.keybindings import read_keybindings, textual_key


@pytest.mark.parametrize(
    ("pi", "textual"),
    [
        ("ctrl+p", "ctrl+p"),
        ("shift+ctrl+P", "ctrl+shift+p"),
        ("ctrl+shift+alt+x", "alt+ctrl+shift+x"),
        ("pageUp", "pageup"),
        ("esc", "escape"),
        ("alt+return", "alt+enter"),
        ("shift+l", "L"),
        ("super+k", "super+k"),
        ("f12", "f12"),
        ("ctrl+]", "ctrl+right_square_bracket"),
        ("ctrl+-", "ctrl+minus"),
        ("ctrl++", "ctrl+plus"),
        ("+", "plus"),
    ],
)
def test_pis_names_become_textuals(pi: str, textual: str) -> None:
    assert textual_key(pi) == textual


def test_every_symbol_has_the_name_that_textual_gives_it() -> None:
    assert {symbol: textual_key(symbol) for symbol in string.punctuation} == {
        symbol: _character_to_key(symbol) for symbol in string.punctuation
    }


@pytest.mark.parametrize("name", ["", "hyper+x", "ctrl+", "ctrl+nokey", "f13", "ü", "ctrl+x y", " ", "+a"])
def test_what_pi_has_no_key_for_is_none(name: str) -> None:
    assert textual_key(name) is None


def test_one_key_a_list_and_none_are_read(tmp_path: Path) -> None:
    file = tmp_path / "keybindings.json"
    file.write_text(
        '\ufeff{"$schema": "x", "app.session.new": "ctrl+shift+n", "app.exit": [], "app.clear": ["ctrl+c", "f5"]}',
        "utf-8",
    )
    keys, problems = read_keybindings(file)
    assert keys == {"app.session.new": ("ctrl+shift+n",), "app.exit": (), "app.clear": ("ctrl+c", "f5")}
    assert problems == []


def test_without_a_file_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert read_keybindings(tmp_path / "keybindings.json") == ({}, [])


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"3"])
def test_a_damaged_file_is_reported_and_ignored(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "keybindings.json"
    file.write_bytes(content)
    keys, [problem] = read_keybindings(file)
    assert keys == {}
    assert str(file) in problem


def test_a_wrong_key_is_reported_and_the_others_hold(tmp_path: Path) -> None:
    file = tmp_path / "keybindings.json"
    file.write_text(
        '{"app.exit": ["ctrl+nokey", "f9"], "app.clear": "hyper+1", "app.suspend": 4, "app.interrupt": "f8"}'
    )
    keys, problems = read_keybindings(file)
    assert keys == {"app.exit": ("f9",), "app.interrupt": ("f8",)}
    assert [problem.split(": ")[1] for problem in problems] == ["app.exit", "app.clear", "app.suspend"]
