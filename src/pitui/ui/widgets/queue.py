"""`QueuePanel`: what waits to be said to pi, and the keys that change it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitui.outbox import Where
from pitui.queue import QueuedPrompt
from pitui.render.amounts import number
from pitui.render.text import cells, clean_line, truncate
from pitui.session.blocks import Delivery, PromptBlock
from pitui.session.model import Lane, Session
from pitui.ui.keys import key_in_words

MODES = {"all": "all at once", "one-at-a-time": "one after another"}
"""How pi delivers a lane, and what the person reads of it."""
EMPTY = "What waits for pi is shown here."
ROOM_FOR_LINES = 30
"""A narrower pane does not say how many more lines a prompt has."""


class Deed(Enum):
    """Something to do with a prompt that waits."""

    EDIT = auto()
    UP = auto()
    DOWN = auto()
    OTHER_LANE = auto()
    HOLD = auto()
    SEND_NOW = auto()
    DELETE = auto()
    MODE = auto()


Row: TypeAlias = Lane | QueuedPrompt | str
"""What a row of the panel shows; a text is said of the whole."""


class QueuePanel(ScrollView, can_focus=True):
    """The prompts that wait, in the order in which pi will take them; one of them is highlighted.

    Says with `Wanted` what the person wants of a prompt. While something is being done the prompts stay as they were,
    and nothing else is taken. Costs what is seen of it, however many wait.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Previous prompt", show=False),
        Binding("down", "move(1)", "Next prompt", show=False),
        Binding("home", "go(0)", "The first prompt", show=False),
        Binding("end", "go(-1)", "The last prompt", show=False),
        Binding("enter", "want", "What can be done with it, and what each does", show=False),
        Binding("ctrl+e", "want('EDIT')", "Edit it", show=False),
        Binding("shift+up", "want('UP')", "Move it up", show=False),
        Binding("shift+down", "want('DOWN')", "Move it down", show=False),
        Binding("shift+left,shift+right", "want('OTHER_LANE')", "To the other lane", show=False),
        Binding("space", "want('HOLD')", "Hold it here, or release it", show=False),
        Binding("ctrl+s", "want('SEND_NOW')", "Send it now, before all others", show=False),
        Binding("delete", "want('DELETE')", "Delete it; ↑ in the prompt brings it back", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"queue--lane", "queue--quiet", "queue--held", "queue--cursor"}

    doing = reactive("")
    """What is being done to the queue, in words; empty while nothing is."""

    @dataclass
    class Wanted(Message):
        """The person wants this of a prompt; with no `deed` they want to choose."""

        prompt: QueuedPrompt
        deed: Deed | None

    @dataclass
    class ModeWanted(Message):
        """The person wants to choose how pi delivers a lane."""

        lane: Lane

    def __init__(self, session: Session, queue: Iterable[QueuedPrompt], take_back_key: str = "alt+up") -> None:
        """`queue` gives what waits now, each time it is gone through."""
        super().__init__()
        self._session = session
        self._queue = queue
        self._hint = f"{key_in_words(take_back_key)} takes it back"
        self._said = ""
        self._at = 0
        self.prompts: Sequence[QueuedPrompt] = ()
        self._modes = ("", "")
        self._rows: Sequence[Row] = (EMPTY,)
        self._row_of: Sequence[int] = ()
        """The row of each prompt."""
        self.border_title = " Queue "

    # what the screen tells

    def sync(self) -> None:
        """Show the queue as it is now."""
        modes = (self._session.steering_mode, self._session.follow_up_mode)
        prompts = self.prompts if self.doing else tuple(self._queue)
        if (prompts, modes) != (self.prompts, self._modes):
            self._modes = modes
            self._follow(prompts)
            self._lay_out()

    def watch_doing(self) -> None:
        self.say("")
        self.sync()

    def say(self, words: str) -> None:
        """Say this in the last row until the person moves on."""
        self._said = words
        self._lay_out()

    def _follow(self, prompts: Sequence[QueuedPrompt]) -> None:
        """Keep the highlight at its prompt; where that has gone, at its place."""
        before, highlighted = self.prompts, self.highlighted
        self.prompts = prompts
        if highlighted is None or (self._at < len(prompts) and prompts[self._at].key == highlighted.key):
            return
        known = {prompt.key for prompt in before}
        same = (number for number, prompt in enumerate(prompts) if prompt.key == highlighted.key)
        ours_now = (  # a message of an extension that we have sent again is ours, and has another key
            number
            for number, prompt in enumerate(prompts)
            if not highlighted.ours and prompt.key not in known and prompt.text.strip() == highlighted.text.strip()
        )
        at = next(same, next(ours_now, None))
        if at is None and self.has_focus and self._is_taken(highlighted):
            self._said = f"pi has taken “{first_line(highlighted)}”."
        self._at = min(self._at, max(0, len(prompts) - 1)) if at is None else at

    def _is_taken(self, prompt: QueuedPrompt) -> bool:
        session = self._session
        leaving = () if session.memory.clearing else session.leaving  # what the person takes back
        return any(left.key == prompt.key for left in leaving) or any(
            isinstance(block, PromptBlock) and block.key == prompt.key and block.delivery is Delivery.DELIVERED
            for block in reversed(session.blocks)
        )

    def _lay_out(self) -> None:
        """Each lane with something in it under its name; in the last row what there is to say."""
        rows: list[Row] = []
        row_of: list[int] = []
        for prompt in self.prompts:
            if not rows or prompt.lane is not self.prompts[len(row_of) - 1].lane:
                rows.append(prompt.lane)
            row_of.append(len(rows))
            rows.append(prompt)
        voice = self.doing or self._said
        rows += [voice or self._hint] if rows else [*([voice] if voice else []), EMPTY]
        grown = len(rows) != len(self._rows)
        self._rows, self._row_of = rows, row_of
        count = len(self.prompts)
        self.border_title = f" Queue {count} " if count else " Queue "
        self.virtual_size = Size(self.size.width, len(rows))
        self.refresh(layout=grown)
        self._scroll_to_highlighted()

    # how it looks

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if y == self.scrollable_content_region.height - 1 and at < len(self._rows):
            at = len(self._rows) - 1  # what is said is always seen
        if at >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[at]
        strip = Strip(self._segments(row, at, width)).crop_extend(0, width, self.rich_style)
        return self._marked(strip) if self.has_focus and row is self.highlighted else strip

    def _segments(self, row: Row, at: int, width: int) -> list[Segment]:
        if isinstance(row, QueuedPrompt):
            return self._prompt(row, at - self._rows.index(row.lane), width)
        if isinstance(row, Lane):
            mode = MODES.get(self._modes[row is Lane.FOLLOW_UP], "")
            words = " · ".join(filter(None, (row.value, mode)))
            return [Segment(truncate(words, width), self.get_component_rich_style("queue--lane"))]
        return [Segment(truncate(row, width), self.get_component_rich_style("queue--quiet"))]

    def _marked(self, strip: Strip) -> Strip:
        cursor = self.get_component_rich_style("queue--cursor")
        ground = Style(bgcolor=cursor.bgcolor, reverse=cursor.reverse)
        return Strip(Segment.apply_style(strip, post_style=ground), strip.cell_length)

    def _prompt(self, prompt: QueuedPrompt, place: int, width: int) -> list[Segment]:
        quiet = self.get_component_rich_style("queue--quiet")
        note, note_style = _note(prompt), self.get_component_rich_style("queue--held") if prompt.held else quiet
        lead = f"{place} ".rjust(3)
        marks = "".join(f" +{mark}" for mark in _marks(prompt, lines=width >= ROOM_FOR_LINES))
        room = max(0, width - cells(lead) - cells(marks) - (cells(note) + 1 if note else 0))
        text = first_line(prompt)
        shown = truncate(text, room)
        used = cells(lead) + cells(shown) + cells(marks)
        return [
            Segment(lead, quiet),
            Segment(shown, self.rich_style if prompt.text.strip() else quiet),
            Segment(marks, quiet),
            Segment(note.rjust(width - used) if note else "", note_style),
        ]

    # the highlight

    @property
    def highlighted(self) -> QueuedPrompt | None:
        return self.prompts[self._at] if self.prompts else None

    def _go(self, at: int) -> None:
        self._at = max(0, min(at, len(self.prompts) - 1))
        self.say("")

    def _scroll_to_highlighted(self) -> None:
        if self._row_of and self.is_mounted:
            row = self._row_of[self._at]
            first = 0 if self._at == 0 else row
            self.scroll_to_region(Region(0, first, 1, row - first + 2), animate=False)  # above what is said

    def on_resize(self) -> None:
        self._scroll_to_highlighted()

    def on_blur(self) -> None:
        self.say("")

    def action_move(self, by: int) -> None:
        self._go(self._at + by)

    def action_go(self, at: int) -> None:
        self._go(at % max(1, len(self.prompts)))

    # what the person wants

    def action_want(self, deed: str = "") -> None:
        if self.highlighted and not self.doing:
            self.say("")
            self.post_message(self.Wanted(self.highlighted, Deed[deed] if deed else None))

    def on_click(self, event: events.Click) -> None:
        """A click highlights; a second one and the right button ask what to do."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y == self.scrollable_content_region.height - 1:
            return
        at = offset.y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else ""
        if isinstance(row, Lane):
            self.post_message(self.ModeWanted(row))
        elif isinstance(row, QueuedPrompt):
            self._go(self._row_of.index(at))
            if event.button == 3 or event.chain > 1:
                self.action_want()


def first_line(prompt: QueuedPrompt) -> str:
    """The first line of a prompt, or what it is where nothing is written."""
    line = clean_line(prompt.text.strip().split("\n", 1)[0], 400)
    return line or (f"({number(len(prompt.images), 'image')})" if len(prompt.images) > 1 else "(image)")


def _marks(prompt: QueuedPrompt, *, lines: bool) -> Iterable[str]:
    """What a prompt has besides its first line."""
    if lines and (more := prompt.text.strip().count("\n")):
        yield number(more, "line")
    if prompt.images and prompt.text.strip():
        yield number(len(prompt.images), "image")


def _note(prompt: QueuedPrompt) -> str:
    """Where a prompt is, when it is not in pi and of the person."""
    if prompt.held:
        return "held"
    if not prompt.ours:
        return "extension"
    return {Where.HERE: "not sent yet", Where.GOING: "sending"}.get(prompt.where, "")
