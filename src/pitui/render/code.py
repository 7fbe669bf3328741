"""Highlighted code: a text and the name of its language give lines of segments."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename  # pyright: ignore[reportUnknownVariableType]
from pygments.styles import get_style_by_name  # pyright: ignore[reportUnknownVariableType]
from pygments.token import STANDARD_TYPES
from pygments.util import ClassNotFound
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.lines import Line
from pitui.render.palette import Palette
from pitui.render.text import cells, wrap

LIMIT = 20_000
"""Characters past which code is shown in one colour."""
LINE_LIMIT = 2_000
"""Characters of a line past which code is no longer what people write."""

SLICE_LINES = 20
"""Lines of a slice of code that is long or still grows: highlighted by itself, so that more code never changes it."""

Lines = list[list[Segment]]


def highlighted(text: str, language: str, palette: Palette) -> Lines:
    """The lines of a clean text; in one style when the language is unknown, the text huge or there is no colour."""
    if not language or not palette.syntax or len(text) > LIMIT:
        return _flat(text, palette)
    return _highlighted(text, language, palette)


@lru_cache(512)
def code_rows(text: str, language: str, palette: Palette, width: int, frame: tuple[Segment, ...]) -> list[Line]:
    """Rows of code behind a frame, the same ones as before where the same code stands at the same place."""
    gutter = sum(cells(segment.text) for segment in frame)
    return [
        Line(Strip([*frame, *row]), gutter, joint)
        for line in highlighted(text, language, palette)
        for row, joint in wrap(line, width - gutter, words=False)
    ]


def _flat(text: str, palette: Palette) -> Lines:
    return [[Segment(line, palette.code_block)] for line in text.split("\n")]


@lru_cache(256)
def _highlighted(text: str, language: str, palette: Palette) -> Lines:
    lexer = _lexer(language)
    if lexer is None or max(map(len, text.split("\n"))) > LINE_LIMIT:
        return _flat(text, palette)
    lines: Lines = [[]]
    for kind, value in _tokens(lexer, text):
        style = _style(kind, palette)
        first, *others = value.split("\n")
        if first:
            lines[-1].append(Segment(first, style))
        for part in others:
            lines.append([Segment(part, style)] if part else [])
    return [line or [Segment("", palette.code_block)] for line in lines]


def _tokens(lexer: Lexer, text: str) -> Iterator[tuple[Any, str]]:
    return ((kind, value) for _, kind, value in lexer.get_tokens_unprocessed(text))  # as it is: no line added or cut


@lru_cache(64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


@lru_cache(256)
def lexer_of_path(path: str) -> str:
    """The language of a file, by its name; empty when it tells none."""
    try:
        return get_lexer_for_filename(path.rsplit("/", 1)[-1]).aliases[0]
    except (ClassNotFound, IndexError):
        return ""


@lru_cache(2048)
def _style(kind: Any, palette: Palette) -> Style:
    look = _syntax(palette.syntax).style_for_token(_nearest(kind))
    colour = f"#{look['color']}" if look["color"] else None
    return palette.code_block + Style(
        color=colour, bold=look["bold"] or None, italic=look["italic"] or None, underline=look["underline"] or None
    )


def _nearest(kind: Any) -> Any:
    """The kind itself, or what it is a kind of where it is a lexer's own."""
    while kind not in STANDARD_TYPES:
        kind = kind.parent
    return kind


@lru_cache(8)
def _syntax(name: str) -> Any:
    try:
        return get_style_by_name(name)
    except ClassNotFound:
        return get_style_by_name("default")
