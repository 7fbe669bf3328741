"""`pitui setup` as somebody sees it who types it."""

import os
import sys
from pathlib import Path

from pitui.pi.setup import PI_VERSION
from tests.pi.test_setup import GOOD, program
from tests.terminal.screen import Terminal

NODE = f"[ $# = 1 ] && echo v24.0.0 || echo {PI_VERSION}"
FETCHES = "for part in 1 2 3 4 5 6 7 8 9 10; do echo npm http fetch; done\n"


def setup(tmp_path: Path, npm: str) -> Terminal:
    """In a terminal, with that npm on PATH."""
    program(tmp_path / "bin" / "node", NODE)
    program(tmp_path / "bin" / "npm", npm)
    path = os.pathsep.join([str(tmp_path / "bin"), os.defpath])
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "PATH": path}
    return Terminal([sys.executable, "-m", "pitui", "setup"], tmp_path, environment, (200, 24))


def test_nothing_is_left_of_the_count_of_parts_when_pi_is_ready(tmp_path: Path) -> None:
    with setup(tmp_path, FETCHES + GOOD) as terminal:
        assert terminal.exit_code() == 0
        terminal.wait("Now log in")
        assert f"pi {PI_VERSION} is ready." in terminal.rows
        assert b"of pi fetched" in terminal.raw


def test_nothing_is_left_of_the_count_of_parts_when_it_fails(tmp_path: Path) -> None:
    with setup(tmp_path, FETCHES + "echo npm error code ENOSPC; exit 1") as terminal:
        assert terminal.exit_code() == 1
        terminal.wait("The disk is full.")
        assert "pi could not be installed." in terminal.rows
        assert b"of pi fetched" in terminal.raw
