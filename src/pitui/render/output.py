"""The output of tools and commands: of a long one a part, by lines and by characters, so that no size matters."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rich.segment import Segment
from rich.style import Style

from pitui.render.amounts import number
from pitui.render.lines import SHOW_ALL, Line, framed, note
from pitui.render.look import Look
from pitui.render.text import coloured

TAIL = 5
"""Lines of a folded command."""
SHOWN_LINES = 400
SHOWN_CHARACTERS = 40_000

End = Literal["first", "last"]


@dataclass(frozen=True, slots=True)
class Part:
    """`text` of a long text, and how many whole lines were left out before or after it."""

    text: str
    lines: int = 0
    characters: int = 0


def part(text: str, end: End, lines: int, characters: int) -> Part:
    """The first or last `lines` of a text, and of those no more than `characters`."""
    if end == "first":
        return _first(text, lines, characters)
    return _last(text, lines, characters)


def _first(text: str, lines: int, characters: int) -> Part:
    at = -1
    for _ in range(lines):
        at = text.find("\n", at + 1, characters + 1)
        if at < 0:
            break
    if at < 0 and len(text) <= characters:
        return Part(text)
    if at < 0:
        at = characters
    left = text[at + 1 :] if text[at] == "\n" else text[at:]
    return Part(text[:at], left.count("\n") + 1, len(left)) if left else Part(text[:at])


def _last(text: str, lines: int, characters: int) -> Part:
    at = len(text)
    floor = max(0, len(text) - characters)
    for _ in range(lines):
        at = text.rfind("\n", max(0, floor - 1), at)
        if at < 0:
            break
    if at < 0 and floor == 0:
        return Part(text)
    if at < 0:
        at = floor - 1
    left = text[: at + 1]
    return Part(text[at + 1 :], left.count("\n") + (not left.endswith("\n")), len(left)) if left else Part(text)


def draw_part(
    text: str, look: Look, end: End, limits: tuple[int, int], draw: Callable[[str], list[Line]]
) -> list[Line]:
    """The rows that `draw` gives for a part of a text, or all of it when the look is `full`, and what is left out."""
    shown = Part(text) if look.full else part(text, end, *limits)
    lines = draw(shown.text)
    if not shown.characters:
        return lines
    where = "earlier" if end == "last" else "more"
    amount = number(shown.lines, f"{where} line") if shown.lines > 1 else number(shown.characters, f"{where} character")
    hidden = note(f"  … {amount}" + ("" if look.folded else f" {SHOW_ALL}"), look)
    return [hidden, *lines] if end == "last" else [*lines, hidden]


def draw_output(text: str, look: Look, end: End, base: Style, indent: Segment) -> list[Line]:
    """A text with its colours, indented; folded its last lines, else a few screens of it, or all when `full`."""
    text = text.strip("\n")
    if not text:
        return []
    limits = (SHOWN_LINES, SHOWN_CHARACTERS)
    if look.folded:
        end, limits = "last", (TAIL, TAIL * max(look.width, 40))

    def draw(shown: str) -> list[Line]:
        return framed(coloured(shown, base), look.width, indent, words=False)

    return draw_part(text, look, end, limits, draw)
