"""`DialogScreen`: the one screen in which extensions ask."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.timer import Timer

from pitui.rpc.records import Confirm, Editor, Input, Select
from pitui.rpc.requests import Answer, Dismissed
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.box import DialogBox
from pitui.ui.dialogs.confirm import ConfirmBox
from pitui.ui.dialogs.desk import Arrival
from pitui.ui.dialogs.editor import EditorBox
from pitui.ui.dialogs.input import InputBox
from pitui.ui.dialogs.own import OwnBox, OwnQuestion
from pitui.ui.dialogs.select import SelectBox
from pitui.ui.dialogs.wording import seconds_left

SETTLE, NOTICED = 0.3, 1.0
"""Seconds without a key before one is taken by a question that follows another, and by one that came up by itself."""


class DialogScreen(ModalScreen[None]):
    """Shows one dialog at a time, over the lower part of what is below.

    There is never more than one of these on the stack. It changes what it asks instead of being replaced, and leaves
    only when nothing covers it: a screen that is dismissed under another one takes that one with it.
    """

    AUTO_FOCUS = ""
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (12, "-short"), (20, "-medium"), (34, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss_dialog", show=False, priority=True)]

    def __init__(
        self,
        clock: Callable[[], float],
        answered: Callable[[OpenDialog, Answer], None],
        *,
        give_way: Callable[[events.Key | events.Paste], None],
        put_aside: Callable[[], None],
        begun: Callable[[OpenDialog, str], None],
        key: str,
    ) -> None:
        """`give_way` gets the key or paste that was not meant for the question, which `put_aside` has wait; `begun`
        hears of what is written for an answer and not sent. `key` calls a question and puts it aside.
        """
        super().__init__()
        self.dialog: OpenDialog | None = None
        """What is asked; None when it is over, and something covers this screen."""
        self._box: DialogBox | None = None
        self._clock = clock
        self._answered = answered
        self._give_way = give_way
        self._put_aside = put_aside
        self._key = key
        self.is_uncalled = False
        """Whether it takes no key before the person calls it, or clicks on it."""
        self._begun = begun
        self._written = ""
        self._arrival = Arrival.CALLED
        self._settling: Timer | None = None
        self._ticking: Timer | None = None
        self._count = ""
        self._covered = False

    # what it asks

    def ask(self, dialog: OpenDialog, arrival: Arrival, written: str = "") -> None:
        """Ask this now, instead of what was asked before; for an answer something may be `written` already."""
        self.dialog = dialog
        self._written = written
        self._arrival = arrival
        if self.is_mounted:
            self._show()

    def count(self, number: int, of: int) -> None:
        """Say which of how many this is."""
        self._count = f" {number} of {of}" if of > 1 else ""
        self._label()

    def close(self) -> None:
        """Nothing is asked any more. When something covers it, it leaves as soon as that is gone."""
        self.dialog = None
        if self.is_active:
            self.dismiss()
        elif self.is_mounted:
            self._clear()

    def on_mount(self) -> None:
        self._ticking = self.set_interval(1, self._label, pause=True)
        if self.dialog:
            self._show()

    def on_screen_suspend(self) -> None:
        self._covered = True

    def on_screen_resume(self) -> None:
        if not self._covered:
            return
        self._covered = False
        if self.dialog is None:
            self.dismiss()
        else:
            self._arrival = Arrival.NEXT
            self._settle()

    def _clear(self) -> None:
        if self._box:
            self._box.remove()
            self._box = None

    def _show(self) -> None:
        assert self.dialog
        self._clear()
        self.is_uncalled = self._arrival is Arrival.OVER_WORDS
        self._box = box_for(self.dialog)
        self._box.disabled = not self.is_uncalled
        self._box.show_key(self._key, calls=self.is_uncalled)
        if self._written:
            self._box.write(self._written)
        self.mount(self._box)
        self._label()
        self._settle()

    def _label(self) -> None:
        if not self._box or not self.dialog or not self._ticking:
            return
        self._box.border_title = f"Question{self._count}"
        self._box.border_subtitle = seconds_left(self.dialog, self._clock())
        if self.dialog.deadline is None:
            self._ticking.pause()
        else:
            self._ticking.resume()

    # when it takes keys

    def _settle(self) -> None:
        if self._settling:
            self._settling.stop()
        if self.is_uncalled:
            return
        if self._arrival is Arrival.CALLED:
            self.call_after_refresh(self.take_keys)
        else:
            if self._box:
                self._box.disabled = True
            seconds = NOTICED if self._arrival is Arrival.BY_ITSELF else SETTLE
            self._settling = self.set_timer(seconds, self.take_keys)

    def take_keys(self) -> None:
        """From now on, until it is over."""
        if self._box and self._box.is_mounted:
            self.is_uncalled = self._box.disabled = False
            self._box.show_key(self._key, calls=False)
            self._box.answering.focus()

    def on_descendant_focus(self) -> None:
        if self.is_uncalled:
            self.take_keys()

    def on_key(self, event: events.Key) -> None:
        self._refuse(event)

    def on_paste(self, event: events.Paste) -> None:
        self._refuse(event)

    def _refuse(self, event: events.Key | events.Paste) -> None:
        if self._box is None:
            return
        if self.is_uncalled:
            event.stop()
            self._give_way(event)
            return
        if not self._box.disabled:
            if isinstance(event, events.Paste) or (event.is_printable and not self._box.takes_letters):
                event.stop()
                self._give_way(event)
            return
        event.stop()
        if self._arrival is Arrival.BY_ITSELF:
            self._give_way(event)
        else:
            self._settle()

    # answering

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("send", "dismiss_dialog"):
            return self._box is not None and not self._box.disabled
        return super().check_action(action, parameters)

    def on_dialog_box_answered(self, event: DialogBox.Answered) -> None:
        event.stop()
        self._answered(event.dialog, event.answer)

    def on_dialog_box_begun(self, event: DialogBox.Begun) -> None:
        event.stop()
        if event.dialog is self.dialog:
            self._begun(event.dialog, event.text)

    def on_dialog_box_strayed(self, event: DialogBox.Strayed) -> None:
        event.stop()
        if self._arrival is Arrival.BY_ITSELF and event.dialog is self.dialog:
            self._give_way(events.Paste(event.text))

    def action_send(self) -> None:
        if self._box:
            self._box.send()

    def action_dismiss_dialog(self) -> None:
        if self.is_uncalled:
            self._put_aside()
        elif self._box:
            self._box.answer(Dismissed())


def box_for(dialog: OpenDialog) -> DialogBox:
    """The box that asks it."""
    match dialog.request:
        case OwnQuestion() as request:
            return OwnBox(dialog, request, request.message)
        case Select() as request:
            return SelectBox(dialog, request)
        case Confirm() as request:
            return ConfirmBox(dialog, request)
        case Input() as request:
            return InputBox(dialog, request)
        case Editor() as request:
            return EditorBox(dialog, request)
