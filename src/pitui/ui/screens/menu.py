"""A menu of what can be done with one thing: it says what each would do before it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.render.text import clean_line
from pitui.ui.widgets.menu import Item, Menu

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Offer(Generic[T]):
    """A row of the menu. `refusal` says why it cannot be done now; empty when it can. `key` does it at once."""

    deed: T
    title: str
    explanation: str
    refusal: str = ""
    key: str = ""


class MenuScreen(ModalScreen[T | None]):
    """Gives what the person wants to do, or None. What each does stands below, before it is done."""

    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c,left", "leave", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    def __init__(self, title: str, offers: Sequence[Offer[T]]) -> None:
        super().__init__()
        self._title = clean_line(title, 200)
        self.offers = offers
        self._menu = Menu([Item(offer.title, note=offer.key, mark="✗" if offer.refusal else "") for offer in offers])
        self._explanation = Static(classes="menu-screen--explanation")

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._menu
            yield self._explanation
            yield Static(Content("Enter does it · Esc closes"), classes="panel-note menu-screen--hints")

    def on_mount(self) -> None:
        first = next((number for number, offer in enumerate(self.offers) if not offer.refusal), 0)
        self._menu.highlighted = first
        self._explain()

    def _explain(self) -> None:
        offer = self.offers[self._menu.highlighted]
        self._explanation.set_class(bool(offer.refusal), "-refused")
        self._explanation.update(Content(offer.refusal or offer.explanation))

    def action_move(self, by: int) -> None:
        self._menu.move(by, around=True)
        self._explain()

    def action_move_to(self, number: int) -> None:
        self._menu.highlighted = number % len(self.offers)
        self._explain()

    def action_choose(self) -> None:
        offer = self.offers[self._menu.highlighted]
        if not offer.refusal:
            self.dismiss(offer.deed)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        event.stop()
        self._explain()
        self.action_choose()

    def action_leave(self) -> None:
        self.dismiss(None)
