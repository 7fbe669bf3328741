"""The block cursor: what the keys of the transcript act on."""

from pitui.session.blocks import Block
from pitui.ui.widgets.transcript.viewport import Viewport


class BlockCursor:
    """On one block of a viewport, or on none; extended, on all from where that began."""

    def __init__(self, viewport: Viewport) -> None:
        self.block_id: int | None = None
        self._anchor_id: int | None = None
        self._viewport = viewport

    def block(self) -> Block | None:
        """The block it is on; when it is on none yet, it goes to the last one that is seen."""
        if self._index() is None:
            self._to_seen(-1)
        index = self._index()
        return None if index is None else self._viewport.blocks[index]

    def blocks(self) -> list[Block]:
        """All blocks that it is on, from the first."""
        self.block()
        numbers = self.numbers
        return self._viewport.blocks[numbers.start : numbers.stop]

    @property
    def numbers(self) -> range:
        """The numbers of those blocks; none when it is on none."""
        index = self._index()
        if index is None:
            return range(0)
        anchor = None if self._anchor_id is None else self._viewport.index_of(self._anchor_id)
        other = index if anchor is None else anchor
        return range(min(index, other), max(index, other) + 1)

    @property
    def extended(self) -> bool:
        return self._anchor_id is not None

    def put(self, block_id: int | None) -> None:
        """On this block alone, or on none."""
        self.block_id, self._anchor_id = block_id, None

    def move(self, step: int, *, extend: bool = False) -> None:
        """To the next (1) or previous (-1) block; one that is out of sight comes back into it first.

        With `extend` it stays on those where it has been.
        """
        viewport = self._viewport
        index = self._index()
        if index is None or (not extend and all(row.number != index for row in viewport.screen)):
            self._anchor_id = None
            self._to_seen(step)
            return
        self._anchor_id = (self._anchor_id or self.block_id) if extend else None
        index = self._neighbour(index, step)
        self.block_id = viewport.blocks[index].id
        self._reveal(index)

    def to_first(self) -> None:
        self._to_end_of(1, -1)

    def to_last(self) -> None:
        self._to_end_of(-1, len(self._viewport.blocks))

    def _to_end_of(self, step: int, outside: int) -> None:
        """On the first block of all in that direction; what is shown stays."""
        index = self._neighbour(outside, step)
        if index != outside:
            self.put(self._viewport.blocks[index].id)

    def _index(self) -> int | None:
        return None if self.block_id is None else self._viewport.index_of(self.block_id)

    def _to_seen(self, step: int) -> None:
        blocks = self._viewport.blocks
        seen = {row.number for row in self._viewport.screen if row.line >= 0 and _is_said(blocks[row.number])}
        if seen:
            self.block_id = blocks[max(seen) if step < 0 else min(seen)].id

    def _neighbour(self, index: int, step: int) -> int:
        """The next block that has a line at all, or the same one at the end."""
        at = index + step
        while 0 <= at < len(self._viewport.blocks):
            if _is_said(self._viewport.blocks[at]) and self._viewport.drawn(at).lines:
                return at
            at += step
        return index

    def _reveal(self, index: int) -> None:
        """Scroll as little as it takes to see the first line of a block, and all of it if it fits."""
        viewport = self._viewport
        lines = len(viewport.drawn(index).lines)
        shown = [row.line for row in viewport.screen if row.number == index]
        if 0 not in shown and index <= viewport.screen[0].number:
            viewport.show(viewport.blocks[index].id)
        elif lines - 1 not in shown:
            viewport.show(viewport.blocks[index].id, at=max(0, viewport.height - lines - 1))


def _is_said(block: Block) -> bool:
    """Whether there is something in it to act on: what a run took is a word of ours."""
    return block.kind != "turn"
