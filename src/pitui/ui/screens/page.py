"""Something to read: facts, help, what pi wrote to stderr."""

from collections.abc import Callable, Iterable
from typing import ClassVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.render.amounts import size
from pitui.render.text import clean_line
from pitui.ui.widgets.pager import Pager


def in_columns(rows: Iterable[tuple[str, str]]) -> Table:
    """Names and what they mean beside them. A name without a meaning is a heading."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, meaning in rows:
        table.add_row(Text(name, "" if meaning else "bold"), Text(meaning, overflow="fold"))
    return table


class PageScreen(ModalScreen[None]):
    """Shows a text, which has passed the gate, until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,ctrl+c", "leave", "Close", show=False)]
    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, title: str, text: RenderableType, *, at_end: bool = False) -> None:
        super().__init__()
        self._title = clean_line(title, 200)
        self._text = text
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            with VerticalScroll():
                yield Static(self._text)
            yield Static(Content("Esc closes"), classes="panel-note")

    def on_mount(self) -> None:
        if self._at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_leave(self) -> None:
        self.dismiss(None)


class OutputScreen(ModalScreen[None]):
    """Shows a text of any length, line by line as `line` gives them, until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,ctrl+c", "leave", "Close", show=False)]
    AUTO_FOCUS = "Pager"

    def __init__(self, title: str, line: Callable[[int], bytes], count: int, left_out: int = 0) -> None:
        """`left_out` is bytes that stand before the first line and are not shown."""
        super().__init__()
        self._title = clean_line(title, 200)
        self._pager = Pager(line, count)
        self._told = f"the first {size(left_out)} are left out · " if left_out else ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._pager
            yield Static(classes="panel-note")

    @on(Pager.Moved)
    def _tell(self) -> None:
        pager = self._pager
        where = f"lines {pager.first + 1:,} to {pager.last + 1:,} of {pager.count:,}" if pager.count else "It is empty."
        self.query_one(".panel-note", Static).update(Content(f"{self._told}{where} · Home, End · Esc closes"))

    def action_leave(self) -> None:
        self.dismiss(None)
