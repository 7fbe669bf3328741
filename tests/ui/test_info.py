"""What is told of a session and of what pi works with, and the tools that are switched on and off."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.app import App

from pitui.companion import COMPANION
from pitui.rpc.results import Info, ScopedModel, Skill, Tool
from pitui.session.model import Session
from pitui.ui.screens.info import info_rows
from pitui.ui.screens.page import PageScreen, in_columns
from pitui.ui.screens.picker import PickerScreen
from pitui.ui.theme import DARK
from tests.ui.person import Person, at_the_demo
from tests.ui.test_snapshots import Picture

WITH_COMPANION = ("-e", str(COMPANION))


async def test_the_facts_tell_with_what_pi_works(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION, size=(100, 50)) as person:
        await person.sends("/session")
        await person.sees("Project files")
        assert "trusted" in person.screen()
        assert "read, bash, edit, write" in person.screen()


async def test_without_the_companion_the_facts_say_what_is_missing_and_why(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(100, 50)) as person:
        await person.sends("/session")
        await person.sees("stderr may say why")
        assert "Tool calls" in person.screen()


async def test_a_tool_is_switched_off_and_on_again(tmp_path: Path) -> None:
    async def active(person: Person) -> list[str]:
        return [tool.name for tool in (await person.agent.info()).tools if tool.active]

    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        everything = await active(person)
        await person.sends("/tools")
        await person.sees("Enter switches one on or off")
        first = person.app.screen
        await person.press("down", "enter")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen) and person.app.screen is not first)
        assert await active(person) == [everything[0], *everything[2:]]
        second = person.app.screen
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen) and person.app.screen is not second)
        assert sorted(await active(person)) == sorted(everything)
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main)


INFO = Info(
    version="1.6.0",
    cwd="/project",
    trusted=False,
    context_files=["/home/person/.pi/agent/AGENTS.md", "/project/AGENTS.md", "/project/\x1b[31mred.md"],
    skills=[
        Skill(name="review", description="Looks at what has changed, " + "and then looks again " * 8),
        Skill(name="x"),
    ],
    tools=[
        Tool(name=name, active=name != "bash") for name in ("read", "bash", "edit", "write", "mcp__tracker__search")
    ],
    scoped_models=[ScopedModel(provider="fake", id="fake-1"), ScopedModel(provider="fake", id="fake-2")],
)


class InfoApp(App[None]):
    CSS_PATH = [f"../../src/pitui/ui/{name}" for name in ("pitui.tcss", "screens/main.tcss")]

    def __init__(self, info: Info | None) -> None:
        super().__init__()
        self.info = info
        self.register_theme(DARK)
        self.theme = DARK.name

    def on_mount(self) -> None:
        session = Session(id="5b1f", name="tea garden", file="/home/person/.pi/agent/sessions/--project--/tea.jsonl")
        missing = "pitui was started with --no-companion."
        self.push_screen(PageScreen("This session", in_columns(info_rows(session, "/project", self.info, missing))))


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12)], ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("info", [INFO, None], ids=["all", "no_companion"])
async def test_the_facts(snapshot: SnapshotAssertion, info: Info | None, size: tuple[int, int]) -> None:
    app = InfoApp(info)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        if size[1] < 30:
            await pilot.press("end")
        await pilot.pause()
        assert app.export_screenshot(title=" ") == snapshot.use_extension(Picture)
