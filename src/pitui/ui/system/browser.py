"""The program that opens an address: the system's browser or mail program."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping

import anyio.to_thread


def opener(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The command to which an address is given; empty where there is no screen to open it on.

    Python's `webbrowser` would start a browser for the terminal, in ours, and let others write over the screen.
    """
    candidates: list[tuple[bool, list[str]]] = [
        (sys.platform == "darwin", ["open"]),
        ("WSL_DISTRO_NAME" in environ, ["wslview"]),
        (bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")), ["xdg-open"]),
        (sys.platform == "win32", ["explorer"]),
    ]
    found = [command for fits, command in candidates if fits and shutil.which(command[0])]
    return found[0] if found else []


async def open_address(address: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether something was there to open it. Only for addresses that `can_be_opened`."""
    command = opener(environ)
    if not command:
        return False
    return await anyio.to_thread.run_sync(_start, [*command, address])


def _start(command: list[str]) -> bool:
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    except OSError:
        return False
    threading.Thread(target=process.wait, daemon=True).start()  # it may stay as long as it likes
    return True
