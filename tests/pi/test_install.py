"""pi is found, on PATH or as it is named, and judged by its version, without running it."""

import json
from pathlib import Path

import pytest

from pitui.pi.install import MINIMUM, Installation, Version, find_pi, too_old, version_beside
from pitui.pi.probe import ask_version
from pitui.pi.problem import Problem


def executable(path: Path, script: str = "exit 9") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def npm_package(folder: Path, version: str, name: str = "@earendil-works/pi-coding-agent") -> Path:
    """A pi as npm lays it out; gives the link that is on PATH. Running it is an error."""
    package = folder / "node_modules" / name
    program = executable(package / "dist" / "bundle" / "cli.js")
    (package / "package.json").write_text(json.dumps({"name": name, "version": version}))
    link = folder / "bin" / "pi"
    link.parent.mkdir()
    link.symlink_to(program)
    return link


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_the_pi_on_path_is_used_and_its_version_known(tmp_path: Path, data: Path) -> None:
    pi = npm_package(tmp_path, "1.6.0")
    assert find_pi("", data, {"PATH": str(pi.parent)}) == Installation((str(pi),), Version(1, 6, 0), is_here=True)


def test_a_named_pi_goes_before_the_variable_and_the_variable_before_path(tmp_path: Path, data: Path) -> None:
    on_path = npm_package(tmp_path / "a", "1.6.0")
    named = npm_package(tmp_path / "b", "1.3.0")
    other = npm_package(tmp_path / "c", "1.1.0")
    environ = {"PATH": str(on_path.parent), "PITUI_PI": str(other)}
    assert find_pi("", data, environ) == Installation((str(other),), Version(1, 1, 0), is_here=True)
    assert find_pi(str(named), data, environ) == Installation((str(named),), Version(1, 3, 0), is_here=True)


def test_a_command_on_another_machine_is_split_as_a_shell_does(tmp_path: Path, data: Path) -> None:
    ssh = executable(tmp_path / "ssh")
    found = find_pi("ssh -p 22 'my host' pi", data, {"PATH": str(tmp_path)})
    assert found == Installation((str(ssh), "-p", "22", "my host", "pi"), None, is_here=False)


def test_pi_may_be_named_with_the_node_that_runs_it(tmp_path: Path, data: Path) -> None:
    node = executable(tmp_path / "node")
    program = npm_package(tmp_path, "1.6.0").resolve()
    found = find_pi(f"{node} {program}", data, {})
    assert found == Installation((str(node), str(program)), Version(1, 6, 0), is_here=True)


def test_without_a_pi_it_is_said_how_to_get_one(tmp_path: Path, data: Path) -> None:
    problem = find_pi("", data, {"PATH": str(tmp_path)})
    assert isinstance(problem, Problem)
    assert "pitui setup" in problem.remedy
    assert "--demo" in problem.remedy


@pytest.mark.parametrize("command", ["nosuch --x", "'", "''", "   ", "./gone/pi"])
def test_a_named_pi_that_is_not_there_is_not_replaced_by_another(tmp_path: Path, data: Path, command: str) -> None:
    on_path = npm_package(tmp_path, "1.6.0")
    problem = find_pi(command, data, {"PATH": str(on_path.parent)})
    assert isinstance(problem, Problem)
    assert "--pi" in problem.remedy


@pytest.mark.parametrize("version", ["0.84.3", "0.74.0"])
def test_a_pi_that_is_too_old_is_refused_with_its_place_and_the_way_out(
    tmp_path: Path, data: Path, version: str
) -> None:
    pi = npm_package(tmp_path, version, name="@mariozechner/pi-coding-agent")
    problem = find_pi("", data, {"PATH": str(pi.parent)})
    assert isinstance(problem, Problem)
    assert version in problem.what
    assert str(MINIMUM) in problem.what
    assert str(pi) in problem.why
    assert "pi update" in problem.remedy


@pytest.mark.parametrize("version", ["0.84.4", "0.100.0", "1.0.0-beta.2", "10.0.0"])
def test_a_pi_that_is_new_enough_is_taken(version: str) -> None:
    assert too_old(Version.parse(version), "pi") is None


@pytest.mark.parametrize("content", ["{", "[]", '{"name": "other/thing", "version": "0.1.0"}', '{"name": 3}'])
def test_a_package_that_is_not_pis_tells_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "package.json").write_text(content)
    assert version_beside(executable(tmp_path / "bin" / "pi")) is None


async def test_a_wrapper_is_asked_for_its_version(tmp_path: Path) -> None:
    assert await ask_version([str(executable(tmp_path / "pi", "echo 1.2.3"))]) == (1, 2, 3)
    assert await ask_version([str(executable(tmp_path / "other", "echo hello; exit 3"))]) is None
    assert await ask_version([str(tmp_path / "gone")]) is None
