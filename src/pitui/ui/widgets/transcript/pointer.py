"""What the mouse does in the transcript: select, fold, jump on the ruler, drag the scroll bar."""

from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import App
from textual.timer import Timer

from pitui.render.lines import Line
from pitui.ui.widgets.transcript.painting import NARROW
from pitui.ui.widgets.transcript.selection import Selection, Spot

if TYPE_CHECKING:
    from pitui.ui.widgets.transcript.transcript import Transcript

EDGE_SECONDS = 0.05
"""While a selection is dragged past an edge, it scrolls this often."""
DOUBLE_CLICK = App.CLICK_CHAIN_TIME_THRESHOLD
WHEEL_ROWS = 3


def _link_at(line: Line, cell: int) -> str:
    """Where the link at a cell leads; empty where there is none."""
    return next((segment.style.link for segment in line.strip.crop(cell, cell + 1) if segment.style), None) or ""


class Pointer:
    """One press of the button at a time: what it began, and where it is."""

    def __init__(self, transcript: "Transcript") -> None:
        self._transcript = transcript
        self._viewport = transcript.viewport
        self._pressed: Spot | None = None
        self._start = (0, 0)
        self._dragged = False
        self._grip: int | None = None
        """How far below the first row of the thumb the scroll bar is held."""
        self._edge: Timer | None = None
        self._link: Timer | None = None
        """A link was clicked, and opens if that does not become a double click."""
        self._past = 0
        """Rows that the pointer is above (negative) or below the widget."""
        self._x = 0

    def down(self, event: events.MouseDown) -> None:
        self._dragged = False
        if event.button != 1:
            return
        if self._link is not None and (event.x, event.y) == self._start:
            self._link.stop()
        transcript = self._transcript
        width, height = transcript.size
        self._pressed = None
        if width >= NARROW and event.x == width - 1:
            self._grab(event.y, height)
        elif width >= NARROW and event.x == width - 2:
            self._dragged = True
            self._jump(event.y)
            return
        else:
            self._pressed = self._spot(event.x, event.y)
            self._start = (event.x, event.y)
        transcript.capture_mouse()

    def move(self, event: events.MouseMove) -> None:
        if self._grip is not None:
            self._drag_bar(event.y)
        elif self._pressed is not None and (self._dragged or (event.x, event.y) != self._start):
            if not self._dragged:
                self._dragged = True
                self._viewport.held = True
                self._viewport.following = False
            self._x = event.x
            self._past = self._rows_past(event)
            if self._past and self._edge is None:
                self._edge = self._transcript.set_interval(EDGE_SECONDS, self._scroll_on)
            self._extend(event.x, event.y)

    def _rows_past(self, event: events.MouseMove) -> int:
        """How far it is above (negative) or below the widget; the first row of the terminal has none above it."""
        if event.y == 0 and event.screen_y == 0 and self._start[1] > 0:
            return -1
        return min(0, event.y) + max(0, event.y - self._transcript.size.height + 1)

    def up(self) -> None:
        self._transcript.release_mouse()
        if self._edge is not None:
            self._edge.stop()
            self._edge = None
        self._grip = self._pressed = None
        self._viewport.held = False

    def click(self, event: events.Click) -> None:
        """A press and release at one place: fold; twice: select a word; three times: the block."""
        if self._dragged or event.button not in (1, 3):
            return
        transcript = self._transcript
        if transcript.unseen and event.y == transcript.size.height - 1:
            transcript.end()
            return
        spot = self._spot(event.x, event.y)
        if spot is None or spot.line < 0:
            transcript.select(None)
        elif event.button == 3:
            transcript.post_message(transcript.MenuRequested(spot.block_id))
        elif event.chain == 1:
            transcript.select(None)
            self._follow(spot, at_once=event.ctrl)
        elif event.chain == 2:
            transcript.select(Selection.word(self._viewport, spot))
        else:
            transcript.select(Selection.block(self._viewport, spot.block_id))

    def _jump(self, y: int) -> None:
        """To what the ruler marks there."""
        viewport = self._viewport
        if (mark := self._transcript.canvas.mark(y)) is not None:
            viewport.show(viewport.blocks[mark.number].id, mark.line, at=min(2, viewport.height // 4))
            self._transcript.show()

    def _follow(self, spot: Spot, *, at_once: bool) -> None:
        """A link opens, and so does the row that stands for more of a block; its first line folds it.

        A block that is folded opens by any line. A link waits for a second click, which selects a word of it.
        """
        transcript, viewport = self._transcript, self._viewport
        index = viewport.index_of(spot.block_id)
        if index is None:
            return
        line = viewport.drawn(index).lines[spot.line]
        if address := _link_at(line, spot.cell):
            clicked = transcript.LinkClicked(address)
            if at_once:
                transcript.post_message(clicked)
            else:
                self._link = transcript.set_timer(DOUBLE_CLICK, partial(transcript.post_message, clicked))
        elif line.leads == "output":
            transcript.post_message(transcript.OutputRequested(spot.block_id))
        elif line.leads == "all":
            transcript.show_whole(spot.block_id)
        elif spot.line == 0 or viewport.folds(viewport.blocks[index]):
            transcript.toggle_block(spot.block_id)

    def _spot(self, x: int, y: int) -> Spot | None:
        """The cell of a block that is shown there, or the last one above."""
        screen = self._viewport.screen
        if not screen:
            return None
        below = y >= len(screen)
        row = screen[max(0, min(y, len(screen) - 1))]
        return Spot(self._viewport.blocks[row.number].id, row.line, 1 << 30 if below else max(0, x))

    def _extend(self, x: int, y: int) -> None:
        height = self._transcript.size.height
        spot = self._spot(x, max(0, min(y, height - 1)))
        if spot is not None and self._pressed is not None:
            self._transcript.select(Selection(self._viewport, self._pressed, spot))

    def _scroll_on(self) -> None:
        if self._past:
            self._transcript.scroll_rows(self._past)
            self._extend(self._x, 0 if self._past < 0 else self._transcript.size.height - 1)

    def _grab(self, y: int, height: int) -> None:
        thumb = self._transcript.canvas.thumb(height)
        if not thumb:
            return
        self._dragged = True
        self._grip = y - thumb.start if y in thumb else len(thumb) // 2
        self._drag_bar(y)

    def _drag_bar(self, y: int) -> None:
        height = self._transcript.size.height
        room = height - len(self._transcript.canvas.thumb(height))
        start = max(0, min(y - (self._grip or 0), room))
        rows = self._viewport.rows.total - height
        self._viewport.show_row(rows if start == room else start * rows // max(1, room))
        self._transcript.show()
