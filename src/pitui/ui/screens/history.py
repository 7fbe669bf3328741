"""The list of earlier prompts, to search for words in them."""

import time
from collections.abc import Sequence

from pitui.ui.recall import Past
from pitui.ui.screens.listing import age
from pitui.ui.screens.picker import Choice, PickerScreen

SHOWN_BEFORE = 24
"""Characters that are shown before the first word that was found."""
SHOWN = 300


class HistoryScreen(PickerScreen[Past]):
    """Gives the prompt that was chosen, or None; the newest come first, whatever is looked for."""

    def __init__(self, prompts: Sequence[Past], now: float | None = None) -> None:
        """`prompts` are given with the oldest first."""
        self._now = time.time() if now is None else now
        self._prompts = [(past, " ".join(past.draft.text.split())) for past in reversed(prompts)]
        self._folded = [line.casefold() for _, line in self._prompts]
        choices = [self._choice(past, line) for past, line in self._prompts]
        super().__init__("Earlier prompts in this folder", choices, empty="Nothing was written here yet.")

    def fitting(self, query: str) -> list[Choice[Past]]:
        """Those in which all the words stand."""
        words = query.casefold().split()
        return [
            self._choice(past, line, min(map(folded.find, words)))
            for (past, line), folded in zip(self._prompts, self._folded, strict=True)
            if all(word in folded for word in words)
        ]

    def _choice(self, past: Past, line: str, place: int = 0) -> Choice[Past]:
        start = place - SHOWN_BEFORE
        shown = line[:SHOWN] if start <= 0 else "…" + line[start : start + SHOWN]
        return Choice(past, shown, note=age(self._now - past.at) if past.at else "")
