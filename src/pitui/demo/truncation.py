"""Long outputs, cut as pi's tools cut them: the last 2,000 lines or 50 KB, whichever is less."""

from typing import Any

from pitui.demo.identity import TEMPORARY, new_id

MAX_LINES = 2000
MAX_BYTES = 50 * 1024


def truncation(text: str) -> dict[str, Any] | None:
    """What pi says of an output that it cut, with what is left as ``content``; None for one that is short enough."""
    lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    size = len(text.encode())
    if len(lines) <= MAX_LINES and size <= MAX_BYTES:
        return None
    kept: list[str] = []
    kept_bytes = -1
    by = "lines"
    for line in reversed(lines[-MAX_LINES:]):
        kept_bytes += len(line.encode()) + 1
        if kept_bytes > MAX_BYTES:
            by = "bytes"
            break
        kept.append(line)
    content = "\n".join(reversed(kept))
    return {
        "content": content,
        "truncated": True,
        "truncatedBy": by,
        "totalLines": len(lines),
        "totalBytes": size,
        "outputLines": len(kept),
        "outputBytes": len(content.encode()),
        "lastLinePartial": False,
        "firstLineExceedsLimit": False,
        "maxLines": MAX_LINES,
        "maxBytes": MAX_BYTES,
    }


def note(cut: dict[str, Any], path: str) -> str:
    """The line under a cut output that says what is missing."""
    first, last = cut["totalLines"] - cut["outputLines"] + 1, cut["totalLines"]
    limit = "" if cut["truncatedBy"] == "lines" else f" ({MAX_BYTES / 1024:.1f}KB limit)"
    return f"\n\n[Showing lines {first}-{last} of {last}{limit}. Full output: {path}]"


def new_log() -> str:
    """A path for the whole of an output."""
    return f"{TEMPORARY}/pi-bash-{new_id(16)}.log"


def keep(text: str, path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
