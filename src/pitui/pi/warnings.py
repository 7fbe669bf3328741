"""What pi warns of on its stderr, where its own screen would show it."""

import re

from pitui.quoting import brief

LONG = 300
_WARNING = re.compile(r"^(?:Warning|Error): (.+)$", re.MULTILINE)
NO_MODEL = "No models available"


def warning_in(stderr: str, *, has_no_model: bool = False) -> str:
    """One line about what `stderr` warns of; empty when it is nothing, or no more than what is said of a missing model.

    Whatever else extensions and Node.js write there is for those who look for it.
    """
    found = [text for text in _WARNING.findall(stderr) if not (has_no_model and text.startswith(NO_MODEL))]
    if not found:
        return ""
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"pi warns: {brief(found[0], LONG)} (/stderr{more})"
