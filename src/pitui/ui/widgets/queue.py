"""`QueuePanel`: what waits to be said to pi."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitui.render.text import clean_line, truncate
from pitui.session.model import Returned, Session
from pitui.ui.keys import key_in_words


class Lane(Enum):
    """Where a prompt waits; the value is what the person reads."""

    STEERING = "Steering"
    """pi takes it after the tools that run now."""
    FOLLOW_UP = "Follow-up"
    """pi takes it when it is done."""
    HELD = "Not sent yet"
    """Held here until pi takes prompts again."""


class Queued(NamedTuple):
    """A prompt that waits: number `number` of its lane. Equal texts stand as often as they were queued."""

    lane: Lane
    number: int
    text: str


Row = Lane | Queued | str
"""What a row of the panel shows; a text is a hint."""


class QueuePanel(ScrollView, can_focus=True):
    """The queue of pi and what is held back, in the order in which pi will take it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"queue--lane", "queue--quiet"}

    def __init__(self, key: str = "alt+up") -> None:
        """`key` is how the person takes the queue back."""
        super().__init__()
        self._key = key
        self.queued: Sequence[Queued] = ()
        self._rows: Sequence[Row] = self._laid_out()
        self.border_title = " Queue "

    def sync(self, session: Session, held: Sequence[Returned] = ()) -> None:
        """Show the queue as it is now. `held` is what the agent has not sent yet."""
        queued = list(_queued(session, held))
        if queued == self.queued:
            return
        self.queued = queued
        self._rows = self._laid_out()
        self.border_title = f" Queue {len(queued)} " if queued else " Queue "
        self.virtual_size = Size(self.size.width, len(self._rows))
        self.refresh(layout=True)

    def _laid_out(self) -> Sequence[Row]:
        """Each lane with something in it under its name."""
        if not self.queued:
            return ["What waits for pi is shown here."]
        rows: list[Row] = []
        for prompt in self.queued:
            if prompt.number == 1:
                rows.append(prompt.lane)
            rows.append(prompt)
        return [*rows, f"{key_in_words(self._key)} takes it back"]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        base = self.rich_style
        quiet = self.get_component_rich_style("queue--quiet")
        number = y + self.scroll_offset.y
        if number >= len(self._rows):
            return Strip.blank(width, base)
        match self._rows[number]:
            case Lane() as lane:
                style = self.get_component_rich_style("queue--lane")
                segments = [Segment(truncate(lane.value, width), style)]
            case Queued() as prompt:
                text = clean_line(prompt.text, 400)
                segments = [
                    Segment(f"{prompt.number} ".rjust(3), quiet),
                    Segment(truncate(text or "(image)", max(0, width - 3)), base if text else quiet),
                ]
            case str() as words:
                segments = [Segment(truncate(words, width), quiet)]
        return Strip(segments).crop_extend(0, width, base)


def _queued(session: Session, held: Sequence[Returned]) -> Iterator[Queued]:
    lanes: dict[Lane, Sequence[str]] = {
        Lane.STEERING: session.steering,
        Lane.FOLLOW_UP: session.follow_up,
        Lane.HELD: [prompt.text for prompt in held],
    }
    for lane, texts in lanes.items():
        for number, text in enumerate(texts, 1):
            yield Queued(lane, number, text)
