"""The widget that shows the conversation: one, however long it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from pitui.render.palette import Palette
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.widgets.transcript.canvas import Canvas, changed
from pitui.ui.widgets.transcript.cursor import BlockCursor
from pitui.ui.widgets.transcript.drawings import ticks
from pitui.ui.widgets.transcript.painting import Paint, text_width
from pitui.ui.widgets.transcript.pointer import WHEEL_ROWS, Pointer
from pitui.ui.widgets.transcript.ruler import Ruler
from pitui.ui.widgets.transcript.search import Search
from pitui.ui.widgets.transcript.selection import Selection
from pitui.ui.widgets.transcript.sources import codes, joined, last_answer
from pitui.ui.widgets.transcript.viewport import Viewport

SEARCH_SECONDS = 0.008
"""How long the screen may wait for the search at a time."""
FOLDABLE = frozenset({"tool", "thinking", "bash", "compaction", "branch_summary", "unknown"})


class Transcript(Widget, can_focus=True):
    """Shows the blocks of a session, follows their end while it is seen, and otherwise does not move by itself.

    `sync` tells it what has changed; everything else is what the person wants to see. Only what is on the screen is
    drawn. It takes no border and no padding.
    """

    @dataclass
    class Opened(Message):
        """The person unfolded a block."""

        block_id: int

    @dataclass
    class CopyRequested(Message):
        """The person wants `text` on the clipboard."""

        text: str

    @dataclass
    class MenuRequested(Message):
        """The person wants to know what can be done with a block."""

        block_id: int

    @dataclass
    class OutputRequested(Message):
        """The person wants all of the output of which a block has a part."""

        block_id: int

    @dataclass
    class LinkClicked(Message):
        """The person clicked a link; `address` leads to the web or to mail."""

        address: str

    class FollowChanged(Message):
        """It began or ceased to follow the end; see `Transcript.following`."""

    @dataclass
    class Searched(Message):
        """The search has found `total` hits, until now while `searching`, and shows hit `position`, from 1; 0 for none.

        `around` is 1 when the last step went on from the top, -1 when it went on from the end, else 0.
        """

        total: int
        position: int
        searching: bool
        around: int

    ALLOW_SELECT = False  # Textual selects by rows of the screen; here it is by lines of blocks
    FOCUS_ON_CLICK = False
    DEFAULT_CSS = "Transcript { width: 1fr; height: 1fr; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor(-1)", "Previous block", show=False),
        Binding("down", "cursor(1)", "Next block", show=False),
        Binding("shift+up", "cursor(-1, True)", "The previous block too", show=False),
        Binding("shift+down", "cursor(1, True)", "The next block too", show=False),
        Binding("enter,space", "toggle_block", "Open or fold it"),
        Binding("right", "show_whole(True)", "Show all of it", show=False),
        Binding("left", "show_whole(False)", "Fold it", show=False),
        Binding("tab", "menu", "What can be done with it"),
        Binding("ctrl+c", "copy_block", "Copy it, or what is selected"),
        Binding("ctrl+y", "copy_code", "Copy its code, one after another"),
        Binding("home", "top", "To the top", show=False),
        Binding("end", "end", "To the end", show=False),
    ]

    following: reactive[bool] = reactive(True, repaint=False, init=False)
    """Whether the end is shown, and stays shown when something comes."""

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
        self._pointer = Pointer(self)
        self._code = (0, 0)
        """The block of which code was copied last, and how many pieces of it."""
        self._strips: list[Strip] = []
        self._second: Timer | None = None
        self._slice: Timer | None = None

    # what the app tells

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session."""
        viewport, hits = self.viewport, self.hits
        if Aspect.REPLACED in changes.aspects:
            self.canvas.selection = None
            self.cursor.put(None)
            viewport.replace(self.session.blocks)
            self.ruler.read(viewport.blocks)
            hits.restart()
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
            if hits.query:
                self._tell_search()

    def set_palette(self, palette: Palette) -> None:
        """Draw everything in other colours."""
        self.viewport.palette = palette
        self.canvas.paint = None
        self.show()

    def set_times(self, times: bool) -> None:
        """Show or hide the time of day at prompts, and what every run took."""
        self.viewport.show_times(times)
        self.show()

    def toggle_sides(self) -> bool | None:
        """Show the two sides of diffs beside each other, or no more; None when there is no room for that."""
        sides = self.viewport.toggle_sides()
        self.show()
        return sides

    # reading

    @property
    def unseen(self) -> int:
        """About how many lines came below the last one that was seen; 0 while it follows."""
        return 0 if self.viewport.following else self.viewport.unseen

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

    # folding

    def toggle_kind(self, kind: str) -> None:
        """Open all blocks of a kind if one is folded, else fold them; so will new ones be."""
        folded = self.viewport.folds.any_folded(kind, self.viewport.blocks)
        self.viewport.fold_kind(kind, not folded)
        self.show()

    def toggle_block(self, block_id: int) -> None:
        """Open or fold a block; its first line stays where it is on the screen."""
        index = self.viewport.index_of(block_id)
        if index is None or self.viewport.blocks[index].kind not in FOLDABLE:
            return
        block = self.viewport.blocks[index]
        folded = not self.viewport.folds(block)
        self.viewport.fold(block, folded)
        self.show()
        if not folded:
            self.post_message(self.Opened(block_id))

    def has_more(self, block_id: int) -> bool:
        """Whether a part of a block is left out though it is open, or shown because all of it was wanted."""
        index = self.viewport.index_of(block_id)
        if index is None:
            return False
        lines = self.viewport.drawn(index).lines
        return self.viewport.folds.whole(self.viewport.blocks[index]) or any(line.leads == "all" for line in lines)

    def show_whole(self, block_id: int, whole: bool = True) -> None:
        """Show all of a block, however long it is, or only as much as is good to read."""
        index = self.viewport.index_of(block_id)
        if index is not None:
            self.viewport.folds.set_whole(self.viewport.blocks[index], whole)
            self.viewport.fold(self.viewport.blocks[index], False)
            self.show()

    # copying

    def last_answer_source(self) -> str:
        """Markdown of the last answer; empty when there is none."""
        return last_answer(self.viewport.blocks)

    def selected_source(self) -> str:
        """Source of what is selected; empty when nothing is."""
        return self.canvas.selection.source() if self.canvas.selection else ""

    def select(self, selection: Selection | None) -> None:
        """Select this and nothing else; None for nothing at all."""
        self.canvas.selection = selection
        self.show()

    # searching

    def search(self, query: str) -> int:
        """Look for `query` as it is typed, and show the first hit below where that began; how many there are so far.

        A long conversation is searched on between frames: `Searched` tells how it goes.
        """
        self.hits.start(query)
        self._search_on()
        return self.hits.total

    @property
    def searching(self) -> bool:
        """The search has not seen everything yet."""
        return self.hits.busy

    def _search_on(self) -> None:
        self.hits.go_on(SEARCH_SECONDS)
        self.show()
        self._tell_search()

    def _tell_search(self) -> None:
        """Tell how the search goes, and see to it that it goes on."""
        hits = self.hits
        self.post_message(self.Searched(hits.total, hits.position, hits.busy, hits.around))
        if self._slice is not None:
            self._slice.stop()
        self._slice = self.set_timer(SEARCH_SECONDS, self._search_on) if hits.busy else None

    def next_hit(self) -> None:
        self._step_hit(1)

    def previous_hit(self) -> None:
        self._step_hit(-1)

    def _step_hit(self, step: int) -> None:
        self.hits.step(step)
        self.show()
        self._tell_search()

    def clear_search(self, back: bool = False) -> None:
        """Search no more; with `back` return to where it began."""
        self.hits.clear(back)
        self.show()

    def stay_at_hit(self) -> None:
        """Search no more, and put the block cursor on the block of the hit, which stays open."""
        block_id = self.hits.stay()
        if block_id is not None:
            self.cursor.put(block_id)
        self.show()

    # keys

    def action_cursor(self, step: int, extend: bool = False) -> None:
        self.cursor.move(step, extend=extend)
        self.show()

    def action_toggle_block(self) -> None:
        if (block := self.cursor.block()) is not None:
            self.toggle_block(block.id)

    def action_show_whole(self, whole: bool) -> None:
        block = self.cursor.block()
        if block is None:
            return
        if whole:
            self.show_whole(block.id)
        elif not self.viewport.folds(block):
            self.viewport.folds.set_whole(block, False)
            self.toggle_block(block.id)

    def action_menu(self) -> None:
        if (block := self.cursor.block()) is not None:
            self.post_message(self.MenuRequested(block.id))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is nothing to copy its key means what it means elsewhere."""
        return action != "copy_block" or bool(self.selected_source()) or self.cursor.block() is not None

    def action_copy_block(self) -> None:
        if selected := self.selected_source():
            self.select(None)
            self.post_message(self.CopyRequested(selected))
        elif source := joined(self.cursor.blocks()):
            self.post_message(self.CopyRequested(source))

    def action_copy_code(self) -> None:
        """Copy a code block of the block under the cursor; again, and it is the next one."""
        block = self.cursor.block()
        if block is not None and (found := codes(block)):
            copied = self._code[1] if self._code[0] == block.id else 0
            self.post_message(self.CopyRequested(found[copied % len(found)].text))
            self._code = (block.id, copied + 1)

    def action_top(self) -> None:
        self.top()

    def action_end(self) -> None:
        self.end()

    # drawing

    def show(self) -> None:
        """Find out what is on the screen now, and repaint the rows that look different."""
        viewport = self.viewport
        viewport.fill()
        self.following = viewport.following
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

    def watch_following(self, following: bool) -> None:
        if following and not self.viewport.following:
            self.end()
        elif not following:
            self.viewport.following = False
        self.post_message(self.FollowChanged())

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

    def on_focus(self) -> None:
        self.cursor.block()
        self.show()

    def on_blur(self) -> None:
        self.cursor.put(None)
        self.show()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pointer.down(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._pointer.move(event)

    def on_mouse_up(self) -> None:
        self._pointer.up()

    def on_click(self, event: events.Click) -> None:
        self._pointer.click(event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(WHEEL_ROWS)
