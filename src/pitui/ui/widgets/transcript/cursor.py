"""The block cursor: what the keys of the transcript act on."""

from pitui.session.blocks import Block
from pitui.ui.widgets.transcript.viewport import Viewport


class BlockCursor:
    """On one block of a viewport, or on none."""

    def __init__(self, viewport: Viewport) -> None:
        self.block_id: int | None = None
        self._viewport = viewport

    def block(self) -> Block | None:
        """The block it is on; when it is on none yet, it goes to the last one that is seen."""
        if self._index() is None:
            self._to_seen(-1)
        index = self._index()
        return None if index is None else self._viewport.blocks[index]

    def move(self, step: int) -> None:
        """To the next (1) or previous (-1) block; one that is out of sight comes back into it first."""
        viewport = self._viewport
        index = self._index()
        if index is None or all(row.number != index for row in viewport.screen):
            self._to_seen(step)
        else:
            index = self._neighbour(index, step)
            self.block_id = viewport.blocks[index].id
            self._reveal(index)

    def _index(self) -> int | None:
        return None if self.block_id is None else self._viewport.index_of(self.block_id)

    def _to_seen(self, step: int) -> None:
        seen = {row.number for row in self._viewport.screen if row.line >= 0}
        if seen:
            self.block_id = self._viewport.blocks[max(seen) if step < 0 else min(seen)].id

    def _neighbour(self, index: int, step: int) -> int:
        """The next block that has a line at all, or the same one at the end."""
        at = index + step
        while 0 <= at < len(self._viewport.blocks):
            if self._viewport.drawn(at).lines:
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
