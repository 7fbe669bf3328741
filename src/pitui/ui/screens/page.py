"""Something to read: facts, help, what pi wrote to stderr."""

from collections.abc import Iterable
from typing import ClassVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.render.text import clean_line


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
