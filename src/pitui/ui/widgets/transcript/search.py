"""Search over everything in the session, also what is folded or was never drawn."""

import re
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len

from pitui import render
from pitui.render.lines import plain
from pitui.session.blocks import Block
from pitui.ui.widgets.transcript.drawings import Drawn
from pitui.ui.widgets.transcript.folds import FoldState
from pitui.ui.widgets.transcript.viewport import Place, Viewport

Cells = tuple[int, int]
SLICE = 32
"""Blocks that are searched between two looks at the clock."""


class Hit(NamedTuple):
    """The `nth` place, from 0, in a block where the query stands."""

    block_id: int
    nth: int


class Search:
    """Where `query` stands; empty when nothing is searched. Its capitals count only if there are any (smart case).

    The block of the current hit is open, and as it was before when the search goes on.
    """

    def __init__(self, viewport: Viewport) -> None:
        self.query = ""
        self.current: Hit | None = None
        """The hit that is shown."""
        self.numbers: list[int] = []
        """Blocks that have hits, by number, rising."""
        self._viewport = viewport
        self._counts: dict[int, int] = {}
        self._rest: deque[Block] = deque()
        self._cells: dict[int, tuple[object, dict[int, list[Cells]]]] = {}
        self._came_from: Place | None = None
        self._opened: tuple[Block, FoldState] | None = None

    @property
    def total(self) -> int:
        return sum(self._counts.values())

    @property
    def position(self) -> int:
        """Which of all hits is shown, from 1; 0 for none."""
        if self.current is None:
            return 0
        before = 0
        for number in self.numbers:
            block_id = self._viewport.blocks[number].id
            if block_id == self.current.block_id:
                break
            before += self._counts[block_id]
        return before + self.current.nth + 1

    @property
    def busy(self) -> bool:
        """Not everything has been searched yet: call `go_on`."""
        return bool(self._rest)

    def start(self, query: str) -> None:
        """Look for `query` from where the search began, round the end; `go_on` does it.

        One that only got longer is looked for where the shorter one was found, or was not looked for yet.
        """
        viewport = self._viewport
        if self._came_from is None:
            self._came_from = viewport.place
        narrower = bool(self.query) and query.startswith(self.query) and _sensitive(query) == _sensitive(self.query)
        if narrower:
            unknown = {block.id for block in self._rest}
            among = [block for block in viewport.blocks if block.id in self._counts or block.id in unknown]
        else:
            among = viewport.blocks
        self.query = query
        self.current = None
        self._counts.clear()
        self.numbers = []
        began = viewport.index_of(self._came_from.block_id) or 0
        first = bisect_left(among, began, key=lambda block: viewport.index_of(block.id) or 0)
        self._rest = deque([*among[first:], *among[:first]] if query else ())
        self._show()

    def go_on(self, seconds: float) -> None:
        """Search for about so long, and show the first hit as soon as it is found."""
        deadline = time.perf_counter() + seconds
        found: list[int] = []
        while self._rest and time.perf_counter() < deadline:
            found += self._count([self._rest.popleft() for _ in range(min(SLICE, len(self._rest)))])
        self._arrange()
        if self.current is None and found:
            self.current = Hit(found[0], 0)
            self._show()

    def step(self, step: int) -> None:
        """To the next (1) or previous (-1) hit, round the ends."""
        if self.current is None:
            return
        blocks = self._viewport.blocks
        totals = list(accumulate((self._counts[blocks[number].id] for number in self.numbers), initial=0))
        ordinal = (self.position - 1 + step) % totals[-1]
        at = bisect_left(totals, ordinal + 1) - 1
        self.current = Hit(blocks[self.numbers[at]].id, ordinal - totals[at])
        self._show()

    def renew(self, changed: Iterable[Block]) -> None:
        """Some blocks look different now, are new, or have gone."""
        if self.query:
            changed = list(changed)
            for block in changed:
                self._counts.pop(block.id, None)
            self._count(changed)
            self._arrange()
            if self.current is not None and self.current.block_id not in self._counts:
                self.current = None

    def clear(self, back: bool) -> None:
        """Search for nothing; `back` to where it began."""
        place, self._came_from = self._came_from, None
        self.query = ""
        self.current = None
        self._counts.clear()
        self._rest.clear()
        self._arrange()
        self._fold()
        if back and place is not None:
            self._viewport.show(*place)

    def cells(self, block: Block, drawn: Drawn) -> dict[int, list[Cells]]:
        """Cells of the hits in a drawn block, by line. A hit over a wrapped line has a part on each of its rows."""
        if block.id not in self._counts:
            return {}
        stamp = (drawn.key, len(drawn.lines), self.query)
        known = self._cells.get(block.id)
        if known is None or known[0] != stamp:
            known = self._cells[block.id] = (stamp, _find(self.query, drawn))
        return known[1]

    def current_cells(self, block: Block, drawn: Drawn) -> tuple[int, Cells] | None:
        """Line and cells of the current hit if it is in this block: the last that can be seen if it cannot."""
        if self.current is None or self.current.block_id != block.id:
            return None
        found = [(line, cells) for line, spans in sorted(self.cells(block, drawn).items()) for cells in spans]
        return found[min(self.current.nth, len(found) - 1)] if found else None

    def _count(self, blocks: Iterable[Block]) -> list[int]:
        """Count the hits in some blocks; ids of those that have any."""
        sensitive = _sensitive(self.query)
        found: list[int] = []
        for block in blocks:
            text = render.blocks.searchable(block)
            if count := (text if sensitive else text.lower()).count(self.query):
                self._counts[block.id] = count
                found.append(block.id)
        return found

    def _arrange(self) -> None:
        numbers = map(self._viewport.index_of, self._counts)
        self.numbers = sorted(number for number in numbers if number is not None)
        if len(self.numbers) < len(self._counts):
            self._counts = {block_id: count for block_id, count in self._counts.items() if self._known(block_id)}
        self._cells.clear()

    def _known(self, block_id: int) -> bool:
        return self._viewport.index_of(block_id) is not None

    def _show(self) -> None:
        """Open the block of the current hit, and show it unless it is seen."""
        viewport, hit = self._viewport, self.current
        if self._opened is not None and (hit is None or self._opened[0].id != hit.block_id):
            self._fold()
        index = viewport.index_of(hit.block_id) if hit is not None else None
        if index is None:
            return
        block = viewport.blocks[index]
        if self._opened is None:
            self._opened = (block, viewport.folds.state(block))
            viewport.folds.set(block, False)
            viewport.folds.set_whole(block, True)
        place = self.current_cells(block, viewport.drawn(index))
        line = place[0] if place else 0
        if not any(row.number == index and row.line == line for row in viewport.fill()[:-1]):
            viewport.show(block.id, line, viewport.height // 3)

    def _fold(self) -> None:
        if self._opened is not None:
            block, state = self._opened
            self._viewport.folds.restore(block, state)
            self._opened = None


def _sensitive(query: str) -> bool:
    return query != query.lower()


def _find(query: str, drawn: Drawn) -> dict[int, list[Cells]]:
    texts: list[str] = []
    for line in drawn.lines:
        wrapped = not line.joint.strip(" ")
        texts.append((plain(line).rstrip() if wrapped else plain(line)) + line.joint)
    starts = list(accumulate(map(len, texts), initial=0))
    found: dict[int, list[Cells]] = {}
    for match in re.finditer(re.escape(query), "".join(texts), 0 if _sensitive(query) else re.IGNORECASE):
        start, end = match.span()
        number = bisect_left(starts, start + 1) - 1
        while number < len(texts) and starts[number] < end:
            line, text = drawn.lines[number], texts[number]
            first, last = max(0, start - starts[number]), min(len(text), end - starts[number])
            left = line.gutter + cell_len(text[:first])
            right = min(left + cell_len(text[first:last]), line.strip.cell_length)
            if left < right:
                found.setdefault(number, []).append((left, right))
            number += 1
    return found
