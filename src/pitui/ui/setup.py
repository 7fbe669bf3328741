"""The first screen of somebody who has no pi: get one, try the demo, or leave."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.driver import Driver
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker

from pitui.itself import to_run
from pitui.operating_system import LEAVING, on_signal
from pitui.pi.problem import Problem
from pitui.pi.setup import PI_VERSION, Node, find_node, install
from pitui.render.text import clean
from pitui.ui.system.driver import TerminalDriver
from pitui.ui.theme import DARK, THEMES
from pitui.ui.widgets.menu import Item, Menu

Way = Literal["installed", "demo"]
SETTLE = 0.4
"""Seconds without a key before one can choose: what was typed while this came up is meant for something else."""
SIGNALLED = 128
BESIDE = 60
"""The width from which on there is room beside each choice for what it does."""

ABOVE = 6
"""Rows that are not for what goes on, at least."""


class SetupApp(App[Way]):
    """Runs until a pi is installed or the demo is wanted; gives None when the person leaves."""

    CSS_PATH = ["setup.tcss"]
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (BESIDE, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (10, "-short"), (20, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("enter", "choose", show=False),
        Binding("escape,q,ctrl+c,ctrl+d,ctrl+q", "leave", show=False, priority=True),
    ]

    def __init__(self, problem: Problem, data_folder: Path, *, theme: str = "") -> None:
        """`problem` says why there is no pi, and `data_folder` is where one would be installed."""
        super().__init__()
        self._problem = problem
        self._data_folder = data_folder
        self._node: Node | Problem | None = None
        self._steps: list[str] = []
        self._told = ""
        """What is said of an installation that goes on, or has ended."""
        self.failure: Problem | None = None
        """Why the last one has failed."""
        self._installing: Worker[None] | None = None
        self._settling: Timer | None = None
        self._signalled = 0
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme if theme in self.available_themes else DARK.name

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        return TerminalDriver if issubclass(TerminalDriver, chosen) else chosen  # another one may be asked for

    def compose(self) -> ComposeResult:
        with Vertical(id="setup"):
            yield Static(Content(self._problem.what), classes="setup--title")
            yield Static(Content(clean(_short(self._problem.why))), classes="setup--text")
            yield Menu()
            yield Static(id="told")
            yield Static(id="hints")

    def on_mount(self) -> None:
        self._show()
        for number in LEAVING:
            on_signal(asyncio.get_running_loop(), number, self._end, number)
        self._look_for_node()
        self._settle()

    # choosing

    def _items(self) -> Sequence[Item]:
        where = _short(str(self._data_folder / "pi"))
        match self._node:
            case None:
                how = "looking for Node.js…"
            case Problem(what=what):
                how = what
            case Node(version=version):
                how = f"into {where}, with Node.js {version}"
        return (
            Item(f"Install pi {PI_VERSION}", how),
            Item("Try the demo", "an agent built in: no pi, no key, no network"),
            Item("Leave", f"“{to_run('--pi', 'COMMAND')}” names a pi that is somewhere else"),
        )

    @work
    async def _look_for_node(self) -> None:
        self._node = await find_node()
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        """What a choice does stands beside it, or where that is too narrow, below all while nothing else is told."""
        items = self._items()
        chosen = self._menu.highlighted
        below = self.size.width < BESIDE
        self._menu.show([Item(item.label) for item in items] if below else items, chosen)
        told = self._told or (items[chosen].detail if below else "")
        self.query_one("#told", Static).update(Content(clean(told)))
        self.screen.set_class(self._installing is not None, "-installing")

    @property
    def _menu(self) -> Menu:
        return self.query_one(Menu)

    def on_key(self, event: events.Key) -> None:
        if self._settling is not None and event.key not in ("escape", "ctrl+c", "ctrl+q"):
            self._settle()

    def _settle(self) -> None:
        if self._settling is not None:
            self._settling.stop()
        self._settling = self.set_timer(SETTLE, self._take_keys)

    def _take_keys(self) -> None:
        self._settling = None
        self._hint("Enter chooses · ↑↓ move · Esc leaves")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("move", "choose"):
            return self._settling is None and self._installing is None
        return True

    def action_move(self, by: int) -> None:
        self._menu.move(by, around=True)
        if self.size.width < BESIDE:
            self._told = ""
        self._show()

    @on(Menu.Chosen)
    def action_choose(self) -> None:
        match self._menu.highlighted:
            case 0:
                self._begin()
            case 1:
                self.exit("demo")
            case _:
                self.exit()

    def action_leave(self) -> None:
        if self._installing is None:
            self.exit()
        else:
            self._installing.cancel()

    def _end(self, number: int) -> None:
        """A signal ends it in order."""
        self._signalled = number
        if self._installing is None:
            self.exit(return_code=SIGNALLED + number)
        else:
            self._installing.cancel()

    # installing

    def _begin(self) -> None:
        match self._node:
            case Node():
                self._steps = []
                self.failure = None
                self._installing = self._install(self._node)
                self._hint("Esc stops it; nothing is changed then")
            case Problem():
                self.failure = self._node
                self._tell_all(f"{self._node.why}\n{self._node.remedy}")
            case None:
                pass

    @work
    async def _install(self, node: Node) -> None:
        ended = "Stopped. Nothing was changed."
        try:
            problem = await install(node, self._data_folder, self._tell)
            if problem is None:
                self.exit("installed")
            self.failure = problem
            ended = str(problem or "")
        finally:
            self._installing = None
            self._take_keys()
            self._tell_all(ended)
            if self._signalled:
                self._end(self._signalled)

    def _tell(self, step: str) -> None:
        """A count takes the place of the one before."""
        if step[:1].isdigit() and self._steps and self._steps[-1][:1].isdigit():
            self._steps[-1] = step
        else:
            self._steps.append(step)
        seen = self._steps[-max(1, self.size.height - ABOVE) :]
        self._tell_all("\n".join(map(_short, seen)))

    def _tell_all(self, text: str) -> None:
        self._told = text
        self._show()

    def _hint(self, text: str) -> None:
        self.query_one("#hints", Static).update(Content(text))


def _short(text: str) -> str:
    """`text` with a tilde for the home folder."""
    return text.replace(str(Path.home()), "~")
