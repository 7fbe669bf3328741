"""Somebody without a pi gets one, tries the demo or leaves, and nothing happens that they did not choose."""

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from pitui.pi.install import Version
from pitui.pi.problem import NoPi, Problem
from pitui.pi.setup import PI_VERSION, Node, own_version
from pitui.ui import setup
from pitui.ui.setup import SetupApp
from tests.pi.test_setup import GOOD, names, node
from tests.terminal.screen import Terminal
from tests.ui.test_snapshots import Picture

WHY = NoPi("pi was not found.", "There is no “pi” on PATH, and none in ~/.local/share/pitui/pi.", "")


@asynccontextmanager
async def asked(
    found: Node | Problem, data: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[SetupApp, Pilot[Any]]]:
    """Somebody in front of the first screen, on a machine with that Node.js."""

    async def find() -> Node | Problem:
        return found

    monkeypatch.setattr(setup, "find_node", find)
    app = SetupApp(WHY, data)
    async with app.run_test(size=size) as pilot:
        await until(lambda: "Enter chooses" in screen(app) and "looking" not in screen(app))
        yield app, pilot


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(20):
        while not condition():  # noqa: ASYNC110 - any condition, of any owner
            await anyio.sleep(0.01)


def screen(app: SetupApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def test_a_pi_is_installed_at_their_wish_and_then_pitui_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    async with asked(node(tmp_path, GOOD), data, monkeypatch) as (app, pilot):
        await pilot.press("enter")
        await until(lambda: app.return_value == "installed")
    assert own_version(data) == PI_VERSION


async def test_the_demo_can_be_tried_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with asked(node(tmp_path, GOOD), tmp_path / "data", monkeypatch) as (app, pilot):
        await pilot.press("down", "enter")
        await until(lambda: app.return_value == "demo")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("keys", [("escape",), ("ctrl+c",), ("ctrl+q",), ("up", "enter")])
async def test_it_can_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]) -> None:
    async with asked(node(tmp_path, GOOD), tmp_path / "data", monkeypatch) as (app, pilot):
        await pilot.press(*keys)
        await until(lambda: not app.is_running or app._exit)
        assert app.return_value is None


async def test_what_went_wrong_is_said_and_it_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = node(tmp_path, "echo 'npm error code ENOTFOUND'; exit 1")
    async with asked(own, tmp_path / "data", monkeypatch) as (app, pilot):
        await pilot.press("enter")
        await until(lambda: "There is no network" in screen(app))
        assert "Enter chooses" in screen(app)
        node(tmp_path, GOOD)
        await pilot.press("enter")
        await until(lambda: app.return_value == "installed")


async def test_escape_stops_installing_and_does_not_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    async with asked(node(tmp_path, "echo 'npm http fetch'; sleep 60"), data, monkeypatch) as (app, pilot):
        await pilot.press("enter")
        await until(lambda: "1 part of pi" in screen(app))
        await pilot.press("down", "enter")
        await pilot.press("escape")
        await until(lambda: "Nothing was changed" in screen(app))
        assert "Enter chooses" in screen(app)
        assert names(data) == []


async def test_without_node_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem("pi needs Node.js 22.19.0 or later, with npm.", "There is no Node.js on PATH.", "Install it.")
    async with asked(problem, tmp_path / "data", monkeypatch) as (app, pilot):
        assert "pi needs Node.js" in screen(app)
        await pilot.press("enter")
        await until(lambda: "Install it." in screen(app))


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12), (20, 6)])
async def test_every_choice_and_what_goes_on_is_seen_in_any_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    deep = tmp_path / ("long" * 20)
    deep.mkdir()
    own = node(deep, "echo 'npm http fetch'; sleep 60")
    async with asked(own, tmp_path / "data", monkeypatch, size) as (app, pilot):
        for label in (f"Install pi {PI_VERSION}", "Try the demo", "Leave"):
            assert label in screen(app)
        await pilot.press("enter")
        await until(lambda: "1 part of pi" in screen(app))
        await pilot.press("escape")
        await until(lambda: "Nothing was changed" in " ".join(screen(app).split()))


async def test_where_it_is_narrow_what_the_choice_does_stands_below_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked(node(tmp_path, GOOD), tmp_path / "data", monkeypatch, (40, 12)) as (app, pilot):
        await until(lambda: "with Node.js 24.0.0" in " ".join(screen(app).split()))
        await pilot.press("down")
        await until(lambda: "no pi, no key, no network" in " ".join(screen(app).split()))


def test_the_theme_of_the_command_line_holds_from_the_first_screen_on(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": str(tmp_path)}
    environment.pop("PITUI_PI", None)
    with Terminal([sys.executable, "-m", "pitui", "--theme", "light"], tmp_path, environment) as terminal:
        terminal.wait("Enter chooses")
        assert b"48;2;250;249;246" in terminal.raw


async def test_who_leaves_after_a_failure_can_read_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem("pi needs Node.js 22.19.0 or later, with npm.", "There is no Node.js on PATH.", "Install it.")
    async with asked(problem, tmp_path / "data", monkeypatch) as (app, pilot):
        await pilot.press("enter", "escape")
        await until(lambda: not app.is_running or app._exit)
    assert app.failure == problem


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_how_it_looks(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    there = Node("/usr/bin/node", ("npm",), Version(24, 19, 0))
    monkeypatch.setattr(setup, "PI_VERSION", Version(1, 6, 0))
    data = Path.home() / ".local" / "share" / "pitui"
    async with asked(there, data, monkeypatch, size) as (app, _):
        assert app.export_screenshot(title="pitui") == snapshot.use_extension(Picture)


def test_what_was_typed_before_it_came_up_chooses_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": str(tmp_path)}
    environment.pop("PITUI_PI", None)
    with Terminal([sys.executable, "-m", "pitui"], tmp_path, environment) as terminal:
        terminal.type("\r\r")
        terminal.wait("Enter chooses")
        terminal.wait("Install pi")
        assert "Installing" not in terminal.text
        terminal.press("down", "enter")
        terminal.wait("F1 the keys")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        terminal.assert_as_before()


def test_who_leaves_is_told_what_to_do_on_the_normal_screen(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": str(tmp_path)}
    environment.pop("PITUI_PI", None)
    with Terminal([sys.executable, "-m", "pitui"], tmp_path, environment) as terminal:
        terminal.wait("Enter chooses")
        terminal.press("escape")
        assert terminal.exit_code() == 1
        terminal.wait("pitui setup")
        assert "pi was not found" in terminal.text
        terminal.assert_as_before()
