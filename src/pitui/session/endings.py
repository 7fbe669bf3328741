"""How an answer ended, in words: cut off, failed, stopped, tried again."""

from pitui.rpc.messages import AssistantMessage
from pitui.session.blocks import Level, NoticeBlock
from pitui.session.conversation import add, add_after, looks, next_id, remove
from pitui.session.model import Failure, Session, Spoken

NO_REASON = "The answer failed, and the provider did not say why."
_ENDED_WELL = ("stop", "toolUse", "pending", "")


def conclude(session: Session, spoken: Spoken, message: AssistantMessage) -> None:
    """Say after a complete answer what it does not say itself, and remember a failure that may be tried again.

    The same failure again, of an answer that says nothing else, takes over the line of the one before.
    """
    memory = session.memory
    if message.stop_reason == "error":
        reason, before = message.error_message or NO_REASON, memory.failure
        notice = _say_after(session, spoken, "error", _failure_text(reason, memory.failures))
        if before is None or before.notice is notice:
            memory.failure = Failure(notice, reason)
        elif before.retried and before.reason == reason and not spoken.parts:
            before.notice.text = ""
            looks(session, before.notice)
            memory.failure = Failure(notice, reason, before.attempts + 1)
        else:
            memory.failure = Failure(notice, reason)
        return
    memory.failure, memory.failures = None, 0
    words = _in_words(message, empty=not spoken.parts)
    if words is not None:
        _say_after(session, spoken, *words)
    elif spoken.notice is not None:
        remove(session, spoken.notice)
        spoken.notice = None


def _in_words(message: AssistantMessage, *, empty: bool) -> tuple[Level, str] | None:
    match message.stop_reason:
        case "length":
            return "warning", "The answer was cut off at the output limit."
        case "aborted":
            return "warning", "The answer was stopped before it was complete."
        case "deferred":
            return "info", "The provider has put the answer off; it is not here yet."
        case reason if reason not in _ENDED_WELL:
            return "warning", f"The answer ended for a reason that pitui does not know: {reason}."
        case _:
            return ("info", "The model said nothing.") if empty else None


def _say_after(session: Session, spoken: Spoken, level: Level, text: str) -> NoticeBlock:
    notice = spoken.notice
    if notice is None:
        notice = NoticeBlock(id=next_id(session), timestamp=spoken.timestamp, level=level, text=text, finished=True)
        if spoken.parts:
            add_after(session, spoken.parts[spoken.last_index], notice)
        else:
            add(session, notice)
        spoken.notice = notice
    elif notice.text != text or notice.level != level:
        notice.level, notice.text = level, text
        looks(session, notice)
    return notice


def _failure_text(reason: str, failures: int) -> str:
    if not failures:
        return reason
    return f"Gave up after {failures} attempt{'s' if failures > 1 else ''}: {reason}"


def is_retried(session: Session, entry_id: str = "") -> None:
    """pi tries again: the failure stays to be seen, but plain. pi says so up to three times, here it counts once."""
    failure = session.memory.failure
    if failure is None or failure.retried or (entry_id and failure.notice.entry_id != entry_id):
        return
    failure.retried = True
    session.memory.failures += 1
    counted = f" ({failure.attempts} attempts)" if failure.attempts > 1 else ""
    failure.notice.level, failure.notice.text = "info", failure.reason + counted
    looks(session, failure.notice)


def retries_are_over(session: Session, final_error: str) -> None:
    """pi does not try again: the last failure stands."""
    failure = session.memory.failure
    if failure is None:
        text = _failure_text(final_error or NO_REASON, session.memory.failures)
        add(session, NoticeBlock(id=next_id(session), level="error", text=text, finished=True))
    elif failure.retried:
        failure.notice.level = "error"
        looks(session, failure.notice)
