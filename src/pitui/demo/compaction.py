"""Compaction: what is kept, what is summarised, and what pi says of it."""

from typing import Any

from pitui.demo.agent import weight
from pitui.demo.models import Model, usage
from pitui.demo.session import Entry, Session

KEPT_TOKENS = 20_000


class CompactionError(Exception):
    """There is nothing to compact, or it was stopped."""


def first_kept(session: Session) -> Entry:
    """The first entry of the newest 20,000 tokens. Raises CompactionError when nothing is older."""
    branch = session.branch()
    if branch and branch[-1]["type"] == "compaction":
        raise CompactionError("Already compacted")
    seen = [entry for entry in session.visible() if entry["type"] == "message" and entry["message"]["role"] != "system"]
    heavy, kept = 0, 0
    for index in range(len(seen) - 1, -1, -1):
        heavy += weight([seen[index]["message"]])
        if heavy >= KEPT_TOKENS:
            kept = next((i for i in range(index, len(seen)) if seen[i]["message"]["role"] != "toolResult"), index)
            break
    if kept == 0:
        raise CompactionError("Nothing to compact (session too small)")
    return seen[kept]


def compacted(session: Session, model: Model, kept: Entry, summary: str) -> dict[str, Any]:
    """Add the compaction to the session; what ``compact`` answers."""
    before = weight(session.messages())
    system = next(message for message in session.messages() if message["role"] == "system")
    facts: dict[str, Any] = {
        "summary": summary,
        "firstKeptEntryId": kept["id"],
        "tokensBefore": before,
        "usage": usage(model, before, 0, weight([{"content": summary}])),
        "details": {"readFiles": [], "modifiedFiles": []},
    }
    session.append("compaction", **facts, fromHook=False, systemMessage=system)
    return {**facts, "estimatedTokensAfter": weight(session.messages())}
