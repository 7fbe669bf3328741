"""What can be done with an entry of the tree: a menu that says what each would do."""

from enum import Enum, auto
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pitui.pane_actions import PANE_KEYS, Keys
from pitui.render.text import clean_line
from pitui.rpc.messages import Entry, MessageEntry, UserMessage
from pitui.session.tree import Tree
from pitui.ui.keys import key_of, sentences
from pitui.ui.screens.menu import MenuScreen, Offer
from pitui.ui.widgets.writing import LineInput

LABEL = "A name for this entry, to find it again. · [tree.labelled] shows only what has one."


class Deed(Enum):
    """Something to do with an entry."""

    CONTINUE = auto()
    SUMMARIZE = auto()
    INSTRUCT = auto()
    FORK = auto()
    CLONE = auto()
    LABEL = auto()
    COPY = auto()
    MARK = auto()
    COMPARE = auto()


def offers(tree: Tree, entry: Entry, marked: str, missing: str, keys: Keys = PANE_KEYS) -> list[Offer[Deed]]:
    """Everything that can be done with an entry of a tree, and why not where it cannot.

    `marked` is the id of the entry that is marked for a comparison; `missing` says why the companion is not there.
    """
    prompt = isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage)
    place = tree.place_of(entry.id)
    absent = f"This needs pitui's companion in pi, and there is none: {missing}" if missing else ""
    here = "" if prompt or place != tree.leaf else "You are here already."
    where = "before this prompt, which comes into the editor" if prompt else "after this"
    goes = f"This session goes on from {where}. What came later stays in the tree."
    ends = {tree.newest_below(place), tree.newest_below(other) if (other := tree.place_of(marked)) >= 0 else tree.leaf}
    with_what = "the marked one" if marked else "where you are"
    same = "Both are on one branch." if len(ends) == 1 else ""
    compare = key_of("tree.compare", keys)  # it marks what cannot be compared
    return [
        Offer(Deed.CONTINUE, "Continue here", goes, here or absent),
        Offer(
            Deed.SUMMARIZE,
            "Continue here, with a summary",
            f"{goes} Before, the model sums up what is left, and sees that here. Esc stops it.",
            here or absent,
        ),
        Offer(
            Deed.INSTRUCT,
            "Continue here, with a summary you direct",
            f"{goes} Before, the model sums up what is left, as you tell it to.",
            here or absent,
        ),
        Offer(
            Deed.FORK,
            "Fork to a new session",
            f"A new session with all up to {'before this prompt, which comes into the editor' if prompt else 'this'}."
            " This session is kept as it is.",
            "" if prompt else absent,
        ),
        Offer(Deed.CLONE, "Clone the session", "A new session with the branch that you are on. This one is kept."),
        Offer(Deed.LABEL, "Label", sentences(LABEL, keys), absent, key_of("tree.label", keys)),
        Offer(Deed.COPY, "Copy", "All of its text goes to the clipboard.", key=key_of("tree.copy", keys)),
        Offer(Deed.MARK, "Mark to compare", "Then choose “Compare” at another entry.", key=compare if same else "")
        if marked != entry.id
        else Offer(Deed.MARK, "Take the mark away", "No branch is marked then.", key=compare if same else ""),
        Offer(
            Deed.COMPARE,
            f"Compare with {with_what}",
            "Both branches side by side, from where they part: what was said, files, tokens, cost, time.",
            same,
            "" if same else compare,
        ),
    ]


class EntryMenu(MenuScreen[Deed]):
    """Gives what the person wants to do with an entry."""


class LineScreen(ModalScreen[str | None]):
    """Asks for a line; gives it, or None."""

    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "leave", show=False)]

    def __init__(self, title: str, value: str = "", *, note: str = "") -> None:
        super().__init__()
        self._title = clean_line(title, 200)
        self._note = note
        self._input = LineInput(clean_line(value, 500), compact=True)
        self._input.cursor_blink = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content(self._title), classes="panel-title")
            yield self._input
            yield Static(Content(self._note), classes="panel-note")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        self.dismiss(None)
