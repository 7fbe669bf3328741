"""How the question looks whether pi may load what a folder brings."""

from pathlib import Path

import anyio
import pytest
from syrupy.assertion import SnapshotAssertion
from textual.app import App

from pitui.pi.trust import Answer, Source, Trust
from pitui.ui.dialogs.desk import Arrival
from pitui.ui.screens.trust import TrustScreen
from pitui.ui.theme import DARK, THEMES
from tests.ui.test_snapshots import Picture

SIZES = [(120, 40), (80, 24), (40, 12)]
FOLDER = Path("/projects/tea-garden")
HOSTILE = Path("/projects/\x1b]0;owned\x07[bold]no markup[/] \u202eお茶の庭の長い名前のフォルダー")


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


class TrustApp(App[None]):
    CSS_PATH = [f"../../src/pitui/ui/{name}" for name in ("pitui.tcss", "screens/main.tcss")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, screen: TrustScreen) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name
        self._asks = screen

    def on_mount(self) -> None:
        self.push_screen(self._asks)


def question(folder: Path, *names: str, arrival: Arrival, damage: str = "", decided: bool | None = None) -> TrustScreen:
    resources = [*(folder / ".pi" / name for name in names), folder.parent / ".agents" / "skills"]
    source = Source.NOTHING if decided is None else Source.FILE
    trust = Trust(folder, resources, decided, source, str(folder) if decided is not None else "", damage)
    answers = [answer for answer in Answer if not damage or answer in (Answer.NOT_NOW, Answer.THIS_TIME)]
    names_in = {folder / ".pi" / "extensions": ["guard.ts", "\x1b[31mred\x1b[0m [b]x[/].ts", "長い名前.ts"] * 10}
    notes = ("Now: trusted, by trust.json.", "A change starts pi again on this session; what you write stays.")
    return TrustScreen(
        trust,
        names_in,
        answers,
        arrival=arrival,
        escape=Answer.NOT_NOW,
        leaving="not now" if decided is None else "leave it so",
        notes=notes if decided is not None else (),
        give_way=lambda event: None,
    )


DAMAGE = "/home/me/.pi/agent/trust.json is damaged: it is not an object."
QUESTIONS = {
    "before_pi_starts": lambda: question(FOLDER, "settings.json", "mcp.json", "prompts", arrival=Arrival.BY_ITSELF),
    "asked_for": lambda: question(FOLDER, "extensions", "SYSTEM.md", arrival=Arrival.CALLED, decided=True),
    "hostile": lambda: question(HOSTILE, "extensions", "skills", arrival=Arrival.CALLED),
    "damaged": lambda: question(
        FOLDER,
        "themes",
        arrival=Arrival.CALLED,
        damage="/home/me/.pi/agent/trust.json is damaged: it is not an object.",
    ),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("kind", QUESTIONS)
async def test_the_question(picture: SnapshotAssertion, kind: str, size: tuple[int, int]) -> None:
    app = TrustApp(QUESTIONS[kind]())
    async with app.run_test(size=size) as pilot:
        with anyio.fail_after(20):
            while app.screen.has_class("-settling"):  # noqa: ASYNC110 - it takes no keys at first
                await anyio.sleep(0.01)
        await pilot.pause()
        assert app.export_screenshot(title=" ") == picture
