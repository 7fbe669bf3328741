"""A paste, opened to be read and changed."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.draft import Pasted
from pitui.ui.widgets.writing import LinesInput

LONG = 100_000
"""Characters from which on lines are not wrapped: that would take longer than anybody waits."""


class PasteScreen(ModalScreen[Pasted | str | None]):
    """Gives the paste with other text in it, or the text to stand among the words; None when it is as it was.

    `keep` hears after every change that there is something to be kept.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "leave", "Back, with what you have changed", show=False),
        Binding("alt+o", "write_out", "Write it out into the prompt", show=False),
    ]

    def __init__(self, title: str, paste: Pasted, keep: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self._title = title
        self._paste = paste
        self._keep = keep
        self._editor = LinesInput(paste.text, soft_wrap=len(paste.text) < LONG, compact=True, show_line_numbers=True)
        self._editor.cursor_blink = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._editor
            yield Static(Content("Esc back, with what you change · Alt+O writes it out"), classes="panel-note")

    @property
    def changed(self) -> Pasted | None:
        """The paste as it is written now, if that is not as it was."""
        text = self._editor.text
        return None if text == self._paste.text else Pasted(text)

    def on_text_area_changed(self) -> None:
        if self.changed:
            self._keep()

    def action_leave(self) -> None:
        self.dismiss(self.changed)

    def action_write_out(self) -> None:
        self.dismiss(self._editor.text)
