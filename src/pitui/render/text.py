"""The gate: every text from pi, a file or a paste passes here before it is drawn.

What comes out holds no control character, no lone surrogate and no hidden turn of direction, so that nothing foreign
reaches the terminal as anything but letters. Widths are those that Textual computes for a `Strip`.
"""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style

from pitui.render.sgr import SGR, Pen

TAB_SIZE = 4

REACH = 200
"""Code points within which a character ends that a person sees as one; marks without end are cut there."""

_FOREIGN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_EIGHT_BIT = (
    *(("\x90", "\x1bP"), ("\x98", "\x1bX"), ("\x9b", "\x1b["), ("\x9c", "\x1b\\")),
    *(("\x9d", "\x1b]"), ("\x9e", "\x1b^"), ("\x9f", "\x1b_")),
)
"""Controls that are short for an escape and a letter."""
_ESCAPE = re.compile(
    "\x1b(?:"
    "\\[(?P<sgr>[0-9;:]*)m"
    "|\\[[0-?]*[ -/]*[@-~]?"  # other control sequences, whole or torn
    # titles, links, clipboard, device control: to their end or that of the line, so that a torn one takes no more
    "|[]PX^_][^\n\x07\x0b\x0c\x1b\x85\u2028\u2029]*(?:\x07|\x1b\\\\)?"
    "|[ -/]*[0-~]?"  # every other escape, and a lone one
    ")"
)
_RETURNED = re.compile("\r+\n")
_LINE_BREAK = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\xad]")
_TURN = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HIDDEN = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # the flag of a region, and joined emoji and letters
    "|[\u0600-\u061b\u061d-\u180d\u180f-\u1fff\u2190-\ud7ff\ue000-\ufefe\uff00-\U000dffff][\u200c\u200d])"
    "|[\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+", re.MULTILINE)
_WEIGHT = re.compile(r"(?<![\w*])\*\*(\S|\S[^\n]*?\S)\*\*(?![\w*])")
_CODE = re.compile(r"(?<![\w`])`([^`\n]+)`(?![\w`])")
_SYMBOLIC = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SINGLE = re.compile("[ -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25fc]*")
_LONE_JOINERS = re.compile("(?:\u200d.?)+", re.DOTALL)
"""Joiners that have nothing before them. With what they join they are measured as nothing, two of them as a pair."""
_CLOSING = frozenset(")]}>,.;:!?%'\"”’、。，．：；！？）］｝〉》」』】〕・ー…")  # noqa: RUF001

Row = tuple[list[Segment], str]
"""A row of a wrapped line, and what parted it from the next one: spaces, nothing, or a line break."""


def clean(text: str, *, tab_size: int = TAB_SIZE, progress: bool = False) -> str:
    """Several lines, parted by LF alone.

    Escape sequences go whole, also torn ones, and so do other controls. CR and the other line breaks of Unicode become
    LF; in the output of a program (`progress`) a lone CR starts its line anew: what follows the last one stays. Turns
    of direction are shown as ``<U+202E>``. A `tab_size` of 0 keeps tabs. No line depends on another one.
    """
    if not _FOREIGN.search(text):
        return text
    text = _ESCAPE.sub("", _spelled(text))
    if not progress and "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _settled(text)
    return text.expandtabs(tab_size) if tab_size else text


def _spelled(text: str) -> str:
    for control, escape in _EIGHT_BIT:
        if control in text:
            text = text.replace(control, escape)
    return text


def _settled(text: str) -> str:
    text = _LINE_BREAK.sub("\n", text)
    if "\r" in text:
        text = _RETURNED.sub("\n", text)
        text = "\n".join(map(_after_return, text.split("\n")))
    text = _SURROGATE.sub("\ufffd", _CONTROL.sub("", text))
    return _TURN.sub(_named, text)


def _after_return(line: str) -> str:
    """What a terminal would show of a line with carriage returns; colours set on the way stay set."""
    over, _, rest = line.rstrip("\r").rpartition("\r")
    return "".join(match.group() for match in SGR.finditer(over)) + rest


def _named(match: re.Match[str]) -> str:
    return f"<U+{ord(match.group()):04X}>"


def clean_line(text: str, limit: int = 2000) -> str:
    """One line of about `limit` characters at most: escape sequences gone, line breaks as ⏎, the hidden shown."""
    line = visible(clean(text[:limit]).strip())
    return line + "…" if len(text) > limit else line


def unmarked(text: str) -> str:
    """Markdown without the marks of headings, weight and code, for where a few words of it are shown on one line."""
    return _CODE.sub(r"\1", _WEIGHT.sub(r"\1", _HEADING.sub("", text)))


def visible(text: str) -> str:
    """One line with everything hidden in it shown: controls as symbols, others as ``<U+200B>``.

    Joiners stay where emoji and scripts need them. For what a person decides by: titles of tools, dialogs.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\t", " "))
    text = _HIDDEN.sub(lambda match: match.group(1) or _named(match), text)
    return _SYMBOLIC.sub(_symbol, text)


def _symbol(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code in (0x0A, 0x85, 0x2028, 0x2029):
        return "⏎"
    if code == 0x7F:
        return "␡"
    return chr(0x2400 + code) if code < 0x20 else _named(match)


def coloured(text: str, base: Style) -> list[list[Segment]]:
    """The lines of a program's output, its SGR colours and attributes as styles upon `base`; all else as in `clean`."""
    if _FOREIGN.search(text):
        text = _settled(_ESCAPE.sub(_kept_sgr, _spelled(text)))
    pen = Pen(base)
    return [_coloured_line(line, pen) for line in text.split("\n")]


def _kept_sgr(match: re.Match[str]) -> str:
    codes = match["sgr"]
    return "" if codes is None else f"\x1b[{codes}m"


def _coloured_line(line: str, pen: Pen) -> list[Segment]:
    if "\x1b" not in line:
        return [Segment(line.expandtabs(TAB_SIZE), pen.style)]
    segments: list[Segment] = []
    column = 0
    for index, piece in enumerate(SGR.split(line)):
        if index % 2:
            pen.take(piece)
        elif piece:
            shift = column % TAB_SIZE
            shown = (" " * shift + piece).expandtabs(TAB_SIZE)[shift:]
            segments.append(Segment(shown, pen.style))
            column += len(shown)
    return segments


# Widths


def cells(text: str) -> int:
    """How many cells a clean line takes."""
    return cell_len(text)


def truncate(text: str, width: int) -> str:
    """As much of a clean line as fits into `width` cells, with … where it was cut."""
    if len(text) <= width and _SINGLE.fullmatch(text):
        return text
    if width <= 0:
        return ""
    used = 0
    fits = 0
    for _, end, size in graphemes(text[: width * 8]):
        used += size
        if used > width:
            return text[:fits] + "…"
        if used < width:
            fits = end
    return text if len(text) <= width * 8 else text[:fits] + "…"


def truncate_start(text: str, width: int) -> str:
    """As much of the end of a clean line as fits into `width` cells, with … where it was cut."""
    if cells(text) <= width:
        return text
    used, begin = cells("…"), len(text)
    for start, _, size in reversed(graphemes(text)):
        used += size
        if used > width:
            break
        begin = start
    return f"…{text[begin:]}" if width > 0 else ""


def graphemes(text: str) -> list[tuple[int, int, int]]:
    """Start, end and cells of each character as a person sees it, so that none is ever cut."""
    if joined := _LONE_JOINERS.match(text):
        offset = joined.end()
        rest = graphemes(text[offset:])
        return [(0, offset, 0), *((start + offset, end + offset, size) for start, end, size in rest)]
    spans, _ = split_graphemes(text)
    flags: list[tuple[int, int, int]] = []
    half = False
    for start, end, size in spans:
        regional = _is_regional(text[start])
        if regional and half:
            flags[-1] = (flags[-1][0], end, flags[-1][2] + size)
            half = False
        else:
            flags.append((start, end, size))
            half = regional
    return flags


def grapheme_around(text: str, at: int) -> tuple[int, int] | None:
    """The character as a person sees it that goes from before a place in a line to after it, if any does.

    Only what is near is looked at, however long the line is.
    """
    if not 0 < at < len(text) or (text[at - 1].isascii() and text[at].isascii()):
        return None
    start = at - 1
    while start > 0 and at - start < REACH and not _begins(text, start):
        start -= 1
    near = text[start : at + REACH].replace("\t", " ")
    around = ((start + first, start + after) for first, after, _ in graphemes(near))
    return next(((first, after) for first, after in around if first < at < after), None)


def _begins(text: str, at: int) -> bool:
    """Whether a character that a person sees certainly begins there."""
    if "\t" in text[at - 1 : at + 1] or text[at].isascii():
        return text[at - 1] != "\u200d"
    return cell_len(text[at]) > 0 and text[at - 1] != "\u200d" and not _is_regional(text[at])


def _is_regional(character: str) -> bool:
    """Whether it is half of a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def column_at(line: str, cell: int, tab_size: int = TAB_SIZE) -> int:
    """Where the character begins that a cell shows; behind the last one for a cell behind it."""
    column = used = 0
    for place, part in enumerate(line.split("\t")):
        if place:
            used += tab_size - used % tab_size
            if used > cell:
                return column
            column += 1
        for first, _, size in graphemes(part):
            used += size
            if used > cell:
                return column + first
        column += len(part)
    return len(line)


def wrap(line: Sequence[Segment], width: int, *, words: bool = True, hang: int = 0) -> list[Row]:
    """The rows of a clean line, at least one, none wider than `width` (1 or more).

    With `words` they end between words, and the spaces there are what parts them (those at the end of the line are
    left out); without, they end wherever they are full, and leave `hang` cells free from the second one on.
    """
    text = line[0].text if len(line) == 1 else "".join(segment.text for segment in line)
    single = _SINGLE.fullmatch(text) is not None
    if (len(text) if single else sum(cell_len(segment.text) for segment in line)) <= width:
        return [(list(line), "\n")]
    if width == 1 and not single:
        line = [Segment(_narrowed(segment.text), segment.style) for segment in line]
        text = "".join(segment.text for segment in line)
    if words:
        text = text.rstrip(" ")
    if single:
        return _cut(line, text, _word_cuts(text, width) if words else _full_cuts(text, width, hang))
    return _cut(line, text, _grapheme_cuts(text, _spans(line), width, words, hang))


def row_counts(text: str, width: int) -> list[int] | None:
    """How many rows each line of a program's output takes when it is wrapped without `words`.

    None where that cannot be told without drawing it: wide characters amid colours.
    """
    if "\x1b" in text or "\x9b" in text:
        lines = clean(text, progress=True).split("\n")
        single = all(map(_SINGLE.fullmatch, lines))
        return [max(1, -(-len(line) // width)) for line in lines] if single else None
    return [len(_rows(line, width)) for line in clean(text, progress=True).split("\n")]


def row_texts(text: str, width: int) -> list[str] | None:
    """The rows of `row_counts` as bare text; None where they cannot be told without drawing them."""
    lines = clean(text, progress=True).split("\n")
    if ("\x1b" in text or "\x9b" in text) and not all(map(_SINGLE.fullmatch, lines)):
        return None
    return [row for line in lines for row in _rows(line, width)]


def _rows(line: str, width: int) -> list[str]:
    if 2 * len(line) <= width:  # no character is wider than two cells
        return [line]
    if _SINGLE.fullmatch(line):
        return [line[start : start + width] for start in range(0, len(line), width)]
    return ["".join(segment.text for segment in row) for row, _ in wrap([Segment(line)], width, words=False)]


Cut = tuple[int, int]
"""Where a row ends and where the next one starts."""


def _full_cuts(text: str, width: int, hang: int) -> Iterator[Cut]:
    return ((end, end) for end in range(width, len(text), width - hang))


def _word_cuts(text: str, width: int) -> Iterator[Cut]:
    start = 0
    while len(text) - start > width:
        space = text.rfind(" ", start, start + width + 1)
        if space > start and not text[start:space].isspace():
            end, start = space, _past_spaces(text, space)
            while text[end - 1] == " ":
                end -= 1
        else:
            start = end = start + width
        yield end, start


def _past_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def _spans(line: Sequence[Segment]) -> Iterator[tuple[int, int, int]]:
    """The graphemes of each segment by itself, as a `Strip` measures them."""
    offset = 0
    for segment in line:
        for start, end, size in graphemes(segment.text):
            yield start + offset, end + offset, size
        offset += len(segment.text)


def _grapheme_cuts(
    text: str, spans: Iterator[tuple[int, int, int]], width: int, words: bool, hang: int
) -> Iterator[Cut]:
    """The general way: a row may also end before and after a wide character, but not before a closing mark."""
    start = used = 0
    chance = chance_used = 0  # the last place where the next row may start, and the cells before it
    seen = wide = False  # something else than a space is in the row; the last character was wide
    for at, end, size in spans:
        if at >= len(text):
            return
        blank = text[at:end] == " "
        if words and seen and (wide or size > 1) and text[at] not in _CLOSING:
            chance, chance_used = at, used
        if used + size > width and not (words and blank):
            cut = chance if chance > start else at
            yield (cut - _spaces_before(text, start, cut) if words else cut), cut
            used -= chance_used if cut == chance else used
            start, seen = cut, cut < at
            width, hang = width - hang, 0
        used += size
        seen = seen or not blank
        wide = size > 1
        if words and seen and blank:
            chance, chance_used = end, used


def _spaces_before(text: str, start: int, at: int) -> int:
    return len(text[start:at]) - len(text[start:at].rstrip(" "))


def _narrowed(text: str) -> str:
    """For a width of one cell: what is wider becomes …"""
    return "".join("…" if size > 1 else text[start:end] for start, end, size in graphemes(text))


def _cut(line: Sequence[Segment], text: str, cuts: Iterator[Cut]) -> list[Row]:
    rows: list[Row] = []
    start = 0
    index = offset = 0  # the segment that `start` lies in, and where that segment starts
    for end, following in (*cuts, (len(text), len(text))):
        row: list[Segment] = []
        while index < len(line):
            segment = line[index]
            piece = segment.text[max(0, start - offset) : max(0, end - offset)]
            if piece:
                row.append(Segment(piece, segment.style))
            if offset + len(segment.text) > following:
                break
            offset += len(segment.text)
            index += 1
        rows.append((row, text[end:following] if following < len(text) else "\n"))
        start = following
    return rows
