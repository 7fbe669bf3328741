"""What of a session's tree is shown: filtered, searched, folded."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from pitui.render.entries import tool_words
from pitui.rpc.messages import Entry
from pitui.session.outline import Filter, Kind, Outline, chosen, kind_of
from pitui.session.tree import NONE, Tree, said

CHUNK = 64
"""Entries that are searched between two looks at the clock."""


@dataclass(slots=True, eq=False)
class Search:
    """A search that is on: `left` are the places that are not looked at yet, the last first."""

    words: Sequence[str]
    left: list[int]
    found: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What takes long to make of entries: their tree, and the outline of what `filter` shows of it."""

    tree: Tree
    kinds: list[Kind]
    filter: Filter
    chosen: list[bool]
    outline: Outline


class Branches:
    """The rows of a tree that are seen, and what hides the others.

    `rows` are rows of `outline`, the seen ones in their order. Where a search is on they are those of before until it
    has looked at everything; folds do not count then.
    """

    def __init__(self) -> None:
        self.tree = Tree.of([], None)
        self.outline = Outline()
        self.rows: list[int] = []
        self.filter = Filter.DEFAULT
        self.query = ""
        self.folded: set[str] = set()
        """Ids of the entries whose descendants are not seen."""
        self.search: Search | None = None
        self._found: list[int] | None = None
        """The places that the query was found at, when it was looked for everywhere."""
        self._kinds: list[Kind] = []
        self._chosen: list[bool] = []
        """For each place whether the filter shows it."""
        self._texts: list[str | None] = []
        """For each place what is searched in it, once that was made."""

    # what is given

    def load(self, entries: Sequence[Entry], leaf_id: str | None) -> None:
        """Take these entries; those that were there before cost less."""
        self.take(self.prepare(entries, leaf_id))

    def prepare(self, entries: Sequence[Entry], leaf_id: str | None) -> Prepared:
        """What `take` takes of these entries. Nothing changes by it: it may be done in a thread."""
        known, before, wanted = self._kinds, self.tree.entries, self.filter
        if len(known) > len(entries) or (known and before[len(known) - 1] is not entries[len(known) - 1]):
            known = []
        kinds = [*known, *map(kind_of, entries[len(known) :])]
        tree = Tree.of(entries, leaf_id)
        shown = chosen(tree, kinds, wanted)
        return Prepared(tree, kinds, wanted, shown, Outline.of(tree, shown))

    def take(self, prepared: Prepared) -> None:
        """Show the entries that something was prepared of."""
        entries, labelled = self.tree.entries, self.tree.labels
        known = len(self._kinds)
        self.tree, self._kinds = prepared.tree, prepared.kinds
        if known > len(self._kinds) or (known and self.tree.entries[known - 1] is not entries[known - 1]):
            self._texts.clear()
        self._texts += [None] * (len(self._kinds) - len(self._texts))
        for entry_id, _ in labelled.items() ^ self.tree.labels.items():
            if (place := self.tree.place_of(entry_id)) != NONE:
                self._texts[place] = None
        self._found = None
        if self.query:
            self.look_for(self.query)
        if prepared.filter is self.filter:
            self._chosen, self.outline = prepared.chosen, prepared.outline
            self._see()
        else:
            self.show_only(self.filter)

    def show_only(self, chosen_filter: Filter) -> None:
        self.filter = chosen_filter
        self._chosen = chosen(self.tree, self._kinds, chosen_filter)
        self._lay_out()

    # searching

    def look_for(self, query: str) -> None:
        """Begin to look for all words of `query`; nothing changes before `go_on` has come to the end."""
        words = query.casefold().split()
        longer = bool(self.query) and query.startswith(self.query)
        candidates = self._found if longer and self._found is not None else range(len(self.tree.entries))
        self.query = query
        self.search = Search(words, list(candidates)[::-1]) if words else None
        if self.search is None:
            self._found = None
            self._lay_out()

    def go_on(self, seconds: float) -> bool:
        """Look for so long at the most. True when the search is over and the rows are those that were found."""
        search = self.search
        if search is None:
            return True
        until = time.perf_counter() + seconds
        while search.left:
            chunk = search.left[-CHUNK:][::-1]
            del search.left[-CHUNK:]
            self._search(chunk, search)
            if search.left and time.perf_counter() > until:
                return False
        self._found, self.search = search.found, None
        self._lay_out()
        return True

    def _search(self, places: Sequence[int], search: Search) -> None:
        texts = self._texts
        for place in places:
            text = texts[place]
            if text is None:
                text = texts[place] = self._text(place)
            for word in search.words:
                if word not in text:
                    break
            else:
                search.found.append(place)

    def _text(self, place: int) -> str:
        entry = self.tree.entries[place]
        call = self.tree.call_of(place) if self._kinds[place] is Kind.TOOL else None
        text = " ".join(tool_words(call)) if call else said(entry)
        label = self.tree.labels.get(entry.id)
        return (f"{label.text} {text}" if label else text).casefold()

    # folding

    def fold(self, row: int, folded: bool) -> None:
        """Hide what is below a row, or show it."""
        entry_id = self.entry(row).id
        if folded:
            self.folded.add(entry_id)
        else:
            self.folded.discard(entry_id)
        self._see()

    def is_folded(self, row: int) -> bool:
        return not self.query and self.below(row) > 0 and self.entry(row).id in self.folded

    def below(self, row: int) -> int:
        """How many rows are below one."""
        return self.outline.ends[row] - row - 1

    def head(self, row: int) -> int:
        """The row in which the branch of a row begins."""
        return self.outline.segments[row]

    # rows

    def entry(self, row: int) -> Entry:
        return self.tree.entries[self.outline.places[row]]

    def row_of(self, place: int) -> int:
        """The row of a place, or that of what it comes after among what is shown; NONE when nothing is."""
        return self.outline.nearest[place] if place != NONE else NONE

    @property
    def leaf_row(self) -> int:
        return self.row_of(self.tree.leaf)

    def _lay_out(self) -> None:
        shown = self._chosen
        if self._found is not None and self.query:
            found = [False] * len(shown)
            for place in self._found:
                found[place] = shown[place]
            shown = found
        self.outline = Outline.of(self.tree, shown)
        self._see()

    def _see(self) -> None:
        folded = () if self.query else map(self.tree.place_of, self.folded)
        self.rows = self.outline.unfolded(frozenset(folded))
