"""What pitui says where it has no screen of its own: before, after and instead of it."""

import os
from typing import TextIO


def say(text: str, stream: TextIO) -> None:
    """Writes `text` as a line. What foreign text is in it cannot steer the terminal.

    Nobody may read it any more, as behind ``| head`` or in a terminal that was closed; that is no fault, and the rest
    goes nowhere.
    """
    shown = "".join(character if character.isprintable() or character in "\n\t" else "�" for character in text)
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(shown.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # Python flushes it once more at the end
