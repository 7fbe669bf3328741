"""What the terminal around us can do beside showing a screen."""

import os

from pitui.render.text import clean_line


def window_title(text: str) -> str:
    """The sequence that sets the title of the terminal's window; whatever `text` holds stays in it."""
    return f"\x1b]2;{clean_line(text, 200)}\x1b\\"


SAVE_TITLE = "\x1b[22;2t"
RESTORE_TITLE = "\x1b[23;2t"


def has_job_control() -> bool:
    """Whether a shell is there to bring us back. Started without one, we lead the session, and stopping is for ever."""
    return hasattr(os, "getsid") and os.getpgrp() != os.getsid(0)
