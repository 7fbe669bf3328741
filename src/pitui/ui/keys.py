"""Keys in a person's words, what the keys of a pane do, and the bindings of those that are in the table."""

import re
from collections.abc import Iterable, Iterator, Sequence

from textual.binding import Binding, BindingsMap, BindingType
from textual.dom import DOMNode

from pitui.pane_actions import Keys, Pane, PaneAction
from pitui.render.text import cells

_WORDS = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "underscore": "_",
    "minus": "-",
}
_AFTER_A_MODIFIER = {"up": "Up", "down": "Down", "left": "Left", "right": "Right"}


def key_in_words(key: str) -> str:
    """``ctrl+up`` as ``Ctrl+Up``, and ``escape`` as ``Esc``: the one spelling of keys everywhere."""
    *modifiers, last = key.split("+")
    named = _AFTER_A_MODIFIER if modifiers else {}
    return "+".join(
        [*(part.capitalize() for part in modifiers), named.get(last) or _WORDS.get(last, last.capitalize())]
    )


def keys_in_words(keys: Iterable[str]) -> str:
    """Several keys that do the same."""
    return ", ".join(map(key_in_words, keys))


def has_key(node: DOMNode, key: str) -> bool:
    """Whether a key is bound in a widget or screen itself."""
    return key in node._bindings.key_to_bindings  # pyright: ignore[reportPrivateUsage] - `active_bindings` is of all


def pane_keys(bindings: Sequence[BindingType]) -> Iterator[tuple[str, str]]:
    """The keys of a pane and what they do; those with equal words stand together."""
    keys: dict[str, list[str]] = {}
    for binding in bindings:
        if isinstance(binding, Binding) and binding.description:
            keys.setdefault(binding.description, []).extend(key.strip() for key in binding.key.split(","))
    for description, its_keys in keys.items():
        yield keys_in_words(its_keys), description


# of the table of panes


def bindings_of(actions: Iterable[PaneAction], keys: Keys) -> BindingsMap:
    """The bindings of these actions; one without a key has none."""
    return BindingsMap(
        Binding(",".join(keys[action.id]), action.does, action.title, show=False, priority=action.priority)
        for action in actions
        if keys[action.id]
    )


def listed_keys(pane: Pane, keys: Keys, at_most: int | None = None) -> Iterator[tuple[str, str]]:
    """The keys of a pane, of each action so many, and what they do."""
    for action in pane.actions:
        if action.title and keys[action.id]:
            yield keys_in_words(keys[action.id][:at_most]), action.title


def key_of(action_id: str, keys: Keys) -> str:
    """The key to tell the person about, in words; empty where there is none."""
    return next(map(key_in_words, keys.get(action_id, ())), "")


def told(hint: str, keys: Keys) -> str:
    """A hint in which the ids of actions in brackets are their keys; a part of it whose action has none is left out."""
    return " · ".join(part for part in (_told(part, keys) for part in hint.split(" · ")) if part)


def sentences(hint: str, keys: Keys) -> str:
    """The same where the parts are sentences."""
    return told(hint, keys).replace(" · ", " ")


def _told(part: str, keys: Keys) -> str:
    found = [[key_of(name, keys) for name in names.split()] for names in _IDS.findall(part)]
    if not all(map(all, found)):
        return ""
    words = iter("".join(each) if max(map(len, each)) == 1 else " ".join(each) for each in found)
    return _IDS.sub(lambda _: next(words), part)


_IDS = re.compile(r"\[([a-zA-Z_. ]+)\]")


def fitting(hints: Sequence[str], keys: Keys, room: int, rows: int = 1) -> str:
    """The first of the hints that has room in so many rows, else the last."""
    shown = [told(hint, keys) for hint in hints]
    laid_out = (_in_rows(hint, room) for hint in shown)
    return next(("\n".join(lines) for lines in laid_out if len(lines) <= rows), shown[-1])


def _in_rows(hint: str, room: int) -> list[str]:
    """A hint in rows, broken between its parts."""
    lines: list[str] = []
    for part in hint.split(" · "):
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and cells(longer) <= room:
            lines[-1] = longer
        else:
            lines += [part]
    return lines
