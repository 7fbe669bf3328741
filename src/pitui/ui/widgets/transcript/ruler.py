"""The ruler: where in the conversation prompts, edits, errors and hits are."""

from bisect import bisect_left, insort

from pitui.session.blocks import BashBlock, Block, NoticeBlock, PromptBlock, ToolBlock, ToolState
from pitui.ui.widgets.transcript.rows import Rows

EDITING = frozenset({"edit", "write"})
MARKS = ("hit", "error", "edit", "prompt")
"""The first that applies is shown."""


def mark_of(block: Block) -> str:
    match block:
        case PromptBlock():
            return "prompt"
        case ToolBlock(state=ToolState.FAILED) | NoticeBlock(level="error"):
            return "error"
        case ToolBlock(name=name) if name in EDITING:
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

    def marks(self, rows: Rows, height: int, hits: list[int]) -> list[str]:
        """The mark of each of `height` cells."""
        found = [self._first(rows, height, y, hits) for y in range(height)]
        return [mark for mark, _ in found]

    def block_at(self, rows: Rows, height: int, y: int, hits: list[int]) -> int | None:
        """The block that is marked in cell `y`."""
        return self._first(rows, height, y, hits)[1]

    def _first(self, rows: Rows, height: int, y: int, hits: list[int]) -> tuple[str, int | None]:
        total = max(rows.total, height)
        start, end = y * total // height, (y + 1) * total // height
        if not len(rows) or start >= rows.total:
            return "", None
        first, offset = rows.at(start)
        first += offset > 0
        last, _ = rows.at(end - 1)
        for mark in MARKS:
            numbers = hits if mark == "hit" else self._numbers[mark]
            at = bisect_left(numbers, first)
            if at < len(numbers) and numbers[at] <= last:
                return mark, numbers[at]
        return "", None
