"""Asking a pi what it is, where no file tells it."""

import subprocess
from collections.abc import Sequence

import anyio

from pitui.pi.install import Version

VERSION_SECONDS = 15.0


async def ask_version(command: Sequence[str]) -> Version | None:
    """What `command` says its version is; None when it says nothing of the kind, or not in time.

    It runs without a terminal, so that no ``ssh`` can ask for a password in the middle of the screen, and reads
    nothing: the keys are the person's.
    """
    with anyio.move_on_after(VERSION_SECONDS):
        try:
            words = [*command, "--version"]
            done = await anyio.run_process(words, stdin=subprocess.DEVNULL, check=False, start_new_session=True)
        except OSError:
            return None
        return Version.parse(done.stdout.decode(errors="replace"))
    return None
