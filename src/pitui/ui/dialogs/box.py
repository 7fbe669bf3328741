"""`DialogBox`: the box in which an extension asks, with what every kind of question has in it."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from pitui.rpc.requests import Answer
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.wording import shown
from pitui.ui.keys import key_in_words


class Hint(NamedTuple):
    """A key, what it does, and the action of the screen that a click on it runs."""

    key: str
    does: str
    action: str = ""


AT_ONCE = 0.05
"""Seconds without another letter after which those that fit no answer are given away, all together."""
DISMISS = Hint("Esc", "dismiss", "screen.dismiss_dialog")


class DialogBox(Vertical):
    """Asks one dialog's question. What is answered goes up as `Answered`; the box itself changes nothing.

    While it is disabled it takes no key and no click, and its hints are not shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+pageup", "scroll_text(-1)", show=False),
        Binding("shift+pagedown", "scroll_text(1)", show=False),
    ]

    class Answered(Message):
        """The person has decided."""

        def __init__(self, dialog: OpenDialog, answer: Answer) -> None:
            super().__init__()
            self.dialog = dialog
            self.answer = answer

    class Begun(Message):
        """Something else than before is written, and not sent."""

        def __init__(self, dialog: OpenDialog, text: str) -> None:
            super().__init__()
            self.dialog = dialog
            self.text = text

    class Strayed(Message):
        """What was typed fits no answer."""

        def __init__(self, dialog: OpenDialog, text: str) -> None:
            super().__init__()
            self.dialog = dialog
            self.text = text

    COMPONENT_CLASSES: ClassVar[set[str]] = {"dialog--quiet"}

    hints: Sequence[Hint] = (DISMISS,)
    takes_letters = True
    """Else what is typed goes to the prompt, and the question makes way."""

    def __init__(self, dialog: OpenDialog, title: str, message: str = "") -> None:
        super().__init__()
        self.dialog = dialog
        self._hints: Sequence[Hint] = self.hints
        self._title = shown(title)
        self._message = shown(message)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog--text", can_focus=False):
            if self._title:
                yield Static(Content(self._title), classes="dialog--title")
            if self._message:
                yield Static(Content(self._message), classes="dialog--message")
        yield from self.compose_answer()
        yield Static(_hint_line(self._hints), classes="dialog--hints")

    def show_key(self, key: str, *, calls: bool) -> None:
        """Tell of the key that puts the question aside, or that `calls` it: before that it takes no other."""
        name = key_in_words(key)
        if calls:
            self._hints = (Hint(name, "answer", "app.dialog_open"), Hint("other keys", "go on writing"))
        else:
            self._hints = (*self.hints[:3], Hint(name, "later", "app.dialog_open"), *self.hints[3:])
        if self.is_mounted:
            self.on_resize()

    def on_resize(self) -> None:
        """As many hints as there is room for, the first ones first."""
        line = self.query_one(".dialog--hints", Static)
        room = self.scrollable_content_region.width
        fitting = [
            count for count in range(1, len(self._hints) + 1) if _hint_line(self._hints[:count]).cell_length <= room
        ]
        line.update(_hint_line(self._hints[: max(fitting, default=1)]))

    def compose_answer(self) -> ComposeResult:
        """The part in which it is answered."""
        raise NotImplementedError

    @property
    def answering(self) -> Widget:
        """What takes the keys."""
        raise NotImplementedError

    def send(self) -> None:
        """Answer with what is chosen or written now."""
        raise NotImplementedError

    def write(self, text: str) -> None:
        """Go on with an answer that was begun before."""

    def stray(self, text: str) -> None:
        self.post_message(self.Strayed(self.dialog, text))

    def answer(self, answer: Answer) -> None:
        self.post_message(self.Answered(self.dialog, answer))

    def action_scroll_text(self, pages: int) -> None:
        text = self.query_one(".dialog--text")
        text.scroll_relative(y=pages * max(1, text.size.height - 1), animate=False)


def _hint_line(hints: Sequence[Hint]) -> Content:
    parts: list[Content] = []
    for hint in hints:
        line = Content.assemble((hint.key, "bold"), f" {hint.does}")
        parts.append(line.stylize(Style.from_meta({"@click": hint.action})) if hint.action else line)
    return Content("  ").join(parts)
