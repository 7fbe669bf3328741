"""Sessions as the tree of their forks: a session and under it those that were made from it."""

import os
from collections.abc import Sequence

from pitui.pi.sessions import SessionFile


def parents(files: Sequence[SessionFile]) -> dict[str, SessionFile]:
    """Of each fork, by its path, the session that it was made from, if that is one of `files`."""
    known = {str(file.path): file for file in files}
    found: dict[str, SessionFile] = {}
    for file in files:
        if file.parent:
            parent = known.get(file.parent) or known.get(os.path.realpath(file.parent))
            if parent is not None and parent is not file:
                found[str(file.path)] = parent
    return found


def in_tree(files: Sequence[SessionFile]) -> list[tuple[int, SessionFile]]:
    """`files` with their depth. Those of one tree stand together, and the tree with the latest of all comes first.

    Forks that were made from each other, which cannot be, all stand at the top.
    """
    parent_of = parents(files)
    children: dict[str, list[SessionFile]] = {}
    roots: list[SessionFile] = []
    for file in files:
        parent = parent_of.get(str(file.path))
        if parent is None or _is_circular(file, parent_of):
            roots.append(file)
        else:
            children.setdefault(str(parent.path), []).append(file)
    trees: list[list[tuple[int, SessionFile]]] = []
    for root in roots:
        tree: list[tuple[int, SessionFile]] = []
        waiting = [(0, root)]
        while waiting:
            depth, file = waiting.pop()
            tree.append((depth, file))
            below = sorted(children.get(str(file.path), ()), key=lambda child: child.modified)
            waiting += [(depth + 1, child) for child in below]
        trees.append(tree)
    trees.sort(key=lambda tree: -max(file.modified for _, file in tree))
    return [row for tree in trees for row in tree]


def _is_circular(file: SessionFile, parent_of: dict[str, SessionFile]) -> bool:
    seen = set[str]()
    at: SessionFile | None = file
    while at is not None and str(at.path) not in seen:
        seen.add(str(at.path))
        at = parent_of.get(str(at.path))
    return at is file
