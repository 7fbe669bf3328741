"""A question of yes or no."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button

from pitui.rpc.records import Confirm
from pitui.rpc.requests import Confirmed
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.box import DISMISS, DialogBox, Hint


class ConfirmBox(DialogBox):
    """No comes first and has the focus: Enter pressed too early does no harm."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "say(True)", show=False),
        Binding("n", "say(False)", show=False),
        Binding("left", "focus_no", show=False),
        Binding("right", "focus_yes", show=False),
        Binding("up", "scroll_lines(-1)", show=False),
        Binding("down", "scroll_lines(1)", show=False),
        Binding("pageup", "scroll_text(-1)", show=False),
        Binding("pagedown", "scroll_text(1)", show=False),
    ]

    hints = (Hint("y", "yes"), Hint("n", "no"), DISMISS, Hint("←→ enter", "choose", "screen.send"))

    def __init__(self, dialog: OpenDialog, request: Confirm) -> None:
        super().__init__(dialog, request.title, request.message)
        self._no = Button("No", compact=True)
        self._yes = Button("Yes", compact=True)

    def compose_answer(self) -> ComposeResult:
        with Horizontal(classes="dialog--answer"):
            yield self._no
            yield self._yes

    @property
    def answering(self) -> Button:
        return self._no

    def send(self) -> None:
        self.action_say(self._yes.has_focus)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_say(event.button is self._yes)

    def action_say(self, yes: bool) -> None:
        self.answer(Confirmed(yes))

    def action_focus_no(self) -> None:
        self._no.focus()

    def action_focus_yes(self) -> None:
        self._yes.focus()

    def action_scroll_lines(self, lines: int) -> None:
        self.query_one(".dialog--text").scroll_relative(y=lines, animate=False)
