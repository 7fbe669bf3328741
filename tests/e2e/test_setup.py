"""Somebody without a pi: ``pitui setup`` gets one that answers, and says so where it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitui.pi.setup import PI_VERSION
from tests.terminal.screen import Terminal

SECONDS = 300


def fresh(home: Path, **more: str) -> dict[str, str]:
    """The environment of a person who has nothing yet."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PI_", "PITUI_"))}
    return {**kept, "HOME": str(home), **more}


def pitui(home: Path, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pitui", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=home, env=fresh(home, **more), timeout=SECONDS
    )


def without_pi() -> str:
    """PATH but for folders with a pi in them."""
    return os.pathsep.join(
        folder for folder in os.environ.get("PATH", "").split(os.pathsep) if not Path(folder, "pi").exists()
    )


@pytest.mark.timeout(2 * SECONDS)
def test_setup_in_a_fresh_home_gets_a_pi_that_answers(tmp_path: Path) -> None:
    done = pitui(tmp_path, "setup", PATH=without_pi())
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"pi {PI_VERSION} is ready." in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == [".local"], "nothing is written outside the data folder"
    again = pitui(tmp_path, "setup", "--update", PATH=without_pi())
    assert again.returncode == 0 and "up to date" in again.stdout
    checked = pitui(tmp_path, "auth", "check", "--provider", "anthropic", PATH=without_pi(), ANTHROPIC_API_KEY="")
    assert (checked.returncode, checked.stdout) == (1, "not_ready\n")
    environment = fresh(tmp_path, PATH=without_pi(), PI_OFFLINE="1")
    with Terminal([sys.executable, "-m", "pitui"], tmp_path, environment) as terminal:
        terminal.wait("no model")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
    assert pitui(tmp_path, "setup", "--remove").returncode == 0
    assert not list((tmp_path / ".local" / "share" / "pitui").iterdir())


def test_setup_without_a_network_says_so(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9"
    done = pitui(tmp_path, "setup", npm_config_registry=nowhere, PATH=without_pi())
    assert done.returncode == 1
    assert "pi could not be installed." in done.stderr
    assert "takes no connection" in done.stderr and "setup.log" in done.stderr and "--demo" in done.stderr


def test_logging_in_without_a_pi_tells_how_to_get_one(tmp_path: Path) -> None:
    asked = pitui(tmp_path, "auth", "login", "anthropic", PATH=without_pi())
    assert asked.returncode == 1 and "pitui setup" in asked.stderr


def test_the_help_of_setup_is_told(tmp_path: Path) -> None:
    for words in (("--help",), ("-h", "please")):
        asked = pitui(tmp_path, "setup", *words)
        assert (asked.returncode, asked.stderr) == (0, "") and "--remove" in asked.stdout


def test_setup_with_other_words_is_wrong_use(tmp_path: Path) -> None:
    done = pitui(tmp_path, "setup", "please")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--update or --remove" in done.stderr
