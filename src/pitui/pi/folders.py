"""Where pi keeps its files (pi's ``configuration.md`` and ``config.js``). Folders are named here and never made."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast


def agent_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """pi's own folder: ``PI_CODING_AGENT_DIR``, else ``~/.pi/agent``."""
    named = environ.get("PI_CODING_AGENT_DIR")
    return Path(named).expanduser() if named else Path.home() / ".pi" / "agent"


def folder_of(cwd: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where pi by default keeps the sessions of the folder `cwd`, whose links it does not follow."""
    path = os.path.abspath(cwd)
    name = path.removeprefix("/")
    for separator in "/\\:":
        name = name.replace(separator, "-")
    return agent_folder(environ) / "sessions" / f"--{name}--"


def chosen_session_folder(option: str = "", environ: Mapping[str, str] = os.environ) -> Path | None:
    """The one folder for all sessions that the user has chosen, or None: pi then has one for each folder of work.

    In pi's order: ``--session-dir``, ``PI_CODING_AGENT_SESSION_DIR``, ``sessionDir`` of pi's own settings.
    """
    named = option or environ.get("PI_CODING_AGENT_SESSION_DIR") or text_setting("sessionDir", environ)
    return Path(named).expanduser() if named else None


def text_setting(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """A text in pi's own ``settings.json``; empty when it is not there."""
    value = read_settings(agent_folder(environ)).get(name)
    return value if isinstance(value, str) else ""


def read_settings(folder: Path) -> dict[str, Any]:
    """What ``settings.json`` in a folder of pi says; nothing when it cannot be read."""
    try:
        settings: Any = json.loads((folder / "settings.json").read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", settings) if isinstance(settings, dict) else {}
