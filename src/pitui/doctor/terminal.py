"""The terminal around us, and what it can do."""

import os
import re
import select
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from pitui.doctor.check import Check, error, ok, warning
from pitui.ui.system.clipboard import programs
from pitui.ui.system.pictures import readers

if sys.platform != "win32":
    import termios
    import tty

SMALL, ROOMY = os.terminal_size((40, 12)), os.terminal_size((80, 24))
ANSWER_SECONDS = 0.5
KITTY = re.compile(rb"\x1b\[\?\d+u")
ATTRIBUTES = re.compile(rb"\x1b\[\?[\d;]*c")
NEW_LINE = "Shift+Enter may send; Ctrl+J, or \\ and Enter, begin a new line everywhere."
TMUX_WISHES = {
    "focus-events": ("on", "the bell and notifications come when you look elsewhere"),
    "set-clipboard": ("on", "copies reach the clipboard"),
    "extended-keys": ("on", "Shift+Enter is told from Enter"),
    "allow-passthrough": ("on", "notifications reach the terminal"),
}
"""Options of tmux, how they are best, and what for."""
TMUX_REMEDY = "Put these into ~/.tmux.conf, and have it read: tmux source-file ~/.tmux.conf"


def checks(environ: Mapping[str, str] = os.environ) -> list[Check]:
    """All of them; what can only be asked of a terminal is left out where there is none."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return [
        _terminal(environ, is_terminal=is_terminal),
        _colours(environ),
        *([_keyboard()] if is_terminal and environ.get("TERM") != "dumb" else ()),
        _clipboard(environ),
        *_tmux(environ),
        *_ssh(environ),
        _locale(environ),
    ]


def _terminal(environ: Mapping[str, str], *, is_terminal: bool) -> Check:
    term = environ.get("TERM", "")
    if term == "dumb":
        return error("Terminal", "TERM is dumb: it cannot show a screen", "If it can, set TERM=xterm-256color.")
    if not is_terminal:
        return warning("Terminal", "this is none: pitui needs one for its input and output", "Run it in a terminal.")
    if not term:
        return warning("Terminal", "TERM is not set", "Set it to the terminal's name, such as TERM=xterm-256color.")
    size = shutil.get_terminal_size()
    found = f"{environ.get('TERM_PROGRAM') or term}, {size.columns}x{size.lines}"
    if size.columns < SMALL.columns or size.lines < SMALL.lines:
        return warning("Terminal", found, f"Make it larger: at least {SMALL.columns}x{SMALL.lines} can be read.")
    if size.columns < ROOMY.columns or size.lines < ROOMY.lines:
        return ok("Terminal", f"{found}; from {ROOMY.columns}x{ROOMY.lines} on there is room for all")
    return ok("Terminal", found)


def _colours(environ: Mapping[str, str]) -> Check:
    if environ.get("NO_COLOR"):
        return ok("Colours", "none, as NO_COLOR wants it")
    if environ.get("COLORTERM") in ("truecolor", "24bit"):
        return ok("Colours", "all")
    if "256" in environ.get("TERM", "") or "direct" in environ.get("TERM", ""):
        return warning("Colours", "256", "Set COLORTERM=truecolor if the terminal has them all.")
    return warning("Colours", "16, as far as TERM tells", "Set TERM=xterm-256color if the terminal has more.")


def _keyboard() -> Check:
    """Asks the terminal for its keyboard protocol, and after that for something that every one answers."""
    said = _ask("\x1b[?u\x1b[c")
    if KITTY.search(said):
        return ok("Keyboard", "tells all keys apart (Kitty's protocol)")
    if ATTRIBUTES.search(said):
        return warning("Keyboard", "may not tell Shift+Enter from Enter", NEW_LINE)
    return warning("Keyboard", "the terminal does not say", NEW_LINE)


def _ask(question: str) -> bytes:
    """What the terminal answers, up to its attributes; nothing where it cannot be asked."""
    if sys.platform == "win32":
        return b""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    said = b""
    end = time.monotonic() + ANSWER_SECONDS
    try:
        tty.setcbreak(terminal)
        sys.stdout.write(question)
        sys.stdout.flush()
        while not ATTRIBUTES.search(said) and (left := end - time.monotonic()) > 0:
            if select.select([terminal], [], [], left)[0]:
                said += os.read(terminal, 1024)
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
    return said


def _clipboard(environ: Mapping[str, str]) -> Check:
    """Puts a word there, reads it, and puts back what was there."""
    takes = [command for command in programs(environ) if command[0] != "tmux"]
    _, gives = readers(environ)
    through = "through the terminal (OSC 52), which does not say whether it takes them"
    if not (takes and gives):
        return ok("Clipboard", f"copies go {through}")
    copy, paste = takes[0], gives[0]
    word = f"pitui {uuid.uuid4()}"
    with suppress(OSError, subprocess.SubprocessError):
        before = _run(paste)
        if b"\0" in before:
            return ok("Clipboard", f"{copy[0]}; not tried, for it holds something else than text")
        try:
            _run(copy, word.encode())
            read = _run(paste).decode(errors="replace").strip()
        finally:
            _run(copy, before)
        if read == word:
            return ok("Clipboard", f"{copy[0]} takes and gives")
    return warning("Clipboard", f"{copy[0]} does not give back what it was given", f"Copies go {through}, too.")


def _run(command: Sequence[str], given: bytes = b"") -> bytes:
    done = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=3, check=False
    )
    return done.stdout


def _tmux(environ: Mapping[str, str]) -> Iterator[Check]:
    if "TMUX" not in environ:
        return
    unset = list[str]()
    for option, (best, purpose) in TMUX_WISHES.items():
        value = _tmux_option(option)
        if value is None:
            yield warning("tmux", "TMUX is set, and tmux does not say how it is set up", "See: tmux show-options -g")
            return
        if value not in (best, "always", "external", "all"):
            unset.append(f"  set -g {option} {best}  # {purpose}")
    if unset:
        yield warning("tmux", "some of its options are in the way", "\n".join([TMUX_REMEDY, *unset]))
    else:
        yield ok("tmux", "passes everything on")


def _tmux_option(name: str) -> str | None:
    """Its value; None when tmux cannot be asked. An option that this tmux does not know is empty."""
    try:
        return _tmux_says("show-options", "-gqv", name) or _tmux_says("show-options", "-sgqv", name)
    except (OSError, subprocess.SubprocessError):
        return None


def _tmux_says(*words: str) -> str:
    done = subprocess.run(("tmux", *words), capture_output=True, timeout=3, check=True, stdin=subprocess.DEVNULL)
    return done.stdout.decode(errors="replace").strip()


def _ssh(environ: Mapping[str, str]) -> Iterator[Check]:
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        yield ok("ssh", "copies reach your own machine through the terminal (OSC 52) alone")


def _locale(environ: Mapping[str, str]) -> Check:
    language = environ.get("LANG") or "C"
    named = environ.get("LC_ALL") or environ.get("LC_CTYPE") or language
    coerced = named == "C.UTF-8" and "LC_ALL" not in environ and language in ("C", "POSIX")  # by Python (PEP 538)
    if "utf" in named.lower() and not coerced:
        return ok("Locale", named)
    return warning(
        "Locale",
        f"{language if coerced else named}, which has no letters but English ones",
        "Set LANG=C.UTF-8, or your language with .UTF-8.",
    )
