"""Blocks that are drawn: their lines and what was painted of them, kept while they are near."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.strip import Strip

from pitui import render
from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.session.blocks import BashBlock, Block, ToolBlock, ToolState
from pitui.ui.widgets.transcript.painting import Decoration

if TYPE_CHECKING:
    from pitui.render.streaming import OpenMarkdown

LINES_KEPT = 4000
"""About a hundred screens. What is further away is drawn anew when it is seen again."""


def ticks(block: Block) -> bool:
    """Whether it shows a time that goes on."""
    match block:
        case ToolBlock(state=ToolState.RUNNING) | BashBlock(running=True):
            return block.started_at is not None
        case _:
            return False


@dataclass(slots=True, eq=False)
class Drawn:
    """The lines of one block. `painted` has, for each, what it was last painted as, and with what decoration."""

    key: tuple[object, ...] = ()
    lines: list[Line] = field(default_factory=list[Line])
    painted: list[tuple[Decoration, Strip] | None] = field(default_factory=list[tuple[Decoration, Strip] | None])
    writer: "OpenMarkdown | None" = None

    def renew(self, lines: Sequence[Line], kept: int = 0) -> None:
        """Take new lines, of which the first `kept` are the old ones; any that look the same need no new paint."""
        kept = min(kept, len(self.lines))
        old_lines, old_painted = self.lines[kept:], self.painted[kept:]
        del self.lines[kept:], self.painted[kept:]
        for number, line in enumerate(lines[kept:]):
            if number < len(old_lines) and old_lines[number] == line:
                self.lines.append(old_lines[number])
                self.painted.append(old_painted[number])
            else:
                self.lines.append(line)
                self.painted.append(None)


class Drawings:
    """The blocks drawn last, for one width and one palette at a time; `clear` when either changes."""

    def __init__(self, limit: int = LINES_KEPT) -> None:
        self.limit = limit
        self.lines = 0
        """How many lines are kept now."""
        self._drawn: OrderedDict[int, Drawn] = OrderedDict()

    def get(self, block: Block, look: Look) -> Drawn:
        drawn = self._drawn.get(block.id)
        if drawn is None:
            drawn = self._drawn[block.id] = Drawn()
        else:
            self._drawn.move_to_end(block.id)
        key = (block.version, block.finished, look.folded, look.full, look.times, int(look.now) * ticks(block))
        if drawn.key != key:
            self.lines -= len(drawn.lines)
            self._draw(drawn, block, look)
            drawn.key = key
            self.lines += len(drawn.lines)
        return drawn

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

    def _draw(self, drawn: Drawn, block: Block, look: Look) -> None:
        """What was drawn while it grew is gone on with also when it has ended: it is the same, and costs less."""
        prose = render.blocks.prose(block, look)
        if prose is None or (block.finished and drawn.writer is None):
            drawn.writer = None
            drawn.renew(render.blocks.draw(block, look))
            return
        text, look = prose
        if drawn.writer is None:
            drawn.writer = render.streaming.OpenMarkdown(look)
        lines = drawn.writer.update(text)
        drawn.renew(lines, drawn.writer.kept)
        if block.finished:
            drawn.writer = None
