"""Where a Markdown text can be cut, so that what comes after the cut looks by itself as it does in the whole."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rich.segment import Segment

from pitui.render.text import TAB_SIZE, cells, graphemes

PART = 3_000
"""Characters of a paragraph past which it is drawn in parts: marks that reach from one to the next are no marks."""

_PLACE = "x"
_ADDRESS_END = re.compile(r"[)\s]")
_MARK = re.compile(r" *(?:> ?|(?:[-+*]|\d{1,9}[.)])(?: {1,4}(?! )| |$))")


@dataclass(slots=True, eq=False)
class Container:
    """A quote or an item of a list around what is drawn: a bar in every row, or a mark in the first and then blanks.

    `line` of the source opens it.
    """

    mark: Segment
    line: int = 0
    item: bool = False
    pending: bool = False

    def take(self) -> Segment:
        """What stands at the left of the next row."""
        if self.item and not self.pending:
            return Segment(" " * cells(self.mark.text))
        self.pending = False
        return self.mark


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands before the rest of a text: `text` opens again all that goes on there, and is not drawn.

    Its last line has no end where a line of a paragraph goes on. `gap` says that an empty row comes first. `widths` are
    those of the columns of a table that goes on.
    """

    text: str = ""
    gap: bool = False
    widths: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """The source from `column` of `line` on, after an opening, gives the rows from `row` on.

    `leaf` opens the paragraph, code or table that goes on, within `containers`.
    """

    line: int
    row: int
    containers: Sequence[Container] = ()
    gap: bool = False
    column: int = 0
    leaf: str = ""
    widths: Sequence[int] = ()

    def opening(self, source: Sequence[str]) -> Opening:
        return Opening(reopened(source, self.containers) + self.leaf, self.gap, self.widths)


def _fronts(source: Sequence[str], containers: Iterable[Container]) -> Iterator[str]:
    """The front of each line that opened some of the containers, up to where their text starts."""
    quotes = 0
    for line, opened in groupby(containers, lambda container: container.line):
        items = [container.item for container in opened]
        front = _front(source[line], quotes + len(items))
        yield front if front.endswith((" ", ">")) else front + " "
        quotes += items.count(False)


def _front(line: str, marks: int) -> str:
    end = 0
    for _ in range(marks):
        match = _MARK.match(line, end)
        end = match.end() if match else end
    return line[:end]


def _blank(front: str) -> str:
    """The front of a next line in the same containers."""
    return re.sub("[^>]", " ", re.sub(">(?! )", "> ", front))


def reopened(source: Sequence[str], containers: Iterable[Container]) -> str:
    """Lines that open containers as their own did, with empty headings in them, which take no text of the next line."""
    return "".join(f"{front}#\n" for front in _fronts(source, containers))


def first_line(source: Sequence[str], containers: Iterable[Container], number: int) -> str:
    """The line that opened a block in some containers once more, but without the marks of those that it opened too."""
    line = source[number]
    front = _front(line, sum(not container.item or container.line == number for container in containers))
    return f"{_blank(front)}{line[len(front) :]}\n"


def held_place(source: Sequence[str], containers: Iterable[Container], column: int) -> str:
    """The start of a paragraph that goes on, at the start of a line or at a column of one.

    It is as long as what stands before every other part of a long paragraph, so that nothing else is made of it, and
    what follows is as far from the next tab.
    """
    front = ""
    for opened in _fronts(source, containers):
        front = _blank(opened)
    return f"{front}{_PLACE * (PART + 1 + (column - len(front) - PART - 1) % TAB_SIZE)}" + ("" if column else "\n")


def after_place(opening: str, content: str) -> str:
    """What was added to a paragraph that was opened by `held_place`."""
    before = opening.removesuffix("\n")
    return content[len(before) - len(before.rstrip(_PLACE)) :]


class Part(NamedTuple):
    """`text` of a paragraph, drawn by itself, from `column` of its line number `line` on.

    `joint` parts it from the next one.
    """

    line: int
    column: int
    text: str
    joint: str = "\n"


def parts(lines: Iterable[str]) -> Iterator[Part]:
    """A paragraph in parts: of whole lines where they are not too long. More text changes none but the last one."""
    taken: list[str] = []
    at = column = size = 0
    for number, line in enumerate(lines):
        length = len(line.rstrip())
        if taken and size + 1 + length <= PART:
            taken.append(line)
            size += 1 + length
            continue
        if taken:
            yield Part(at, column, "\n".join(taken))
        at, column = number, 0
        while length - column > PART:
            end, following = _end(line, column)
            if following >= length:
                break
            yield Part(at, column, line[column:end], line[end:following])
            column = following
        taken, size = [line[column:]], length - column
    yield Part(at, column, "\n".join(taken))


def _end(line: str, start: int) -> tuple[int, int]:
    """Where the part ends that starts there in a long line, and where the next one starts: between words, if it can.

    An address is not cut, for it may be a whole picture.
    """
    window = line[start : start + PART]
    address = window.rfind("](")
    if address >= 0 and not _ADDRESS_END.search(window, address):
        match = _ADDRESS_END.search(line, start + PART)
        end = match.end() if match else len(line)
        return end, end
    space = window.rfind(" ")
    bracket = window.rfind("[", 0, space)
    if bracket > window.rfind("]", 0, space):  # of a link, perhaps
        space = window.rfind(" ", 0, bracket)
    end = len(window[: space + 1].rstrip()) or graphemes(window)[-1][0] or PART
    following = start + end
    while line[following] == " ":
        following += 1
    return start + end, following
