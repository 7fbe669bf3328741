"""What the file of a prompt template says that pi does not tell over RPC."""

import re
from pathlib import Path

READ_BYTES = 8192
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)\r?\n---", re.DOTALL)
_HINT = re.compile(r"^argument-hint[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def argument_hint(path: Path) -> str:
    """The ``argument-hint`` of its front matter (pi's ``docs/prompt-templates.md``); empty for a file without one."""
    try:
        if not path.is_file():  # opening a pipe would wait
            return ""
        with path.open("rb") as file:
            text = file.read(READ_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    front = _FRONT_MATTER.match(text)
    hint = _HINT.search(front[1]) if front else None
    if hint is None:
        return ""
    value = hint[1]
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
