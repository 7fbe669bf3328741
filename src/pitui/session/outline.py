"""The rows of a session tree: which entries are shown, and how far each is indented."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from pitui.rpc.messages import (
    AssistantMessage,
    ContextEditEntry,
    CustomEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    LabelEntry,
    Message,
    MessageEntry,
    ModelChangeEntry,
    SessionInfoEntry,
    SystemMessage,
    TextPart,
    ThinkingLevelEntry,
    ToolCallPart,
    ToolResultMessage,
    UsageEntry,
    UserMessage,
)
from pitui.session.tree import NONE, Tree


class Filter(Enum):
    """Which entries are of interest; the value is how it is called. They are those of pi's own tree."""

    DEFAULT = "conversation"
    """What was said and done, without settings, labels and what extensions keep."""
    NO_TOOLS = "no tools"
    USER = "prompts"
    LABELLED = "labelled"
    ALL = "everything"


class Kind(IntEnum):
    """What an entry is, as far as filters tell it apart. Numbers, for many are looked up in sets."""

    PROMPT = 0
    SAID = 1
    """Answers, summaries, commands, and what is of no known type."""
    CALLS = 2
    """An answer that is nothing but tool calls: their results stand for it."""
    TOOL = 3
    SETTING = 4
    """Models, levels, names, labels, and what is not for people."""


_OF_ENTRY: dict[type[Entry], Kind] = dict.fromkeys(
    (
        *(LabelEntry, CustomEntry, ModelChangeEntry, ThinkingLevelEntry),
        *(SessionInfoEntry, ContextEditEntry, UsageEntry),
    ),
    Kind.SETTING,
)
_OF_MESSAGE: dict[type[Message], Kind] = {
    UserMessage: Kind.PROMPT,
    ToolResultMessage: Kind.TOOL,
    SystemMessage: Kind.SETTING,
}


def kind_of(entry: Entry) -> Kind:
    """The kind of an entry by itself; whether the calls of an answer have results is not looked at."""
    if isinstance(entry, MessageEntry):
        message = entry.message
        if isinstance(message, AssistantMessage):
            return Kind.CALLS if _only_calls(message) else Kind.SAID
        hidden = isinstance(message, CustomMessage) and not message.display
        return Kind.SETTING if hidden else _OF_MESSAGE.get(type(message), Kind.SAID)
    hidden = isinstance(entry, CustomMessageEntry) and not entry.display
    return Kind.SETTING if hidden else _OF_ENTRY.get(type(entry), Kind.SAID)


def _only_calls(message: AssistantMessage) -> bool:
    if message.stop_reason in ("error", "aborted"):
        return False
    called = False
    for part in message.content:
        if isinstance(part, ToolCallPart):
            called = True
        elif isinstance(part, TextPart) and part.text and not part.text.isspace():
            return False
    return called


_SHOWN = {
    Filter.DEFAULT: frozenset({Kind.PROMPT, Kind.SAID, Kind.TOOL}),
    Filter.NO_TOOLS: frozenset({Kind.PROMPT, Kind.SAID}),
    Filter.USER: frozenset({Kind.PROMPT}),
}


def chosen(tree: Tree, kinds: Sequence[Kind], chosen_filter: Filter) -> list[bool]:
    """For each place whether the filter shows it. An answer whose calls were never run stands for itself."""
    if chosen_filter is Filter.ALL:
        return [True] * len(kinds)
    if chosen_filter is Filter.LABELLED:
        return [entry.id in tree.labels for entry in tree.entries]
    wanted = _SHOWN[chosen_filter]
    shown = [kind in wanted for kind in kinds]
    if chosen_filter is Filter.DEFAULT:
        answered = {tree.parents[place] for place, kind in enumerate(kinds) if kind is Kind.TOOL}
        for place, kind in enumerate(kinds):
            if kind is Kind.CALLS:
                shown[place] = place not in answered
    return shown


@dataclass(slots=True, eq=False)
class Outline:
    """The shown entries of a tree as rows, in its order. All lists have a value for each row.

    The parent of a row is the row of the nearest ancestor that is shown. A chain is flat: only where several rows have
    the same parent they stand deeper than it. `segments` has the first row of the chain that a row stands in; where
    that row is the last of its branches, no line goes on beside this one. `ends` has the first row that is not below.
    """

    places: list[int] = field(default_factory=list[int])
    parents: list[int] = field(default_factory=list[int])
    depths: list[int] = field(default_factory=list[int])
    segments: list[int] = field(default_factory=list[int])
    lasts: list[bool] = field(default_factory=list[bool])
    ends: list[int] = field(default_factory=list[int])
    nearest: list[int] = field(default_factory=list[int])
    """For each *place* its row, or that of the nearest ancestor which is shown."""

    @classmethod
    def of(cls, tree: Tree, shown: Sequence[bool]) -> "Outline":
        nearest = [NONE] * len(tree.parents)
        places: list[int] = []
        parents: list[int] = []
        children = [0] * (len(tree.parents) + 1)
        for place in tree.order:
            above = tree.parents[place]
            parent = NONE if above == NONE else nearest[above]
            if shown[place]:
                nearest[place] = len(places)
                places.append(place)
                parents.append(parent)
                children[parent] += 1
            else:
                nearest[place] = parent
        outline = cls(places, parents, nearest=nearest)
        outline._indent(children)
        return outline

    def _indent(self, children: list[int]) -> None:
        count = len(self.places)
        depths, segments, lasts = [0] * count, list(range(count)), [False] * count
        left = children[:]
        for row, parent in enumerate(self.parents):
            left[parent] -= 1
            lasts[row] = not left[parent]
            if parent == NONE:
                continue
            if children[parent] == 1:
                depths[row], segments[row] = depths[parent], segments[parent]
            else:
                depths[row] = depths[parent] + 1
        ends = list(range(1, count + 1))
        for row in range(count - 1, -1, -1):
            parent = self.parents[row]
            if parent != NONE and ends[row] > ends[parent]:
                ends[parent] = ends[row]
        self.depths, self.segments, self.lasts, self.ends = depths, segments, lasts, ends

    def __len__(self) -> int:
        return len(self.places)

    def unfolded(self, folded: frozenset[int]) -> list[int]:
        """The rows that are seen while those below the places `folded` are not."""
        if not folded:
            return list(range(len(self.places)))
        rows: list[int] = []
        row = 0
        while row < len(self.places):
            rows.append(row)
            row = self.ends[row] if self.places[row] in folded else row + 1
        return rows

    def guides(self, row: int, above: int = 0) -> list[str]:
        """The line left of a row, a piece for each level deeper than `above`, the leftmost first."""
        found: list[str] = []
        at = row
        while at != NONE and self.depths[at] > above:
            head = self.segments[at]
            if head == row:
                found.append("└" if self.lasts[head] else "├")
            else:
                found.append(" " if self.lasts[head] else "│")
            at = self.parents[head]
        return found[::-1]
