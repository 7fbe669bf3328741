"""Why pi refused something, in words that fit here."""

from pitui.session.model import Session

GET_MODEL = "pi has no model to ask. F4 and “login” get one; your words stay here."
CHOOSE_MODEL = "No model is chosen: /model lists them."


def explained(session: Session, reason: str) -> str:
    """The reason, with what to do about it here in place of the advice that pi gives for its own screen."""
    if "/login" not in reason:
        return reason
    if session.has_no_model:
        return CHOOSE_MODEL if session.has_models else GET_MODEL
    return f"{reason.partition(chr(10))[0]} /login asks for it, /model takes another model."
