"""Ctrl+Z: back to the shell and back again, with pi going on meanwhile. In a real terminal under a real shell."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal.screen import Terminal
from tests.ui.person import at_the_demo

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="needs bash, for job control")

ENTERS = b"\x1b[?1049h"
APP = (sys.executable, "-m", "pitui", "--demo")


def environment(folder: Path) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")},
        "HOME": str(folder),
        "PITUI_CONFIG": str(folder / "none.toml"),
        "PS1": "shell$ ",
        "DEMO_SHOW": "1",
    }


@pytest.mark.parametrize("size", [(80, 20), (100, 30)], ids=["smaller", "as_before"])
def test_the_shell_has_its_terminal_while_pitui_is_stopped_and_pi_goes_on(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    shell = Terminal(["bash", "--norc", "--noprofile", "-i"], tmp_path, environment(tmp_path), (100, 30))
    with shell as terminal:
        terminal.wait("shell$")
        terminal.type(" ".join(APP) + "\r")
        terminal.wait("thoughtful")  # pi is heard; what is typed before that would have the question come at once
        terminal.type("ask\r")
        terminal.wait(lambda screen: "working" in screen or "rm -rf" in screen)
        terminal.press("ctrl+z")
        terminal.wait("Stopped")
        assert 1049 not in terminal.modes()
        assert not terminal.modes() & {1000, 1002, 1003, 1006}
        terminal.resize(*size)
        terminal.type("echo back-in-$((40 + 2))\r")
        terminal.wait("back-in-42")
        terminal.type("fg\r")
        terminal.wait(lambda screen: "rm -rf" in screen and len(screen.split("\n")[-1]) == size[0])
        assert 1049 in terminal.modes()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux, to count threads")
def test_a_stop_from_outside_leaves_one_that_reads_the_keys(tmp_path: Path) -> None:
    shell = Terminal(["bash", "--norc", "--noprofile", "-i"], tmp_path, environment(tmp_path), (100, 30))
    with shell as terminal:
        terminal.wait("shell$")
        terminal.type(" ".join(APP) + "\r")
        terminal.wait("thoughtful")
        pitui = terminal.descendants()[0]
        threads = threads_of(pitui)
        for said in ("once", "twice"):
            os.kill(pitui, signal.SIGSTOP)
            terminal.wait("Stopped")
            begun = terminal.raw.count(ENTERS)
            terminal.type("clear; fg\r")
            terminal.wait(lambda screen: terminal.raw.count(ENTERS) > begun and "Write to pi" in screen)  # noqa: B023
            terminal.type(said)
            terminal.wait(f"▌ {said}")
            terminal.press("ctrl+u")
            terminal.wait("Write to pi")
        assert threads_of(pitui) <= threads
        terminal.press("ctrl+q")
        terminal.wait("shell$")
        assert 1049 not in terminal.modes()


def threads_of(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/task"))


async def test_without_a_shell_the_key_says_so_and_does_nothing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("a")
        await person.press("ctrl+z")
        await person.sees("There is no shell around pitui")
        assert person.prompt.text == "a"
