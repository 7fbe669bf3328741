"""A question with options."""

from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from pitui.render.text import visible
from pitui.rpc.records import Select
from pitui.rpc.requests import Value
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.box import AT_ONCE, DISMISS, DialogBox, Hint
from pitui.ui.dialogs.options import Options
from pitui.ui.dialogs.wording import shown_line

FEW = 7
"""So many options are seen at once; with more, filtering is spoken of."""


class SelectBox(DialogBox):
    """Answers with the text of an option, as it was given."""

    hints = (Hint("Enter", "choose", "screen.send"), DISMISS, Hint("↑↓", "move"), Hint("a-z", "filter"))

    def __init__(self, dialog: OpenDialog, request: Select, message: str = "") -> None:
        super().__init__(dialog, request.title, message)
        self._request = request
        self._options = Options([shown_line(option) for option in request.options], filtered=self.takes_letters)
        self._options.add_class("dialog--answer")
        self._filter = Static(classes="dialog--filter")
        self._filter.display = False
        self._straying: Timer | None = None

    def compose_answer(self) -> ComposeResult:
        yield self._filter
        yield self._options

    def on_mount(self) -> None:
        self._show_filter()

    @property
    def answering(self) -> Options:
        return self._options

    def send(self) -> None:
        self._options.action_choose()

    def on_options_filtered(self) -> None:
        if self._straying:
            self._straying.stop()
        if not self._options.found and self._options.filter:
            self._straying = self.set_timer(AT_ONCE, lambda: self.stray(self._options.filter))
        self._show_filter()

    def on_options_chosen(self, event: Options.Chosen) -> None:
        event.stop()
        self.answer(Value(self._request.options[event.option]))

    def _show_filter(self) -> None:
        typed, count, found = self._options.filter, len(self._request.options), len(self._options.found)
        quiet = self.get_visual_style("dialog--quiet")
        self._filter.display = bool(typed) or count > FEW
        if typed:
            self._filter.update(Content.assemble("/", (visible(typed), "bold"), (f"  {found} of {count}", quiet)))
        else:
            self._filter.update(Content.styled(f"/ type to filter {count} options", quiet))
