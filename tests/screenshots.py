"""The pictures of the README: `python -m tests.screenshots` draws them anew, or those that are named.

The demo agent answers, and the clock stands still, so that the same pitui draws the same pictures anywhere.
"""

import asyncio
import os
import re
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from pitui.agent import Agent
from pitui.companion import COMPANION
from pitui.config import Settings
from pitui.launch import Launch
from pitui.pi.install import Version
from pitui.pi.problem import NoPi
from pitui.pi.setup import Node
from pitui.session.blocks import ToolBlock, TurnBlock
from pitui.ui import setup
from pitui.ui.screens.compare import CompareScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.theme import palette_of
from tests.pictured import write_sessions, write_workday
from tests.ui.person import Person, at, child_of_this

FOLDER = Path(__file__).parent.parent / "screenshots"
SIZE = (120, 40)
WORDS = "Greet people by their name, and say what you changed."


@dataclass(frozen=True)
class Picture:
    """`pose` brings the screen about, with the demo agent on a session that `stored` writes, or on a new one."""

    name: str
    pose: Callable[[Person], Awaitable[None]]
    theme: str = "pitui-dark"
    stored: Callable[[Path, Path], Path] | None = None


async def the_end_of_a_turn(person: Person) -> None:
    await person.sends(WORDS)
    await person.until(lambda: person.is_idle() and person.said()[-1].startswith("## Done"))
    await person.sees("what else this demo can show")


async def a_turn(person: Person) -> None:
    await the_end_of_a_turn(person)
    await person.press("ctrl+home")


async def changes(person: Person) -> None:
    even_out(person)
    await person.sends("/changes")
    await person.sees("in the turn of")
    await person.press("f9", "tab")


async def context(person: Person) -> None:
    await person.sends("/context")
    await person.sees("Results of bash")


async def a_queue(person: Person) -> None:
    await person.sends("queue")
    await person.until(person.runs_a_tool)
    await person.sends("Keep the comma.")
    await person.sends("Run the tests of the parser too.")
    await person.sends("Then write the changelog.", key="alt+enter")
    await person.until(lambda: len(person.agent.session.steering) == 2 and person.agent.session.follow_up)
    await person.sees("step 3 of 12")
    os.kill(child_of_this(), signal.SIGSTOP)  # it works no further while the picture is taken
    person.prompt.insert("And say how long it took")


async def a_question(person: Person) -> None:
    await person.sends("ask")
    await person.until(lambda: person.agent.session.dialogs)
    await person.sees("Dangerous command")
    await person.press("f8")
    await person.sees("rm -rf build")


async def models(person: Person) -> None:
    await the_end_of_a_turn(person)
    await person.press("ctrl+l")
    await person.sees("Type to filter")


async def the_tree(person: Person) -> None:
    await person.sends("/tree")
    await person.sees("with format")
    await person.press("up", "up")


async def two_branches(person: Person) -> None:
    await person.sends("/tree")
    await person.sees("with format")
    await person.press("ctrl+k", "end", "ctrl+k")
    await person.until(lambda: isinstance(person.app.screen, CompareScreen))


async def sessions(person: Person) -> None:
    await person.sends("/resume")
    await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
    await person.sees("Rename greet")


async def facts(person: Person) -> None:
    await person.sends("/session")
    await person.sees("Project files")
    await person.press("end")


PICTURES = (
    Picture("turn", a_turn),
    Picture("changes", changes, stored=write_workday),
    Picture("context", context, stored=write_workday),
    Picture("queue", a_queue),
    Picture("dialog", a_question),
    Picture("models", models),
    Picture("tree", the_tree, stored=write_sessions),
    Picture("compare", two_branches, stored=write_sessions),
    Picture("sessions", sessions, stored=write_sessions),
    Picture("facts", facts, stored=write_sessions),
    Picture("light", the_end_of_a_turn, "pitui-light"),
)
SETUP = "setup"
"""The picture of the screen that comes up where there is no pi."""
NAMES = (*(picture.name for picture in PICTURES), SETUP)


async def draw(name: str, home: Path) -> str:
    """The picture as SVG, with nothing in it that differs from one run to the next."""
    places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("STATE", "CONFIG", "DATA", "CACHE")}
    with patch.dict(os.environ, {"HOME": str(home), **places}):  # folders below it are shown with a tilde
        svg = await draw_setup(home) if name == SETUP else await draw_pose(_named(name), home)
    return steady(svg, name)


def _named(name: str) -> Picture:
    return next(picture for picture in PICTURES if picture.name == name)


async def draw_pose(picture: Picture, home: Path) -> str:
    project, folder = home / "project", home / "sessions"
    project.mkdir()
    argv = [sys.executable, "-m", "pitui.demo", "-e", str(COMPANION), "--session-dir", str(folder)]
    if picture.stored:
        argv += ["--session", str(picture.stored(folder, project))]
    launch = Launch(argv, project, "1.6.0", environment={**os.environ, "DEMO_SHOW": "1", "LAB_TPS": "0"})
    async with (
        Agent(launch, clock=lambda: 100.0) as agent,
        at(agent, SIZE, Settings(theme=picture.theme)) as person,
    ):
        person.app.animation_level = "none"
        await agent.until_loaded()
        await person.until(lambda: agent.session.notices or picture.stored)
        person.app.clear_notifications()
        try:
            await picture.pose(person)
            even_out(person)
            await person.picture()
            return person.app.export_screenshot(title="pitui")
        finally:
            os.kill(child_of_this(), signal.SIGCONT)


async def draw_setup(home: Path) -> str:
    async def find() -> Node:
        return Node("/usr/bin/node", ("npm",), Version(24, 19, 0))

    why = NoPi("pi was not found.", "There is no “pi” on PATH, and none in ~/.local/share/pitui/pi.", "")
    with patch.object(setup, "find_node", find), patch.object(setup, "PI_VERSION", Version(1, 6, 0)):
        app = setup.SetupApp(why, home / ".local" / "share" / "pitui")
        async with app.run_test(size=SIZE) as pilot:
            while "looking" in app.export_screenshot() or "Enter" not in app.export_screenshot():
                await pilot.pause(0.01)
            return app.export_screenshot(title="pitui")


def even_out(person: Person) -> None:
    """Gives every tool the same duration, which the demo agent has measured, and every run one that fits."""
    for block in person.agent.session.blocks:
        if isinstance(block, ToolBlock | TurnBlock) and block.duration is not None:
            block.duration = 0.4 if isinstance(block, ToolBlock) else 6.2
            person.agent.session.changes.blocks.add(block.id)
    person.app.main.sync(person.agent.session.take_changes())
    person.app.main.transcript.set_palette(palette_of(person.app))  # draws all anew


def steady(svg: str, name: str) -> str:
    """`svg` with an id of its own in the place of the one that Textual makes of the content."""
    return re.sub(r"terminal-\d+", f"pitui-{name}", svg)


async def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or NAMES:
        path = FOLDER / f"{name}.svg"
        with tempfile.TemporaryDirectory() as home:
            path.write_text(await draw(name, Path(home)), "utf-8")
        print(path)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
