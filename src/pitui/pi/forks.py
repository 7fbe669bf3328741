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
    circular = _circular(parent_of)
    children: dict[str, list[SessionFile]] = {}
    roots: list[SessionFile] = []
    for file in files:
        parent = parent_of.get(str(file.path))
        if parent is None or str(file.path) in circular:
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


def _circular(parent_of: dict[str, SessionFile]) -> set[str]:
    """The paths of forks that were made from each other. Each is looked at once, however long the chains are."""
    found, known = set[str](), set[str]()
    for start in parent_of:
        way: dict[str, int] = {}
        at = start
        while at in parent_of and at not in known and at not in way:
            way[at] = len(way)
            at = str(parent_of[at].path)
        if at in way:
            found.update(list(way)[way[at] :])
        known.update(way)
    return found
