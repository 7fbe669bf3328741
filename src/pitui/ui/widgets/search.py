"""The search bar: one line under the chat, to look for words in all of the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from pitui.render.text import clean_line
from pitui.ui.widgets.writing import LineInput

PLACEHOLDERS = ("prompts, answers, thinking, tools and their output", "everything that was said", "words", "")
LONGEST_WORDS = 1000
"""Characters of a paste that are looked for."""


class SearchWords(LineInput):
    """What is looked for, on one line."""

    class Typed(Message):
        """The person is writing."""

    def __init__(self, placeholders: Sequence[str]) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self.cursor_blink = False
        self._placeholders = placeholders

    async def _on_key(self, event: events.Key) -> None:
        self.post_message(self.Typed())  # and then it is written, as in every line

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.post_message(self.Typed())
        words = " ".join(event.text[:LONGEST_WORDS].split())
        self.replace(clean_line(words, LONGEST_WORDS), *self.selection)

    def on_resize(self) -> None:
        room = self.scrollable_content_region.width
        self.placeholder = next((text for text in self._placeholders if len(text) < room), "")


class SearchBar(Horizontal):
    """Asks for words as they are typed, and says what was found. It is there from `open` until `close`."""

    @dataclass
    class Asked(Message):
        """The person looks for `words` now."""

        words: str

    @dataclass
    class Stepped(Message):
        """The person wants to see the next hit (1) or the previous one (-1)."""

        step: int

    @dataclass
    class Left(Message):
        """The person is done: to `stay` at the hit, or to go back to where they were."""

        stay: bool

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "step(1)", "Next", show=False),
        Binding("up,shift+enter,shift+f3", "step(-1)", "Previous", show=False),
        Binding("tab", "leave(True)", "Stay at it, in the chat", show=False),
        Binding("escape", "leave(False)", "Back to where it began", show=False),
    ]

    def __init__(self, placeholders: Sequence[str] = PLACEHOLDERS) -> None:
        """`placeholders` say what it looks through; the longest for which there is room is shown."""
        super().__init__()
        self.words = SearchWords(placeholders)
        self._found = Static("", id="search-found")
        self.display = False

    def compose(self) -> ComposeResult:
        yield Static("Find", id="search-title")
        yield self.words
        yield self._found

    @property
    def is_open(self) -> bool:
        return self.display

    def open(self, words: str = "") -> None:
        """Ask for `words`, or else for those of the last time, which the first letter replaces."""
        self.display = True
        if words:
            self.words.value = words
        self.words.focus()
        self.words.action_select_all()
        self.ask()

    def close(self) -> None:
        self.display = False

    def ask(self) -> None:
        """Look for what is written, from the start."""
        self.post_message(self.Asked(self.words.value))

    def show_found(self, total: int, position: int, *, searching: bool, around: int = 0) -> None:
        """How many hits there are, until now while it is `searching`, and which is shown, 0 for none.

        `around` is where the last step came from: 1 from the end to the top, -1 from the top to the end.
        """
        self._found.update(Content(found_in_words(total, position, searching, around) if self.words.value else ""))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_open:
            self.ask()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_step(1)

    def action_step(self, step: int) -> None:
        self.post_message(self.Stepped(step))

    def action_leave(self, stay: bool) -> None:
        self.post_message(self.Left(stay))


def found_in_words(total: int, position: int, searching: bool, around: int) -> str:
    """``3 of 17``; with … while more may be found."""
    if not total:
        return "searching…" if searching else "nothing found"
    more = "…" if searching else ""
    if not position:
        return f"{total:,}{more} found"
    told = {1: "from the top: ", -1: "from the end: "}.get(around, "")
    return f"{told}{position:,} of {total:,}{more}"
