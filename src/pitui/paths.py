"""The folders in which pitui keeps its own files. Nothing else names one; none is made before it is needed."""

from pathlib import Path

import platformdirs

NAME = "pitui"
INDEX_VERSION = 3
"""Of the index of all sessions: of its tables, and of what is put into them."""


def config_folder() -> Path:
    """What the person writes: ``pitui.toml``."""
    return Path(platformdirs.user_config_dir(NAME, appauthor=False))


def data_folder() -> Path:
    """What was installed for pitui: a pi of its own."""
    return Path(platformdirs.user_data_dir(NAME, appauthor=False))


def state_folder() -> Path:
    """What must outlive a run: drafts, history, the log."""
    return Path(platformdirs.user_state_dir(NAME, appauthor=False))


def cache_folder() -> Path:
    """What can be made anew at any time."""
    return Path(platformdirs.user_cache_dir(NAME, appauthor=False))


def session_index() -> Path:
    """The file of the index of all sessions; another version has another, or two would make it anew in turn."""
    return cache_folder() / f"sessions-{INDEX_VERSION}.sqlite3"
