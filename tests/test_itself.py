"""What pitui says to type is what works where it runs."""

import importlib.metadata
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pitui.itself import to_bring_node, to_run


def wanted() -> Requirement:
    [of_extra] = [line for line in importlib.metadata.requires("pitui") or () if "extra == 'pi'" in line]
    return Requirement(of_extra.partition(";")[0])


def test_node_is_brought_by_the_pip_of_this_environment_with_the_versions_of_the_extra() -> None:
    *command, package = shlex.split(to_bring_node())
    assert command == [sys.executable, "-m", "pip", "install"]
    assert Requirement(package) == wanted()
    assert subprocess.run([*command, "--help"], capture_output=True, check=False).returncode == 0


def test_in_an_environment_of_pipx_it_is_brought_by_pipx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pitui-mine").mkdir()
    (tmp_path / "pitui-mine" / "pipx_metadata.json").write_text("{}")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "pitui-mine"))
    assert shlex.split(to_bring_node())[:3] == ["pipx", "inject", "pitui-mine"]


def test_in_an_environment_without_pip_it_is_brought_by_uv(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    python = tmp_path / "bare" / "bin" / "python"
    asked = "import sys; sys.path.append(sys.argv[1]); from pitui.itself import to_bring_node; print(to_bring_node())"
    source = Path(sys.modules["pitui"].__path__[0]).parent
    done = subprocess.run([python, "-c", asked, source], capture_output=True, text=True, check=True)
    assert shlex.split(done.stdout)[:5] == ["uv", "pip", "install", "--python", str(python)]


def test_into_the_python_of_the_system_nothing_is_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "EXTERNALLY-MANAGED").write_text("")
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    assert to_bring_node() == ""


def test_what_is_said_to_type_is_how_it_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "a venv" / "pitui"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(program), "--demo"])
    assert shlex.split(to_run("--demo", "--session", "a b")) == [str(program), "--demo", "--session", "a b"]
    monkeypatch.setenv("PATH", str(program.parent))
    assert to_run("--demo") == "pitui --demo"


def test_started_as_a_module_it_is_told_so() -> None:
    command = [sys.executable, "-m", "pitui", "-Z"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert f"{shlex.join(command[:-1])} --help" in told
