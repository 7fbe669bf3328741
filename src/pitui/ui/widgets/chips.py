"""Pastes and pictures as they stand among words in an editor: a mark that is never typed, and what is seen of it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from rich.cells import split_graphemes
from rich.style import Style
from rich.text import Text

from pitui.draft import Chip, Draft, Part, Pasted
from pitui.render.amounts import number, size
from pitui.render.text import clean_line
from pitui.ui.dialogs.wording import pasted

FIRST_MARK, LAST_MARK = 0x100000, 0x10FFFD
MARKS = f"{chr(FIRST_MARK)}-{chr(LAST_MARK)}"
"""The last plane for private use: no font and no keyboard has it."""
MARK = re.compile(f"[{MARKS}]")
GAP = "·"
"""Stands for a space in a label, which no line is to be broken at."""
NAME_LENGTH = 24

Span: TypeAlias = tuple[int, int]


def label(chip: Chip) -> str:
    """What is seen of it: how much was pasted, or which picture that is."""
    if isinstance(chip, Pasted):
        lines = chip.text.strip("\n").count("\n") + 1
        return f"[paste {number(lines, 'line') if lines > 1 else number(len(chip.text), 'character')}]"
    return f"[{clean_line(chip.name, NAME_LENGTH)} {size(len(chip.image.data) * 3 // 4)}]"


class Chips:
    """The chips that an editor has had: each keeps its mark, so that undoing a deletion brings it back."""

    def __init__(self) -> None:
        self._chips: list[Chip] = []
        self._seen: list[str] = []

    @property
    def known(self) -> list[Chip]:
        """The newest first."""
        return self._chips[::-1]

    def shown(self, draft: Draft) -> str:
        """The draft as the text of an editor."""
        return "".join(map(self._shown, draft.parts))

    def _shown(self, part: Part) -> str:
        if isinstance(part, str):
            return MARK.sub("�", pasted(part))
        mark = chr(FIRST_MARK + len(self._chips) % (LAST_MARK - FIRST_MARK))
        self._chips.append(part)
        self._seen.append(mark + label(part)[1:].replace(" ", GAP))
        return self._seen[-1]

    def draft(self, shown: str) -> Draft:
        """What the text of an editor says."""
        parts: list[Part] = []
        end = 0
        for first, after in self.spans(shown):
            parts += [shown[end:first], self.chip(shown[first])]
            end = after
        return Draft.of(*parts, shown[end:])

    def chip(self, mark: str) -> Chip:
        return self._chips[ord(mark) - FIRST_MARK]

    def spans(self, shown: str) -> Iterator[Span]:
        """From where to where each chip stands."""
        for found in MARK.finditer(shown):
            yield found.start(), found.start() + len(self._seen[ord(found[0]) - FIRST_MARK])

    def blanked(self, shown: str) -> str:
        """The same with nothing to be found where chips stand."""
        for first, after in list(self.spans(shown)):
            shown = shown[:first] + "\0" * (after - first) + shown[after:]
        return shown

    def atoms(self, line: str) -> list[Span]:
        """What in a line is one thing for the cursor, and longer than one character."""
        return [] if line.isascii() else sorted([*_clusters(MARK.sub(" ", line)), *self.spans(line)])


@lru_cache(maxsize=256)
def _clusters(line: str) -> list[Span]:
    spans, _ = split_graphemes(line)
    return [(first, after) for first, after, _ in spans if after - first > 1]


class ShownLine(Text):
    """A line of an editor in which no style begins or ends within one of its `atoms`."""

    def __init__(self, line: str, atoms: list[Span]) -> None:
        super().__init__(line, end="", no_wrap=True)
        self._atoms = atoms

    def stylize(self, style: str | Style, start: int = 0, end: int | None = None) -> None:
        for first, after in self._atoms:
            if first < start < after:
                start = first
            if end is not None and first < end < after:
                end = after
        super().stylize(style, start, end)
