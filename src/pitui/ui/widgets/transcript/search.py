"""Search over everything in the session, also what is folded or was never drawn."""

import time
from bisect import bisect_left, bisect_right
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
"""Of a line: from, up to."""
AT_ONCE = 32
"""Blocks that are searched anew as they change; more of them are searched between frames."""


class Hit(NamedTuple):
    """The `nth` place, from 0, in a block where the query stands."""

    block_id: int
    nth: int


class Origin(NamedTuple):
    """Where the person was."""

    place: Place
    following: bool


class Search:
    """Where `query` stands; empty when nothing is searched. Its capitals count only if there are any (smart case).

    A block is searched in its source, which is quick, and counts as many hits as its drawing has from when it is shown.
    The block of the current hit is open, and as it was before when the search goes on.
    """

    def __init__(self, viewport: Viewport) -> None:
        self.query = ""
        self.current: Hit | None = None
        """The hit that is shown."""
        self.around = 0
        """1 when the last step went on from the top, -1 when it went on from the end."""
        self._viewport = viewport
        self._counts: dict[int, int] = {}
        self._order: tuple[list[int], list[int]] | None = ([], [0])
        """Numbers of the blocks that have hits, rising, and how many hits there are before each, and in all."""
        self._rest: deque[Block] = deque()
        self._found: dict[int, tuple[object, list[list[tuple[int, Cells]]]]] = {}
        self._origin: Origin | None = None
        self._opened: tuple[Block, FoldState] | None = None

    # how it stands

    @property
    def numbers(self) -> list[int]:
        """Blocks that have hits, by number, rising."""
        return self._ordered()[0]

    @property
    def total(self) -> int:
        return self._ordered()[1][-1]

    @property
    def position(self) -> int:
        """Which of all hits is shown, from 1; 0 for none."""
        if self.current is None:
            return 0
        numbers, before = self._ordered()
        number = self._viewport.index_of(self.current.block_id)
        return 0 if number is None else before[bisect_left(numbers, number)] + self.current.nth + 1

    @property
    def busy(self) -> bool:
        """Not everything has been searched yet: call `go_on`."""
        return bool(self._rest)

    def _ordered(self) -> tuple[list[int], list[int]]:
        if self._order is None:
            blocks, index_of = self._viewport.blocks, self._viewport.index_of
            numbers = sorted(number for number in map(index_of, self._counts) if number is not None)
            if len(numbers) < len(self._counts):
                self._counts = {blocks[number].id: self._counts[blocks[number].id] for number in numbers}
            counts = self._counts
            self._order = numbers, list(accumulate((counts[blocks[number].id] for number in numbers), initial=0))
        return self._order

    # what is looked for

    def start(self, query: str) -> None:
        """Look for `query` from where the search began, round the end; `go_on` does it.

        One that only got longer is looked for where the shorter one was found, or was not looked for yet.
        """
        viewport = self._viewport
        if self._origin is None:
            self._origin = Origin(viewport.place, viewport.following)
        narrower = bool(self.query) and query.startswith(self.query) and _sensitive(query) == _sensitive(self.query)
        if narrower:
            unknown = {block.id for block in self._rest}
            among = [block for block in viewport.blocks if block.id in self._counts or block.id in unknown]
        else:
            among = viewport.blocks
        self.query = query
        self._forget()
        began = viewport.index_of(self._origin.place.block_id) or 0
        first = bisect_left(among, began, key=lambda block: viewport.index_of(block.id) or 0)
        self._rest = deque([*among[first:], *among[:first]] if query else ())
        if not query:
            self._fold()
            self._go_back(self._origin)

    def restart(self) -> None:
        """Another session is open: look for the same in that one, from where it is shown."""
        self._origin = self._opened = None
        if self.query:
            query, self.query = self.query, ""
            self.start(query)

    def go_on(self, seconds: float) -> None:
        """Search for about so long, and show the first hit as soon as it is found."""
        deadline = time.perf_counter() + seconds
        while self._rest and time.perf_counter() < deadline:
            block = self._rest.popleft()
            if self._count(block) and self.current is None:
                self.current = Hit(block.id, 0)
                self._show(1)
        if self.current is None and not self._rest and self._origin is not None:
            self._fold()
            self._go_back(self._origin)

    def renew(self, changed: Iterable[Block]) -> None:
        """Some blocks look different now, are new, or have gone."""
        if not self.query:
            return
        changed = list(changed)
        self._order = None
        if len(changed) > AT_ONCE:
            self._rest.extend(changed)
            return
        for block in changed:
            self._count(block)

    def clear(self, back: bool) -> None:
        """Search for nothing; `back` to where it began."""
        origin, self._origin = self._origin, None
        self.query = ""
        self._forget()
        self._fold()
        if back and origin is not None:
            self._go_back(origin)

    def stay(self) -> int | None:
        """Search for nothing, and leave everything as it is; the block of the hit that was shown."""
        hit, self._opened, self._origin = self.current, None, None
        self.query = ""
        self._forget()
        return hit.block_id if hit else None

    def step(self, step: int) -> None:
        """To the next (1) or previous (-1) hit, round the ends; the first or last one when none is shown yet."""
        self.around = 0
        if not self.total:
            return
        shown = self.position or (0 if step > 0 else self.total + 1)
        self._choose(shown - 1 + step, step)
        self._show(step)

    def _choose(self, ordinal: int, step: int) -> None:
        """Make hit number `ordinal` the current one; beyond the ends it goes on at the other one."""
        numbers, before = self._ordered()
        if not 0 <= ordinal < before[-1]:
            self.around = step
            ordinal %= before[-1]
        at = bisect_right(before, ordinal) - 1
        self.current = Hit(self._viewport.blocks[numbers[at]].id, ordinal - before[at])

    def _forget(self) -> None:
        self.current = None
        self.around = 0
        self._counts.clear()
        self._rest.clear()
        self._found.clear()
        self._order = None

    def _count(self, block: Block) -> int:
        """Count the hits in a block."""
        count = len(places(self.query, render.blocks.searchable(block)))
        self._put(block.id, count)
        return count

    def _put(self, block_id: int, count: int) -> None:
        if self._counts.get(block_id, 0) != count:
            self._order = None
            if count:
                self._counts[block_id] = count
            else:
                del self._counts[block_id]
        if self.current is not None and self.current.block_id == block_id:
            self.current = Hit(block_id, min(self.current.nth, count - 1)) if count else None

    # what is seen

    def cells(self, block: Block, drawn: Drawn) -> dict[int, list[Cells]]:
        """Cells of the hits in a drawn block, by line. A hit over a wrapped line has a part on each of its rows."""
        cells: dict[int, list[Cells]] = {}
        for parts in self._hits(block, drawn):
            for line, span in parts:
                cells.setdefault(line, []).append(span)
        return cells

    def current_cells(self, block: Block, drawn: Drawn) -> list[tuple[int, Cells]]:
        """Lines and cells of the current hit, if it is in this block and can be seen."""
        if self.current is None or self.current.block_id != block.id:
            return []
        hits = self._hits(block, drawn)
        return hits[min(self.current.nth, len(hits) - 1)] if hits else []

    def _hits(self, block: Block, drawn: Drawn) -> list[list[tuple[int, Cells]]]:
        if block.id not in self._counts:
            return []
        stamp = (drawn.key, len(drawn.lines), self.query)
        known = self._found.get(block.id)
        if known is None or known[0] != stamp:
            known = self._found[block.id] = (stamp, find(self.query, drawn))
        return known[1]

    def _show(self, step: int) -> None:
        """Open the block of the current hit, and show it unless it is seen; go on by `step` if nothing of it can be."""
        viewport = self._viewport
        while (hit := self.current) is not None:
            if self._opened is not None and self._opened[0].id != hit.block_id:
                self._fold()
            index = viewport.index_of(hit.block_id)
            if index is None:
                return
            block = viewport.blocks[index]
            if self._opened is None:
                self._opened = (block, viewport.folds.state(block))
                viewport.folds.set(block, False)
                viewport.folds.set_whole(block, True)
            hits = self._hits(block, viewport.drawn(index))
            last = hit.nth == self._counts[block.id] - 1
            before = self.position - 1 - hit.nth
            self._put(block.id, len(hits))
            if hits:
                if step < 0 and last:
                    self.current = Hit(block.id, len(hits) - 1)
                self._reveal(index, self.current_cells(block, viewport.drawn(index))[0][0])
            elif self.total:
                self._choose(before if step > 0 else before - 1, step)
                continue
            return

    def _reveal(self, index: int, line: int) -> None:
        viewport = self._viewport
        if not any(row.number == index and row.line == line for row in viewport.fill()[:-1]):
            viewport.show(viewport.blocks[index].id, line, viewport.height // 3)

    def _go_back(self, origin: Origin) -> None:
        viewport = self._viewport
        if origin.following:
            viewport.show_end()
        else:
            viewport.show(*origin.place)
            viewport.following = viewport.following and viewport.at_end

    def _fold(self) -> None:
        """Fold the block of the hit that was shown, if it was folded before."""
        if self._opened is not None:
            block, state = self._opened
            self._viewport.folds.restore(block, state)
            self._opened = None


def _sensitive(query: str) -> bool:
    return query != query.lower()


def _folded(text: str) -> str:
    """Small letters, each where its capital was, and one for a letter that has another form at the end of a word.

    Of all capitals only one becomes two characters: İ.
    """
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").lower().replace("\u03c2", "\u03c3")


def places(query: str, text: str) -> list[int]:
    """Where `query` starts in `text`, one after another, none within another one."""
    if not _sensitive(query):
        query, text = _folded(query), _folded(text)
    found: list[int] = []
    at = text.find(query) if query else -1
    while at >= 0:
        found.append(at)
        at = text.find(query, at + len(query))
    return found


def find(query: str, drawn: Drawn) -> list[list[tuple[int, Cells]]]:
    """Each place where `query` can be seen in a drawing: its cells, on every line that it is on."""
    texts: list[str] = []
    for line in drawn.lines:
        wrapped = not line.joint.strip(" ")
        texts.append((plain(line).rstrip() if wrapped else plain(line)) + line.joint)
    starts = list(accumulate(map(len, texts), initial=0))
    hits: list[list[tuple[int, Cells]]] = []
    for start in places(query, "".join(texts)):
        parts: list[tuple[int, Cells]] = []
        end = start + len(query)
        number = bisect_right(starts, start) - 1
        while number < len(texts) and starts[number] < end:
            line, text = drawn.lines[number], texts[number]
            first, last = max(0, start - starts[number]), min(len(text), end - starts[number])
            left = line.gutter + cell_len(text[:first])
            right = min(left + cell_len(text[first:last]), line.strip.cell_length)
            if left < right:
                parts.append((number, (left, right)))
            number += 1
        if parts:
            hits.append(parts)
    return hits
