"""Highlighted code: a text and the name of its language give lines of segments."""

from collections.abc import Iterator, Sequence
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

from pitui.render.lines import ROOM, Line
from pitui.render.palette import Palette
from pitui.render.text import cells, wrap

LIMIT = 20_000
"""Characters past which code is shown in one colour."""
LINE_LIMIT = 2_000
"""Characters of a line past which code is no longer what people write."""

GOES_ON = "↳ "
"""Stands before the rest of a line that does not fit into a row."""

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
    """The rows of `draw_code`, the same ones as before where the same code stands at the same place."""
    return draw_code(text, language, palette, width, frame)


def draw_code(text: str, language: str, palette: Palette, width: int, frame: Sequence[Segment]) -> list[Line]:
    """Rows of code behind a frame."""
    gutter = sum(cells(segment.text) for segment in frame)
    return [
        Line(Strip([*frame, *row]), gutter + hang, joint)
        for line in highlighted(text, language, palette)
        for row, hang, joint in wrap_code(line, width - gutter, palette)
    ]


def wrap_code(line: Sequence[Segment], width: int, palette: Palette) -> Iterator[tuple[list[Segment], int, str]]:
    """The rows of a line of code, how many cells of each are not of it, and what parts it from the next one.

    What goes on hangs under where the line starts, behind a sign, so that no one takes it for a line of its own.
    """
    rows = wrap(line, width, words=False)
    if len(rows) == 1 or width < 2 * ROOM:
        yield from ((row, 0, joint) for row, joint in rows)
        return
    text = "".join(segment.text for segment in line)
    hang = min(len(text) - len(text.lstrip(" ")), width // 2 - cells(GOES_ON)) + cells(GOES_ON)
    first, *others = wrap(line, width, words=False, hang=hang)
    yield first[0], 0, first[1]
    sign = Segment(GOES_ON.rjust(hang), palette.faint)
    yield from (([sign, *row], hang, joint) for row, joint in others)


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
