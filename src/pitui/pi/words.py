"""Words that a person looks for, in what was said: as words, whatever signs are typed with them."""

import re
import unicodedata
from functools import lru_cache

UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Letters of scripts that put no space between words: each is taken for a word."""
_UNSPACED = re.compile(f"({UNSPACED})")
_TOKEN = re.compile(rf"{UNSPACED}|(?:(?!{UNSPACED})[^\W_])+")


class Words:
    """The words of `query`. Each stands for all that begin with it; its signs part it, case and accents do not count.

    A single letter is no word yet, but where a script has no spaces it is.
    """

    def __init__(self, query: str) -> None:
        split = [_TOKEN.findall(word) for word in fold(query).split()]
        self._words = [tokens for tokens in split if tokens and (len("".join(tokens)) > 1 or not tokens[0].isascii())]
        self._patterns = [re.compile(_pattern(tokens)) for tokens in self._words]

    def __bool__(self) -> bool:
        return bool(self._words)

    def __len__(self) -> int:
        return len(self._words)

    @property
    def phrases(self) -> list[str]:
        """Each in the language of FTS5."""
        return [f'"{" ".join(tokens)}" *' for tokens in self._words]

    def count_in(self, text: str) -> int:
        """How many of the words stand in `text`."""
        text = fold(text)
        return sum(pattern.search(text) is not None for pattern in self._patterns)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where they stand, in order."""
        text = fold(text)
        return sorted(match.span() for pattern in self._patterns for match in pattern.finditer(text))

    def stretch(self, line: str) -> tuple[int, int] | None:
        """The shortest part of a line in which all of them stand, or None."""
        folded = fold(line)
        found = sorted(
            (*match.span(), number)
            for number, pattern in enumerate(self._patterns)
            for match in pattern.finditer(folded)
        )
        last: dict[int, tuple[int, int]] = {}
        stretches: list[tuple[int, int]] = []
        for start, end, number in found:
            last[number] = (start, end)
            if len(last) == len(self._patterns):
                stretches.append((min(each[0] for each in last.values()), max(each[1] for each in last.values())))
        return min(stretches, key=lambda stretch: stretch[1] - stretch[0], default=None)


def _pattern(tokens: list[str]) -> str:
    beginning = "" if _UNSPACED.match(tokens[0]) else r"(?<![^\W_])"
    return beginning + r"[\W_]*".join(map(re.escape, tokens))


def spaced(text: str) -> str:
    """`text` for the full-text index, with spaces around the letters that are words."""
    text = text.replace("\0", " ")
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text.encode("utf-8", "replace").decode())


def fold(text: str) -> str:
    """`text` without capitals and accents, every character where it was."""
    return text.lower() if text.isascii() else "".join(map(_base, text))


@lru_cache(4096)
def _base(character: str) -> str:
    if character < "\u2000":
        character = unicodedata.normalize("NFD", character)[0]
    lower = character.lower()
    return lower if len(lower) == 1 else character
