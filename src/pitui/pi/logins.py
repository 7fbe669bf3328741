"""Which providers pi has credentials of and could have, and how it comes by them (pi's ``providers.md``)."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from pitui.pi.asking import said_by
from pitui.pi.install import package_of

NOBODY = "?"
"""No provider has this name; ``pi auth login`` (1.5.1 and later) says then which there are."""
ASK_SECONDS = 15.0
FIRST = ("anthropic", "openai-codex", "openai", "github-copilot", "google", "openrouter")
"""What most people look for."""


def stored_logins(agent_folder: Path) -> set[str]:
    """The names of the providers; none when the file is not there or cannot be read."""
    try:
        stored: Any = json.loads((agent_folder / "auth.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return set()
    return set(cast("dict[str, Any]", stored)) if isinstance(stored, dict) else set()


async def known_providers(command: Sequence[str]) -> list[str]:
    """All that pi, run by `command`, can log in to, the common ones first; none when it cannot log in to any so."""
    said = await said_by([*command, "auth", "login", NOBODY], ASK_SECONDS, errors=True)
    listed = re.search(r"^Providers: (.+)$", said or "", re.MULTILINE)
    names = [name.strip() for name in listed[1].split(",")] if listed else []
    return [*(name for name in FIRST if name in names), *(name for name in names if name not in FIRST)]


def key_variables(command: Sequence[str]) -> list[tuple[str, str]]:
    """Providers in words, and the variable in which pi looks for the key of each; by the documents of this pi."""
    found = package_of(Path(command[-1]))
    try:
        text = (found[0] / "docs" / "providers.md").read_text("utf-8") if found else ""
    except OSError:
        text = ""
    rows = re.findall(r"^\| (.+?) \| `([A-Z0-9_]+)` \|$", text, re.MULTILINE)
    return [(re.sub(r"\[(.+?)\]\(.+?\)", r"\1", name), variable) for name, variable in rows]
