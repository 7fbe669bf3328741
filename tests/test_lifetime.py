"""A run of pitui from the command to the exit code, in a real terminal."""

import os
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from pitui.pi.index import SessionIndex
from tests.e2e.conversation import MODEL, Place
from tests.pi.stored import Store, said
from tests.terminal.screen import Terminal

COLUMNS = 100
STARTED = [sys.executable, "-m", "pitui"]
DEMO = f"exec {shlex.quote(sys.executable)} -m pitui.demo"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place.make(tmp_path)


def pitui(place: Place, *words: str) -> Terminal:
    return Terminal([*STARTED, *words], place.project, place.environment(), (COLUMNS, 30))


def script(place: Place, *lines: str) -> str:
    """The command of a pi that is a shell script."""
    path = place.home / "my-pi"
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return shlex.quote(str(path))


def gone(pids: Sequence[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_pi_that_ends_at_once_leaves_its_words_on_the_normal_screen(place: Place) -> None:
    with pitui(place, "--pi", script(place, "echo 'Error: no such thing' >&2", "exit 3")) as terminal:
        assert terminal.exit_code() == 1
        assert "exit code 3" in terminal.text
        assert "Error: no such thing" in terminal.text
        assert "doctor” looks at all that pitui needs." in terminal.text
        terminal.assert_as_before()


def test_what_pi_says_at_its_end_cannot_steer_the_terminal(place: Place) -> None:
    with pitui(place, "--pi", script(place, r"printf '\033]2;owned\007\033[?1049hbye' >&2", "exit 1")) as terminal:
        assert terminal.exit_code() == 1
        assert "bye" in terminal.text
        assert b"\x1b]2;owned" not in terminal.raw


def test_a_wrapper_around_a_pi_that_is_too_old_is_found_out(place: Place) -> None:
    command = script(place, 'if [ "$1" = --version ]; then echo 0.50.1; exit; fi', DEMO)
    with pitui(place, "--pi", command) as terminal:
        assert terminal.exit_code() == 1
        assert "it is 0.50.1" in terminal.text
        terminal.assert_as_before()


def test_a_wrapper_around_a_new_pi_is_none_of_anyones_business(place: Place) -> None:
    command = script(place, 'if [ "$1" = --version ]; then echo 9.0.0; exit; fi', DEMO)
    with pitui(place, "--pi", command) as terminal:
        terminal.wait("Write to pi")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0


def test_an_interrupt_from_outside_ends_it_as_any_other_signal(place: Place) -> None:
    with pitui(place, "--demo") as terminal:
        terminal.wait("Say help to see what this demo shows.")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.exit_code() == 128 + signal.SIGINT
        terminal.assert_as_before()


def test_a_second_signal_does_no_harm(place: Place) -> None:
    with pitui(place, "--demo") as terminal:
        terminal.wait("Write to pi")
        children = terminal.descendants()
        terminal.process.send_signal(signal.SIGTERM)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.exit_code() == 128 + signal.SIGTERM
        assert gone(children)
        terminal.assert_as_before()


def test_a_mistake_in_the_settings_is_told_and_does_not_stop_the_start(place: Place) -> None:
    settings = place.home / "settings.toml"
    settings.write_text("colour = 'red'\n")
    environment = place.environment(PITUI_CONFIG=str(settings))
    with Terminal([sys.executable, "-m", "pitui", "--demo"], place.project, environment) as terminal:
        terminal.wait_told("colour: there is no such setting")
        terminal.wait("Write to pi")


def test_a_theme_in_the_settings_that_is_none_is_told(place: Place) -> None:
    settings = place.home / "settings.toml"
    settings.write_text("theme = 'moonlight'\n")
    environment = place.environment(PITUI_CONFIG=str(settings))
    with Terminal([sys.executable, "-m", "pitui", "--demo"], place.project, environment) as terminal:
        terminal.wait_told("no theme “moonlight”")
        terminal.wait("Write to pi")


def test_keys_given_in_pi_and_in_the_settings_hold(place: Place) -> None:
    settings = place.home / "settings.toml"
    settings.write_text("[keys]\nhelp = 'ctrl+g'\n")
    keybindings = place.home / ".pi" / "agent" / "keybindings.json"
    keybindings.parent.mkdir(parents=True)
    keybindings.write_text(
        '{"app.tools.expand": "ctrl+y", "app.thinking.toggle": "ctrl+y", "app.tree.filter.userOnly": "f9",'
        ' "app.session.tree": "alt+t", "app.session.delete": "f8", "tui.input.submit": "alt+enter"}'
    )
    environment = place.environment(PITUI_CONFIG=str(settings))
    with Terminal([sys.executable, "-m", "pitui", "--demo"], place.project, environment) as terminal:
        terminal.wait(lambda text: "ctrl+y" in text and "several actions" in text)
        terminal.wait("f8 is a key of")
        terminal.wait_told("tui.input.submit, prompt.follow_up; in the prompt it is the first")
        terminal.press("ctrl+g")
        terminal.wait("Keys and commands")
        terminal.press("escape")
        terminal.press("alt+t")
        terminal.wait(" of 2 entries")
        terminal.press("ctrl+g")
        terminal.wait("In the tree; on its own screen letters are searched for")
        terminal.wait("F9")


@pytest.mark.parametrize("how", ["leaves", "is ended"])
def test_what_cannot_be_kept_on_disk_is_left_on_the_terminal(place: Place, how: str) -> None:
    state = place.home / ".local" / "state"
    state.mkdir(parents=True)
    (state / "pitui").write_text("This is no folder.")
    with pitui(place, "--demo") as terminal:
        terminal.wait("thoughtful")
        terminal.paste("words that\nmatter")
        terminal.wait("What is written cannot be kept")
        terminal.wait("matter")
        if how == "leaves":
            terminal.press("ctrl+q")
            terminal.wait_told("is not sent, and cannot be kept on disk")
            terminal.press("right", "enter")
        else:
            os.kill(terminal.process.pid, signal.SIGTERM)
        left = b"could not be kept on disk:\r\n\r\nwords that\r\nmatter\r\n"
        terminal.wait(lambda _: left in terminal.raw)
        assert terminal.exit_code() == (0 if how == "leaves" else 128 + signal.SIGTERM)


def leave(terminal: Terminal) -> str:
    """Leaves pitui; the command that it tells for coming back."""
    terminal.press("ctrl+q")
    assert terminal.exit_code() == 0
    whole_rows = "".join(row.ljust(COLUMNS) for row in terminal.rows)  # a row may end with a space of the command
    said = re.search(r"To come back: (\S.*?\.jsonl)", whole_rows)
    assert said, terminal.text
    assert said[1].startswith(f"{shlex.join(STARTED)} "), "as it was started"
    return said[1].removeprefix(shlex.join(STARTED))


def test_one_line_says_how_to_come_back_and_it_does(place: Place, real_pi: list[str]) -> None:
    agent = ["--pi", shlex.join(real_pi), "-e", str(MODEL), "--model", "lab/script"]
    with pitui(place, *agent) as terminal:
        terminal.wait("/200k")
        terminal.type("#say The word is pineapple.")
        terminal.press("enter")
        terminal.wait(lambda text: text.count("pineapple") >= 2)
        words = shlex.split(leave(terminal))
    assert words[:-2] == agent
    session_id = Path(words[-1]).stem.rpartition("_")[2]
    for back in (words, [*agent, "--session", session_id[:12]]):
        with pitui(place, *back) as terminal:
            terminal.wait("pineapple")


def test_the_demo_is_come_back_to(place: Place) -> None:
    with pitui(place, "--demo") as terminal:
        terminal.wait("Write to pi")
        terminal.type("!echo pineapple")
        terminal.press("enter")
        terminal.wait(lambda text: text.count("pineapple") == 2)
        terminal.type("help")
        terminal.press("enter")
        terminal.wait("What you can say here")
        words = shlex.split(leave(terminal))
    assert words[:2] == ["--demo", "--session"]
    with pitui(place, *words) as terminal:
        terminal.wait("pineapple")


def test_nothing_is_said_of_a_session_that_was_never_saved(place: Place) -> None:
    with pitui(place, "--demo") as terminal:
        terminal.wait("Write to pi")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        assert "To come back" not in terminal.text


def test_that_a_session_with_commands_alone_is_not_kept_is_said(place: Place, real_pi: list[str]) -> None:
    with pitui(place, "--pi", shlex.join(real_pi)) as terminal:
        terminal.wait("no model")
        terminal.type("!echo once and never again\r")
        terminal.wait(lambda text: text.count("once and never again") > 1)
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        assert "The session was not kept" in terminal.text
        assert "To come back" not in terminal.text


def test_a_mistyped_name_of_a_session_is_told(place: Place) -> None:
    with pitui(place, "--demo", "--session", "mistyped.jsonl") as terminal:
        terminal.wait_told("There is no session mistyped.jsonl yet: a new one begins there when you say something.")
    with pitui(place, "--demo", "--session", "nowhere/mistyped.jsonl") as terminal:
        assert terminal.exit_code() == 1
        assert "There is not even a folder" in terminal.text and "pitui --resume" in terminal.text
        terminal.assert_as_before()


def test_a_recording_says_what_it_is_and_takes_no_prompt(place: Place) -> None:
    recording = Path(__file__).parent / "recordings" / "chat.jsonl"
    with pitui(place, "--replay", str(recording)) as terminal:
        terminal.wait("A recording: it is only shown, and takes no prompts")
        terminal.type("some words")
        terminal.wait_gone("A recording")
        terminal.press("enter")
        terminal.wait("nothing is sent")
        terminal.wait(" recording  ")
        terminal.wait("some words")
        terminal.press("ctrl+c")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        assert "To come back" not in terminal.text


def test_an_unknown_theme_is_refused_with_those_there_are(place: Place) -> None:
    with pitui(place, "--demo", "--theme", "moonlight") as terminal:
        assert terminal.exit_code() == 2
        assert "There is no theme moonlight" in terminal.text
        assert "pitui-light" in terminal.text
        assert b"\x1b[?1049h" not in terminal.raw


def test_a_theme_of_ours_has_a_short_name(place: Place) -> None:
    with pitui(place, "--demo", "--theme", "light") as terminal:
        terminal.wait("Write to pi")
        terminal.type("/theme")
        terminal.press("enter")
        terminal.wait(lambda text: "pitui-light" in text and "pitui-dark" in text)
        assert b"48;2;250;249;246" in terminal.raw  # the ground of pitui-light


def test_a_person_who_leaves_a_pi_with_no_session_has_not_failed(place: Place) -> None:
    answer = '{"type":"response","command":"get_state","success":true,"data":{}'
    pi = script(
        place,
        "while read -r line; do",
        """id=$(printf '%s' "$line" | sed 's/.*"id": *"\\([^"]*\\)".*/\\1/')""",
        f"""printf '%s,"id":"%s"}}\\n' '{answer}' "$id" """,
        "done",
    )
    terminal = pitui(place, "--pi", pi)
    terminal.wait("Write to pi")
    terminal.press("ctrl+q")
    assert terminal.exit_code() == 0


INDEXING_AT_ONCE = """
import sys
from pitui import cli
from pitui.pi import indexing
indexing.FIRST_SECONDS = 0
sys.exit(cli.main())
"""


def indexing_at_once(place: Place, *words: str) -> Terminal:
    command = [sys.executable, "-c", INDEXING_AT_ONCE, *words]
    return Terminal(command, place.project, place.environment(), (COLUMNS, 30))


def indexes(place: Place) -> list[Path]:
    return list(place.home.rglob("sessions-*.sqlite3"))


def knows(file: Path, word: str) -> bool:
    with closing(SessionIndex(file)) as index:
        return bool(index.search(word))


def test_a_word_of_an_old_session_is_known_though_the_list_was_never_opened(place: Place) -> None:
    pi = script(place, DEMO)
    (place.home / "package.json").write_text('{"name": "@own/pi-coding-agent", "version": "9.0.0"}')
    folder = place.home / "elsewhere"
    Store(place.home).write("one", said("user", "pineapple"), folder=folder)
    with indexing_at_once(place, "--pi", pi, "--session-dir", str(folder)) as terminal:
        terminal.wait("Write to pi")
        terminal.wait(lambda _: any(knows(file, "pineapple") for file in indexes(place)))


def test_the_demo_looks_at_no_sessions_of_others(place: Place) -> None:
    Store(place.home).write("one", said("user", "pineapple"))
    with indexing_at_once(place, "--demo") as terminal:
        terminal.wait("/200k")
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
    assert indexes(place) == []


def test_pitui_and_its_pi_end_when_the_terminal_is_closed_in_the_midst_of_an_answer(place: Place) -> None:
    with pitui(place, "--demo") as terminal:
        terminal.wait("/200k")
        terminal.type("#md 20000")
        terminal.press("enter")
        terminal.wait("┃")  # there is more than a screen of it
        children = terminal.descendants()
        terminal.close()
        terminal.process.wait(20)
        assert gone(children)


HANGING = ("trap '' TERM", "sleep 1000", "echo over")
"""A pi that says nothing, and has a child of its own."""


def alive(pids: Sequence[int]) -> list[int]:
    """Those that run; the dead whom nobody has buried do not."""
    status = {pid: Path(f"/proc/{pid}/stat") for pid in pids}
    return [
        pid for pid, path in status.items() if path.exists() and path.read_text().rpartition(")")[2].split()[0] != "Z"
    ]


@pytest.mark.parametrize("lines", [("exec sleep 1000",), HANGING])
def test_a_pi_that_hangs_is_ended_with_all_its_own(place: Place, lines: Sequence[str]) -> None:
    with pitui(place, "--pi", script(place, *lines)) as terminal:
        terminal.wait("starting pi")
        children = terminal.descendants()
        terminal.press("ctrl+q")
        terminal.wait("Ending pi… Ctrl+C ends it at once.")
        assert terminal.exit_code() == 0
        assert "Ending" not in terminal.text
        assert not alive(children)
        terminal.assert_as_before()


@pytest.mark.parametrize("lines", [("exec sleep 1000",), HANGING])
def test_closing_the_terminal_while_pi_is_being_ended_ends_all(place: Place, lines: Sequence[str]) -> None:
    with pitui(place, "--pi", script(place, *lines)) as terminal:
        terminal.wait("starting pi")
        children = terminal.descendants()
        terminal.press("ctrl+q")
        terminal.wait("Ending pi…")
        terminal.close()
        terminal.process.wait(20)
        assert not alive(children)


def test_ctrl_c_ends_a_pi_at_once_that_takes_long_to_end(place: Place) -> None:
    said = 'echo \'{"type": "agent_start"}\''
    with pitui(place, "--pi", script(place, "trap '' TERM", said, "exec sleep 1000")) as terminal:
        terminal.wait("pi")
        children = terminal.descendants()
        terminal.press("ctrl+q")
        terminal.wait("Ending pi…")
        terminal.press("ctrl+c")
        assert terminal.exit_code() == 0
        assert not alive(children)
