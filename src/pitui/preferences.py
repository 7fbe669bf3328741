"""What the person has chosen in files: pitui's settings, and pi's own keys; and what is wrong in them, in sentences."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from pitui.actions import ACTIONS, clashes, keys_in_force
from pitui.config import Settings, load_settings, settings_file
from pitui.editor_keys import editor_clashes
from pitui.pane_actions import pane_clashes, pane_keys_in_force
from pitui.pi.folders import agent_folder
from pitui.pi.keybindings import read_keybindings

THEMES_BY_SHORT_NAME = {"dark": "pitui-dark", "light": "pitui-light"}


class Preferences(NamedTuple):
    """`settings` have the keys of every action. `editor_keys` are pi's for its editor, by pi's names.

    `problems` are those of pitui's settings, and `problems_of_keys` those of pi's keys.
    """

    settings: Settings
    editor_keys: Mapping[str, tuple[str, ...]]
    problems: list[str]
    problems_of_keys: list[str]


def read_preferences(environ: Mapping[str, str] = os.environ) -> Preferences:
    """What the files say. A mistake in them is told, and does no harm."""
    file = settings_file(environ)
    settings, problems = load_settings(file)
    if environ.get("PITUI_CONFIG") and not os.path.exists(file):
        problems.append(f"{file}: PITUI_CONFIG names it, and it is not there. The defaults are used.")
    of_pi = read_keybindings(agent_folder(environ) / "keybindings.json")
    keys = keys_in_force(of_pi.keys, settings.keys) | pane_keys_in_force(of_pi.keys, settings.keys)
    of_actions = keys_in_force({}, keys)
    problems += [
        f"{key} is a key of several actions: {', '.join(names)}; in the prompt it is the first."
        for key, names in editor_clashes(of_pi.keys, of_actions).items()
    ]
    everywhere = {action.id: of_actions[action.id] for action in ACTIONS if action.everywhere}
    clashing = (*clashes(of_actions).items(), *pane_clashes(keys, everywhere))
    problems += [f"{key} is a key of several actions: {', '.join(names)}." for key, names in clashing]
    theme = long_name(settings.theme)
    if theme and theme not in theme_names():
        problems.append(f"{file}: theme: there is no theme “{theme}”; /theme lists them all.")
    return Preferences(replace(settings, keys=keys, theme=theme), of_pi.keys, problems, of_pi.problems)


def long_name(theme: str) -> str:
    """The name of a theme, which may be given in short."""
    return THEMES_BY_SHORT_NAME.get(theme, theme)


def theme_names() -> list[str]:
    """The names of all themes."""
    from textual.theme import BUILTIN_THEMES

    from pitui.ui.theme import THEMES

    return sorted({*BUILTIN_THEMES, *(theme.name for theme in THEMES)})
