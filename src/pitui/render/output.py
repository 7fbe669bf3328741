"""The output of tools and commands: of a long one a part, by lines and by characters, so that no size matters."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.amounts import number
from pitui.render.lines import SHOW_ALL, Line, frame_width, framed, note
from pitui.render.look import Look
from pitui.render.text import coloured, row_counts, row_texts

TAIL = 5
"""Lines of a folded command."""
SHOWN_LINES = 400
SHOWN_CHARACTERS = 40_000

CHUNK = 8_000
"""Characters that are drawn at once of what is drawn when it is seen."""

End = Literal["first", "last"]


@dataclass(frozen=True, slots=True)
class Part:
    """`text` of a long text, and how many whole lines were left out before or after it."""

    text: str
    lines: int = 0
    characters: int = 0


def part(text: str, end: End, lines: int, characters: int) -> Part:
    """The first or last `lines` of a text, and of those no more than `characters`."""
    if end == "first":
        return _first(text, lines, characters)
    return _last(text, lines, characters)


def _first(text: str, lines: int, characters: int) -> Part:
    at = -1
    for _ in range(lines):
        at = text.find("\n", at + 1, characters + 1)
        if at < 0:
            break
    if at < 0 and len(text) <= characters:
        return Part(text)
    if at < 0:
        at = characters
    left = text[at + 1 :] if text[at] == "\n" else text[at:]
    return Part(text[:at], left.count("\n") + 1, len(left)) if left else Part(text[:at])


def _last(text: str, lines: int, characters: int) -> Part:
    at = len(text)
    floor = max(0, len(text) - characters)
    for _ in range(lines):
        at = text.rfind("\n", max(0, floor - 1), at)
        if at < 0:
            break
    if at < 0 and floor == 0:
        return Part(text)
    if at < 0:
        at = floor - 1
    left = text[: at + 1]
    return Part(text[at + 1 :], left.count("\n") + (not left.endswith("\n")), len(left)) if left else Part(text)


def draw_part(
    text: str, look: Look, end: End, limits: tuple[int, int], draw: Callable[[str], list[Line]]
) -> list[Line]:
    """The rows that `draw` gives for a part of a text, or all of it when the look is `full`, and what is left out."""
    shown = Part(text) if look.full else part(text, end, *limits)
    lines = draw(shown.text)
    if not shown.characters:
        return lines
    where = "earlier" if end == "last" else "more"
    amount = number(shown.lines, f"{where} line") if shown.lines > 1 else number(shown.characters, f"{where} character")
    hidden = note(f"  … {amount}" + ("" if look.folded else f" {SHOW_ALL}"), look)
    return [hidden, *lines] if end == "last" else [*lines, hidden]


def draw_output(text: str, look: Look, end: End, base: Style, indent: Segment) -> list[Line]:
    """A text with its colours, indented; folded its last lines, else a few screens of it, or all when `full`."""
    text = text.strip("\n")
    if not text:
        return []
    if look.full and len(text) > SHOWN_CHARACTERS:
        return late_lines(text, look, base, indent)
    limits = (SHOWN_LINES, SHOWN_CHARACTERS)
    if look.folded:
        end, limits = "last", (TAIL, TAIL * max(look.width, 40))

    def draw(shown: str) -> list[Line]:
        return framed(coloured(shown, base), look.width, indent, words=False)

    return draw_part(text, look, end, limits, draw)


class _Chunk:
    """Some lines of a long output, drawn when one of them is seen. Colours do not go over into the next chunk."""

    def __init__(self, text: str, look: Look, base: Style, indent: Segment) -> None:
        self._text, self._look, self._base, self._indent = text, look, base, indent

    @cached_property
    def drawn(self) -> list[Line]:
        return framed(coloured(self._text, self._base), self._look.width, self._indent, words=False)

    @cached_property
    def texts(self) -> list[str]:
        """The rows as bare text, to look through them before they are drawn."""
        gutter = frame_width(self._indent, self._look.width)
        texts = row_texts(self._text, self._look.width - gutter)
        return [line.plain() for line in self.drawn] if texts is None else texts

    def lines(self) -> list[Line]:
        gutter = frame_width(self._indent, self._look.width)
        counts = row_counts(self._text, self._look.width - gutter)
        if counts is None:
            return self.drawn
        joints = (joint for count in counts for joint in [*[""] * (count - 1), "\n"])
        return [_LateLine(self, index, gutter, joint) for index, joint in enumerate(joints)]


class _LateLine(Line):
    __slots__ = ("_chunk", "_index")

    def __init__(self, chunk: _Chunk, index: int, gutter: int, joint: str) -> None:
        super().__init__(None, gutter, joint)
        self._chunk, self._index = chunk, index

    def draw(self) -> Strip:
        return self._chunk.drawn[self._index].strip

    def plain(self) -> str:
        return self._chunk.texts[self._index]


def late_lines(text: str, look: Look, base: Style, indent: Segment) -> list[Line]:
    """All rows of a long output: counted now, drawn when they are seen."""
    lines: list[Line] = []
    start = 0
    while start <= len(text):
        end = text.find("\n", start + CHUNK)
        end = len(text) if end < 0 else end
        lines += _Chunk(text[start:end], look, base, indent).lines()
        start = end + 1
    return lines
