"""Pastes and pictures as they stand among words in an editor: a mark that is never typed, and what is seen of it."""

import re
from collections.abc import Iterator

from pitui.draft import Chip, Draft, Part, Pasted
from pitui.render.amounts import number, size
from pitui.render.text import REACH, clean_line, grapheme_around
from pitui.ui.dialogs.wording import pasted
from pitui.ui.widgets.writing import Span

FIRST_MARK, LAST_MARK = 0x100000, 0x10FFFD
MARKS = f"{chr(FIRST_MARK)}-{chr(LAST_MARK)}"
"""The last plane for private use: no font and no keyboard has it."""
MARK = re.compile(f"[{MARKS}]")
GAP = "·"
"""Stands for a space in a label, which no line is to be broken at."""
NAME_LENGTH = 24


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
        self._longest = 0

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
        self._longest = max(self._longest, len(self._seen[-1]))
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

    def around(self, line: str, at: int) -> Span | None:
        """The chip, or the character as a person sees it, that goes from before a place in a line to after it."""
        left, right = 0, len(line)
        for found in MARK.finditer(line, max(0, at - max(self._longest, REACH)), at + REACH):
            first, after = found.start(), found.start() + len(self._seen[ord(found[0]) - FIRST_MARK])
            if first < at < after:
                return first, after
            if first >= at:
                right = first
                break
            left = after
        seen = grapheme_around(line[left:right], at - left)
        return seen and (left + seen[0], left + seen[1])
