"""The clipboard: OSC 52 asks the terminal, which works from afar; a program asks the system, where there is one."""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping

import anyio

OSC_52_LIMIT = 74_994
"""Bytes that a terminal takes at most: xterm's limit, which others have too."""


def osc_52(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The sequence that sets the clipboard; empty when the text is too long for it. tmux wants it wrapped."""
    if len(text) > OSC_52_LIMIT:
        return ""
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    if len(encoded) > OSC_52_LIMIT:
        return ""
    sequence = f"\x1b]52;c;{encoded}\a"
    if environ.get("TMUX"):
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\" + sequence
    return sequence


def programs(environ: Mapping[str, str] = os.environ) -> list[list[str]]:
    """The commands that take text on their standard input: that of the system's clipboard, and tmux for its buffers."""
    candidates = [
        (sys.platform == "darwin", ["pbcopy"]),
        (bool(environ.get("WAYLAND_DISPLAY")), ["wl-copy"]),
        (bool(environ.get("DISPLAY")), ["xclip", "-selection", "clipboard"]),
        (bool(environ.get("DISPLAY")), ["xsel", "--clipboard", "--input"]),
        (sys.platform == "win32" or "WSL_DISTRO_NAME" in environ, ["clip.exe"]),
    ]
    found = [command for fits, command in candidates if fits and shutil.which(command[0])][:1]
    if environ.get("TMUX") and shutil.which("tmux"):
        found.append(["tmux", "load-buffer", "-"])
    return found


async def copy(
    text: str, write: Callable[[str], None], environ: Mapping[str, str] = os.environ, *, name: str = ""
) -> str:
    """Put `text` on the clipboard in every way there is, and say in words which ones; `write` goes to the terminal.

    What was copied is called by its `name`, or by its size.

    Whether the terminal did it cannot be known: it does not answer.
    """
    ways: list[str] = []
    if sequence := osc_52(text, environ):
        write(sequence)
        ways.append("the terminal (OSC 52)")
    ways += [command[0] for command in programs(environ) if await _fed(command, text)]
    size = f"{len(text):,} character{'' if len(text) == 1 else 's'}"
    if not ways:
        return (
            f"Not copied: {size} are too long for the terminal (OSC 52 takes {OSC_52_LIMIT:,} bytes), and no clipboard "
            "program took them."
        )
    short = "" if sequence else f" The terminal takes no more than {OSC_52_LIMIT:,} bytes (OSC 52)."
    return f"Copied {name or size} through {' and '.join(ways)}.{short}"


async def _fed(command: list[str], text: str) -> bool:
    """Whether the program took the text. Some stay to serve it, so that nothing of theirs may be waited for."""
    try:
        with anyio.fail_after(2):
            done = await anyio.run_process(
                command, input=text.encode("utf-8", "replace"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
    except (OSError, TimeoutError, subprocess.CalledProcessError):
        return False
    return done.returncode == 0
