"""What a tool run does, in a few words."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pitui.render.amounts import number
from pitui.render.arguments import arguments
from pitui.render.diff import changed_lines
from pitui.render.text import visible
from pitui.session.blocks import SHELLS, ToolBlock, ToolState

LIMIT = 400
"""Characters of an argument that can matter for one line."""


def tool_title(block: ToolBlock, limit: int | None = LIMIT) -> tuple[str, str]:
    """The name of a tool and what it does, each on one clean line: ``("read", "hello.py:1-20")``, ``("$", "ls")``.

    Of what it does the first `limit` characters.
    """
    known = arguments(block)
    describe = _KNOWN.get(block.name, _key_values)
    what = describe(block, known) if known else ""
    return "$" if block.name in SHELLS else tool_name(block.name), visible(what[:limit].strip())


def tool_name(name: str) -> str:
    """A tool as people call it: ``server/tool`` for one of an MCP server."""
    if name.startswith("mcp__") and name.count("__") >= 2:
        _, server, tool = name.split("__", 2)
        return visible(f"{server}/{tool}"[:LIMIT])
    return visible(name[:LIMIT]) or "tool"


def lines_changed(block: ToolBlock) -> tuple[int, int]:
    """How many lines an edit or a write added and removed. Of what a write took the place of, nothing is known."""
    known = arguments(block)
    return (_written(known), 0) if block.name == "write" else changed_lines(block.details, known)


def word(known: Mapping[str, Any], key: str) -> str:
    """An argument that should be text."""
    value = known.get(key)
    return value if isinstance(value, str) else "" if value is None else _as_json(value)


def _as_json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)[:LIMIT]
    except (ValueError, RecursionError):
        return "…"


def _command(_: ToolBlock, known: Mapping[str, Any]) -> str:
    timeout = known.get("timeout")
    return word(known, "command") + (f"  (timeout {timeout}s)" if isinstance(timeout, int | float) else "")


def _read(_: ToolBlock, known: Mapping[str, Any]) -> str:
    first, limit = known.get("offset"), known.get("limit")
    path = word(known, "path")
    if not isinstance(first, int) and not isinstance(limit, int):
        return path
    first = first if isinstance(first, int) else 1
    return f"{path}:{first}-{first + limit - 1}" if isinstance(limit, int) else f"{path}:{first}-"


def _edit(block: ToolBlock, known: Mapping[str, Any]) -> str:
    added, removed = changed_lines(block.details, known)
    changed = (added or removed) and block.state not in (ToolState.FAILED, ToolState.SKIPPED, ToolState.LOST)
    return word(known, "path") + (f" +{added} -{removed}" if changed else "")


def _write(_: ToolBlock, known: Mapping[str, Any]) -> str:
    written = _written(known)
    return word(known, "path") + (f" ({number(written, 'line')})" if written else "")


def _written(known: Mapping[str, Any]) -> int:
    """How many lines a write writes."""
    content = word(known, "content")
    return content.rstrip().count("\n") + 1 if content else 0


def _grep(_: ToolBlock, known: Mapping[str, Any]) -> str:
    where = [word(known, key) for key in ("path", "glob") if known.get(key)]
    return f"'{word(known, 'pattern')}'" + (" in " + " ".join(where) if where else "")


def _find(_: ToolBlock, known: Mapping[str, Any]) -> str:
    return word(known, "pattern") + (f" in {word(known, 'path')}" if known.get("path") else "")


def _list(_: ToolBlock, known: Mapping[str, Any]) -> str:
    return word(known, "path") or "."


def _script(_: ToolBlock, known: Mapping[str, Any]) -> str:
    lines = [line for line in word(known, "code").splitlines() if line.strip()]
    return lines[0].strip() if lines else ""


def _key_values(_: ToolBlock, known: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={_value(value)}" for key, value in known.items())


def _value(value: Any) -> str:
    if isinstance(value, str) and value and len(value) <= LIMIT and not any(char.isspace() for char in value):
        return value
    return _as_json(value[:LIMIT] if isinstance(value, str) else value)


_KNOWN: dict[str, Callable[[ToolBlock, Mapping[str, Any]], str]] = {
    "bash": _command,
    "powershell": _command,
    "read": _read,
    "edit": _edit,
    "write": _write,
    "grep": _grep,
    "find": _find,
    "ls": _list,
    "codemode": _script,
}
