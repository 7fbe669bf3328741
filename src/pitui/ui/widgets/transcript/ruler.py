"""The ruler: where in the conversation prompts, edits, errors and hits are."""

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from pitui.session.blocks import CHANGING, BashBlock, Block, NoticeBlock, PromptBlock, ToolBlock, ToolState
from pitui.ui.widgets.transcript.rows import Rows

MARKS = ("hit", "error", "edit", "prompt")
"""The first that is in a cell is shown."""


class Mark(NamedTuple):
    """What a cell of the ruler shows, the number of the block it is of, and which line of that."""

    name: str
    number: int
    line: int = 0


class Hits(Protocol):
    """What a search has found."""

    @property
    def numbers(self) -> list[int]:
        """Blocks that have hits, by number, rising."""
        ...

    def lines_of(self, number: int) -> Sequence[int]:
        """The lines of block number `number` that have hits, rising, as far as is known."""
        ...


def mark_of(block: Block) -> str:
    match block:
        case PromptBlock():
            return "prompt"
        case ToolBlock(state=ToolState.FAILED) | NoticeBlock(level="error"):
            return "error"
        case ToolBlock(name=name) if name in CHANGING:
            return "edit"
        case BashBlock(error=error, exit_code=code) if error or code:
            return "error"
        case _:
            return ""


class Ruler:
    """Keeps which blocks have which mark."""

    def __init__(self) -> None:
        self.version = 0
        """Rises with every change."""
        self._marks: list[str] = []
        self._numbers: dict[str, list[int]] = {mark: [] for mark in MARKS}

    def read(self, blocks: list[Block], start: int = 0) -> None:
        """Take the marks of all blocks, or of those from `start` on when only new ones came."""
        self.version += 1
        del self._marks[start:]
        for numbers in self._numbers.values():
            del numbers[bisect_left(numbers, start) :]
        for number, block in enumerate(blocks[start:], start):
            mark = mark_of(block)
            self._marks.append(mark)
            if mark:
                self._numbers[mark].append(number)

    def update(self, number: int, block: Block) -> None:
        mark, old = mark_of(block), self._marks[number]
        if mark == old:
            return
        self.version += 1
        self._marks[number] = mark
        if old:
            del self._numbers[old][bisect_left(self._numbers[old], number)]
        if mark:
            insort(self._numbers[mark], number)

    def neighbour(self, mark: str, index: int, step: int) -> int | None:
        """The nearest block with a mark before (`step` -1) or after (1) block `index`."""
        numbers = self._numbers[mark]
        at = bisect_left(numbers, index + 1) if step > 0 else bisect_left(numbers, index) - 1
        return numbers[at] if 0 <= at < len(numbers) else None

    def marks(self, rows: Rows, gap: Callable[[int], int], height: int, hits: Hits) -> list[Mark | None]:
        """The mark of each of `height` cells, and the first line that has it.

        `gap` gives the blank rows at the start of a block. Of a block in several cells every hit has its mark.
        """
        cells: list[Mark | None] = [None] * height
        total = max(rows.total, height)
        for mark in reversed(MARKS):
            numbers = hits.numbers if mark == "hit" else self._numbers[mark]
            at = 0
            while at < len(numbers):
                number = numbers[at]
                start = rows.start(number) + gap(number)
                several = mark == "hit" and rows[number] * height > total
                lines = (several and hits.lines_of(number)) or [0]
                places = [min((start + line) * height // total, height - 1) for line in lines]
                for y, line in zip(places, lines, strict=True):
                    if (known := cells[y]) is None or known.name != mark:
                        cells[y] = Mark(mark, number, line)
                following, offset = rows.at(-(-(places[-1] + 1) * total // height))
                at = bisect_left(numbers, following + (offset > 0), at + 1)
        return cells
