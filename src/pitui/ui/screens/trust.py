"""`TrustScreen`: asks whether pi may load what a folder has of its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from pitui.pi.trust import Answer, Source, Trust
from pitui.render.text import cells, clean_line
from pitui.ui.dialogs.desk import Arrival
from pitui.ui.dialogs.screen import SETTLE
from pitui.ui.widgets.menu import Item, Menu
from pitui.ui.widgets.status import shortened

KINDS = {
    "settings.json": "settings, and packages to install",
    "mcp.json": "programs that pi starts as MCP servers",
    "extensions": "code that pi runs",
    "skills": "instructions for the model",
    "prompts": "prompt templates",
    "themes": "themes",
    "SYSTEM.md": "instead of pi's system prompt",
    "APPEND_SYSTEM.md": "added to the system prompt",
}
KEPT = "It is left as it is, so that an answer holds only for now."
NAMES = 20
"""So many names in a folder are told."""


class TrustScreen(ModalScreen[Answer | None]):
    """Gives the answer, or None when the person has not decided.

    `names` are those in each resource that is a folder. `notes` are said before the answers. Esc means `escape`, which
    is `leaving` in words. One that comes `BY_ITSELF` makes way for whoever is typing: it is over then, and `give_way`
    gets the key or paste.
    """

    CSS_PATH = "trust.tcss"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-medium"), (34, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False, priority=True),
        Binding("ctrl+c", "app.perform('quit')", show=False),
        Binding("up,shift+tab", "move(-1)", show=False),
        Binding("down,tab", "move(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
        Binding("pageup", "scroll_list(-1)", show=False),
        Binding("pagedown", "scroll_list(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    def __init__(
        self,
        trust: Trust,
        names: Mapping[Path, Sequence[str]],
        answers: Sequence[Answer],
        *,
        arrival: Arrival,
        escape: Answer | None,
        leaving: str,
        notes: Sequence[str],
        give_way: Callable[[events.Key | events.Paste], None],
    ) -> None:
        super().__init__()
        self._trust = trust
        self._names = names
        self._answers = answers
        self._arrival = arrival
        self._escape = escape
        self._leaving = leaving
        self._notes = notes
        self._give_way = give_way
        self._takes_keys = False
        current = _current(trust)
        self._menu = Menu([Item(_title(answer, trust), mark="✓" if answer is current else "") for answer in answers])
        self._menu.highlighted = next((at for at, answer in enumerate(answers) if answer is current), 0)
        self._explanation = Static(classes="trust--explanation")
        self._settling: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Content("Trust what this folder brings?"), classes="trust--title")
            yield Static(Content(clean_line(shortened(self._trust.folder), 1000)), classes="trust--folder")
            with VerticalScroll(classes="trust--list", can_focus=False):
                yield from self._list()
            if self._notes:
                yield Static(Content("\n".join(self._notes)), classes="trust--note")
            if damage := self._trust.damage:
                yield Static(Content(f"{clean_line(damage, 1000)} {KEPT}"), classes="trust--note -damage")
            yield self._menu
            yield self._explanation
            yield Static(Content(f"Enter choose · Esc {self._leaving} · Ctrl+Q leave"), classes="trust--hints")

    def _list(self) -> Iterator[Widget]:
        resources = self._trust.resources
        if not resources:
            yield Static(Content("It has nothing now that needs trust."))
        paths = [clean_line(self._path(resource), 500) for resource in resources]
        column = max(map(cells, paths), default=0) + 2
        for path, resource in zip(paths, resources, strict=True):
            with Container(classes="trust--resource"):
                shown = Static(Content(path), classes="trust--path")
                shown.styles.width = column
                yield shown
                yield Static(Content(self._what(resource)), classes="trust--what")

    def _what(self, resource: Path) -> str:
        names = self._names.get(resource, ())
        listed = ", ".join(clean_line(name, 100) for name in names[:NAMES])
        more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
        return f"{KINDS[resource.name]}: {listed}{more}" if names else KINDS[resource.name]

    def _path(self, resource: Path) -> str:
        inside = resource.is_relative_to(self._trust.folder)
        return str(resource.relative_to(self._trust.folder)) if inside else shortened(resource)

    def on_mount(self) -> None:
        self._settling = self.set_timer(SETTLE, self._settle)
        if self._arrival is Arrival.CALLED:
            self._settle()
        self.set_class(not self._takes_keys, "-settling")
        self._explain()

    # when it takes keys

    def _settle(self) -> None:
        self._takes_keys = True
        self.remove_class("-settling")

    def on_key(self, event: events.Key) -> None:
        self._refuse(event)

    def on_paste(self, event: events.Paste) -> None:
        self._refuse(event)

    def _refuse(self, event: events.Key | events.Paste) -> None:
        """What comes too early was not meant for this question."""
        if self._takes_keys or self._settling is None:
            return
        event.stop()
        if self._arrival is Arrival.BY_ITSELF:
            self.dismiss(None)
            self._give_way(event)
        else:
            self._settling.reset()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._takes_keys and super().check_action(action, parameters)

    # answering

    def _explain(self) -> None:
        self._explanation.update(Content(_explanation(self._answers[self._menu.highlighted], self._trust)))

    def action_move(self, by: int) -> None:
        self._menu.move(by, around=True)
        self._explain()

    def action_move_to(self, number: int) -> None:
        self._menu.highlighted = number % len(self._answers)
        self._explain()

    def action_scroll_list(self, pages: int) -> None:
        around = self.query_one(".trust--list")
        around.scroll_relative(y=pages * max(1, around.size.height - 1), animate=False)

    def action_choose(self) -> None:
        self.dismiss(self._answers[self._menu.highlighted])

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        event.stop()
        if self._takes_keys:
            self.action_choose()

    def action_leave(self) -> None:
        self.dismiss(self._escape)


def _current(trust: Trust) -> Answer | None:
    """The answer that is in force."""
    if trust.source is not Source.FILE:
        return None
    if trust.decided_for == str(trust.folder):
        return Answer.ALWAYS if trust.trusted else Answer.NEVER
    return Answer.PARENT if trust.trusted and trust.decided_for == str(trust.folder.parent) else None


def _title(answer: Answer, trust: Trust) -> str:
    return {
        Answer.NOT_NOW: "Not now",
        Answer.THIS_TIME: "Only this time",
        Answer.ALWAYS: "Always",
        Answer.PARENT: f"Always, with everything in {shortened(trust.folder.parent)}",
        Answer.NEVER: "Never",
    }[answer]


def _explanation(answer: Answer, trust: Trust) -> str:
    return {
        Answer.NOT_NOW: "pi works without them, and you are asked again next time.",
        Answer.THIS_TIME: "pi loads them until pitui ends, and you are asked again next time.",
        Answer.ALWAYS: "pi loads what this folder brings, now and later, whoever changes it.",
        Answer.PARENT: "pi loads what this folder and all others in that one bring, now and later.",
        Answer.NEVER: "pi works without them, and you are not asked again. /trust changes it.",
    }[answer]
