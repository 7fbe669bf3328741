"""Search over everything in the session, also what is folded or was never drawn."""

import re
from bisect import bisect_left
from itertools import accumulate

from rich.cells import cell_len

from pitui.render.blocks import searchable
from pitui.render.lines import plain
from pitui.session.blocks import Block
from pitui.ui.widgets.transcript.drawings import Drawn
from pitui.ui.widgets.transcript.viewport import Place

Cells = tuple[int, int]


class Search:
    """Where `query` stands. Capitals in it count only if there are any (smart case). Empty when nothing is searched."""

    def __init__(self) -> None:
        self.query = ""
        self.current: tuple[int, int] | None = None
        """The hit that is shown: a block's id, and the how manieth in it."""
        self.came_from: Place | None = None
        """What was at the top of the screen when the search began."""
        self.opened: tuple[Block, tuple[bool | None, bool]] | None = None
        """The block of the shown hit, and what was said of its folding before."""
        self._counts: dict[int, int] = {}
        self._numbers: list[int] = []
        """Indices of the blocks that have hits, rising."""
        self._blocks: list[Block] = []
        self._lines: dict[int, tuple[object, dict[int, list[Cells]]]] = {}

    @property
    def total(self) -> int:
        return sum(self._counts.values())

    @property
    def position(self) -> int:
        """The how manieth of all hits is shown, from 1; 0 for none."""
        if self.current is None:
            return 0
        block_id, nth = self.current
        before = 0
        for number in self._numbers:
            if self._blocks[number].id == block_id:
                return before + nth + 1
            before += self._counts[self._blocks[number].id]
        return 0

    @property
    def numbers(self) -> list[int]:
        """Indices of the blocks that have hits, rising."""
        return self._numbers

    def start(self, query: str, blocks: list[Block]) -> None:
        """Look for `query`. One that only got longer is looked for where the shorter one was found."""
        narrower = bool(self.query) and query.startswith(self.query) and _sensitive(query) == _sensitive(self.query)
        among = [self._blocks[number] for number in self._numbers] if narrower else blocks
        self.query = query
        self.current = None
        self._lines.clear()
        self._counts = {}
        if query:
            for block in among:
                self._count(block)
        self.arrange(blocks)

    def renew(self, changed: list[Block], blocks: list[Block]) -> None:
        """Some blocks look different now, or are new."""
        if self.query:
            for block in changed:
                self._counts.pop(block.id, None)
                self._count(block)
            self.arrange(blocks)

    def arrange(self, blocks: list[Block]) -> None:
        self._blocks = blocks
        self._numbers = (
            [number for number, block in enumerate(blocks) if block.id in self._counts] if self.query else []
        )
        if self.current is not None and self.current[0] not in self._counts:
            self.current = None

    def step(self, forward: bool, index: int) -> tuple[int, int] | None:
        """Go to the next or previous hit, round the ends; from block `index` on when none is shown yet."""
        if not self._numbers:
            self.current = None
            return None
        if self.current is None:
            after = bisect_left(self._numbers, index)
            number = self._numbers[after % len(self._numbers)]
            self.current = (self._blocks[number].id, 0)
            return self.current
        totals = list(accumulate((self._counts[self._blocks[number].id] for number in self._numbers), initial=0))
        ordinal = (self.position - 1 + (1 if forward else -1)) % totals[-1]
        at = bisect_left(totals, ordinal + 1) - 1
        self.current = (self._blocks[self._numbers[at]].id, ordinal - totals[at])
        return self.current

    def cells(self, block: Block, drawn: Drawn) -> dict[int, list[Cells]]:
        """Cells of the hits in a drawn block, by line. A hit over a wrapped line has a part on each of its rows."""
        if block.id not in self._counts:
            return {}
        stamp = (drawn.key, len(drawn.lines))
        known = self._lines.get(block.id)
        if known is None or known[0] != stamp:
            known = self._lines[block.id] = (stamp, _find(self.query, drawn))
        return known[1]

    def place(self, nth: int, block: Block, drawn: Drawn) -> tuple[int, Cells] | None:
        """The line and cells of the `nth` hit in a drawn block, or the last one there if fewer can be seen."""
        found = [(line, cells) for line, spans in sorted(self.cells(block, drawn).items()) for cells in spans]
        return found[min(nth, len(found) - 1)] if found else None

    def clear(self) -> None:
        """Search for nothing."""
        self.came_from = self.opened = None
        self.start("", [])

    def _count(self, block: Block) -> None:
        text = searchable(block)
        if count := (text if _sensitive(self.query) else text.lower()).count(self.query):
            self._counts[block.id] = count


def _sensitive(query: str) -> bool:
    return query != query.lower()


def _find(query: str, drawn: Drawn) -> dict[int, list[Cells]]:
    texts: list[str] = []
    for line in drawn.lines:
        text = plain(line)
        texts.append(text.rstrip() + line.joint if line.joint.strip(" ") == "" else text + line.joint)
    starts = list(accumulate(map(len, texts), initial=0))
    found: dict[int, list[Cells]] = {}
    for match in re.finditer(re.escape(query), "".join(texts), 0 if _sensitive(query) else re.IGNORECASE):
        start, end = match.span()
        number = bisect_left(starts, start + 1) - 1
        while number < len(drawn.lines) and starts[number] < end:
            line = drawn.lines[number]
            text = texts[number]
            first, last = max(0, start - starts[number]), min(len(text), end - starts[number])
            left = line.gutter + cell_len(text[:first])
            right = min(left + cell_len(text[first:last]), line.strip.cell_length)
            if left < right:
                found.setdefault(number, []).append((left, right))
            number += 1
    return found
