"""A small app with the panes of the side bar and the widgets of extensions, on a session that a test writes."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.pilot import Pilot
from textual.theme import Theme
from textual.widgets import Static

from pitui.outbox import Outbox
from pitui.queue import Queue
from pitui.rpc.records import decode
from pitui.rpc.requests import Request
from pitui.session import facts
from pitui.session.apply import Applied, apply
from pitui.session.model import Session
from pitui.ui.theme import DARK, THEMES
from pitui.ui.widgets.extension import ExtensionWidgets
from pitui.ui.widgets.queue import Deed, QueuePanel
from pitui.ui.widgets.tools import ToolsPanel

STYLES = Path(__file__).parents[3] / "src/pitui/ui/pitui.tcss"
LAYOUT = """
#main { width: 1fr; }
#chat { height: 1fr; }
#prompt { height: 3; background: $panel; }
#side { width: 38; }
"""
Happening = Applied | dict[str, Any]


class Side(App[None]):
    CSS_PATH = STYLES
    CSS = LAYOUT
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, happenings: Sequence[Happening] = (), theme: Theme = DARK) -> None:
        super().__init__()
        self.session = Session()
        self.outbox = Outbox(self.session, self._take, self._ask)
        self.now = 100.0
        self.tools = ToolsPanel(lambda: self.now)
        self.queue = QueuePanel(self.session, Queue(self.outbox))
        self.above = ExtensionWidgets(below=False)
        self.below = ExtensionWidgets(below=True)
        self.chosen: list[int] = []
        self.wanted: list[tuple[str, Deed | None]] = []
        self._happenings = happenings
        for known in THEMES:
            self.register_theme(known)
        self.theme = theme.name

    def compose(self) -> ComposeResult:
        with Horizontal():
            with Vertical(id="main"):
                yield Static(id="chat")
                yield self.above
                yield Static(id="prompt")
                yield self.below
            with Vertical(id="side"):
                yield self.tools
                yield self.queue

    def on_mount(self) -> None:
        self.happen(facts.Started("1.6.0"), *self._happenings)

    def happen(self, *happenings: Happening) -> None:
        for happening in happenings:
            record = decode(encoded(happening)) if isinstance(happening, dict) else happening
            self._take(record)
        changes = self.session.take_changes()
        self.tools.sync(self.session, changes)
        self.queue.sync()
        self.above.sync(self.session)
        self.below.sync(self.session)

    def _take(self, record: Applied) -> None:
        apply(self.session, record, self.now)
        self.outbox.heard(record)

    async def _ask(self, request: Request[Any]) -> None:
        raise AssertionError(f"nothing asks pi here: {request}")

    def on_queue_panel_wanted(self, event: QueuePanel.Wanted) -> None:
        self.wanted.append((event.prompt.text, event.deed))

    def on_queue_panel_mode_wanted(self, event: QueuePanel.ModeWanted) -> None:
        self.wanted.append((event.lane.value, None))

    def on_tools_panel_chosen(self, event: ToolsPanel.Chosen) -> None:
        self.chosen.append(event.block_id)


class Scene:
    """What a test lets happen, and what is seen of it."""

    def __init__(self, app: Side, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def happens(self, *happenings: Happening) -> None:
        self.app.happen(*happenings)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], Any], seconds: float = 20) -> None:
        with anyio.fail_after(seconds):
            while not condition():  # noqa: ASYNC110 - any condition, of any owner
                await anyio.sleep(0.01)

    def text(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def rows(self, panel: ToolsPanel | QueuePanel | ExtensionWidgets) -> list[str]:
        """What a panel shows, without what is blank at the end."""
        region = panel.content_region
        strips = self.app.screen._compositor.render_strips()[region.y : region.bottom]
        right = region.x + panel.scrollable_content_region.width
        rows = [strip.crop(region.x, right).text.rstrip() for strip in strips]
        while rows and not rows[-1]:
            rows.pop()
        return rows


@asynccontextmanager
async def side(size: tuple[int, int] = (120, 40)) -> AsyncIterator[Scene]:
    app = Side()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Scene(app, pilot)


# Records


def encoded(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


def starts(call_id: str, command: str = "ls -la", parent: str | None = None, **fields: Any) -> dict[str, Any]:
    record = {"type": "tool_execution_start", "toolCallId": call_id, "toolName": "bash", "args": {"command": command}}
    return record | ({"parentToolCallId": parent} if parent is not None else {}) | fields


def ends(call_id: str, *, failed: bool = False, milliseconds: int = 500) -> dict[str, Any]:
    return {
        "type": "tool_execution_end",
        "toolCallId": call_id,
        "toolName": "bash",
        "result": {"content": [{"type": "text", "text": f"out of {call_id}"}], "details": {}},
        "isError": failed,
        "durationMs": milliseconds,
    }


def queue(steering: Sequence[str], follow_up: Sequence[str] = ()) -> dict[str, Any]:
    return {"type": "queue_update", "steering": list(steering), "followUp": list(follow_up)}


def widget(key: str, lines: Sequence[str] | None, *, below: bool = False) -> dict[str, Any]:
    placement = "belowEditor" if below else "aboveEditor"
    record: dict[str, Any] = {"type": "extension_ui_request", "id": key, "method": "setWidget", "widgetKey": key}
    return record | {"widgetPlacement": placement} | ({} if lines is None else {"widgetLines": list(lines)})
