"""The output of tools and commands: of a long one a part, by lines and by characters, so that no size matters."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.amounts import number
from pitui.render.lines import AT_END, SHOW_ALL, Line, frame_width, framed, note
from pitui.render.look import Look
from pitui.render.pieces import Piece, in_order, whole
from pitui.render.text import cells, coloured, graphemes, row_counts, row_texts

TAIL = 5
"""Lines of a folded command."""
SHOWN_LINES = 400
SHOWN_CHARACTERS = 40_000

INDENTED = 2
"""Cells left of an argument."""

CHUNK = 8_000
"""Characters of a long text that are drawn at once."""

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


def part_pieces(
    text: str, look: Look, end: End, limits: tuple[int, int], draw: Callable[[str], list[Line]]
) -> Iterable[Piece]:
    """The rows that `draw` gives for a part of a text and what is left out, or for chunks of it in the `whole` look."""
    if look.whole and len(text) > SHOWN_CHARACTERS:
        return in_order(_ended(draw(chunk.text), chunk.joint) for chunk in chunks(text, look.width - INDENTED))
    shown = Part(text) if look.whole else part(text, end, *limits)
    lines = draw(shown.text)
    return whole(_with_rest(lines, shown, end, look) if shown.characters else lines)


def _ended(lines: list[Line], joint: str) -> list[Line]:
    lines[-1].joint = joint
    return lines


def _with_rest(lines: list[Line], shown: Part, end: End, look: Look) -> list[Line]:
    where = "earlier" if end == "last" else "more"
    amount = number(shown.lines, f"{where} line") if shown.lines > 1 else number(shown.characters, f"{where} character")
    how = "" if look.folded else AT_END if look.full else SHOW_ALL
    hidden = note(f"  … {amount} {how}".rstrip(), look)
    return [hidden, *lines] if end == "last" else [*lines, hidden]


def output_pieces(text: str, look: Look, end: End, base: Style, indent: Segment) -> Iterable[Piece]:
    """A text with its colours, indented; folded its last lines, else a few screens of it, or all of it."""
    text = text.strip("\n")
    if not text:
        return ()
    if look.whole and len(text) > SHOWN_CHARACTERS:
        room = look.width - frame_width(indent, look.width)
        return in_order(_LateChunk(chunk, look, base, indent).lines() for chunk in chunks(text, room))
    limits = (SHOWN_LINES, SHOWN_CHARACTERS)
    if look.folded:
        end, limits = "last", (TAIL, TAIL * max(look.width, 40))

    def draw(shown: str) -> list[Line]:
        return framed(coloured(shown, base), look.width, indent, words=False)

    return part_pieces(text, look, end, limits, draw)


class Chunk(NamedTuple):
    """Some lines of a long text, or a part of a long line: then nothing parts it from the next one."""

    text: str
    joint: str = "\n"


def chunks(text: str, width: int) -> Iterator[Chunk]:
    """A text in chunks of about `CHUNK` characters. A line is only cut where a row of `width` cells ends, if it can."""
    start = 0
    while start <= len(text):
        last = text.rfind("\n", start, start + CHUNK)
        if last >= 0 or len(text) - start <= CHUNK:
            end = last if len(text) - start > CHUNK else len(text)
            yield Chunk(text[start:end])
            start = end + 1
            continue
        end = text.find("\n", start + CHUNK)
        end = len(text) if end < 0 else end
        yield from _cut_line(text, start, end, width)
        start = end + 1


def _cut_line(text: str, start: int, end: int, width: int) -> Iterator[Chunk]:
    """A long line; of one that was written over again and again only what was written last is seen."""
    while end - 1 > start and text[end - 1] == "\r":
        end -= 1
    start = max(start, text.rfind("\r", start, end) + 1)
    while end - start > CHUNK:
        size = _cut_size(text[start : start + CHUNK], width)
        yield Chunk(text[start : start + size], "")
        start += size
    yield Chunk(text[start:end])


def _cut_size(window: str, width: int) -> int:
    """How much of the start of a line fills rows, or else where neither an escape sequence nor a character is cut."""
    if window.isprintable() and cells(window) == len(window):
        return len(window) - len(window) % width or len(window)
    escape = max(window.rfind(start, len(window) * 3 // 4) for start in "\x1b\x9b\x9d")
    return escape if escape > 0 else len(window) - 64 + graphemes(window[-64:])[-1][0]


class _LateChunk:
    """A chunk of a long output, drawn when a line of it is seen. Colours do not go over into the next chunk."""

    def __init__(self, chunk: Chunk, look: Look, base: Style, indent: Segment) -> None:
        self._chunk, self._look, self._base, self._indent = chunk, look, base, indent

    @cached_property
    def drawn(self) -> list[Line]:
        lines = framed(coloured(self._chunk.text, self._base), self._look.width, self._indent, words=False)
        return _ended(lines, self._chunk.joint)

    @cached_property
    def texts(self) -> list[str]:
        """The rows as bare text, to look through them before they are drawn."""
        gutter = frame_width(self._indent, self._look.width)
        texts = row_texts(self._chunk.text, self._look.width - gutter)
        return [line.plain() for line in self.drawn] if texts is None else texts

    def lines(self) -> list[Line]:
        gutter = frame_width(self._indent, self._look.width)
        counts = row_counts(self._chunk.text, self._look.width - gutter)
        if counts is None:
            return self.drawn
        joints = [joint for count in counts for joint in [*[""] * (count - 1), "\n"]]
        joints[-1] = self._chunk.joint
        return [_LateLine(self, index, gutter, joint) for index, joint in enumerate(joints)]


class _LateLine(Line):
    __slots__ = ("_chunk", "_index")

    def __init__(self, chunk: _LateChunk, index: int, gutter: int, joint: str) -> None:
        super().__init__(None, gutter, joint)
        self._chunk, self._index = chunk, index

    def draw(self) -> Strip:
        return self._chunk.drawn[self._index].strip

    def plain(self) -> str:
        return self._chunk.texts[self._index]
