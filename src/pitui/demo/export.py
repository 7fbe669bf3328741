"""A session as a page of HTML."""

from pitui.demo.script import text_of
from pitui.demo.session import Session

ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def page(session: Session) -> str:
    """What was said, a paragraph each."""
    said = [text_of(message) for message in session.messages() if message["role"] in ("user", "assistant")]
    paragraphs = "".join(f"<pre>{text.translate(ESCAPES)}</pre>\n" for text in said)
    return f"<!doctype html><meta charset=utf-8><title>{session.id}</title>\n{paragraphs}"
