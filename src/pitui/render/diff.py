"""Changes to a file as lines: from a unified patch, from pi's numbered diff, or from an edit that has not run yet."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, cast

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.amounts import size
from pitui.render.arguments import text_field
from pitui.render.lines import AT_END, ROOM, SHOW_ALL, Line, note
from pitui.render.look import Look
from pitui.render.palette import Palette
from pitui.render.pieces import Piece, in_order
from pitui.render.text import cells, clean, wrap

SHOWN_LINES = 120
SHOWN_CHARACTERS = 12_000
FULL_LINES = 20_000
FULL_CHARACTERS = 4_000_000
"""Past these nobody reads a diff line by line."""
LINE_CHARACTERS = 20_000
"""Characters of a line that are shown."""
BATCH_LINES = 100
BATCH_CHARACTERS = 4_000
"""What is drawn at once, if nothing is torn by that."""
RUN_LINES = 2_000
RUN_CHARACTERS = 40_000
"""What is drawn at once at most."""
WORDS_LINES = 400
"""Lines drawn at once up to which changed words are looked for."""
WORDS_LIMIT = 1000
"""Characters of a line up to which its changed words are looked for."""

_HUNKS = re.compile(r"\n@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NUMBERED = re.compile(r"([ +-])( *\d+) (.*)")
_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)

Sign = Literal[" ", "+", "-", "@"]


@dataclass(frozen=True, slots=True)
class Change:
    """A line of a diff, cleaned. `@` stands for lines that were skipped. `number` is None where it is not known."""

    sign: Sign
    number: int | None
    text: str


def changed_lines(details: Any, arguments: Mapping[str, Any]) -> tuple[int, int]:
    """How many lines were added and removed, or will be."""
    patch = text_field(details, "patch")
    if patch:
        return patch.count("\n+") - patch.count("\n+++ "), patch.count("\n-") - patch.count("\n--- ")
    numbered = "\n" + text_field(details, "diff")
    if len(numbered) > 1:
        return numbered.count("\n+"), numbered.count("\n-")
    signs = [change.sign for change in proposed(arguments)]
    return signs.count("+"), signs.count("-")


def changes(details: Any, arguments: Mapping[str, Any]) -> Iterator[Change]:
    """What an edit did or will do; nothing when that is not told."""
    patch = text_field(details, "patch")
    if patch:
        return from_patch(patch)
    numbered = text_field(details, "diff")
    return from_numbered(numbered) if numbered else proposed(arguments)


def from_patch(patch: str) -> Iterator[Change]:
    """The hunks of a unified diff; what stands before the first one is left out."""
    old = new = 0
    inside = False
    for line in _lines(patch):
        if line.startswith("@@"):
            match = _HUNK.match(line)
            if match:
                if inside:
                    yield Change("@", None, "")
                old, new, inside = int(match[1]), int(match[2]), True
        elif not inside or line.startswith("\\"):
            continue
        elif line.startswith("+"):
            yield Change("+", new, _one(line[1:]))
            new += 1
        elif line.startswith("-"):
            yield Change("-", old, _one(line[1:]))
            old += 1
        else:
            yield Change(" ", new, _one(line.removeprefix(" ")))
            old, new = old + 1, new + 1


def from_numbered(diff: str) -> Iterator[Change]:
    """pi's ``details.diff``: a sign, a right-aligned number, a space, the line; ``...`` for what was skipped."""
    for line in _lines(diff):
        match = _NUMBERED.match(line)
        if match:
            yield Change(cast(Sign, match[1]), int(match[2]), _one(match[3]))
        elif line.strip() == "...":
            yield Change("@", None, "")
        else:
            sign = line[0] if line[:1] in ("+", "-") else " "
            yield Change(cast(Sign, sign), None, _one(line.removeprefix(sign)))


def proposed(arguments: Mapping[str, Any]) -> Iterator[Change]:
    """The replacements of an edit as they are written: `edits`, or `oldText` and `newText` themselves."""
    edits: Any = arguments.get("edits")
    replacements: list[Any] = cast(list[Any], edits) if isinstance(edits, list) else [arguments]
    for index, replacement in enumerate(replacements):
        old, new = (_side(text_field(replacement, key)) for key in ("oldText", "newText"))
        if index and (old or new):
            yield Change("@", None, "")
        start = _common(old, new)
        end = _common(old[start:][::-1], new[start:][::-1])
        yield from (Change(" ", None, _one(line)) for line in old[:start])
        yield from (Change("-", None, _one(line)) for line in old[start : len(old) - end])
        yield from (Change("+", None, _one(line)) for line in new[start : len(new) - end])
        yield from (Change(" ", None, _one(line)) for line in old[len(old) - end :])


def _side(text: str) -> list[str]:
    return list(_lines(text.removesuffix("\n"))) if text else []


def _common(one: list[str], other: list[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (left, right) in pairs if left != right), min(len(one), len(other)))


def _one(line: str) -> str:
    shown = clean(line[:LINE_CHARACTERS]).replace("\n", "⏎")
    return f"{shown}… and {size(len(line) - LINE_CHARACTERS)} more" if len(line) > LINE_CHARACTERS else shown


def _lines(text: str) -> Iterator[str]:
    """The lines of a text one after another, so that nobody pays for those that are not shown."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end].removesuffix("\r")
        start = end + 1
    if start < len(text):
        yield text[start:]


def diff_pieces(details: Any, arguments: Mapping[str, Any], look: Look) -> Iterator[Piece]:
    """The changes, cut to a few screens unless the look is `whole`; a few screens of a long one at a time."""
    return in_order(_parts(details, arguments, look))


def _parts(details: Any, arguments: Mapping[str, Any], look: Look) -> Iterator[list[Line]]:
    limits = (FULL_LINES, FULL_CHARACTERS) if look.whole else (SHOWN_LINES, SHOWN_CHARACTERS)
    batches = _batches(changes(details, arguments), *limits)
    batch, end = next(batches)
    digits = _digits(batch)
    if not end:
        digits = max(digits, _greatest_digits(details))
    draw = _beside if look.beside else _below
    yield draw(batch, look, digits)
    cut = end == "cut"
    for batch, end in batches:
        yield draw(batch, look, digits)
        cut = end == "cut"
    if cut:
        added, removed = changed_lines(details, arguments)
        how = "and no more is shown here" if look.whole else AT_END if look.full else SHOW_ALL
        yield [note(f"  … +{added} -{removed} lines in all {how}", look)]


End = Literal["", "last", "cut"]


def _batches(source: Iterator[Change], lines: int, characters: int) -> Iterator[tuple[list[Change], End]]:
    """As many changes as are allowed, and whether these are the last ones, and whether there are more.

    Lines that replace each other are in one batch, unless they are very many. A line that is too long is cut.
    """
    batch: list[Change] = []
    taken = 0
    for change in source:
        if lines == 0 or characters <= 0:
            yield batch, "cut"
            return
        whole = len(batch) >= BATCH_LINES or taken >= BATCH_CHARACTERS
        if whole and (change.sign in " @" or len(batch) >= RUN_LINES or taken >= RUN_CHARACTERS):
            yield batch, ""
            batch, taken = [], 0
        if len(change.text) > characters:
            yield [*batch, Change(change.sign, change.number, change.text[:characters] + "…")], "cut"
            return
        lines, characters, taken = lines - 1, characters - len(change.text), taken + len(change.text)
        batch.append(change)
    yield batch, "last"


def _greatest_digits(details: Any) -> int:
    """Digits of the greatest line number of a long diff, of which only the start has been read."""
    numbered = _NUMBERED.match(text_field(details, "diff"))
    ends = [
        int(match[first]) + int(match[first + 1] or 1)
        for match in _HUNKS.finditer("\n" + text_field(details, "patch"))
        for first in (1, 3)
    ]
    return len(str(max(ends))) if ends else len(numbered[2]) if numbered else 0


def _below(shown: list[Change], look: Look, digits: int) -> list[Line]:
    """One line under the other, removed ones above those that replace them."""
    lines: list[Line] = []
    for change, content in _marked(shown, look.palette):
        if change.sign == "@":
            lines.append(note("  ⋯", look))
            continue
        frame = f"  {_number(change, digits)}"
        side = look.width - cells(frame)
        if side < ROOM:
            frame, side = "", look.width
        for index, (row, joint) in enumerate(wrap(content, side, words=False)):
            left = Segment(frame if index == 0 else " " * len(frame), _frame_style(change, look.palette))
            lines.append(Line(Strip([left, *row] if frame else row), len(frame), joint))
    return lines


def _beside(shown: list[Change], look: Look, digits: int) -> list[Line]:
    """Old at the left, new at the right. What is copied is the new side."""
    side = (look.width - 5) // 2
    lines: list[Line] = []
    indent, bar = Segment("  "), Segment(" │ ", look.palette.rule)
    for old, new in _pairs(shown, look.palette):
        if old is not None and old[0].sign == "@":
            lines.append(note("  ⋯", look))
            continue
        left, right = (_side_rows(one, side, digits, look.palette) for one in (old, new))
        for index in range(max(len(left), len(right))):
            row = left[index][0] if index < len(left) else []
            used = sum(cells(segment.text) for segment in row)
            row = [indent, *row, Segment(" " * (side - used)), bar]
            if index < len(right):
                content, joint = right[index]
                lines.append(Line(Strip([*row, *content]), side + 5 + cells(content[0].text), joint))
            else:
                lines.append(Line(Strip(row), side + 5, ""))
    return lines


Marked = tuple[Change, list[Segment]]


def _side_rows(marked: Marked | None, side: int, digits: int, palette: Palette) -> list[tuple[list[Segment], str]]:
    if marked is None:
        return []
    change, content = marked
    frame = _number(change, digits)
    style = _frame_style(change, palette)
    rows: list[tuple[list[Segment], str]] = []
    for row, joint in wrap(content, side - len(frame), words=False):
        rows.append(([Segment(" " * len(frame) if rows else frame, style), *row], joint))
    return rows


def _digits(shown: Iterable[Change]) -> int:
    return max((len(str(change.number)) for change in shown if change.number is not None), default=0)


def _number(change: Change, digits: int) -> str:
    told = f"{'' if change.number is None else change.number:>{digits}} " if digits else ""
    return f"{told}{change.sign} "


def _frame_style(change: Change, palette: Palette) -> Style:
    return {"+": palette.added, "-": palette.removed}.get(change.sign, palette.line_number)


def _pairs(shown: list[Change], palette: Palette) -> Iterator[tuple[Marked | None, Marked | None]]:
    """Removed lines beside those that replaced them; unchanged ones beside themselves."""
    removed: list[Marked] = []
    added: list[Marked] = []
    for marked in _marked(shown, palette):
        sign = marked[0].sign
        if sign == "+":
            added.append(marked)
        elif sign == "-" and not added:
            removed.append(marked)
        else:
            yield from _zipped(removed, added)
            removed, added = ([marked], []) if sign == "-" else ([], [])
            if sign != "-":
                yield marked, marked
    yield from _zipped(removed, added)


def _zipped(removed: list[Marked], added: list[Marked]) -> Iterator[tuple[Marked | None, Marked | None]]:
    for index in range(max(len(removed), len(added))):
        yield removed[index] if index < len(removed) else None, added[index] if index < len(added) else None


def _marked(shown: list[Change], palette: Palette) -> Iterator[Marked]:
    """Each line with its style, and the words marked where as many lines were added as removed."""
    index = 0
    while index < len(shown):
        removed = _run(shown, index, "-")
        added = _run(shown, index + len(removed), "+")
        if removed and len(removed) == len(added) and len(shown) <= WORDS_LINES:
            words = [_words(old.text, new.text, palette) for old, new in zip(removed, added, strict=True)]
            yield from zip(removed, (old for old, _ in words), strict=True)
            yield from zip(added, (new for _, new in words), strict=True)
            index += len(removed) + len(added)
            continue
        for change in [*removed, *added] or [shown[index]]:
            style = {"+": palette.added, "-": palette.removed}.get(change.sign, palette.output)
            yield change, [Segment(change.text, style)]
            index += 1


def _run(shown: list[Change], start: int, sign: Sign) -> list[Change]:
    end = start
    while end < len(shown) and shown[end].sign == sign:
        end += 1
    return shown[start:end]


def _words(old: str, new: str, palette: Palette) -> tuple[list[Segment], list[Segment]]:
    if max(len(old), len(new)) > WORDS_LIMIT:
        return [Segment(old, palette.removed)], [Segment(new, palette.added)]
    before, after = _WORD.findall(old), _WORD.findall(new)
    left: list[Segment] = []
    right: list[Segment] = []
    for kind, old_start, old_end, new_start, new_end in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        same = kind == "equal"
        if old_end > old_start:
            left.append(Segment("".join(before[old_start:old_end]), palette.removed if same else palette.removed_word))
        if new_end > new_start:
            right.append(Segment("".join(after[new_start:new_end]), palette.added if same else palette.added_word))
    return left or [Segment("")], right or [Segment("")]
