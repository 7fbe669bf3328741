"""A small app with a prompt, the card above it and a desk, on a pi in memory that asks what a test wants."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import anyio
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.widgets import Static, TextArea

from pitui.agent import Agent
from pitui.launch import Launch
from pitui.session.model import Aspect, Phase
from pitui.ui.dialogs.box import DialogBox
from pitui.ui.dialogs.desk import DialogDesk
from pitui.ui.dialogs.screen import DialogScreen
from pitui.ui.dialogs.waiting import DialogWaiting
from pitui.ui.theme import DARK
from tests.rpc.memory import MemoryPi

STYLES = Path(__file__).parents[3] / "src/pitui/ui/pitui.tcss"

CHAT = "\n\n".join(
    f"{number}. The build folder holds what was made last time; nothing in it is needed." for number in range(1, 30)
)


class Prompt(TextArea):
    """Tells the desk of every key."""

    def on_key(self) -> None:
        self.app.desk.typed()  # type: ignore[attr-defined]

    def on_paste(self) -> None:
        self.app.desk.typed()  # type: ignore[attr-defined]


class Stage(App[None]):
    CSS_PATH = STYLES
    CSS = "#chat { height: 1fr; overflow: hidden; padding: 0 1; } Prompt { height: 4; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f8", "dialog_open", priority=True)]
    ENABLE_COMMAND_PALETTE = False
    desk: DialogDesk

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self.agent = agent
        self.card = DialogWaiting()
        self.prompt = Prompt(show_line_numbers=False, compact=True)

    def compose(self) -> ComposeResult:
        yield Static(CHAT, id="chat", markup=False)
        yield self.card
        yield self.prompt

    def on_mount(self) -> None:
        self.register_theme(DARK)
        self.theme = DARK.name
        self.prompt.cursor_blink = False
        self.prompt.focus()
        self.desk = DialogDesk(self, self.agent, self.card, writes=lambda: bool(self.prompt.text))
        self.run_worker(self.follow())

    async def follow(self) -> None:
        async for changes in self.agent.frames(1000):
            if changes.aspects & (Aspect.DIALOGS | Aspect.PROCESS | Aspect.REPLACED):
                self.desk.sync()

    def action_dialog_open(self) -> None:
        self.desk.toggle()


class Scene:
    """What a test does and sees."""

    def __init__(self, pi: MemoryPi, agent: Agent, app: Stage, pilot: Pilot[None]) -> None:
        self.pi, self.agent, self.app, self.pilot = pi, agent, app, pilot

    def asks(self, id_: str, method: str, title: str, **fields: Any) -> None:
        self.says({"type": "extension_ui_request", "id": id_, "method": method, "title": title} | fields)

    def says(self, record: dict[str, Any]) -> None:
        self.pi.says(json.dumps(record).encode() + b"\n")

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [line for line in self.pi.sent if line["type"] == "extension_ui_response"]

    @property
    def box(self) -> DialogBox | None:
        """The question that takes keys now."""
        if not isinstance(self.app.screen, DialogScreen):
            return None
        boxes = [box for box in self.app.screen.query(DialogBox) if not box.disabled and box.has_focus_within]
        return boxes[0] if len(boxes) == 1 else None

    async def until(self, condition: Callable[[], Any], seconds: float = 10) -> None:
        with anyio.fail_after(seconds):
            while not condition():  # noqa: ASYNC110 - any condition, of any owner
                await anyio.sleep(0.01)
        await self.pilot.pause()

    async def asked(self, title: str) -> DialogBox:
        """The question with that title, once it takes keys."""
        await self.until(lambda: self.box is not None and self.box.dialog.request.title == title)
        assert self.box
        return self.box

    async def quiet(self) -> None:
        """Nothing is asked and nothing waits."""
        await self.until(lambda: not isinstance(self.app.screen, DialogScreen) and not self.app.card.display)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def pastes(self, text: str) -> None:
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()

    def text(self) -> str:
        """What is on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)


@asynccontextmanager
async def stage(size: tuple[int, int] = (80, 24), clock: Callable[[], float] | None = None) -> AsyncIterator[Scene]:
    pi = MemoryPi()

    async def connect(_: Launch) -> MemoryPi:
        return pi

    launch = Launch(["pi"], Path("/project"), "1.6.0")
    async with Agent(launch, connect, clock) as agent, anyio.create_task_group() as tasks:
        tasks.start_soon(_answer_requests, pi)
        app = Stage(agent)
        async with app.run_test(size=size) as pilot:
            scene = Scene(pi, agent, app, pilot)
            await scene.until(lambda: agent.session.phase is Phase.IDLE)
            yield scene
        tasks.cancel_scope.cancel()


async def _answer_requests(pi: MemoryPi) -> None:
    """Says to every request what an idle pi says."""
    done = 0
    known: dict[str, Any] = {
        "get_state": {"isStreaming": False, "sessionId": "s", "sessionFile": "/sessions/s.jsonl"},
        "get_entries": {"entries": [], "leafId": None},
        "get_commands": {"commands": []},
        "get_session_stats": {},
        "clear_queue": {"steering": [], "followUp": []},
        "new_session": {"cancelled": False},
    }
    while True:
        for line in pi.sent[done:]:
            done += 1
            if line["type"] != "extension_ui_response":
                pi.answers(line, known.get(line["type"]))
        await anyio.sleep(0.005)
