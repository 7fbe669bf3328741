"""The user's own keys for pi, from ``keybindings.json`` (pi's ``keybindings.md``), in Textual's names."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, NamedTuple, cast

_MODIFIERS = frozenset(("ctrl", "shift", "alt", "super"))
_NAMED = "escape enter tab space backspace delete insert clear home end pageup pagedown up down left right".split()
_KEYS = {"esc": "escape", "return": "enter"} | {name: name for name in _NAMED}
_SYMBOLS = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}


class Keybindings(NamedTuple):
    """The keys by pi's name of the action, none where the user wants none; and what to tell the person of the file."""

    keys: dict[str, tuple[str, ...]]
    problems: list[str]


def read_keybindings(file: Path) -> Keybindings:
    """What `file` says; without it, nothing. What cannot be used is left out and reported."""
    try:
        content: Any = json.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return Keybindings({}, [])
    except OSError as error:
        return Keybindings({}, [f"{file}: cannot be read: {error.strerror}. pi's default keys are used."])
    except (ValueError, RecursionError) as error:
        return Keybindings({}, [f"{file}: not JSON: {error}. pi's default keys are used."])
    if not isinstance(content, dict):
        return Keybindings({}, [f"{file}: an object of actions and keys is expected. pi's default keys are used."])

    found = Keybindings({}, [])
    for action, value in cast("dict[str, Any]", content).items():
        if action == "$schema":
            continue
        names: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
        keys = [textual_key(name) if isinstance(name, str) else None for name in names]
        wrong = [str(name) for name, key in zip(names, keys, strict=True) if key is None]
        if wrong:
            found.problems.append(f"{file}: {action}: no such key: {', '.join(wrong)}. See pi's keybindings.md.")
        if not wrong or any(keys):
            found.keys[action] = tuple(key for key in keys if key)
    return found


def textual_key(name: str) -> str | None:
    """Textual's name for a key as pi writes it (``ctrl+shift+]``), or None if pi has no such key."""
    *modifiers, key = re.split(r"\+(?=.)", name)  # the key itself may be a plus sign
    modifiers = sorted({modifier.lower() for modifier in modifiers})
    plain = _plain_key(key)
    if plain is None or not _MODIFIERS.issuperset(modifiers):
        return None
    if modifiers == ["shift"] and len(plain) == 1 and plain.isalpha():
        return plain.upper()  # terminals send the letter, not the modifier
    return "+".join((*modifiers, plain))


def _plain_key(key: str) -> str | None:
    lower = key.lower()
    if lower in _KEYS:
        return _KEYS[lower]
    if re.fullmatch(r"f([1-9]|1[0-2])|[a-z0-9]", lower):
        return lower
    if len(key) == 1 and key.isascii() and key.isprintable() and not key.isspace():
        symbol = unicodedata.name(key).lower().replace("-", "_").replace(" ", "_")
        return _SYMBOLS.get(symbol, symbol)
    return None
