"""Which paths fit a few letters, and which of them fits best."""

import re
from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import TypeAlias

SAME, BEGINS, IN_NAME, IN_PATH, SPREAD_IN_NAME, SPREAD = range(6)
"""How well a path fits: its name is that, begins so, has it in it; then the path has it; then the letters in order."""
USED_COUNTS = 2
"""One that was used before is so many of these better."""

Rank: TypeAlias = tuple[int, float, int, int, int, str]


class Matches:
    """The best `limit` of the paths that were fed; folders end with ``/``.

    Letters of any case fit. `used` are weights of paths that were chosen before. Without a query the used ones are
    best, then what lies in the folder itself, folders first. Once there is enough of what has all of the query in it,
    letters that are only in order are not looked for any more, which takes a tenth of the time.
    """

    def __init__(self, query: str, limit: int, used: Mapping[str, float], *, beginnings: bool = False) -> None:
        self._query = query.lower()
        self._limit = limit
        self._used = used
        self._beginnings = beginnings
        first, *rest = self._query or "x"
        steps = (f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in (first, *rest))
        self._in_order = re.compile("".join(steps), re.DOTALL).match
        self._best: list[Rank] = []

    @property
    def paths(self) -> list[str]:
        """The best first."""
        return [rank[-1] for rank in self._best]

    def feed(self, paths: Iterable[str], lowered: Iterable[str], cut: int = 0) -> None:
        """Take more paths, and the same in small letters; the first `cut` letters of each are not looked at."""
        ranks = self._best + [self._rank(path, low, cut) for path, low in self._fitting(paths, lowered, cut)]
        self._best = nsmallest(self._limit, ranks)

    def _fitting(self, paths: Iterable[str], lowered: Iterable[str], cut: int) -> list[tuple[str, str]]:
        pairs = zip(paths, lowered, strict=True)
        query, used = self._query, self._used
        if not query:
            return [pair for pair in pairs if "/" not in pair[0][cut:-1] or pair[0] in used]
        if self._beginnings:
            return [pair for pair in pairs if pair[1].startswith(query, cut)]
        if len(self._best) >= self._limit and self._best[-1][0] <= IN_PATH:
            return [pair for pair in pairs if query in pair[1]]
        in_order = self._in_order
        return [pair for pair in pairs if in_order(pair[1][cut:] if cut else pair[1])]

    def _rank(self, path: str, low: str, cut: int) -> Rank:
        weight = self._used.get(path, 0.0)
        bonus = USED_COUNTS * bool(weight)
        if not self._query:
            return (-bonus, -weight, not path.endswith("/"), 0, 0, path)
        inner = low.removesuffix("/")
        fit, runs = self._fit(inner[cut:])
        return (fit - bonus, -weight, runs, inner.count("/"), len(path), path)

    def _fit(self, low: str) -> tuple[int, int]:
        query = self._query.removesuffix("/")
        name = low[low.rfind("/") + 1 :]
        if query in name:
            return (SAME if name == query else BEGINS if name.startswith(query) else IN_NAME), 1
        if query in low:
            return IN_PATH, 1
        runs, at, end = 0, len(low), len(low)
        for letter in reversed(query):
            at = low.rfind(letter, 0, end)
            runs += at != end - 1
            end = at
        return (SPREAD_IN_NAME if at >= len(low) - len(name) else SPREAD), runs
