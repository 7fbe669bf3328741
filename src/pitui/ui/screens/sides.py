"""What the screens have in common that show two things side by side."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import anyio.to_thread
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from pitui.pane_actions import Keys
from pitui.render.palette import Palette
from pitui.render.text import cells, truncate
from pitui.session.model import Session
from pitui.ui.keys import fitting
from pitui.ui.screens.pane import PaneScreen
from pitui.ui.widgets.activity import Notice

TOLD_SECONDS = 8.0

T = TypeVar("T")
R = TypeVar("R")


class SidePane(Vertical):
    """One of the two."""


S = TypeVar("S", bound=SidePane)


class SidesScreen(PaneScreen[T], Generic[T, S]):
    """Two sides, of which one is looked at; where there is no room for both it may be the only one."""

    sides: tuple[S, S]

    def __init__(self, palette: Palette, keys: Keys) -> None:
        super().__init__(keys)
        self.palette = palette
        self.heading = Static(classes="sides--heading", markup=False)
        self.note = Static(classes="sides--note", markup=False)
        """Something to know about both; it is there only while it says something."""
        self.looked_at = 0
        """The number of the side that takes the keys."""

    def compose(self) -> ComposeResult:
        yield self.heading
        with Horizontal(classes="sides"):
            yield from self.sides
        yield self.note
        yield self.foot

    def on_mount(self) -> None:
        self.sides[0].add_class("-left", "-looked-at")
        self.sides[1].add_class("-right")

    def on_resize(self) -> None:
        self.tell()

    def tell(self) -> None:
        """Say anew what stands around the sides."""
        width = self.size.width - 2
        self.heading.update(self.head(width))
        self.foot.hint(fitting(self.hints(), self.keys, width))

    def head(self, width: int) -> Text:
        raise NotImplementedError

    def hints(self) -> Sequence[str]:
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Why something was not done."""
        self.foot.tell(Notice(text, "warning", True), TOLD_SECONDS)

    def titled(self, name: str, what: str, width: int, at_the_end: str = "") -> Text:
        """A heading of one row: a name, what there is to say, and how it is shown."""
        room = width - cells(name) - 3
        shown = truncate(what, room)
        gap = room - cells(shown) - cells(at_the_end)
        end = (" " * gap + at_the_end, self.palette.dim) if at_the_end and gap >= 2 else ""
        return Text.assemble((f"{name}   ", self.palette.strong), (shown, self.palette.dim), end)

    def action_switch(self) -> None:
        self.action_side(1 - self.looked_at)

    def action_side(self, number: int) -> None:
        self.looked_at = number
        for at, side in enumerate(self.sides):
            side.set_class(at == number, "-looked-at")
        self.tell()

    def action_leave(self) -> None:
        self.dismiss(None)


class ReadingScreen(SidesScreen[T, SidePane], Generic[T, R]):
    """Two sides that are made of the session in a thread, and made anew while it goes on."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-tall")]

    def __init__(self, session: Session, palette: Palette, keys: Keys) -> None:
        super().__init__(palette, keys)
        self.session = session
        self._behind = self._reading = False

    def on_mount(self) -> None:
        self.catch_up()

    def catch_up(self) -> None:
        """Make anew what is shown, and once more when the session has gone on meanwhile."""
        self._behind = True
        if not self._reading:
            self._reading = True
            self._read()

    @work(group="read")
    async def _read(self) -> None:
        try:
            while self._behind:
                self._behind = False
                self.take(await anyio.to_thread.run_sync(self.reader()))
                self.tell()
        finally:
            self._reading = False

    def reader(self) -> Callable[[], R]:
        """What reads the session as it is now, in a thread."""
        raise NotImplementedError

    def take(self, found: R) -> None:
        """Show what was read."""
        raise NotImplementedError

    def set_palette(self, palette: Palette) -> None:
        self.palette = palette
        self.tell()
