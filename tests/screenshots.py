"""The pictures of the README: `python -m tests.screenshots` draws them anew.

The demo agent answers, and the clock stands still but where a pose moves it, so that the same pitui draws the same
pictures anywhere.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from pitui.agent import Agent, Launch
from pitui.config import Settings
from pitui.session.blocks import ToolBlock, TurnBlock
from pitui.ui.theme import palette_of
from tests.ui.person import Person, at

FOLDER = Path(__file__).parent.parent / "screenshots"
SIZE = (120, 40)
WORDS = "Greet people by their name, and say what you changed."


@dataclass(frozen=True)
class Picture:
    name: str
    pose: Callable[[Person], Awaitable[None]]
    theme: str = "pitui-dark"


async def the_end_of_a_turn(person: Person) -> None:
    await person.sends(WORDS)
    await person.until(lambda: person.is_idle() and person.said()[-1].startswith("## Done"))


async def a_turn(person: Person) -> None:
    await the_end_of_a_turn(person)
    await person.press("ctrl+home")


async def at_work(person: Person) -> None:
    await person.sends("queue")
    await person.until(person.runs_a_tool)


async def a_queue(person: Person) -> None:
    await at_work(person)
    await person.sends("Keep the comma.")
    await person.sends("Run the tests of the parser too.")
    await person.sends("Then write the changelog.", key="alt+enter")
    await person.until(lambda: len(person.agent.session.steering) == 2 and person.agent.session.follow_up)
    await person.sees("step 3 of 12")
    person.prompt.insert("And say how long it took")


async def a_question(person: Person) -> None:
    await person.sends("ask")
    await person.until(lambda: person.agent.session.dialogs)
    await person.sees("Dangerous command")
    await person.press("f8")
    await person.sees("rm -rf build")


PICTURES = (
    Picture("turn", a_turn),
    Picture("queue", a_queue),
    Picture("dialog", a_question),
    Picture("light", the_end_of_a_turn, "pitui-light"),
)


async def draw(picture: Picture, home: Path) -> str:
    """The picture as SVG, with nothing in it that differs from one run to the next."""
    project = home / "project"
    project.mkdir()
    argv = [sys.executable, "-m", "pitui.demo", "--session-dir", str(home / "sessions")]
    launch = Launch(argv, project, "1.6.0", environment={**os.environ, "DEMO_SHOW": "1", "LAB_TPS": "0"})
    async with (
        Agent(launch, clock=lambda: 100.0) as agent,
        at(agent, SIZE, Settings(theme=picture.theme)) as person,
    ):
        person.app.animation_level = "none"
        await person.sees("0%/200k")
        await person.sees("pitui's demo")
        person.app.clear_notifications()
        await picture.pose(person)
        even_out(person)
        await person.pilot.pause(0.2)  # a few frames
        svg = person.app.export_screenshot(title="pitui")
    return steady(svg, picture.name)


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


async def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        path = FOLDER / f"{picture.name}.svg"
        with tempfile.TemporaryDirectory() as home:
            os.environ["HOME"] = home  # the status line shows folders below it with a tilde
            path.write_text(await draw(picture, Path(home)), "utf-8")
        print(path)


if __name__ == "__main__":
    asyncio.run(main())
