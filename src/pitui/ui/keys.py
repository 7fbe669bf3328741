"""Keys in a person's words, and what the keys of a pane do."""

from collections.abc import Iterable, Iterator, Sequence

from textual.binding import Binding, BindingType

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


def keys_of(bindings: Sequence[BindingType]) -> set[str]:
    """All keys that are bound."""
    return {key.strip() for binding in bindings if isinstance(binding, Binding) for key in binding.key.split(",")}


def pane_keys(bindings: Sequence[BindingType]) -> Iterator[tuple[str, str]]:
    """The keys of a pane and what they do; those with equal words stand together."""
    keys: dict[str, list[str]] = {}
    for binding in bindings:
        if isinstance(binding, Binding) and binding.description:
            keys.setdefault(binding.description, []).extend(key.strip() for key in binding.key.split(","))
    for description, its_keys in keys.items():
        yield keys_in_words(its_keys), description
