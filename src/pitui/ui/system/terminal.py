"""What the terminal around us can do beside showing a screen."""

import os
import subprocess
from collections.abc import Mapping

import anyio

from pitui.render.text import clean_line


def window_title(text: str) -> str:
    """The sequence that sets the title of the terminal's window; whatever `text` holds stays in it."""
    return f"\x1b]2;{clean_line(text, 200)}\x1b\\"


SAVE_TITLE = "\x1b[22;2t"
RESTORE_TITLE = "\x1b[23;2t"


SAME_KEY = "This terminal sends the same for Shift+Enter and Enter. Ctrl+J is a new line in every terminal."
TMUX_HIDES = (
    "tmux sends the same for Shift+Enter and Enter; `set -s extended-keys on` in ~/.tmux.conf changes that. "
    "Ctrl+J is a new line in every terminal."
)


async def enter_advice(environ: Mapping[str, str] = os.environ) -> str:
    """What to tell somebody whose terminal does not speak the Kitty protocol; empty where Shift+Enter works."""
    if environ.get("TMUX"):
        try:
            with anyio.fail_after(2):
                asked = await anyio.run_process(
                    ["tmux", "show-options", "-sv", "extended-keys"], stderr=subprocess.DEVNULL, check=False
                )
        except (OSError, TimeoutError):
            return SAME_KEY
        return "" if asked.stdout.strip() in (b"on", b"always") else TMUX_HIDES
    return "" if environ.get("XTERM_VERSION") else SAME_KEY
