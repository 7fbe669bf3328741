"""The widget that shows blocks: what of them is on the screen, and moving there."""

import time
from collections.abc import Callable

from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from pitui.render.palette import Palette
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.widgets.transcript.canvas import Canvas, changed
from pitui.ui.widgets.transcript.cursor import BlockCursor
from pitui.ui.widgets.transcript.drawings import ticks
from pitui.ui.widgets.transcript.painting import Paint, text_width
from pitui.ui.widgets.transcript.ruler import Ruler
from pitui.ui.widgets.transcript.search import Search
from pitui.ui.widgets.transcript.viewport import Viewport

SLICE_SECONDS = 0.008
"""How long the screen may wait for the drawing of something very long, or for a search, at a time."""


class BlockView(Widget):
    """Shows the blocks of a session, follows their end while it is seen, and otherwise does not move by itself.

    `sync` tells it what has changed. Only what is on the screen is drawn. It takes no border and no padding.
    """

    ALLOW_SELECT = False  # Textual selects by rows of the screen; here it is by lines of blocks

    def __init__(
        self,
        session: Session,
        palette: Palette | None = None,
        *,
        empty: str = "",
        end_key: str = "End",
        clock: Callable[[], float] = time.monotonic,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        """`clock` is the one of the session's times, in seconds; `empty` is what an empty conversation shows.

        `end_key` is how the person gets to the end, in words.
        """
        super().__init__(id=id, classes=classes)
        self.session = session
        self.empty = empty
        self.viewport = Viewport(palette or Palette.plain(), clock)
        self.viewport.set_blocks(session.blocks)
        self.ruler = Ruler()
        self.ruler.read(self.viewport.blocks)
        self.hits = Search(self.viewport)
        self.cursor = BlockCursor(self.viewport)
        self.canvas = Canvas(self.viewport, self.ruler, self.hits, self.cursor, end_key)
        self._strips: list[Strip] = []
        self._second: Timer | None = None
        self._drawing: Timer | None = None

    # what the app tells

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session."""
        viewport, hits = self.viewport, self.hits
        if Aspect.REPLACED in changes.aspects:
            self._replace()
        elif Aspect.BLOCKS in changes.aspects:
            kept = viewport.set_blocks(self.session.blocks)
            self.ruler.read(viewport.blocks, kept)
            hits.renew(viewport.blocks[kept:])
        if numbers := viewport.touch(changes.blocks):
            for number in numbers:
                self.ruler.update(number, viewport.blocks[number])
            hits.renew([viewport.blocks[number] for number in numbers])
        if numbers or changes.aspects & (Aspect.REPLACED | Aspect.BLOCKS):
            self.show()

    def begin(self, session: Session) -> None:
        """Show another conversation, from its first block."""
        self.session = session
        self._replace()
        self.viewport.show_start()
        self.show()

    def _replace(self) -> None:
        self.canvas.selection = None
        self.cursor.put(None)
        self.viewport.replace(self.session.blocks)
        self.ruler.read(self.viewport.blocks)
        self.hits.restart()

    def tell_when_empty(self, text: str) -> None:
        """What an empty conversation shows."""
        if text != self.empty:
            self.empty = text
            self.show()

    def set_palette(self, palette: Palette) -> None:
        """Draw everything in other colours."""
        self.viewport.palette = palette
        self.canvas.paint = None
        self.show()

    def set_times(self, times: bool) -> None:
        """Show or hide the time of day at prompts, and what every run took."""
        self.viewport.show_times(times)
        self.show()

    def set_sides(self, sides: bool | None) -> None:
        """Show the two sides of diffs beside each other where there is room, or not; None leaves it to the width."""
        self.viewport.show_sides(sides)
        self.show()

    def toggle_sides(self) -> bool | None:
        """Show the two sides of diffs beside each other, or no more; None when there is no room for that."""
        sides = self.viewport.toggle_sides()
        self.show()
        return sides

    # reading

    @property
    def following(self) -> bool:
        """Whether the end is shown, and stays shown when something comes."""
        return self.viewport.following

    @property
    def unseen(self) -> int:
        """About how many lines came below the last one that was seen; 0 while it follows."""
        return 0 if self.following else self.viewport.unseen

    def scroll_rows(self, rows: int) -> None:
        """Up (negative) or down."""
        if not self.has_focus:
            self.cursor.put(None)
        self.viewport.move(rows)
        self.show()

    def page_up(self) -> None:
        self.scroll_rows(-max(1, self.viewport.height - 2))

    def page_down(self) -> None:
        self.scroll_rows(max(1, self.viewport.height - 2))

    def half_page_up(self) -> None:
        self.scroll_rows(-max(1, self.viewport.height // 2))

    def half_page_down(self) -> None:
        self.scroll_rows(max(1, self.viewport.height // 2))

    def top(self) -> None:
        self.viewport.show_start()
        self.show()

    def end(self) -> None:
        """To the end, and follow it."""
        self.viewport.show_end()
        self.show()

    def previous_prompt(self) -> bool:
        """To the prompt above the block cursor or the top of the screen; whether there is one. So do the next three."""
        return self._to_mark("prompt", -1)

    def next_prompt(self) -> bool:
        return self._to_mark("prompt", 1)

    def previous_error(self) -> bool:
        return self._to_mark("error", -1)

    def next_error(self) -> bool:
        return self._to_mark("error", 1)

    def show_block(self, block_id: int) -> None:
        """Unfold a block, bring it into view and put the block cursor on it."""
        index = self.viewport.index_of(block_id)
        if index is None:
            return
        self.viewport.folds.set(self.viewport.blocks[index], False)
        self.viewport.show(block_id, at=min(2, self.viewport.height // 4))
        self.cursor.put(block_id)
        self.show()

    def _to_mark(self, mark: str, step: int) -> bool:
        viewport = self.viewport
        if not viewport.screen:
            return False
        index = self.ruler.neighbour(mark, self._here(step), step)
        if index is not None:
            viewport.show(viewport.blocks[index].id)
            self.cursor.put(viewport.blocks[index].id)
            self.show()
        return index is not None

    def _here(self, step: int) -> int:
        """The block that the person is at: the one of the cursor if it is seen, else the one at the top."""
        screen, first = self.viewport.screen, self.viewport.screen[0]
        cursor = self.viewport.index_of(self.cursor.block_id) if self.cursor.block_id is not None else None
        if cursor is not None and any(row.number == cursor for row in screen):
            return cursor
        return first.number + (step < 0 and first.line > 0)

    # drawing

    def show(self) -> None:
        """Find out what is on the screen now, and repaint the rows that look different."""
        viewport = self.viewport
        viewport.fill()
        width, height = self.size
        if not self.is_mounted or width <= 0 or height <= 0:
            return
        if self.canvas.paint is None:
            self.canvas.repaint(self._paint())
            viewport.fill()
        old, self._strips = self._strips, self.canvas.strips(width, height, self.unseen, self.empty)
        if regions := changed(old, self._strips):
            self.refresh(*regions)
        self._tick()
        if viewport.unfinished and self._drawing is None:
            self._drawing = self.set_timer(SLICE_SECONDS, self._draw_on)

    def _draw_on(self) -> None:
        self._drawing = None
        self.viewport.draw_on(SLICE_SECONDS)
        self.show()

    def _paint(self) -> Paint:
        return Paint.of(self.viewport.palette, self.rich_style, self.background_colors[1], self.get_line_filters())

    def _tick(self) -> None:
        """Once a second while a time goes on that can be seen."""
        blocks = self.viewport.blocks
        running = any(ticks(blocks[index]) for index in {row.number for row in self.viewport.screen})
        if self._second is None:
            self._second = self.set_interval(1, self.show, pause=True)
        if running:
            self._second.resume()
        else:
            self._second.pause()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows as they are, past Textual's cache of styled lines: they are cached already."""
        strips = self._strips[crop.y : crop.bottom]
        if len(strips) < crop.height:
            strips += [Strip.blank(self.size.width, self.rich_style)] * (crop.height - len(strips))
        if crop.x or crop.width < self.size.width:
            return [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        return self._strips[y] if 0 <= y < len(self._strips) else Strip.blank(self.size.width)

    # events

    def on_mount(self) -> None:
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.viewport.resize(text_width(width), height)
        self.show()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.canvas.paint is not None and self.canvas.paint != self._paint():
            self.canvas.paint = None
            self.show()
