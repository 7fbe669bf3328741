"""A question that is answered with a text of several lines."""

from typing import Any, ClassVar, cast

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType

from pitui.pane_actions import Keys
from pitui.rpc.records import Editor
from pitui.rpc.requests import Value
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.box import DISMISS, DialogBox, Hint
from pitui.ui.dialogs.wording import editable
from pitui.ui.keys import key_of
from pitui.ui.widgets.writing import LinesInput


class EditorBox(DialogBox):
    """Starts with the text that the extension gave. Left as it is, exactly that text is the answer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s,ctrl+enter", "send", show=False)]

    hints = (Hint("Ctrl+S", "send", "screen.send"), DISMISS, Hint("Enter", "new line"))

    def __init__(self, dialog: OpenDialog, request: Editor) -> None:
        super().__init__(dialog, request.title)
        self._prefill = request.prefill
        self._editor = LinesInput(
            editable(request.prefill), soft_wrap=True, tab_behavior="indent", compact=True, classes="dialog--answer"
        )
        self._untouched = self._editor.text

    def compose(self) -> ComposeResult:
        app = cast("App[Any]", self.app)  # pyright: ignore[reportUnknownMemberType] - whatever it returns
        keys: Keys = getattr(app, "keys", {})
        if elsewhere := key_of("prompt.editor", keys):
            self.hints = (*self.hints, Hint(elsewhere, "your editor"))
        yield from super().compose()

    def compose_answer(self) -> ComposeResult:
        yield self._editor

    def on_mount(self) -> None:
        self._editor.move_cursor(self._editor.document.end)

    @property
    def answering(self) -> LinesInput:
        return self._editor

    def send(self) -> None:
        text = self._editor.text
        self.answer(Value(self._prefill if text == self._untouched else text))

    def write(self, text: str) -> None:
        self._editor.text = text

    def on_text_area_changed(self) -> None:
        text = self._editor.text
        self.post_message(self.Begun(self.dialog, "" if text == self._untouched else text))

    def action_send(self) -> None:
        self.send()
