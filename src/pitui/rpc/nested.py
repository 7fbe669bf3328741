"""JSON of any depth, read without recursion.

pi answers ``get_tree`` with one level per entry, so a long session nests deeper than any JSON parser of Python allows
(the standard one gives up at about 500 levels of such a tree). Only what those parsers refuse comes here.
"""

import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, cast

MAX_DEPTH = 200_000
_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"true|false|null|-?Infinity|NaN|-?\d+(\.\d+)?([eE][+-]?\d+)?")
_CONSTANTS: dict[str, Any] = {"true": True, "false": False, "null": None}
_NOTHING = object()


class NestedTooDeepError(ValueError):
    """The text nests deeper than MAX_DEPTH."""


def read_nested(text: str) -> Any:
    """The value of a JSON text of up to MAX_DEPTH levels.

    Raises NestedTooDeepError past that and ValueError for what is not JSON.
    """
    stack: list[tuple[Any, str | None]] = []
    holder: Any = None
    key: str | None = None
    at = _skip(text, 0)
    while True:
        value: Any = _NOTHING
        mark = text[at : at + 1]
        if mark == '"':
            value, at = cast(tuple[str, int], scanstring(text, at + 1, True))
        elif mark in ("{", "["):
            fresh = cast(Any, {} if mark == "{" else [])
            at = _skip(text, at + 1)
            if text[at : at + 1] == ("}" if mark == "{" else "]"):
                value, at = fresh, at + 1
            else:
                stack.append((cast(Any, holder), key))
                if len(stack) > MAX_DEPTH:
                    raise NestedTooDeepError(f"nested deeper than the {MAX_DEPTH:,} levels that pitui reads")
                holder = fresh
                key, at = _key(text, at) if mark == "{" else (None, at)
                continue
        else:
            value, at = _scalar(text, at)
        while True:  # put the finished value where it belongs; close what it completes
            at = _skip(text, at)
            if holder is None:
                if at != len(text):
                    raise ValueError(f"extra data at character {at}")
                return value
            if isinstance(holder, list):
                cast(list[Any], holder).append(value)
            else:
                holder[key] = value
            mark = text[at : at + 1]
            if mark == ",":
                at = _skip(text, at + 1)
                if isinstance(holder, dict):
                    key, at = _key(text, at)
                break
            if mark != ("]" if isinstance(holder, list) else "}"):
                raise ValueError(f"expected a comma or an end at character {at}")
            value, at = cast(Any, holder), at + 1
            holder, key = stack.pop()


def _skip(text: str, at: int) -> int:
    return cast(re.Match[str], _SPACE.match(text, at)).end()


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise ValueError(f"expected a name at character {at}")
    key, at = cast(tuple[str, int], scanstring(text, at + 1, True))
    at = _skip(text, at)
    if text[at : at + 1] != ":":
        raise ValueError(f"expected a colon at character {at}")
    return key, _skip(text, at + 1)


def _scalar(text: str, at: int) -> tuple[Any, int]:
    found = _SCALAR.match(text, at)
    if found is None:
        raise ValueError(f"expected a value at character {at}")
    word = found.group()
    if word in _CONSTANTS:
        return _CONSTANTS[word], found.end()
    return (float(word) if found.group(1) or found.group(2) or "N" in word or "I" in word else int(word)), found.end()
