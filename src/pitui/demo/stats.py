"""The counts of a session, as ``get_session_stats`` answers them."""

from typing import Any

from pitui.demo.agent import weight
from pitui.demo.models import Model
from pitui.demo.session import Session

KINDS = ("input", "output", "cacheRead", "cacheWrite")


def stats(session: Session) -> dict[str, Any]:
    messages = [entry["message"] for entry in session.entries if entry["type"] == "message"]
    answers = [message for message in messages if message["role"] == "assistant"]
    summaries = [entry["usage"] for entry in session.entries if entry["type"] == "compaction"]
    usages = [*(answer["usage"] for answer in answers), *summaries]
    used = {kind: sum(usage[kind] for usage in usages) for kind in KINDS}
    return {
        **({"sessionFile": str(session.file)} if session.file else {}),
        "sessionId": session.id,
        "userMessages": sum(message["role"] == "user" for message in messages),
        "assistantMessages": len(answers),
        "toolCalls": sum(part["type"] == "toolCall" for answer in answers for part in answer["content"]),
        "toolResults": sum(message["role"] == "toolResult" for message in messages),
        "totalMessages": len(messages),
        "tokens": {**used, "total": sum(used.values())},
        "cost": sum(usage["cost"]["total"] for usage in usages),
    }


def context_usage(session: Session, model: Model) -> dict[str, Any]:
    """How full the context is; unknown from a compaction until the next answer."""
    branch, window = session.branch(), model["contextWindow"]
    answered = [entry for entry in branch if entry["type"] == "message" and entry["message"]["role"] == "assistant"]
    compactions = [index for index, entry in enumerate(branch) if entry["type"] == "compaction"]
    if compactions and not any(branch.index(entry) > compactions[-1] for entry in answered):
        return {"tokens": None, "contextWindow": window, "percent": None}
    ended = [entry for entry in answered if entry["message"]["stopReason"] not in ("aborted", "error")]
    used = ended[-1]["message"]["usage"]["totalTokens"] if ended else weight(session.messages())
    return {"tokens": used, "contextWindow": window, "percent": used / window * 100}
