"""Markdown as lines."""

from rich.segment import Segment

from pitui.render.lines import Line, framed, styled
from pitui.render.look import Look
from pitui.render.text import clean


def draw_markdown(text: str, look: Look) -> list[Line]:
    """The rows of a Markdown text."""
    if not text.strip():
        return []
    return framed(styled(clean(text).strip("\n"), look.palette.text), look.width, Segment("  "))
