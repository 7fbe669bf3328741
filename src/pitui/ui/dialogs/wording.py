"""What an extension says in a question, for a person who decides by it: nothing in it may hide."""

import math

from pitui.render.text import clean, visible
from pitui.session.model import OpenDialog

SOFT_HYPHEN = "\xad"


def shown(text: str) -> str:
    """Several lines, everything hidden in them visible; escape sequences are gone.

    A carriage return breaks the line: what stands before one must be seen too.
    """
    lines = SOFT_HYPHEN.join(map(clean, _line_feeds(text).split(SOFT_HYPHEN))).split("\n")  # `clean` drops it
    return "\n".join(map(visible, lines)).strip("\n")


def shown_line(text: str, limit: int = 2000) -> str:
    """The same on one line of about `limit` characters at most, with ⏎ for line breaks."""
    line = visible(shown(text[:limit]).strip())
    return line + "…" if len(text) > limit else line


def editable(text: str) -> str:
    """Lines to edit: tabs stay, controls are symbols, the hidden is visible."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in _line_feeds(text).split("\n"))


def pasted(text: str) -> str:
    """What of a paste goes into an editor: its lines and tabs, no escape sequences and other controls."""
    return "\n".join("\t".join(map(clean, line.split("\t"))) for line in _line_feeds(text).split("\n"))


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def seconds_left(dialog: OpenDialog, now: float) -> str:
    """How long an answer can wait, in words; nothing when it can wait for ever."""
    if dialog.deadline is None:
        return ""
    seconds = max(0, math.ceil(dialog.deadline - now))
    return f"{seconds // 60}m {seconds % 60:02}s left" if seconds >= 60 else f"{seconds}s left"
