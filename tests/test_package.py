"""The wheel holds all that pitui needs, and starts where there is no source of it."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from pitui import __version__
from tests.terminal.screen import Terminal

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    how = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    subprocess.run([sys.executable, *PIP, "wheel", *how], check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def pitui(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment that has the wheel, and what it depends on from the one of the tests."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, *PIP, "--python", str(python), "install", "--no-deps", str(wheel)], check=True)
    return folder / "bin" / "pitui"


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    files = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*") if path.is_file()}
    assert {name for name in files if "__pycache__" not in name} <= held
    assert {"pitui/py.typed", "pitui/ui/pitui.tcss", "pitui/demo/__main__.py", "pitui/companion/companion.ts"} <= held


def test_the_wheel_brings_its_licence(wheel: Path) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def test_the_installed_command_tells_its_version(pitui: Path, tmp_path: Path) -> None:
    done = subprocess.run([str(pitui), "--version"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"pitui {__version__}\n"


def test_the_installed_demo_answers_and_is_left(pitui: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": ""}
    with Terminal([str(pitui), "--demo"], tmp_path, environment) as terminal:
        terminal.wait("Write to pi")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        terminal.assert_as_before()


def test_the_package_is_not_imported_from_the_source(pitui: Path, tmp_path: Path) -> None:
    python = pitui.with_name("python")
    done = subprocess.run(
        [str(python), "-c", "import pitui; print(pitui.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(python.parent.parent))


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_what_ci_runs_is_a_script() -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)
