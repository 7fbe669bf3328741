"""The questions that were, in words."""

from collections.abc import Iterator

from pitui.rpc.records import Confirm, Dialog
from pitui.session.model import Session
from pitui.ui.dialogs.wording import shown, shown_line

TEXT_CHARACTERS = 2000


def asked_and_answered(session: Session) -> Iterator[tuple[str, str]]:
    """Every question and what became of it, the oldest first and those that wait last."""
    for past in session.past_dialogs:
        yield _question(past.request), shown(past.outcome[:TEXT_CHARACTERS]) or "(nothing)"
    for dialog in session.dialogs:
        yield _question(dialog.request), "waits for an answer"


def _question(request: Dialog) -> str:
    message = request.message if isinstance(request, Confirm) else ""
    return "\n".join(filter(None, (shown_line(request.title), shown(message[:TEXT_CHARACTERS])))) or "(no words)"
