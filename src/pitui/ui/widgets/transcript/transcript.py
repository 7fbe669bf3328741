"""The chat: a conversation that is read, folded, searched and copied with keys and mouse."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from pitui.render.palette import Palette
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.widgets.transcript.pointer import WHEEL_ROWS, Pointer
from pitui.ui.widgets.transcript.selection import Selection
from pitui.ui.widgets.transcript.sources import code_lines, code_name, codes, joined, last_answer
from pitui.ui.widgets.transcript.view import SLICE_SECONDS, BlockView

FOLDABLE = frozenset({"tool", "thinking", "bash", "compaction", "branch_summary", "unknown"})


class Transcript(BlockView, can_focus=True):
    """The one widget of a conversation, however long it is: `BlockView`, and what the person does with the blocks."""

    @dataclass
    class Opened(Message):
        """The person unfolded a block."""

        block_id: int

    @dataclass
    class CopyRequested(Message):
        """The person wants `text` on the clipboard; `name` is what to tell of it, when it is one of several."""

        text: str
        name: str = ""

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

    @dataclass
    class Searched(Message):
        """The search has found `total` hits, until now while `searching`, and shows hit `position`, from 1; 0 for none.

        `around` is 1 when the last step went on from the top, -1 when it went on from the end, else 0.
        """

        total: int
        position: int
        searching: bool
        around: int

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
        super().__init__(session, palette, empty=empty, end_key=end_key, clock=clock, id=id, classes=classes)
        self._pointer = Pointer(self)
        self._code = (0, 0)
        """The block of which code was copied last, and how many pieces of it."""
        self._slice: Timer | None = None

    def sync(self, changes: Changes) -> None:
        super().sync(changes)
        if self.hits.query and (changes.blocks or changes.aspects & (Aspect.REPLACED | Aspect.BLOCKS)):
            self._tell_search()

    # folding

    def toggle_kind(self, kind: str) -> None:
        """Open all blocks of a kind, and new ones, or fold them if none is folded; again, and all is as before."""
        self.viewport.toggle_kind(kind)
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
        """Source of what is selected, by the mouse or by the block cursor; empty when nothing is."""
        selected = self.canvas.selection.source() if self.canvas.selection else ""
        return selected or (joined(self.cursor.blocks()) if self.cursor.extended else "")

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
        self.hits.go_on(SLICE_SECONDS)
        self.show()
        self._tell_search()

    def _tell_search(self) -> None:
        """Tell how the search goes, and see to it that it goes on."""
        hits = self.hits
        self.post_message(self.Searched(hits.total, hits.position, hits.busy, hits.around))
        if self._slice is not None:
            self._slice.stop()
        self._slice = self.set_timer(SLICE_SECONDS, self._search_on) if hits.busy else None

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

    def stay_at_hit(self, *, cursor: bool) -> None:
        """Search no more; the block of the hit stays open, and gets the block cursor if it is wanted."""
        block_id = self.hits.stay()
        if cursor and block_id is not None:
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
            at = copied % len(found)
            name = f"{code_name(found, at)} ({code_lines(found[at])})"
            self.post_message(self.CopyRequested(found[at].text, name))
            self._code = (block.id, copied + 1)

    def action_top(self) -> None:
        self.cursor.to_first()
        self.top()

    def action_end(self) -> None:
        self.cursor.to_last()
        self.end()

    # events

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
