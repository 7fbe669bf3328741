"""The session tree from its flat entries, without recursion: a session may be a chain of any length."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pitui.rpc.messages import Entry, LabelEntry


class TreeRow(NamedTuple):
    """An entry as a line of the tree. A chain is flat: only the branches of a fork stand deeper than the fork.

    `parent` is the index of the row of its parent, and `segment` that of the first row of the chain it stands in: where
    that row is the last of its branches, no line goes on beside this one. `orphan` when its parent is gone.
    """

    entry: Entry
    depth: int
    parent: int | None
    segment: int
    is_last: bool
    is_fork: bool
    is_leaf: bool
    orphan: bool
    on_active_branch: bool
    label: str

    @property
    def entry_id(self) -> str:
        return self.entry.id


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
    """The label of each entry that has one; the last word counts."""
    found = {entry.target_id: entry.label for entry in entries if isinstance(entry, LabelEntry)}
    return {target: label for target, label in found.items() if label}


def rows(entries: Sequence[Entry], leaf_id: str | None) -> list[TreeRow]:
    """Every entry once, parents before children, the active branch first where it forks.

    Entries whose parent is gone are roots, and so is the first entry of a circle. Of two with the same id, the first
    has the children.
    """
    indexes: dict[str, int] = {}
    for index, entry in enumerate(entries):
        indexes.setdefault(entry.id, index)
    active = {entry.id for entry in branch(entries, leaf_id)}
    parents = _parents(entries, indexes)
    children: list[list[int]] = [[] for _ in entries]
    roots: list[int] = []
    for index, parent in enumerate(parents):
        (roots if parent is None else children[parent]).append(index)

    def active_first(siblings: list[int]) -> list[int]:
        return sorted(siblings, key=lambda index: entries[index].id not in active) if len(siblings) > 1 else siblings

    names = labels(entries)
    found: list[TreeRow] = []
    waiting = _as_branches(active_first(roots), None, 0)
    while waiting:
        step = waiting.pop()
        entry, row = entries[step.place], len(found)
        segment = row if step.segment is None else step.segment
        below = active_first(children[step.place])
        found.append(
            TreeRow(
                entry=entry,
                depth=step.depth,
                parent=step.parent,
                segment=segment,
                is_last=step.is_last,
                is_fork=len(below) > 1,
                is_leaf=entry.id == leaf_id,
                orphan=step.parent is None and entry.parent_id is not None,
                on_active_branch=entry.id in active,
                label=names.get(entry.id, ""),
            )
        )
        if len(below) == 1:
            waiting.append(_Step(below[0], row, step.depth, True, segment))
        else:
            waiting += _as_branches(below, row, step.depth + 1)
    return found


class _Step(NamedTuple):
    """An entry that is still to be made a row; without a segment it begins one."""

    place: int
    parent: int | None
    depth: int
    is_last: bool
    segment: int | None


def _as_branches(siblings: Sequence[int], parent: int | None, depth: int) -> list[_Step]:
    """The last first, as they are taken from the end."""
    last = len(siblings) - 1
    steps = [_Step(index, parent, depth, order == last, None) for order, index in enumerate(siblings)]
    return steps[::-1]


def _parents(entries: Sequence[Entry], indexes: dict[str, int]) -> list[int | None]:
    """The index of each entry's parent, with every circle cut at its first entry."""
    parents: list[int | None] = [None if entry.parent_id is None else indexes.get(entry.parent_id) for entry in entries]
    safe = [False] * len(parents)
    for start in range(len(parents)):
        path: list[int] = []
        on_path: set[int] = set()
        index: int | None = start
        while index is not None and not safe[index]:
            if index in on_path:
                parents[min(path[path.index(index) :])] = None
                break
            path.append(index)
            on_path.add(index)
            index = parents[index]
        for seen in path:
            safe[seen] = True
    return parents
