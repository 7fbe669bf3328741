"""Search over everything in the session, also what is folded or was never drawn."""

import time
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from operator import attrgetter
from typing import NamedTuple

from pitui import render
from pitui.session.blocks import Block
from pitui.ui.widgets.transcript.drawings import Drawn
from pitui.ui.widgets.transcript.folds import FoldState
from pitui.ui.widgets.transcript.hits import Cells, DrawnHits, Parts, count, is_sensitive, places
from pitui.ui.widgets.transcript.viewport import Place, Viewport

RENEW_SECONDS = 0.004
"""How long the screen may wait for what has changed to be searched anew."""
SEEN = 200
"""Drawings whose hits are kept."""
STRIDE, GROWN = 1000, 8000
"""Rows of a long block that are drawn at a time up to a hit, and after how many it is looked for in them."""
SHARES = 500
"""Hits of a block that is not drawn whose place is told."""
LONG = 5000
"""Lines of a drawing whose hits are not counted anew: the source has as many."""


class Hit(NamedTuple):
    """The `nth` place, from 0, in a block where the query stands."""

    block_id: int
    nth: int


class Origin(NamedTuple):
    """Where the person was, and what was on the screen: of each block, by its id, the first line and the last one."""

    place: Place
    following: bool
    seen: dict[int, tuple[int, int]]


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
        self._rest: OrderedDict[int, Block] = OrderedDict()
        self._counting: tuple[int, Iterator[int | None]] | None = None
        """The block that is being looked through."""
        self._awaited: int | None = None
        """The step by which the current hit was come to, while what it stands in is still drawn up to it."""
        self._looking = False
        """Not every block has been searched once: the first hit that is found will be shown."""
        self._aim: Hit | None = None
        """A hit that was on the screen when the search began."""
        self._shares: dict[int, tuple[int, list[float]]] = {}
        """Where the hits in a block are, with the version of the block."""
        self._found: dict[int, tuple[tuple[object, bool, int], DrawnHits]] = {}
        self._origin: Origin | None = None
        self._opened: tuple[Block, FoldState] | None = None

    # how it stands

    @property
    def numbers(self) -> list[int]:
        """Blocks that have hits, by number, rising."""
        return self._ordered()[0]

    def lines_of(self, number: int) -> list[int]:
        """The lines of block number `number` on which its hits start; of one that is not drawn about where they are."""
        viewport = self._viewport
        block, height = viewport.blocks[number], viewport.rows[number] - viewport.gap(number)
        drawn = viewport.drawings.peek(block.id)
        if drawn is not None and len(drawn.lines) == height <= LONG:
            return [parts[0][0] for parts in self._hits(block, drawn).all]
        known = self._shares.get(block.id)
        if known is None or known[0] != block.version:
            known = self._shares[block.id] = block.version, self._shares_in(block)
        return [int(share * height) for share in known[1]]

    def _shares_in(self, block: Block) -> list[float]:
        """How much of a block stands before each of its hits; of very many only the first ones."""
        before, found = 0, list[int]()
        for _, shown in render.search.searchable(block):
            found += [before + at for at in places(self.query, shown, SHARES - len(found))]
            before += len(shown)
        return [at / max(1, before) for at in found]

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
        return bool(self._rest or self._counting) or self._awaited is not None

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
        """Look for `query` around where the search began, ever further from there; `go_on` does it.

        One that only got longer is looked for where the shorter one was found, or was not looked for yet.
        """
        viewport = self._viewport
        if self._origin is None:
            self._origin = Origin(viewport.place, viewport.following, _on_screen(viewport))
        narrower = bool(self.query) and query.startswith(self.query) and is_sensitive(query) == is_sensitive(self.query)
        if narrower:
            unknown = {*self._rest, *(self._counting or ())[:1]}
            among = [block for block in viewport.blocks if block.id in self._counts or block.id in unknown]
        else:
            among = viewport.blocks
        self.query = query
        self._forget()
        self._looking = bool(query)
        if query:
            self._aim = self._first_seen()
            ordered = self._from_near_to_far(among)
            self._rest = OrderedDict(zip(map(attrgetter("id"), ordered), ordered, strict=True))
        else:
            self._fold()
            self._go_back(self._origin)

    def _from_near_to_far(self, among: list[Block]) -> list[Block]:
        """What was on the screen, first of all the hit that was, and then in turn what is below and above it."""
        index_of = self._viewport.index_of
        first, last = (
            bisect_left(among, number, key=lambda block: index_of(block.id) or 0) for number in self._seen_numbers()
        )
        aimed = index_of(self._aim.block_id) if self._aim is not None else None
        hit = [] if aimed is None else [self._viewport.blocks[aimed]]
        above, below = among[:first][::-1], among[last:]
        both = min(len(above), len(below))
        in_turn = list(chain.from_iterable(zip(below[:both], above[:both], strict=True)))
        return [*hit, *among[first:last], *in_turn, *below[both:], *above[both:]]

    def _seen_numbers(self) -> tuple[int, int]:
        """The number of the first block that was on the screen, and of the first one below."""
        seen = self._origin.seen if self._origin is not None else ()
        numbers = [number for number in map(self._viewport.index_of, seen) if number is not None]
        return min(numbers, default=0), max(numbers, default=-1) + 1

    def _first_seen(self) -> Hit | None:
        """The first hit that was on the screen, of drawings that are short enough to be looked through at once."""
        for block_id, (first, last) in self._origin.seen.items() if self._origin is not None else ():
            for nth, line in enumerate(self._lines(block_id)):
                if first <= line <= last:
                    return Hit(block_id, nth)
        return None

    def _nearest(self, block_id: int) -> tuple[Hit, int]:
        """The hit of a block that is nearest to where the search began, and the step that leads to it."""
        if self._aim is not None and self._aim.block_id == block_id:
            return self._aim, 1
        last = self._counts[block_id] - 1
        if (self._viewport.index_of(block_id) or 0) < self._seen_numbers()[0]:
            return Hit(block_id, last), -1
        first = self._origin.seen.get(block_id, (0, 0))[0] if self._origin is not None else 0
        return Hit(block_id, min(last, sum(line < first for line in self._lines(block_id)))), 1

    def _lines(self, block_id: int) -> list[int]:
        """The lines of a drawing on which its hits start; none of one that is too long to be looked through at once."""
        number = self._viewport.index_of(block_id)
        drawn = self._viewport.drawn(number) if number is not None else None
        if number is None or drawn is None or len(drawn.lines) > LONG:
            return []
        return [parts[0][0] for parts in self._hits(self._viewport.blocks[number], drawn).all]

    def restart(self) -> None:
        """Another session is open: look for the same in that one, from where it is shown."""
        self._origin = self._opened = None
        self._found.clear()
        if self.query:
            query, self.query = self.query, ""
            self.start(query)

    def go_on(self, seconds: float) -> None:
        """Search for about so long, and show the first hit as soon as it is found."""
        deadline = time.perf_counter() + seconds
        while self.busy and time.perf_counter() < deadline:
            self._go_on()
        if self._looking and not self.busy:
            self._looking = False
            if self.current is None:
                self._fold()
                self._go_back(self._origin)

    def _draw_on(self, step: int) -> None:
        """Draw more of a long block, up to the current hit."""
        index = self._viewport.index_of(self.current.block_id) if self.current is not None else None
        if self.current is None or index is None:
            self._awaited = None
            return
        drawn = self._viewport.drawn(index)
        drawn = self._viewport.drawn(index, len(drawn.lines) + STRIDE)
        if not drawn.unfinished or self._hits(self._viewport.blocks[index], drawn).has(self.current.nth):
            self._show(step)

    def _go_on(self) -> None:
        """Draw on up to the current hit, or count the hits in one piece of a block."""
        if self._awaited is not None:
            self._draw_on(self._awaited)
            return
        if self._counting is None:
            _, block = self._rest.popitem(last=False)
            self._counting = block.id, self._count(block)
        block_id, counting = self._counting
        total = next(counting, None)
        if total is None:
            return
        self._counting = None
        self._put(block_id, total)
        if total and self._looking and self.current is None:
            self.current, step = self._nearest(block_id)
            self._show(step)

    def renew(self, changed: Iterable[Block]) -> None:
        """Some blocks look different now, are new, or have gone. What is found in them does not move the view."""
        if self.query:
            self._order = None
            self._rest.update((block.id, block) for block in changed)
            if not self._looking:
                self.go_on(RENEW_SECONDS)

    def clear(self, back: bool) -> None:
        """Search for nothing; `back` to where it began."""
        origin, self._origin = self._origin, None
        self.query = ""
        self._forget()
        self._fold()
        self._found.clear()
        if back:
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
        self.current = self._aim = None
        self.around = 0
        self._counts.clear()
        self._shares.clear()
        self._rest.clear()
        self._counting = self._awaited = None
        self._looking = False
        self._order = None

    def _count(self, block: Block) -> Iterator[int | None]:
        """How many hits a block has, after None for each piece of it that was looked through."""
        total = 0
        for source, shown in render.search.searchable(block):
            in_source = count(self.query, source)
            total += in_source if shown is source else max(in_source, count(self.query, shown))
            yield None
        yield total

    def _is_hidden(self, block: Block) -> bool:
        """What was said has the query, but the drawing shows it in another way."""
        return any(count(self.query, source) for source, _ in render.search.searchable(block))

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

    def cells(self, block: Block, drawn: Drawn, line: int) -> list[Cells]:
        """Cells of the hits on a line of a drawn block. A hit over a wrapped line has a part on each of its rows."""
        return self._hits(block, drawn).cells(line) if block.id in self._counts else []

    def current_cells(self, block: Block, drawn: Drawn) -> Parts:
        """Lines and cells of the current hit, if it is in this block: all of its first line when it cannot be seen."""
        if self.current is None or self.current.block_id != block.id or not drawn.lines:
            return []
        first = drawn.lines[0]
        whole = (0, (first.gutter, first.strip.cell_length))
        return self._hits(block, drawn).at(self.current.nth) or [whole]

    def _hits(self, block: Block, drawn: Drawn) -> DrawnHits:
        lines = len(drawn.lines)
        stamp = (drawn.key, drawn.unfinished, lines // GROWN if drawn.unfinished else lines)
        known = self._found.get(block.id)
        if known is None or known[0] != stamp:
            if len(self._found) >= SEEN:
                self._found.clear()
            grows = known is not None and known[0][:2] == (drawn.key, True)
            hits = known[1].grown(drawn.lines) if known is not None and grows else DrawnHits(drawn.lines)
            known = self._found[block.id] = (stamp, hits)
        known[1].look_for(self.query)
        return known[1]

    def _show(self, step: int) -> None:
        """Open the block of the current hit, and show it unless it is seen.

        A block has as many hits as its drawing. One that has none but by its source counts as one; if that has none
        either it goes on by `step`.
        """
        viewport = self._viewport
        self._awaited = None
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
            before, last = self.position - 1 - hit.nth, hit.nth == self._counts[block.id] - 1
            drawn = viewport.drawn(index, LONG + 1)
            if drawn.unfinished and not self._hits(block, drawn).has(hit.nth):
                self._awaited = step  # `go_on` draws up to it
                return
            if len(drawn.lines) <= LONG:
                self._put(block.id, len(self._hits(block, drawn).all) or int(self._is_hidden(block)))
            if block.id in self._counts:
                if step < 0 and last:
                    self.current = Hit(block.id, self._counts[block.id] - 1)
                if parts := self.current_cells(block, drawn):
                    self._reveal(index, parts[0][0])
                return
            if self.total:
                self._choose(before if step > 0 else before - 1, step)

    def _reveal(self, index: int, line: int) -> None:
        viewport = self._viewport
        if not any(row.number == index and row.line == line for row in viewport.fill()[:-1]):
            viewport.show(viewport.blocks[index].id, line, viewport.height // 3)

    def _go_back(self, origin: Origin | None) -> None:
        viewport = self._viewport
        if origin is None:
            return
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


def _on_screen(viewport: Viewport) -> dict[int, tuple[int, int]]:
    seen: dict[int, tuple[int, int]] = {}
    for row in viewport.screen:
        if row.line >= 0:
            block_id = viewport.blocks[row.number].id
            seen[block_id] = (seen.get(block_id, (row.line, 0))[0], row.line)
    return seen
