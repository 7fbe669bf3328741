"""Blocks that are drawn: their lines and what was painted of them, kept while they are near."""

import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from textual.strip import Strip

from pitui import render
from pitui.render.amounts import number
from pitui.render.lines import Line, note
from pitui.render.look import Look
from pitui.session.blocks import BashBlock, Block, ToolBlock, ToolState
from pitui.ui.widgets.transcript.painting import Decoration

if TYPE_CHECKING:
    from pitui.render.pieces import Piece, Prose

LINES_KEPT = 4000
"""About a hundred screens. What is further away is drawn anew when it is seen again."""

AT_ONCE = 400
"""Rows that are always drawn at once: what is seldom exceeded."""


def ticks(block: Block) -> bool:
    """Whether it shows a time that goes on."""
    match block:
        case ToolBlock(state=ToolState.RUNNING) | BashBlock(running=True):
            return block.started_at is not None
        case _:
            return False


Painted = tuple[Decoration, Strip] | None
"""What a line was last painted as, and with what decoration."""


class Drawn:
    """The lines of one block and what was painted of each. While it is `unfinished`, the last line says so."""

    def __init__(self) -> None:
        self.key: tuple[object, ...] = ()
        self.lines: list[Line] = []
        self.painted: list[Painted] = []
        self.prose: Prose | None = None
        self._rest: Iterator[Piece] = iter(())
        self._next: Piece | None = None
        """Drawn ahead, for only so it is known whether there is more."""
        self._look: Look | None = None
        self._noted = False
        self._before: Sequence[tuple[Line, Painted]] = ()

    @property
    def unfinished(self) -> bool:
        """More lines will come."""
        return self._next is not None

    def begin(self, pieces: "Iterable[Piece]", look: Look) -> None:
        """Draw something else, first of all its first piece. A line that looks as before needs no new paint."""
        self._take_note()
        self._before = list(zip(self.lines, self.painted, strict=True))
        self.lines, self.painted, self._next = [], [], None
        self.go_on(pieces, look)

    def go_on(self, pieces: "Iterable[Piece]", look: Look) -> None:
        """Draw these after the pieces that were taken until now."""
        self._take_note()
        self._rest, self._look = chain(() if self._next is None else (self._next,), pieces), look
        self._next = next(self._rest, None)
        self._draw_next()

    def draw(self, rows: int, deadline: float = 0) -> None:
        """Draw so many rows at least, if there are, and go on to the deadline."""
        if self._noted and len(self.lines) > rows and not deadline:
            return
        self._take_note()
        while self._next is not None and (len(self.lines) < rows or time.perf_counter() < deadline):
            self._draw_next()
        if self._next is None:
            self._before = ()
        elif self._look is not None:
            self._note(self._look)

    def _draw_next(self) -> None:
        if self._next is not None:
            self._put(*self._next)
        self._next = next(self._rest, None)

    def _put(self, start: int, lines: list[Line]) -> None:
        was = list(zip(self.lines[start:], self.painted[start:], strict=True))
        was = was or self._before[start : start + len(lines)]
        del self.lines[start:], self.painted[start:]
        for at, line in enumerate(lines):
            old, painted = was[at] if at < len(was) else (line, None)
            same = painted is not None and old == line
            self.lines.append(old if same else line)
            self.painted.append(painted if same else None)

    def _note(self, look: Look) -> None:
        self._noted = True
        self.lines.append(note(f"  … drawing, {number(len(self.lines), 'row')} so far", look))
        self.painted.append(None)

    def _take_note(self) -> None:
        if self._noted:
            self._noted = False
            del self.lines[-1], self.painted[-1]


class Drawings:
    """The blocks drawn last, for one width and one palette at a time; `clear` when either changes."""

    def __init__(self, limit: int = LINES_KEPT) -> None:
        self.limit = limit
        self.lines = 0
        """How many lines are kept now."""
        self._drawn: OrderedDict[int, Drawn] = OrderedDict()

    def get(self, block: Block, look: Look, rows: int = 0) -> Drawn:
        """A block as it looks now: of something very long at least `rows` rows."""
        drawn = self._drawn.get(block.id)
        if drawn is None:
            drawn = self._drawn[block.id] = Drawn()
        else:
            self._drawn.move_to_end(block.id)
        key = (block.version, block.finished, look.folded, look.full, look.times, int(look.now) * ticks(block))
        before = len(drawn.lines)
        if drawn.key != key:
            self._begin(drawn, block, look)
            drawn.key = key
        drawn.draw(max(rows, AT_ONCE))
        self.lines += len(drawn.lines) - before
        return drawn

    def go_on(self, drawn: Drawn, seconds: float) -> None:
        """Draw more of an unfinished one, for about so long, a row at least."""
        before = len(drawn.lines)
        drawn.draw(before, time.perf_counter() + seconds)
        self.lines += len(drawn.lines) - before

    def peek(self, block_id: int) -> Drawn | None:
        """As it was drawn last, if it is kept."""
        return self._drawn.get(block_id)

    def trim(self, visible: int) -> None:
        """Let go of what was asked for longest ago; the last `visible` ones are on the screen and stay."""
        while self.lines > self.limit and len(self._drawn) > visible:
            _, drawn = self._drawn.popitem(last=False)
            self.lines -= len(drawn.lines)

    def clear(self) -> None:
        self._drawn.clear()
        self.lines = 0

    def _begin(self, drawn: Drawn, block: Block, look: Look) -> None:
        """What was drawn while it grew is gone on with also when it has ended: it is the same, and costs less."""
        prose = render.blocks.prose(block, look)
        if prose is None or (block.finished and drawn.prose is None):
            drawn.prose = None
            drawn.begin(render.blocks.pieces(block, look), look)
            return
        text, look = prose
        if drawn.prose is None:
            drawn.prose = render.pieces.Prose(look)
            drawn.begin(drawn.prose.pieces(text), look)
        else:
            drawn.go_on(drawn.prose.pieces(text), look)
        if block.finished:
            drawn.prose = None
