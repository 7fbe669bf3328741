"""An editor for one prompt that waits. What is being written in the prompt is left alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.draft import Draft
from pitui.editor_keys import NEW_LINE, SUBMIT, Keys
from pitui.ui.keys import told
from pitui.ui.widgets.editor import Editor

KEYS = (
    "[tui.input.submit] puts it back · [tui.input.newLine] a new line · [prompt.editor] your editor"
    " · Esc leaves it as it was"
)
GONE = "It has left the queue. [tui.input.submit] puts what is written here into the prompt."
NOTHING = "Nothing is written. Esc leaves it as it was; Delete in the queue takes it out."


class Edited(NamedTuple):
    """What was in the editor at its end, and whether the prompt is to be that."""

    draft: Draft
    kept: bool


class Writing(Editor):
    """Sees to Enter and Esc itself: bound before it, they would overtake what is typed just before them."""

    @dataclass
    class Left(Message):
        """The person is done; `kept` says whether what is written is to stand."""

        kept: bool

    async def _on_key(self, event: events.Key) -> None:
        if event.key in (*self.keys[SUBMIT], "escape"):
            event.stop()
            event.prevent_default()
            self.post_message(self.Left(event.key != "escape"))


class QueueEditor(ModalScreen[Edited]):
    """Gives what was made of the prompt `key`. `keep` hears after every change that there is something to be kept."""

    def __init__(
        self, key: int, title: str, draft: Draft, keep: Callable[[], object] = lambda: None, *, keys: Keys
    ) -> None:
        super().__init__()
        self.key = key
        self._title = title
        self._draft = draft
        self._keep = keep
        self._editor = Writing(keys=keys)
        new_line = sorted(keys[NEW_LINE], key=lambda key: key != "ctrl+j")  # which every terminal has
        self._keys = {**keys, NEW_LINE: new_line}
        self._note = Static(Content(told(KEYS, self._keys)), classes="panel-note")

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._editor
            yield self._note

    def on_mount(self) -> None:
        self._editor.show(self._draft)
        self._editor.history.clear()
        self._editor.move_cursor(self._editor.document.end)

    @property
    def draft(self) -> Draft:
        """What is written now."""
        return self._editor.draft

    def on_text_area_changed(self) -> None:
        if self.draft != self._draft:
            self._keep()

    def leaves_queue(self) -> None:
        """pi has taken it, or it came back to the person."""
        self._note.update(Content(told(GONE, self._keys)))

    @on(Writing.Left)
    def _leave(self, event: Writing.Left) -> None:
        draft = self.draft
        if event.kept and draft.is_blank:
            self._note.update(Content(NOTHING))
        else:
            self.dismiss(Edited(draft, event.kept))
