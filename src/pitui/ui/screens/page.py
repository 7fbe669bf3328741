"""Something to read: facts, help, what pi wrote to stderr."""

from collections.abc import Callable, Iterable
from typing import ClassVar

import anyio.to_thread
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
from pitui.render.palette import Palette
from pitui.render.text import cells, clean_line
from pitui.ui.widgets.pager import Pager
from pitui.ui.widgets.search import SearchBar


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

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "leave", "Close", show=False),
        Binding("f3,slash,ctrl+f", "search", "Find words", show=False),
        Binding("n", "step(1)", "Next", show=False),
        Binding("N", "step(-1)", "Previous", show=False),
        Binding("ctrl+c", "copy", "Copy what is selected, or all", show=False),
    ]
    AUTO_FOCUS = "Pager"

    def __init__(
        self,
        title: str,
        line: Callable[[int], bytes],
        count: int,
        left_out: int = 0,
        *,
        palette: Palette | None = None,
    ) -> None:
        """`left_out` is bytes that stand before the first line and are not shown."""
        super().__init__()
        self._title = clean_line(title, 200)
        self._pager = Pager(line, count, palette or Palette.plain())
        self._search = SearchBar(("words", ""))
        self._told = f"the first {size(left_out)} are left out" if left_out else ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._pager
            yield self._search
            yield Static(classes="panel-note")

    @on(Pager.Moved)
    def _tell(self) -> None:
        pager, note = self._pager, self.query_one(".panel-note", Static)
        where = "It is empty."
        if pager.count:
            percent = (pager.last + 1) * 100 // pager.count
            where = f"lines {pager.first + 1:,} to {pager.last + 1:,} of {pager.count:,} · {percent} %"
        told = " · ".join(filter(None, (self._told, where)))
        hints = ("F3 finds · Ctrl+C copies · Esc closes", "Esc closes")
        room = note.content_region.width - cells(told) - 3
        note.update(Content(" · ".join([told, *[hint for hint in hints if cells(hint) <= room][:1]])))

    def action_leave(self) -> None:
        self.dismiss(None)

    async def action_copy(self) -> None:
        text = self.get_selected_text() or await anyio.to_thread.run_sync(self._pager.text)
        self.app.copy_to_clipboard(text)  # pyright: ignore[reportUnknownMemberType]

    # searching

    def action_search(self) -> None:
        if self._search.is_open:
            self._pager.step(1)
        else:
            self._search.open()

    def action_step(self, step: int) -> None:
        self._pager.step(step)

    @on(SearchBar.Asked)
    def _ask(self, event: SearchBar.Asked) -> None:
        self._pager.search(event.words)

    @on(SearchBar.Stepped)
    def _step(self, event: SearchBar.Stepped) -> None:
        self._pager.step(event.step)

    @on(Pager.Searched)
    def _show_found(self, event: Pager.Searched) -> None:
        self._search.show_found(event.total, event.position, searching=event.searching, around=event.around)

    @on(SearchBar.Left)
    def _leave_search(self, event: SearchBar.Left) -> None:
        self._search.close()
        self._pager.clear_search(back=not event.stay)
        self._pager.focus()
