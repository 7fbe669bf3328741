"""What tells a person elsewhere: the right words for each terminal, and nothing that gets out of them."""

import pytest

from pitui.ui.system.notify import Progress, notification, progress, shows_progress, way_of
from tests.render.samples import CONTROLS

TERMINALS = [
    ({"TERM_PROGRAM": "iTerm.app"}, "osc9"),
    ({"LC_TERMINAL": "iTerm2", "TERM": "xterm-256color"}, "osc9"),
    ({"KITTY_WINDOW_ID": "1"}, "osc99"),
    ({"TERM": "xterm-kitty"}, "osc99"),
    ({"TERM_PROGRAM": "ghostty"}, "osc777"),
    ({"TERM_PROGRAM": "WezTerm"}, "osc777"),
    ({"TERM": "foot-extra"}, "osc777"),
    ({"VTE_VERSION": "7600"}, "osc777"),
    ({"TERM_PROGRAM": "tmux", "TMUX": "/tmp/t,1,0", "KITTY_WINDOW_ID": "1"}, "osc99"),
    ({"STY": "1.pts", "KITTY_WINDOW_ID": "1"}, ""),
    ({"TERM_PROGRAM": "Apple_Terminal"}, ""),
    ({"TERM": "linux"}, ""),
    ({}, ""),
]


@pytest.mark.parametrize(("environ", "way"), TERMINALS)
def test_each_terminal_is_asked_in_its_own_way(environ: dict[str, str], way: str) -> None:
    assert way_of(environ) == way


def test_the_words_of_a_notification_stay_in_it() -> None:
    hostile = f"4;1;{CONTROLS}\x1b\\\x1b]52;c;ZXZpbA==\x07"
    for way, ends in (("osc9", 1), ("osc99", 2), ("osc777", 1), ("", 0)):
        asked = notification(way, hostile, hostile, {})  # type: ignore[arg-type]
        assert asked.count("\x1b\\") == ends
        assert asked.count("\x1b") == 2 * ends
        assert not any(control in asked for control in CONTROLS if control not in "\x1b")
    assert notification("osc777", "a;b", "c;d", {}) == "\x1b]777;notify;a,b;c,d\x1b\\"
    assert len(notification("osc9", "x" * 100_000, "y" * 100_000, {})) < 500


def test_tmux_is_asked_to_pass_it_on() -> None:
    assert notification("osc9", "a", "b", {"TMUX": "x"}) == "\x1bPtmux;\x1b\x1b]9;a: b\x1b\x1b\\\x1b\\"


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({"WT_SESSION": "1"}, True),
        ({"TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2.0"}, True),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.6"}, True),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.10"}, False),
        ({"TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, False),
        ({"WT_SESSION": "1", "TMUX": "x"}, False),
        ({"TERM": "xterm"}, False),
    ],
)
def test_progress_is_shown_only_where_it_is_no_notification(environ: dict[str, str], shown: bool) -> None:
    assert shows_progress(environ) is shown


def test_progress_says_how_it_stands() -> None:
    assert [progress(state) for state in Progress] == [
        "\x1b]9;4;0;0\x1b\\",
        "\x1b]9;4;2;100\x1b\\",
        "\x1b]9;4;3;0\x1b\\",
        "\x1b]9;4;4;100\x1b\\",
    ]
