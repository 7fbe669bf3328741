"""How many rows each block takes, and where it starts."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Rows:
    """The heights of a column of blocks, by index. A change costs what comes after it, once, when it is next asked."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._starts = [0]
        """Start of each block, and the total; right up to `_valid`."""
        self._valid = 0

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def __setitem__(self, index: int, height: int) -> None:
        if self._heights[index] != height:
            self._heights[index] = height
            self._valid = min(self._valid, index)

    def extend(self, heights: Iterable[int]) -> None:
        self._heights.extend(heights)

    @property
    def total(self) -> int:
        return self._reckoned()[-1]

    def start(self, index: int) -> int:
        return self._reckoned()[index]

    def at(self, row: int) -> tuple[int, int]:
        """The block that has `row`, and the row within it; the last block for rows below. There must be a block."""
        starts = self._reckoned()
        index = min(bisect_right(starts, max(row, 0)), len(self._heights)) - 1
        return index, max(row, 0) - starts[index]

    def _reckoned(self) -> list[int]:
        if self._valid < len(self._heights):
            tail = accumulate(self._heights[self._valid :], initial=self._starts[self._valid])
            self._starts[self._valid :] = tail
            self._valid = len(self._heights)
        return self._starts
