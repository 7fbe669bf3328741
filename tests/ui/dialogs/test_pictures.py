"""Pictures of every kind of question."""

from datetime import datetime
from typing import Any, ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.theme import Theme
from textual.widgets import Input, Static, TextArea

from pitui.rpc import records
from pitui.session.model import OpenDialog
from pitui.ui.dialogs.screen import Arrival, DialogScreen
from pitui.ui.dialogs.waiting import DialogWaiting
from pitui.ui.dialogs.writers import choices, question
from pitui.ui.theme import DARK, LIGHT, THEMES
from pitui.watch import Others, Stance
from tests.ui.dialogs.stage import CHAT, STYLES

SIZES = {"120x40": (120, 40), "80x24": (80, 24), "40x12": (40, 12)}
LOOKS = {"dark": DARK, "light": LIGHT}
NOW = 1000.0
OTHERS = Others(
    count=3, since=datetime(2026, 11, 30, 14, 3, 9).timestamp(), words="mend the parser so that nested quotes are kept"
)
QUESTIONS: dict[str, records.Dialog] = {
    "select": records.Select(
        title="Which of these shall be deployed?",
        options=[
            "The web server",
            "The worker, and with it everything that it needs: the queue, the cache and the two databases beside it",
            "Nothing",
        ],
    ),
    "files": records.Select(title="Pick a file", options=[f"src/module_{n}/file_{n * 7}.py" for n in range(400)]),
    "confirm": records.Confirm(
        title="Run \u202egpj.exe?", message="rm\u200b -rf \u2067build\u2069\n\nThis cannot be undone."
    ),
    "long": records.Confirm(
        title="Is this plan what you want, with all that it says about the parser, its tests and the changelog?",
        message="\n".join(f"{number}. Read the code, change it, and test what was changed." for number in range(1, 60)),
    ),
    "writers": question(OTHERS, choices(OTHERS, Stance.NONE, called=True)),
    "input": records.Input(title="Name of the new branch", placeholder="feature/…"),
    "editor": records.Editor(
        title="Edit the commit message",
        prefill="Ask before the build folder is removed\n\nIt held results that took\n\thours to make.",
    ),
}


class Asking(App[None]):
    CSS_PATH = STYLES
    CSS = "#chat { height: 1fr; overflow: hidden; padding: 0 1; } #prompt { height: 3; background: $surface; }"
    ENABLE_COMMAND_PALETTE = False
    KEYS: ClassVar[dict[str, list[str]]] = {"files": [*"file_1", "down"]}

    def __init__(self, kind: str, theme: Theme = DARK, *, waiting: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.waiting = waiting
        self.card = DialogWaiting()
        for known in THEMES:
            self.register_theme(known)
        self.theme = theme.name

    def compose(self) -> ComposeResult:
        yield Static(CHAT, id="chat", markup=False)
        yield self.card
        yield Static(id="prompt")

    async def on_mount(self) -> None:
        dialog = OpenDialog(QUESTIONS[self.kind], NOW + 28 if self.kind in ("select", "confirm") else None)
        if self.waiting:
            self.card.show([dialog, dialog, dialog], lambda: NOW)
            return
        screen = DialogScreen(
            lambda: NOW,
            lambda *_: None,
            give_way=lambda _: None,
            put_aside=lambda: None,
            begun=lambda *_: None,
            key="f8",
        )
        screen.ask(dialog, Arrival.CALLED)
        screen.count(1, 3 if self.kind == "select" else 1)
        await self.push_screen(screen)


async def answering(pilot: Any) -> None:
    app = pilot.app
    await pilot.pause()
    for field in app.screen.query("Input, TextArea").results(Input | TextArea):
        field.cursor_blink = False
    await pilot.press(*app.KEYS.get(app.kind, []))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_kind_of_question(snap_compare: Any, kind: str, size: str) -> None:
    assert snap_compare(Asking(kind), terminal_size=SIZES[size], run_before=answering)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("kind", ["select", "confirm", "input"])
def test_every_look(snap_compare: Any, kind: str, look: str) -> None:
    assert snap_compare(Asking(kind, LOOKS[look]), terminal_size=(80, 20), run_before=answering)


@pytest.mark.parametrize("size", SIZES)
def test_a_question_that_waits(snap_compare: Any, size: str) -> None:
    assert snap_compare(Asking("select", waiting=True), terminal_size=SIZES[size])
