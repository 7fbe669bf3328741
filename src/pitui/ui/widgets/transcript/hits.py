"""Where words can be seen in a drawing: the cells to mark."""

import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from rich.cells import cell_len

from pitui.render.lines import Line

Cells = tuple[int, int]
"""Of a line: from, up to."""
Parts = list[tuple[int, Cells]]
"""Lines and cells of one hit: on each row that it is on."""
SECTION = 200
"""Lines that are looked through at once."""


def is_sensitive(query: str) -> bool:
    """Capitals count only where there are any."""
    return query != query.lower()


def folded(text: str) -> str:
    """Small letters, each where its capital was, and one for a letter that has another form at the end of a word.

    Of all capitals only one becomes two characters: İ.
    """
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").lower().replace("\u03c2", "\u03c3")


def count(query: str, text: str) -> int:
    """How often `query` stands in `text`."""
    return text.count(query) if is_sensitive(query) else folded(text).count(folded(query))


class DrawnHits:
    """Where a query can be seen in the lines of a block. A long drawing is looked through as far as is needed."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = list(lines)
        self._starts = _sections(self._lines)
        self._query = ""
        self._sections: dict[int, list[Parts]] = {}

    def grown(self, lines: Sequence[Line]) -> "DrawnHits":
        """The same for a drawing to which lines were added; what was found is not looked for again."""
        hits = DrawnHits(lines)
        hits._query = self._query
        last = len(self._starts) - 1  # its section may go on
        hits._sections = {number: found for number, found in self._sections.items() if number < last}
        return hits

    def look_for(self, query: str) -> None:
        if query != self._query:
            self._query = query
            self._sections.clear()

    @property
    def all(self) -> list[Parts]:
        return [hit for number in range(len(self._starts)) for hit in self._section(number)]

    def has(self, nth: int) -> bool:
        """Whether there is a hit number `nth`; no more is looked through than that takes."""
        for number in range(len(self._starts)):
            nth -= len(self._section(number))
            if nth < 0:
                return True
        return False

    def at(self, nth: int) -> Parts:
        """Hit number `nth`, or the last one; nothing when there is none."""
        last: Parts = []
        for number in range(len(self._starts)):
            hits = self._section(number)
            if nth < len(hits):
                return hits[nth]
            nth -= len(hits)
            last = hits[-1] if hits else last
        return last

    def cells(self, line: int) -> list[Cells]:
        """The marks on a line."""
        number = bisect_right(self._starts, line) - 1
        return [cells for hit in self._section(number) for at, cells in hit if at == line] if number >= 0 else []

    def _section(self, number: int) -> list[Parts]:
        known = self._sections.get(number)
        if known is None:
            start = self._starts[number]
            end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._lines)
            known = self._sections[number] = _find(self._query, self._lines, start, end)
        return known


def _sections(lines: list[Line]) -> list[int]:
    """Where sections start. No hit goes over from one to the next, for a line ends there."""
    starts = [0] if lines else []
    for number, line in enumerate(lines):
        if number - starts[-1] >= SECTION and lines[number - 1].joint == "\n" and line is not lines[-1]:
            starts.append(number)
    return starts


def _find(query: str, lines: list[Line], start: int, end: int) -> list[Parts]:
    texts = [_text(line) for line in lines[start:end]]
    joined = [text + line.joint for text, line in zip(texts, lines[start:end], strict=True)]
    starts = list(accumulate(map(len, joined), initial=0))
    hits: list[Parts] = []
    for first in places(query, "".join(joined)):
        last = first + len(query)
        parts: Parts = []
        at = bisect_right(starts, first) - 1
        while at < len(texts) and starts[at] < last:
            before, inside = texts[at][: max(0, first - starts[at])], texts[at][: last - starts[at]]
            left, right = cell_len(before), cell_len(inside)
            if left < right:
                gutter = lines[start + at].gutter
                parts.append((start + at, (gutter + left, gutter + right)))
            at += 1
        if parts:
            hits.append(parts)
    return hits


def _text(line: Line) -> str:
    """Without the blanks that only fill a row before the next one."""
    return line.plain().rstrip() if line.joint == " " else line.plain()


def places(query: str, text: str, most: int = sys.maxsize) -> list[int]:
    """Where `query` starts in `text`, none within another one, and no more than `most`."""
    if not is_sensitive(query):
        query, text = folded(query), folded(text)
    found: list[int] = []
    at = text.find(query) if query else -1
    while at >= 0 and len(found) < most:
        found.append(at)
        at = text.find(query, at + len(query))
    return found
