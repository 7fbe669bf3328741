"""`ToolsPanel`: every tool run in a row."""

from collections.abc import Callable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from pitui import render
from pitui.render.amounts import duration
from pitui.render.text import cells, truncate
from pitui.session.blocks import ToolBlock, ToolState
from pitui.session.model import Aspect, Changes, Session

SIGNS = {
    ToolState.WRITING: ("○", "tools--quiet"),
    ToolState.WAITING: ("○", "tools--quiet"),
    ToolState.RUNNING: ("●", "tools--running"),
    ToolState.DONE: ("✓", "tools--done"),
    ToolState.FAILED: ("✗", "tools--failed"),
    ToolState.SKIPPED: ("⊘", "tools--quiet"),
    ToolState.LOST: ("?", "tools--quiet"),
}
DEEPEST = 4
"""Runs that other runs started are indented, but no further than this."""
TIME = 8
"""Cells for a duration: the longest is ``59m 59s``."""
ROOM_FOR_TIME = 30
"""A narrower pane shows no durations."""

EMPTY = "The tools that pi runs come here."


class ToolsPanel(ScrollView, can_focus=True):
    """The tool runs of a session in their order: state, name, what it does, how long it took.

    It stays at the newest one until the person moves away from it. Choosing one says so with `Chosen`. Costs what is
    seen of it, however many there are.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Previous run", show=False),
        Binding("down", "move(1)", "Next run", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "go(0)", "The first run", show=False),
        Binding("end", "go(-1)", "The last run", show=False),
        Binding("enter", "choose", "Show it in the chat", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "tools--name",
        "tools--quiet",
        "tools--running",
        "tools--done",
        "tools--failed",
        "tools--cursor",
    }

    following = reactive(True)
    """Whether it stays at the newest run."""

    class Chosen(Message):
        """The person wants to see the run that is the block `block_id`."""

        def __init__(self, block_id: int) -> None:
            super().__init__()
            self.block_id = block_id

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` is the agent's."""
        super().__init__()
        self._clock = clock
        self._runs: list[ToolBlock] = []
        self._rows: dict[int, int] = {}
        """The row of each block."""
        self._at = 0
        self._styles: dict[str, Style] = {}
        self._ticking: Timer | None = None
        self.border_title = " Tools "

    def on_mount(self) -> None:
        self._ticking = self.set_interval(1, self._tick, pause=True)

    # what the app tells

    def sync(self, session: Session, changes: Changes) -> None:
        """Take over what has changed in `session`."""
        if changes.aspects & Aspect.REPLACED:
            self.following = True
        if changes.aspects & (Aspect.TOOLS | Aspect.REPLACED):
            self._take(list(session.tools.values()))
        for block_id in changes.blocks:
            row = self._rows.get(block_id)
            if row is not None:
                self.refresh_line(row)

    def _take(self, runs: list[ToolBlock]) -> None:
        if len(runs) != len(self._runs) or runs != self._runs:
            chosen = self._runs[self._at] if self._runs else None
            self._runs = runs
            self._rows = {run.id: row for row, run in enumerate(runs)}
            self._at = len(runs) - 1 if self.following or chosen is None else self._rows.get(chosen.id, len(runs) - 1)
            self._at = max(0, self._at)
            self.virtual_size = Size(self.size.width, len(runs))
            self.border_title = f" Tools {len(runs)} " if runs else " Tools "
            self.refresh()
            if self.following:
                self.scroll_end(animate=False, force=True, immediate=True)
        self._set_ticking()

    # time goes on

    def _set_ticking(self) -> None:
        if self._ticking:
            if self._rows_that_run():
                self._ticking.resume()
            else:
                self._ticking.pause()

    def _rows_that_run(self) -> list[int]:
        """The rows of the runs that go on. New ones are at the end, and few go on at a time."""
        return [row for row, run in enumerate(self._runs) if run.state is ToolState.RUNNING]

    def _tick(self) -> None:
        running = self._rows_that_run()
        if not running:
            self._set_ticking()
        elif self.is_on_screen:
            for row in running:
                self.refresh_line(row)

    # how it looks

    def notify_style_update(self) -> None:
        self._styles.clear()
        super().notify_style_update()

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self.get_component_rich_style(name) if name else self.rich_style
        return self._styles[name]

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if row < len(self._runs):
            return self._row(self._runs[row], width, cursor=self.has_focus and row == self._at)
        if not self._runs and y < 2:
            text = truncate(EMPTY, width) if y == 0 else ""
            return Strip([Segment(text, self._style("tools--quiet"))]).crop_extend(0, width, self._style(""))
        return Strip.blank(width, self._style(""))

    def _row(self, run: ToolBlock, width: int, *, cursor: bool) -> Strip:
        sign, sign_style = SIGNS[run.state]
        name, what = render.titles.tool_title(run)
        left = "  " * min(run.depth, DEEPEST)
        time = self._time(run) if width >= ROOM_FOR_TIME else ""
        room = width - 1 - len(left) - 2 - (TIME if time else 0)
        name = truncate(name, max(0, room))
        what = truncate(what, max(0, room - cells(name) - 1))
        segments = [
            Segment(left, self._style("")),
            Segment(f"{sign} ", self._style(sign_style)),
            Segment(name, self._style("tools--name")),
            Segment(
                f" {what}", self._style("tools--quiet" if run.state in (ToolState.SKIPPED, ToolState.LOST) else "")
            ),
        ]
        used = sum(cells(segment.text) for segment in segments)
        segments.append(Segment(time.rjust(width - 1 - used), self._style("tools--quiet")))
        strip = Strip(segments).crop_extend(0, width, self._style(""))
        return self._marked(strip) if cursor else strip

    def _marked(self, strip: Strip) -> Strip:
        cursor = self._style("tools--cursor")
        ground = Style(bgcolor=cursor.bgcolor, reverse=cursor.reverse)
        return Strip(Segment.apply_style(strip, post_style=ground), strip.cell_length)

    def _time(self, run: ToolBlock) -> str:
        if run.duration is not None:
            return duration(run.duration)
        if run.state is ToolState.RUNNING and run.started_at is not None:
            return duration(self._clock() - run.started_at)
        return ""

    # moving

    def _go(self, row: int) -> None:
        if not self._runs:
            return
        before, self._at = self._at, max(0, min(row, len(self._runs) - 1))
        self.following = self._at == len(self._runs) - 1
        self.refresh_line(before)
        self.refresh_line(self._at)
        self.scroll_to_region(Region(0, self._at, 1, 1), animate=False, force=True)

    def action_move(self, by: int) -> None:
        self._go(self._at + by)

    def action_page(self, pages: int) -> None:
        self._go(self._at + pages * max(1, self.size.height - 1))

    def action_go(self, row: int) -> None:
        self._go(row if row >= 0 else len(self._runs) - 1)

    def action_choose(self) -> None:
        if self._runs:
            self.post_message(self.Chosen(self._runs[self._at].id))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = offset.y + self.scroll_offset.y if offset else len(self._runs)
        if row < len(self._runs):
            self._go(row)
            self.action_choose()

    def on_resize(self) -> None:
        if self.following:
            self.scroll_end(animate=False, force=True, immediate=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.following = new_value >= self.max_scroll_y
