"""Which providers pi has credentials of, by its ``auth.json`` (pi's ``providers.md``)."""

import json
from pathlib import Path
from typing import Any, cast


def stored_logins(agent_folder: Path) -> set[str]:
    """The names of the providers; none when the file is not there or cannot be read."""
    try:
        stored: Any = json.loads((agent_folder / "auth.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return set()
    return set(cast("dict[str, Any]", stored)) if isinstance(stored, dict) else set()
