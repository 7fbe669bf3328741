"""The list of sessions: thousands of rows cost as much as those that are seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitui.pi.sessions import SessionFile
from pitui.pi.words import Words
from pitui.render.text import cells, clean_line, truncate, truncate_start

COLUMNS = (("messages", 8), ("cost", 8), ("age", 7))
"""Numbers at the right edge, and how wide each is. Where there is little room only the last ones are shown."""
DETAIL_ROOM, DETAIL_PERCENT, PROBLEM_PERCENT = 24, 40, 70
"""From so many cells on the detail has so much of them, or what the title leaves; that of a damaged file has more."""
SHORTEST_DETAIL = 10
"""Cells; in fewer it says nothing beside a folder."""
FULL, MIDDLE = 64, 50
"""From so many cells on all columns are shown, and all but the first."""


Ranked = tuple[int, SessionFile]
"""The depth of a session in the tree of forks, and the session."""


@dataclass(frozen=True, slots=True)
class Row:
    """A session as it stands in the list. `detail` is said after its title, `depth` is that in the tree of forks.

    Of `folder` the end is shown, which is what tells it from others.
    """

    file: SessionFile
    title: str
    age: str
    detail: str = ""
    depth: int = 0
    starred: bool = False
    is_open: bool = False
    folder: str = ""


class SessionList(ScrollView, can_focus=False):
    """Shows rows, one of them highlighted, under a heading. It takes no keys: who owns it moves the highlight.

    While there are `excerpts`, each row has a second line with the one of its session.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("sessions--title", "sessions--quiet", "sessions--highlighted", "sessions--mark", "sessions--hit"),
        *("sessions--problem",),
    }

    class Moved(Message):
        """Another row is highlighted, or others are seen."""

    class Chosen(Message):
        """A row was clicked twice."""

    def __init__(self, describe: Callable[[Ranked], Row]) -> None:
        """`describe` tells how a session stands in the list; it is asked for those that are seen."""
        super().__init__()
        self.ranked: Sequence[Ranked] = ()
        self.highlighted = 0
        self._describe = describe
        self.excerpts: dict[str, str] | None = None
        """By path; what is not there yet is left empty."""
        self.words = Words("")
        """Marked in titles and excerpts."""

    @property
    def file(self) -> SessionFile | None:
        """The one that is highlighted."""
        return self.ranked[self.highlighted][1] if self.ranked else None

    @property
    def seen(self) -> list[SessionFile]:
        """Those on the screen."""
        first = round(self.scroll_y) // self._row_height
        return [file for _, file in self.ranked[first : first + self.size.height // self._row_height + 1]]

    @property
    def _row_height(self) -> int:
        return 1 if self.excerpts is None else 2

    def show(self, ranked: Sequence[Ranked], highlighted: int = 0) -> None:
        """Show these instead."""
        self.ranked = ranked
        self.virtual_size = Size(0, len(ranked) * self._row_height + 1)
        self.move_to(highlighted)

    def move_to(self, index: int) -> None:
        self.highlighted = min(max(index, 0), max(0, len(self.ranked) - 1))
        self._scroll_to_highlighted()
        self.refresh()
        self.post_message(self.Moved())

    def move(self, by: int, *, pages: bool = False) -> None:
        """Highlight the row that is `by` rows, or pages, further."""
        page = max(1, (self.size.height - 1) // self._row_height - 1)
        self.move_to(self.highlighted + by * (page if pages else 1))

    def _scroll_to_highlighted(self) -> None:
        room = self.size.height - 1
        if self.is_mounted and room > 0:
            top = self.highlighted * self._row_height
            wanted = min(max(self.scroll_y, top + self._row_height - room), top)
            if wanted != self.scroll_y:
                self.scroll_to(y=wanted, animate=False, immediate=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        self._scroll_to_highlighted()
        self.post_message(self.Moved())

    # drawing

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y == 0:
            quiet = self.get_component_rich_style("sessions--quiet")
            return self._line(
                [Segment("  ", quiet)], self._numbers(width, [name for name, _ in COLUMNS]), width, quiet, quiet
            )
        index, part = divmod(y - 1 + round(self.scroll_y), self._row_height)
        if not 0 <= index < len(self.ranked) or width <= 0:
            return Strip.blank(width, self.rich_style)
        highlighted = index == self.highlighted
        base = self.get_component_rich_style("sessions--highlighted") if highlighted else self.rich_style
        row = self._describe(self.ranked[index])
        return self._excerpt(row, width, base) if part else self._row(row, width, base)

    def _style(self, name: str, base: Style) -> Style:
        return base if base.reverse else self.get_component_rich_style(f"sessions--{name}") + base.background_style

    def _row(self, row: Row, width: int, base: Style) -> Strip:
        file = row.file
        quiet, mark = self._style("quiet", base), self._style("mark", base)
        counted = file.messages is not None
        numbers = self._numbers(
            width, [f"{file.messages:,}" if counted else "", _money(file.cost) if counted else "", row.age]
        )
        room = max(1, width - 5 - cells(numbers))
        indent = "  " * min(row.depth - 1, 12) + "└ " if row.depth else ""
        whole = indent + (clean_line(row.title, 400) or "(unnamed)")
        percent = PROBLEM_PERCENT if file.problem else DETAIL_PERCENT
        left = max(room * percent // 100, room - cells(whole) - 2) if room >= DETAIL_ROOM else 0
        detail = _detail(row, left)
        title = truncate(whole, max(1, room - (cells(detail) + 2 if detail else 0)))
        style = self._style("problem" if file.problem else "title", base)
        segments = [
            Segment(" ", base),
            Segment("★" if row.starred else " ", mark),
            Segment("• " if row.is_open else "  ", mark),
            Segment(title[: len(indent)], quiet),
            *self._marked(title[len(indent) :], style, base),
        ]
        if detail:
            segments.append(Segment("  " + detail, quiet))
        return self._line(segments, numbers, width, base, quiet)

    def _excerpt(self, row: Row, width: int, base: Style) -> Strip:
        quiet = self._style("quiet", base)
        text = (self.excerpts or {}).get(str(row.file.path), "")
        shown = truncate(around(clean_line(text, 2000), self.words, width - 9), max(1, width - 7))
        return self._line([Segment("      ", base), *self._marked(shown, quiet, base)], "", width, base, quiet)

    def _marked(self, text: str, style: Style, base: Style) -> list[Segment]:
        hit = self._style("hit", base)
        segments, at = list[Segment](), 0
        for start, end in self.words.spans(text) if self.excerpts is not None else ():
            if start >= at:
                segments += [Segment(text[at:start], style), Segment(text[start:end], hit)]
                at = end
        return [*segments, Segment(text[at:], style)]

    def _line(self, segments: list[Segment], numbers: str, width: int, base: Style, quiet: Style) -> Strip:
        used = sum(cells(segment.text) for segment in segments)
        gap = max(0, width - 1 - cells(numbers) - used)
        return Strip([*segments, Segment(" " * gap, base), Segment(numbers, quiet)]).adjust_cell_length(width, base)

    def _numbers(self, width: int, values: Sequence[str]) -> str:
        shown = 3 if width >= FULL else 2 if width >= MIDDLE else 1
        columns = list(zip(values, COLUMNS, strict=True))[-shown:]
        return "".join("  " + value.rjust(size)[:size] for value, (_, size) in columns)

    # the mouse

    def on_click(self, event: events.Click) -> None:
        index = (event.y - 1 + round(self.scroll_y)) // self._row_height
        if event.y > 0 and 0 <= index < len(self.ranked):
            event.stop()
            self.move_to(index)
            if event.chain == 2:
                self.post_message(self.Chosen())


def around(text: str, words: Words, width: int) -> str:
    """The part of a long line in which the first of the words stands."""
    spans = words.spans(text)
    if not spans or spans[0][0] < width // 2:
        return text
    return "…" + text[spans[0][0] - width // 3 :]


def _detail(row: Row, room: int) -> str:
    """What is said of a session, and its folder, which comes first where there is room for one only."""
    folder = truncate_start(clean_line(row.folder, 1000), room)
    left = room - cells(folder) - (2 if folder else 0)
    detail = truncate(clean_line(row.detail, 300), left) if left >= SHORTEST_DETAIL or not folder else ""
    return "  ".join(filter(None, (detail, folder)))


def _money(cost: float) -> str:
    return f"${cost:.2f}" if cost < 1000 else f"${cost:,.0f}"
