"""Copying goes every way there is, and says which."""

import base64
import re
from pathlib import Path

import pytest

from pitui.ui.system.clipboard import OSC_52_LIMIT, copy, osc_52
from pitui.ui.system.terminal import window_title


def taken(sequence: str) -> str:
    found = re.search("\x1b\\]52;c;([^\x07]*)\x07", sequence)
    assert found
    return base64.b64decode(found[1]).decode()


def test_the_terminal_gets_the_whole_text() -> None:
    assert taken(osc_52("tea \N{TEACUP WITHOUT HANDLE}\n", {})) == "tea \N{TEACUP WITHOUT HANDLE}\n"


def test_tmux_passes_it_on_and_keeps_it_too() -> None:
    sequence = osc_52("tea", {"TMUX": "/tmp/tmux,1,0"})
    wrapped = re.search("\x1bPtmux;(.*?)\x1b\\\\", sequence, re.DOTALL)
    assert wrapped
    assert taken(wrapped[1].replace("\x1b\x1b", "\x1b")) == "tea"
    assert taken(sequence[wrapped.end() :]) == "tea"


async def test_it_says_which_way_a_copy_went() -> None:
    written: list[str] = []
    assert await copy("tea", written.append, {}) == "Copied 3 characters through the terminal (OSC 52)."
    said = await copy("tea", lambda _: None, {}, name="code 2 of 4 (1 line)")
    assert said == "Copied code 2 of 4 (1 line) through the terminal (OSC 52)."
    assert taken(written[0]) == "tea"


async def test_it_says_when_it_could_not() -> None:
    written: list[str] = []
    said = await copy("x" * OSC_52_LIMIT, written.append, {})
    assert said.startswith("Not copied: 74,994 characters are too long")
    assert written == []


async def test_a_program_of_the_system_gets_the_text_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "wl-copy"
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/taken\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    said = await copy("tea", lambda _: None, {"WAYLAND_DISPLAY": "wayland-0"})
    assert said == "Copied 3 characters through the terminal (OSC 52) and wl-copy."
    assert (tmp_path / "taken").read_text() == "tea"


def test_a_title_cannot_leave_its_sequence() -> None:
    sequence = window_title("done\x1b\\\x1b]52;c;ZXZpbA==\x07\x9c\nnext")
    assert re.fullmatch("\x1b\\]2;[^\x00-\x1f\x7f-\x9f]*\x1b\\\\", sequence)
    assert "done" in sequence
