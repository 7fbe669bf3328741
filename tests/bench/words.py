"""Markdown as a model writes it, always the same."""

import random
from itertools import cycle

PARTS = (
    "## What happens here\n\n",
    "The reader takes **whole lines** from the pipe and gives them to the parser, which knows `seventeen` kinds of "
    "records and keeps what it does not know. Nothing is thrown away, and nothing is read twice.\n\n",
    "1. First it looks at the *type*.\n2. Then it takes the fields that are used.\n   - the text\n   - its place\n"
    "3. And at last it says what has changed.\n\n",
    "```python\ndef apply(session: Session, record: Record) -> None:\n    match record:\n        case MessageStart():\n"
    "            session.open(record.message)  # a block for each part\n        case _:\n            pass\n```\n\n",
    "| name | bytes | kept |\n|---|---:|---|\n| delta | 282 | no |\n| end | 4,096 | yes |\n\n",
    "> It is said that a page that stands still is read to its end.\n\n",
)


def answer(characters: int) -> str:
    """So many characters of it."""
    parts: list[str] = []
    length = 0
    for part in cycle(PARTS):
        parts.append(part)
        length += len(part)
        if length >= characters:
            return "".join(parts)[:characters]
    raise AssertionError


def tokens(characters: int) -> list[str]:
    """The same in pieces of about four characters."""
    source, pieces, dice = answer(characters), list[str](), random.Random(7)
    at = 0
    while at < characters:
        length = dice.choice((1, 2, 3, 4, 4, 5, 6, 7))
        pieces.append(source[at : at + length])
        at += length
    return pieces
