"""Asking a pi what it is, where no file tells it."""

from collections.abc import Sequence

from pitui.pi.asking import said_by
from pitui.pi.install import Version

VERSION_SECONDS = 15.0


async def ask_version(command: Sequence[str]) -> Version | None:
    """What `command` says its version is; None when it says nothing of the kind, or not in time."""
    said = await said_by([*command, "--version"], VERSION_SECONDS)
    return Version.parse(said) if said is not None else None
