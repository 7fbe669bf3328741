"""A question of yes or no."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Button

from pitui.rpc.records import Confirm
from pitui.rpc.requests import Confirmed
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.box import AT_ONCE, DISMISS, DialogBox, Hint

SURE = 0.4
"""Seconds without another letter after which y or n is an answer, and not the beginning of a word."""


class ConfirmBox(DialogBox, can_focus=True):
    """No comes first and is chosen: Enter pressed too early does no harm."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(False)", show=False),
        Binding("right", "choose(True)", show=False),
        Binding("tab,shift+tab", "switch", show=False),
        Binding("enter,space", "send", show=False),
        Binding("up", "scroll_lines(-1)", show=False),
        Binding("down", "scroll_lines(1)", show=False),
        Binding("pageup", "scroll_text(-1)", show=False),
        Binding("pagedown", "scroll_text(1)", show=False),
    ]

    hints = (Hint("y", "yes"), Hint("n", "no"), DISMISS, Hint("←→ Enter", "choose", "screen.send"))

    def __init__(self, dialog: OpenDialog, request: Confirm) -> None:
        super().__init__(dialog, request.title, request.message)
        self._no = Button("No", compact=True, classes="-chosen")
        self._yes = Button("Yes", compact=True)
        self._no.can_focus = self._yes.can_focus = False
        self._chosen = False
        """Whether yes is what Enter says now; told apart from the focus, which comes later than the next key."""
        self._typed = ""
        self._waiting: Timer | None = None

    def compose_answer(self) -> ComposeResult:
        with Horizontal(classes="dialog--answer"):
            yield self._no
            yield self._yes

    @property
    def answering(self) -> "ConfirmBox":
        return self

    def send(self) -> None:
        self.action_say(self._chosen)

    def on_key(self, event: events.Key) -> None:
        letter = event.character if event.is_printable and event.character else ""
        if not letter.strip() and (not self._typed or (self._is_answer and not letter)):
            return
        event.stop()
        event.prevent_default()
        self._typed += letter
        if self._waiting:
            self._waiting.stop()
        if self._is_answer:
            self.action_choose(self._typed[0] in "yY")
            self._waiting = self.set_timer(SURE, self.send)
        else:
            self._waiting = self.set_timer(AT_ONCE, self._give_away)

    @property
    def _is_answer(self) -> bool:
        return set(self._typed.casefold()) in ({"y"}, {"n"})  # also of a key that was held

    def _give_away(self) -> None:
        self.stray(self._typed)
        self._typed = ""

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_say(event.button is self._yes)

    def action_say(self, yes: bool) -> None:
        self.answer(Confirmed(yes))

    def action_send(self) -> None:
        self.send()

    def action_choose(self, yes: bool) -> None:
        self._chosen = yes
        self._no.set_class(not yes, "-chosen")
        self._yes.set_class(yes, "-chosen")

    def action_switch(self) -> None:
        self.action_choose(not self._chosen)

    def action_scroll_lines(self, lines: int) -> None:
        self.query_one(".dialog--text").scroll_relative(y=lines, animate=False)
