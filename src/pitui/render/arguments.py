"""The arguments of a tool call, as soon as they can be read from JSON that is still being written."""

import json
import re
from functools import lru_cache
from typing import Any, cast

from pitui.session.blocks import ToolBlock

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],]|[^"{}\[\],]+', re.DOTALL)
_TORN_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?$")
_CLOSES = {"{": "}", "[": "]"}


def arguments(block: ToolBlock) -> dict[str, Any]:
    """What is known of the arguments; empty while nothing is. A codemode script may be written as bare text."""
    if block.arguments or not block.argument_text:
        return block.arguments
    if block.name == "codemode" and not block.argument_text.lstrip().startswith("{"):
        return {"code": block.argument_text}
    return read_partial(block.argument_text)


def field(value: Any, key: str) -> Any:
    """`key` of a foreign value, None when it is no object or has none."""
    return cast(dict[str, Any], value).get(key) if isinstance(value, dict) else None


def text_field(value: Any, key: str) -> str:
    found = field(value, key)
    return found if isinstance(found, str) else ""


@lru_cache(8)
def read_partial(text: str) -> dict[str, Any]:
    """The object that the start of a JSON text already tells, a torn string with what it has so far.

    A key without a value and a torn number or word are left out. Never raises. The object is for reading only: who asks
    for the same text again is given the same one.
    """
    whole = _object(text)
    if whole is not None:
        return whole
    open_brackets: list[str] = []
    cuts: list[tuple[int, str]] = []  # where the text could end, and what would close it
    at = 0
    while match := _TOKEN.match(text, at):
        token = match.group()
        at = match.end()
        if token in _CLOSES:
            open_brackets.append(token)
            cuts.append((at, _closing(open_brackets)))
        elif token in ("}", "]") and open_brackets:
            open_brackets.pop()
            cuts.append((at, _closing(open_brackets)))
        elif token == ",":
            cuts.append((at - 1, _closing(open_brackets)))
        elif token[0] == '"':
            cuts.append((at, _closing(open_brackets)))
        del cuts[:-3]
    attempts = [text[:cut] + closing for cut, closing in reversed(cuts)]
    if at < len(text):  # a string is open
        attempts.insert(0, _TORN_ESCAPE.sub("", text) + '"' + _closing(open_brackets))
    for attempt in attempts:
        if (found := _object(attempt)) is not None:
            return found
    return {}


def _closing(open_brackets: list[str]) -> str:
    return "".join(_CLOSES[bracket] for bracket in reversed(open_brackets))


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None
