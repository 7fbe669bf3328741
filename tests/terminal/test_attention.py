"""A terminal that is not in focus is told that pi is done, and left as it was."""

import os
import sys
from pathlib import Path

from tests.terminal.screen import Terminal

LOOKS_AWAY = "\x1b[O"


def test_who_looks_elsewhere_is_called_when_pi_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    command = [sys.executable, "-m", "pitui", "--demo"]
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(tmp_path))
    with Terminal(command, folder, os.environ | homes | {"TERM_PROGRAM": "ghostty"}) as terminal:
        terminal.wait("F1 the keys")
        terminal.wait("thoughtful")
        terminal.type('#tool bash {"command":"sleep 1"}\r')
        terminal.wait("working")
        terminal.type(LOOKS_AWAY)
        terminal.wait(lambda _: b"\x1b]2;\xe2\x9c\x93 shop" in terminal.raw)
        assert b"\x1b]777;notify;shop" in terminal.raw
        assert b"\a" in terminal.raw
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        assert terminal.raw.rindex(b"\x1b[23;2t") > terminal.raw.rindex(b"\x1b]2;")
        terminal.assert_as_before()
