"""A list to choose from, with type-to-filter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import FuzzySearch
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pitui.render.text import clean_line
from pitui.ui.widgets.menu import Item, Menu
from pitui.ui.widgets.writing import LineInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """A row and what choosing it gives. `depth` indents it, `current` marks it as the one in force."""

    value: T
    label: str
    detail: str = ""
    note: str = ""
    depth: int = 0
    current: bool = False

    @property
    def item(self) -> Item:
        return Item("  " * min(self.depth, 20) + self.label, self.detail, self.note, "✓" if self.current else "")


class PickerScreen(ModalScreen[T | None]):
    """Gives what was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "leave", "Close", show=False)]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[T]],
        *,
        empty: str = "There is nothing to choose.",
        highlighted: int | None = None,
        filtered: bool = True,
    ) -> None:
        """`highlighted` is the row to begin at; without it that is the first one in force.

        Not `filtered` by what is typed is what has but a few, as the answers to a question.
        """
        super().__init__()
        self._first = highlighted
        self._title = clean_line(title, 200)
        self._choices = list(choices)
        self._shown = list(choices)
        self._empty = empty
        self._search = FuzzySearch()
        self._input = LineInput(placeholder="Type to filter", compact=True)
        self._input.cursor_blink = False
        self._input.display = filtered
        self._hint = "" if filtered else "Enter chooses · Esc closes"

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._input
            yield Menu([choice.item for choice in self._choices])
            yield Static(Content(""), classes="panel-note")

    def on_mount(self) -> None:
        current = next((number for number, choice in enumerate(self._choices) if choice.current), 0)
        first = current if self._first is None else self._first
        self._menu.show([choice.item for choice in self._choices], first)
        self._note()

    @property
    def _menu(self) -> Menu:
        return self.query_one(Menu)

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        query = event.value.strip()
        self._shown = self.fitting(query) if query else list(self._choices)
        self._menu.show([choice.item for choice in self._shown])
        self._note()

    def fitting(self, query: str) -> list[Choice[T]]:
        """What fits, the best first; those with a depth in the order in which they stand."""
        scored = [(self._score(query, choice), choice) for choice in self._choices]
        fitting = [pair for pair in scored if pair[0] > 0]
        if not any(choice.depth for choice in self._choices):
            fitting.sort(key=lambda pair: -pair[0])
        return [choice for _, choice in fitting]

    def _score(self, query: str, choice: Choice[T]) -> float:
        """Every word must be found; in the label or in what is said of it."""
        text = f"{choice.label} {choice.detail} {choice.note}"[:300]
        total = 0.0
        for word in query.split():
            score = max(2 * self._search.match(word, choice.label)[0], word.lower() in text.lower())
            if score <= 0:
                return 0
            total += score
        return total

    def _note(self) -> None:
        note = self._hint
        if not self._choices:
            note = self._empty
        elif not self._shown:
            note = "Nothing fits. Backspace takes letters back, Esc closes."
        line = self.query_one(".panel-note", Static)
        line.display = bool(note)
        line.update(Content(note))

    def on_key(self, event: events.Key) -> None:
        menu = self._menu
        match event.key:
            case "up" | "down":
                menu.move(-1 if event.key == "up" else 1, around=True)
            case "pageup" | "pagedown":
                menu.page(-1 if event.key == "pageup" else 1)
            case "ctrl+home" | "ctrl+end":
                menu.move(-len(self._shown) if event.key == "ctrl+home" else len(self._shown))
            case "enter" if not self._input.display:
                self._choose()
            case _:
                return
        event.stop()
        event.prevent_default()

    @on(Input.Submitted)
    def _choose(self) -> None:
        if self._shown:
            self.dismiss(self._shown[self._menu.highlighted].value)

    @on(Menu.Chosen)
    def _choose_clicked(self) -> None:
        self._choose()

    def action_leave(self) -> None:
        self.dismiss(None)
