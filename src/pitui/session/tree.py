"""The session tree from its flat entries, without recursion: a session may be a chain of any length."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pitui.rpc.messages import (
    AssistantMessage,
    BashMessage,
    BranchSummaryEntry,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    LabelEntry,
    Message,
    MessageEntry,
    SessionInfoEntry,
    ToolCallPart,
    ToolResultMessage,
    UserMessage,
    text_of,
)

NONE = -1
"""No place: of the parent of a root, and of the leaf while nothing was said."""


class Label(NamedTuple):
    """A name that the person gave to an entry; `timestamp` is ISO 8601."""

    text: str
    timestamp: str


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Every entry once. A *place* is an index into `entries`, which are in the order of the file.

    `parents` has the place of each entry's parent; an entry whose parent is gone is a root, and so is the first one of
    a circle. Of two with the same id, the first has the children. `order` has every place, parents before children
    and the active branch first where it forks. `active` are the places from the root to the `leaf`.
    """

    entries: Sequence[Entry]
    parents: Sequence[int]
    order: Sequence[int]
    active: frozenset[int]
    leaf: int
    labels: dict[str, Label]
    places: dict[str, int]
    """By the id of the entry; of two with the same id that of the first."""

    @classmethod
    def of(cls, entries: Sequence[Entry], leaf_id: str | None) -> "Tree":
        places: dict[str, int] = {}
        for place, entry in enumerate(entries):
            places.setdefault(entry.id, place)
        parents = _parents(entries, places)
        leaf = NONE if leaf_id is None else places.get(leaf_id, len(entries) - 1)
        active = frozenset(_line(parents, leaf))
        return cls(entries, parents, _order(parents, active), active, leaf, _labels(entries), places)

    @property
    def leaf_id(self) -> str:
        """The id of the entry at the leaf; empty while nothing was said."""
        return "" if self.leaf == NONE else self.entries[self.leaf].id

    def line(self, place: int) -> list[int]:
        """The places from the root to one of them."""
        return _line(self.parents, place)[::-1]

    def place_of(self, entry_id: str) -> int:
        """The place of an entry; NONE when there is none of this id."""
        return self.places.get(entry_id, NONE)

    def call_of(self, place: int) -> ToolCallPart | None:
        """The call that the tool result at a place answers: it stands in the answer before the results."""
        result = _message_of(self.entries[place])
        if not isinstance(result, ToolResultMessage):
            return None
        while (place := self.parents[place]) != NONE:
            message = _message_of(self.entries[place])
            if isinstance(message, AssistantMessage):
                calls = (part for part in message.content if isinstance(part, ToolCallPart))
                return next((call for call in calls if call.id == result.tool_call_id), None)
            if isinstance(message, UserMessage):
                break
        return None

    def newest_below(self, place: int) -> int:
        """The newest entry that goes on from a place, the active branch before all others; itself when none does."""
        if place in self.active:
            return self.leaf
        below = {place}
        for later in range(place + 1, len(self.entries)):
            if self.parents[later] in below:
                below.add(later)
        return max(below)

    def damage(self, place: int) -> str:
        """What is wrong with its parent, in words; empty when nothing is."""
        parent_id = self.entries[place].parent_id
        if parent_id is None or self.parents[place] != NONE:
            return ""
        return "its own ancestor" if parent_id in self.places else "its parent is gone"


def written_at(timestamp: str) -> float:
    """The `timestamp` of an entry in milliseconds, as messages have them; 0 when it is none."""
    try:
        return datetime.fromisoformat(timestamp).timestamp() * 1000
    except (ValueError, OverflowError, OSError):
        return 0


def branch(entries: Sequence[Entry], leaf_id: str | None) -> list[Entry]:
    """The entries from the root to the leaf.

    Nothing when the leaf is before the first entry; a leaf that is gone is taken for the last entry, as pi does.
    """
    if leaf_id is None or not entries:
        return []
    by_id = {entry.id: entry for entry in entries}
    entry = by_id.get(leaf_id, entries[-1])
    found: dict[str, Entry] = {}
    while entry.id not in found:
        found[entry.id] = entry
        parent = by_id.get(entry.parent_id) if entry.parent_id is not None else None
        if parent is None:
            break
        entry = parent
    return list(reversed(found.values()))


def labels(entries: Sequence[Entry]) -> dict[str, str]:
    """The label of each entry that has one, by its id; the last word counts."""
    return {target: label.text for target, label in _labels(entries).items()}


def said(entry: Entry) -> str:
    """The text of an entry: what was asked, answered, summed up or named. Empty for what has none."""
    match entry:
        case MessageEntry():
            return _said(entry.message)
        case CompactionEntry() | BranchSummaryEntry():
            return entry.summary
        case CustomMessageEntry():
            return text_of(entry.content)
        case LabelEntry():
            return entry.label
        case SessionInfoEntry():
            return entry.name
        case _:
            return ""


def _labels(entries: Sequence[Entry]) -> dict[str, Label]:
    found = {entry.target_id: Label(entry.label, entry.timestamp) for entry in entries if isinstance(entry, LabelEntry)}
    return {target: label for target, label in found.items() if label.text}


def _said(message: Message) -> str:
    match message:
        case UserMessage() | AssistantMessage() | ToolResultMessage() | CustomMessage():
            return text_of(message.content)
        case BashMessage():
            return message.command
        case BranchSummaryMessage() | CompactionSummaryMessage():
            return message.summary
        case _:
            return ""


def _message_of(entry: Entry) -> Message | None:
    return entry.message if isinstance(entry, MessageEntry) else None


def _line(parents: Sequence[int], place: int) -> list[int]:
    found: list[int] = []
    while place != NONE:
        found.append(place)
        place = parents[place]
    return found


def _order(parents: Sequence[int], active: frozenset[int]) -> list[int]:
    """Children are kept as chains of places, for lists of them would be the half of the time this takes."""
    first, following = [NONE] * len(parents), [NONE] * len(parents)
    roots: list[int] = []
    for place in range(len(parents) - 1, -1, -1):
        parent = parents[place]
        if parent == NONE:
            roots.append(place)
        else:
            following[place], first[parent] = first[parent], place
    order: list[int] = []
    waiting = sorted(roots, key=active.__contains__)
    while waiting:
        place = waiting.pop()
        order.append(place)
        child = first[place]
        if child == NONE:
            continue
        if following[child] == NONE:
            waiting.append(child)
            continue
        children: list[int] = []
        while child != NONE:
            children.append(child)
            child = following[child]
        children.reverse()
        waiting += sorted(children, key=active.__contains__)
    return order


def _parents(entries: Sequence[Entry], places: dict[str, int]) -> list[int]:
    """The place of each entry's parent, with every circle cut at its first entry."""
    parents = [NONE if entry.parent_id is None else places.get(entry.parent_id, NONE) for entry in entries]
    safe = [False] * len(parents)
    for start, parent in enumerate(parents):
        if parent < start:
            continue  # as in every file that is whole: a circle has a parent that comes later
        path: list[int] = []
        on_path: set[int] = set()
        place = start
        while place != NONE and not safe[place]:
            if place in on_path:
                parents[min(path[path.index(place) :])] = NONE
                break
            path.append(place)
            on_path.add(place)
            place = parents[place]
        for seen in path:
            safe[seen] = True
    return parents
