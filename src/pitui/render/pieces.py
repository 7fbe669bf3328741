"""A drawing that is made piece by piece, so that the screen need not wait for the end of something long."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.streaming import OpenMarkdown

STEP = 4_000
"""Characters of Markdown in a piece: a few milliseconds."""


class Piece(NamedTuple):
    """Rows that come after the first `start` ones of what was drawn before, in place of any others."""

    start: int
    lines: list[Line]


def joined(*parts: Iterable[Piece]) -> Iterator[Piece]:
    """Some drawings, one under the other."""
    above = 0
    for part in parts:
        end = 0
        for start, lines in part:
            end = start + len(lines)
            yield Piece(above + start, lines)
        above += end


def whole(lines: list[Line]) -> list[Piece]:
    """What is drawn at once."""
    return [Piece(0, lines)]


def in_order(parts: Iterable[list[Line]]) -> Iterator[Piece]:
    """Rows that come one after another and stay as they are."""
    start = 0
    for lines in parts:
        yield Piece(start, lines)
        start += len(lines)


def lines_of(pieces: Iterable[Piece]) -> list[Line]:
    """All rows of a drawing."""
    lines: list[Line] = []
    for start, rows in pieces:
        lines[start:] = rows
    return lines


class Prose:
    """Markdown that may be long and may still grow."""

    def __init__(self, look: Look) -> None:
        self._markdown = OpenMarkdown(look)
        self._read = 0

    def pieces(self, text: str) -> Iterator[Piece]:
        """What `text` has beyond what was drawn of it before, which is best its start."""
        self._read = min(self._read, len(text))
        while True:
            self._read = min(self._read + STEP, len(text))
            lines = self._markdown.update(text[: self._read])
            yield Piece(self._markdown.kept, lines[self._markdown.kept :])
            if self._read == len(text):
                return
