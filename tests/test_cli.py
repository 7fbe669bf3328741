"""The command line: what is answered, what goes to pi, and what is refused before the screen opens."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pitui import __version__
from pitui.arguments import UsageError, read_arguments, way_back
from pitui.cli import main
from pitui.companion import COMPANION

HEAVY = {"textual", "rich", "pydantic", "anyio", "asyncio", "pygments", "markdown_it"}


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pitui without a terminal."""
    command = [sys.executable, "-m", "pitui", *words]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def run_in_terminal(*words: str, cwd: Path | None = None, **environment: str) -> tuple[int, str]:
    """The exit code of pitui in a terminal, and all that it showed there."""
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "pitui", *words]
    env = {**os.environ, "TERM": "xterm-256color", **environment}
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, cwd=cwd, env=env, start_new_session=True
    ) as child:
        os.close(its)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # the terminal is closed at the other end
            pass
        os.close(ours)
    return child.returncode, shown.decode()


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--demo", "--help"], ["-h", "extra"]])
def test_help_tells_the_usage_and_the_exit_codes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "Usage: pitui" in shown
    assert "Exit codes:" in shown
    assert max(map(len, shown.splitlines())) <= 120


def test_help_tells_where_the_settings_are() -> None:
    assert "\n  /there/my.toml\n" in run("--help", PITUI_CONFIG="/there/my.toml").stdout
    assert "\n  /there/pitui/pitui.toml\n" in run("--help", PITUI_CONFIG="", XDG_CONFIG_HOME="/there").stdout


def test_a_terminal_that_says_it_is_dumb_is_refused_and_told_what_to_set() -> None:
    code, shown = run_in_terminal("--demo", TERM="dumb")
    assert code == 2 and "TERM=xterm-256color" in shown and "\x1b" not in shown


def test_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pitui {__version__}\n"


@pytest.mark.parametrize("word", ["--help", "--version", "--mode", "hello"])
def test_what_can_be_answered_at_once_loads_nothing_heavy(word: str) -> None:
    lines = [
        "import sys",
        "from pitui.cli import main",
        f"main([{word!r}])",
        "print(sorted(sys.modules), file=sys.stderr)",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.splitlines()[-1].strip("[]").replace("'", "").split(", "))
    assert "pitui.cli" in loaded
    assert loaded & HEAVY == set()


def test_pis_options_go_to_pi_with_their_values_and_in_their_order() -> None:
    words = "--provider openai --model=gpt:high -n Name -c -e a.ts -e b.ts --no-session -na --tools +codemode".split()
    assert read_arguments(words).pi == [
        *("--provider", "openai", "--model", "gpt:high", "-n", "Name", "-c", "-e", "a.ts", "-e", "b.ts"),
        *("--no-session", "-na", "--tools", "+codemode"),
    ]


def test_a_value_may_look_like_an_option() -> None:
    assert read_arguments(["--append-system-prompt", "- be kind", "--name", "--help"]).pi == [
        *("--append-system-prompt", "- be kind", "--name", "--help")
    ]


def test_options_of_extensions_go_to_pi_with_what_pi_would_take_as_their_value() -> None:
    assert read_arguments(["--plan", "deep", "--demo"]).pi == ["--plan", "deep"]
    assert read_arguments(["--plan", "--demo"]).pi == ["--plan"]
    assert read_arguments(["--plan=deep", "--demo"]).pi == ["--plan=deep"]


def test_words_after_two_dashes_go_to_pi_as_they_are() -> None:
    arguments = read_arguments(["--demo", "--", "--theme", "x.json", "-Z", "--", "word"])
    assert arguments.pi == ["--theme", "x.json", "-Z", "--", "word"]
    assert not arguments.theme


def test_pituis_own_options_stay_here() -> None:
    words = ["--pi", "ssh host pi", "--record=r.jsonl", "--theme", "nord", "--resume", "--no-companion"]
    arguments = read_arguments(words)
    assert (arguments.command, arguments.record, arguments.theme) == ("ssh host pi", "r.jsonl", "nord")
    assert arguments.resume
    assert arguments.no_companion
    assert read_arguments(["--companion", "there.ts"]).companion == "there.ts"
    assert arguments.pi == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--mode json", "--mode"),
        ("--mode=json", "--mode"),
        ("-p hello", "pi -p"),
        ("--print", "pi --print"),
        ("--export a.jsonl", "/export"),
        ("--list-models", "/model"),
        ("hello", "type the message there"),
        ("@file.md", "type the message there"),
        ("install npm:x", "pi install"),
        ("auth login", "pi auth"),
        ("-Z", "-Z"),
        ("--model", "--model needs a value"),
        ("--pi", "--pi needs a value"),
        ("-- --mode text", "--mode"),
        ("-- -p", "-p"),
        ("-- --resume", "before “--”"),
        ("--resume --continue", "use one of them"),
        ("--demo --pi x", "use one of them"),
        ("--companion x --no-companion", "use one of them"),
        ("--replay a.jsonl --demo", "--replay"),
        ("--replay a.jsonl --model x", "--replay"),
    ],
)
def test_what_cannot_work_is_refused_with_what_to_do_instead(words: str, told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        read_arguments(words.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "pitui --session 'a b.jsonl'"),
        ("--demo", "pitui --demo --session 'a b.jsonl'"),
        ("--companion /far/c.ts", "pitui --companion /far/c.ts --session 'a b.jsonl'"),
        ("--no-companion", "pitui --no-companion --session 'a b.jsonl'"),
        ("--resume", "pitui --session 'a b.jsonl'"),
        ("-c --name x --record r", "pitui --session 'a b.jsonl'"),
        ("--session old --fork f --no-session", "pitui --session 'a b.jsonl'"),
        ("--api-key secret --provider p", "pitui --provider p --session 'a b.jsonl'"),
        (
            "--approve -e a.ts --model m:high --thinking low --session-dir d --tools read,bash --theme nord",
            "pitui --theme nord --approve -e a.ts --model m:high --thinking low --session-dir d --tools read,bash"
            " --session 'a b.jsonl'",
        ),
        ("--plan deep -- --theme x -n y", "pitui --plan deep --session 'a b.jsonl' -- --theme x"),
    ],
)
def test_the_way_back_repeats_what_is_needed_and_no_more(words: str, told: str) -> None:
    assert way_back(read_arguments(words.split()), "a b.jsonl") == told


def test_the_way_back_is_quoted_for_the_shell() -> None:
    told = way_back(read_arguments(["--pi", "ssh host pi"]), "s.jsonl")
    assert told == "pitui --pi 'ssh host pi' --session s.jsonl"


def test_wrong_use_is_exit_code_two_and_one_line_on_stderr() -> None:
    done = run("--mode", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["--demo"]])
def test_without_a_terminal_nothing_is_started(words: list[str]) -> None:
    done = run(*words, PATH="/nowhere")
    assert done.returncode == 2
    assert "terminal" in done.stderr


@pytest.mark.parametrize("option", ["--record", "--replay"])
def test_a_file_that_cannot_be_used_is_named(option: str, tmp_path: Path) -> None:
    done = run(option, str(tmp_path / "gone" / "x.jsonl"))
    assert done.returncode == 2
    assert str(tmp_path / "gone" / "x.jsonl") in done.stderr


def test_a_file_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("no recording\n")
    code, shown = run_in_terminal("--replay", str(file))
    assert code == 2
    assert "notes.txt: no line of it is of a recording" in shown
    assert "\x1b" not in shown


def untouched_pi(folder: Path, version: str) -> Path:
    """A pi of this `version` that leaves a file ``started`` in its folder when it is run."""
    (folder / "package.json").write_text(json.dumps({"name": "@earendil-works/pi-coding-agent", "version": version}))
    pi = folder / "pi"
    pi.write_text(f"#!/bin/sh\ntouch '{folder}/started'\n")
    pi.chmod(0o755)
    return pi


def test_a_pi_that_is_too_old_is_never_started(tmp_path: Path) -> None:
    code, shown = run_in_terminal("--pi", str(untouched_pi(tmp_path, "0.80.1")))
    assert code == 1
    assert "0.80.1" in shown
    assert "pi update" in shown
    assert not (tmp_path / "started").exists()


def words_of(pi: Path, *options: str, command: str = "") -> list[str]:
    """What pitui starts this pi with; each word is a line, ``--version`` may have been asked for besides."""
    file = pi.with_name("words")
    file.unlink(missing_ok=True)
    pi.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{file}'\n")
    pi.chmod(0o755)
    run_in_terminal("--pi", command or str(pi), *options, PI_CODING_AGENT_DIR=str(pi.parent))
    return [word for word in file.read_text().splitlines() if word != "--version"]


def test_the_companion_is_loaded_into_a_pi_that_is_here_and_no_other(tmp_path: Path) -> None:
    here = untouched_pi(tmp_path, "1.6.0")
    assert words_of(here, "--model", "m") == ["--mode", "rpc", "-e", str(COMPANION), "--model", "m"]
    assert words_of(here, "--no-companion") == ["--mode", "rpc"]
    (tmp_path / "package.json").unlink()
    assert "-e" not in words_of(here, command=f"sh {here}")
    assert words_of(here, "--companion", "/far/c.ts", command=f"sh {here}")[-2:] == ["-e", "/far/c.ts"]


def test_an_unknown_session_is_told_before_pi_starts(tmp_path: Path) -> None:
    pi = untouched_pi(tmp_path, "1.6.0")
    code, shown = run_in_terminal("--pi", str(pi), "--session", "abc", PI_CODING_AGENT_DIR=str(tmp_path))
    assert code == 1
    assert "No session abc" in shown
    assert not (tmp_path / "started").exists()


def test_a_folder_that_is_gone_is_told_before_anything_starts(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    leave_and_start = f"rmdir {folder}; exec {sys.executable} -m pitui --demo"
    done = subprocess.run(
        ["script", "-qec", leave_and_start, "/dev/null"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "is gone" in done.stdout
