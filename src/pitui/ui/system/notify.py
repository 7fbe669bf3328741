"""What reaches a person who looks elsewhere, as sequences for the terminal around us."""

from collections.abc import Mapping
from enum import Enum
from typing import Literal

from pitui.render.text import clean_line

Way = Literal["osc9", "osc99", "osc777", ""]
"""How a terminal is asked for a notification of the desktop; empty when it has no known one."""

BELL = "\a"
TEXT_CELLS = 200
PROGRAMS: Mapping[str, Way] = {
    "iTerm.app": "osc9",
    "iTerm2": "osc9",
    "WarpTerminal": "osc9",
    "kitty": "osc99",
    "ghostty": "osc777",
    "WezTerm": "osc777",
    "foot": "osc777",
    "rxvt": "osc777",
    "vte": "osc777",
}
FIRST_WITH_PROGRESS = {"iTerm.app": (3, 6, 6), "WezTerm": (20250209,), "ghostty": (1, 0), "Windows Terminal": ()}
"""Versions before these show the numbers of a progress as a notification."""


class Progress(Enum):
    """The state of the OSC 9;4 that ConEmu began with."""

    NONE = "0;0"
    FAILED = "2;100"
    WORKING = "3;0"
    WAITING = "4;100"


def way_of(environ: Mapping[str, str]) -> Way:
    """The way of the terminal that the environment names."""
    if "STY" in environ:
        return ""  # GNU screen passes nothing on by itself
    return PROGRAMS.get(_program(environ), "")


def shows_progress(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to show OSC 9;4 as progress."""
    first = FIRST_WITH_PROGRESS.get(_program(environ))
    if first is None or _is_inside_another(environ):
        return False
    version = environ.get("TERM_PROGRAM_VERSION", "").partition("-")[0].split(".")
    return tuple(int(number) for number in version if number.isdecimal()) >= first


def notification(way: Way, title: str, text: str, environ: Mapping[str, str]) -> str:
    """Asks for a notification; nothing in `title` and `text` gets out of it."""
    title, text = clean_line(title, TEXT_CELLS), clean_line(text, TEXT_CELLS)
    match way:
        case "osc9":
            sequence = f"\x1b]9;{title}: {text}\x1b\\"
        case "osc99":
            sequence = f"\x1b]99;i=pitui:d=0:o=unfocused;{title}\x1b\\\x1b]99;i=pitui:p=body;{text}\x1b\\"
        case "osc777":
            sequence = f"\x1b]777;notify;{title.replace(';', ',')};{text.replace(';', ',')}\x1b\\"
        case "":
            return ""
    return _through_tmux(sequence) if "TMUX" in environ else sequence


def progress(state: Progress) -> str:
    return f"\x1b]9;4;{state.value}\x1b\\"


def _program(environ: Mapping[str, str]) -> str:
    """The terminal, by what it is known to leave in the environment; inside tmux, the one that tmux was started in."""
    named = environ.get("TERM_PROGRAM", "")
    if named in PROGRAMS:
        return named
    if environ.get("LC_TERMINAL") in PROGRAMS:
        return environ["LC_TERMINAL"]
    term = environ.get("TERM", "")
    signs = {
        "kitty": "KITTY_WINDOW_ID" in environ or term == "xterm-kitty",
        "ghostty": "GHOSTTY_RESOURCES_DIR" in environ or term == "xterm-ghostty",
        "WezTerm": "WEZTERM_PANE" in environ or term == "wezterm",
        "Windows Terminal": "WT_SESSION" in environ,
        "foot": term.startswith("foot"),
        "rxvt": term.startswith("rxvt"),
        "vte": "VTE_VERSION" in environ,
    }
    return next((program for program, seen in signs.items() if seen), "")


def _is_inside_another(environ: Mapping[str, str]) -> bool:
    return "TMUX" in environ or "STY" in environ


def _through_tmux(sequence: str) -> str:
    """As tmux passes it on where ``allow-passthrough`` is set; else it is dropped."""
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
