"""A person in front of the whole app: what they do, and what they can see. pi is the demo agent, or one in memory."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import anyio
import pytest
from textual import events
from textual.pilot import Pilot

from pitui.agent import Agent
from pitui.config import Settings
from pitui.launch import Launch
from pitui.session.blocks import PromptBlock, TextBlock, ToolBlock, ToolState
from pitui.session.model import Phase
from pitui.store.journal import Journal
from pitui.ui.app import PituiApp
from pitui.ui.dialogs.box import DialogBox
from pitui.ui.widgets.prompt import Prompt
from tests.rpc.memory import MemoryPi

SLOW = '#tool bash {"command":"sleep 30"}\n#then\n#say Late.'
"""A turn that goes on until it is stopped."""

KEYS = {" ": "space", "/": "slash", "!": "exclamation_mark"}


class Person:
    def __init__(self, app: PituiApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot
        self.agent = app.agent

    # what they do

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def types(self, text: str) -> None:
        await self.press(
            *({" ": "space", "/": "slash", "!": "exclamation_mark"}.get(letter, letter) for letter in text)
        )

    async def pastes(self, text: str) -> None:
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()

    async def sends(self, text: str, *, key: str = "enter") -> None:
        """Write, paste like, and send."""
        self.prompt.insert(text)
        await self.press(key)

    async def until(self, condition: Callable[[], Any], seconds: float = 20) -> None:
        """Wait until it holds."""
        with anyio.fail_after(seconds):
            while not condition():  # noqa: ASYNC110 - any condition, of any owner
                await anyio.sleep(0.01)
        await self.pilot.pause()

    async def sees(self, text: str) -> None:
        """Wait until that is on the screen."""
        try:
            await self.until(lambda: text in self.screen())
        except TimeoutError:
            raise AssertionError(f"never seen: {text!r} in\n{self.screen()}") from None

    async def is_asked(self) -> None:
        """Wait until a question of an extension takes keys, and is not only announced."""
        await self.until(
            lambda: any(box.has_focus_within and not box.disabled for box in self.app.screen.query(DialogBox))
        )

    # what they see

    @property
    def prompt(self) -> Prompt:
        return self.app.main.prompt

    def screen(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    async def picture(self) -> str:
        """The screen as SVG, once all is drawn that has happened, and nothing moves any more."""
        await self.until(lambda: not self.agent.session.changes)
        before, now = "", self.app.export_screenshot(title=" ")
        while now != before:
            await self.pilot.pause()
            before, now = now, self.app.export_screenshot(title=" ")
        return now

    def row(self, number: int) -> str:
        return self.screen().split("\n")[number]

    # what pi does

    def asked(self) -> list[str]:
        return [block.text for block in self.agent.session.blocks if isinstance(block, PromptBlock)]

    def said(self) -> list[str]:
        return [block.text.strip() for block in self.agent.session.blocks if isinstance(block, TextBlock)]

    def is_idle(self) -> bool:
        return self.agent.session.phase is Phase.IDLE and not self.agent.session.sending

    def runs_a_tool(self) -> bool:
        return any(
            isinstance(block, ToolBlock) and block.state is ToolState.RUNNING for block in self.agent.session.blocks
        )


@asynccontextmanager
async def at_the_demo(
    folder: Path,
    *options: str,
    size: tuple[int, int] = (100, 30),
    settings: Settings | None = None,
    editor_keys: Mapping[str, Sequence[str]] = MappingProxyType({}),
    environment: Mapping[str, str] | None = None,
    ready: bool = True,
    journal: Journal | None = None,
) -> AsyncIterator[Person]:
    """The app on the demo agent, with the extension that asks and sessions in a folder beside `folder`."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    argv = [
        *(sys.executable, "-m", "pitui.demo", "-e", "asking-extension.ts"),
        *("--session-dir", str(folder / "sessions"), *options),
    ]
    environment = {**os.environ, "LAB_TPS": "2000", **(environment or {})}
    launch = Launch(argv, project, "1.6.0", environment=environment)
    async with Agent(launch, journal=journal) as agent, at(agent, size, settings, editor_keys) as person:
        if ready:
            await person.until(lambda: agent.session.commands and agent.session.stats)
        yield person


@asynccontextmanager
async def at(
    agent: Agent,
    size: tuple[int, int],
    settings: Settings | None = None,
    editor_keys: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> AsyncIterator[Person]:
    app = PituiApp(agent, settings, editor_keys=editor_keys)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield Person(app, pilot)


class Told:
    """A pi in memory that says what a test lets it say; it answers what every idle pi answers."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.pi = MemoryPi()
        self.answers = {
            "get_state": {"isStreaming": False, "sessionId": "s", "sessionFile": "/sessions/s.jsonl"},
            "get_entries": {"entries": [], "leafId": None},
            "get_commands": {"commands": []},
            "get_session_stats": {},
            "clear_queue": {"steering": [], "followUp": []},
            "abort": None,
            **answers,
        }
        """By the type of the request; one that is missing, or ..., is not answered; a text is why it was refused."""

    def says(self, **record: Any) -> None:
        self.pi.says(json.dumps(record).encode() + b"\n")

    def sent(self, type_: str) -> list[dict[str, Any]]:
        return [line for line in self.pi.sent if line["type"] == type_]

    async def serve(self) -> None:
        done = 0
        while True:
            for line in await self.pi.more_than(done):
                done += 1
                answer = self.answers.get(line["type"], ...)
                if isinstance(answer, str):
                    self.pi.answers(line, success=False, error=answer)
                elif answer is not ...:
                    self.pi.answers(line, answer)


@asynccontextmanager
async def at_a_told_pi(
    answers: Mapping[str, Any] | None = None,
    *,
    size: tuple[int, int] = (100, 30),
    clock: Callable[[], float] | None = None,
    ready: bool = True,
    journal: Journal | None = None,
    argv: Sequence[str] = ("pi",),
) -> AsyncIterator[tuple[Person, Told]]:
    told = Told(answers or {})

    async def connect(_: Launch) -> MemoryPi:
        return told.pi

    launch = Launch(argv, Path("/project"), "1.6.0")
    async with Agent(launch, connect, clock, journal) as agent, anyio.create_task_group() as tasks:
        tasks.start_soon(told.serve)
        async with at(agent, size) as person:
            if ready:
                await person.until(lambda: agent.session.phase is Phase.IDLE)
            yield person, told
        tasks.cancel_scope.cancel()


def child_of_this() -> int:
    """The process id of the demo agent; 0 while there is none."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("needs Linux, to find the child")
    return int(["0", *children.read_text().split()][-1])
