"""A question that is answered with a line."""

from textual.app import ComposeResult
from textual.widgets import Input

from pitui.rpc import records
from pitui.rpc.requests import Value
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.box import DISMISS, DialogBox, Hint
from pitui.ui.dialogs.wording import shown_line
from pitui.ui.widgets.writing import LineInput


class InputBox(DialogBox):
    """An empty line is an answer too."""

    hints = (Hint("Enter", "send", "screen.send"), DISMISS)

    def __init__(self, dialog: OpenDialog, request: records.Input) -> None:
        super().__init__(dialog, request.title)
        self._input = LineInput(
            placeholder=shown_line(request.placeholder), select_on_focus=False, compact=True, classes="dialog--answer"
        )

    def compose_answer(self) -> ComposeResult:
        yield self._input

    @property
    def answering(self) -> LineInput:
        return self._input

    def send(self) -> None:
        self.answer(Value(self._input.value))

    def write(self, text: str) -> None:
        self._input.write(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Begun(self.dialog, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.send()
