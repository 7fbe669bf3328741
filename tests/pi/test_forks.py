"""A fork stands under the session that it was made from."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pitui.pi.forks import in_tree
from pitui.pi.sessions import SessionFile


def file(name: str, modified: float, parent: str = "") -> SessionFile:
    return SessionFile(Path(f"/s/{name}"), modified, id=name, parent=f"/s/{parent}" if parent else "")


def tree(*files: SessionFile) -> list[tuple[int, str]]:
    return [(depth, found.id) for depth, found in in_tree(files)]


def test_forks_stand_under_their_origin_and_the_tree_with_the_latest_comes_first() -> None:
    files = [file("a", 1), file("b", 5), file("c", 9, "a"), file("d", 3, "c"), file("e", 10, "a")]
    assert tree(*files) == [(0, "a"), (1, "e"), (1, "c"), (2, "d"), (0, "b")]


def test_a_fork_of_what_is_gone_stands_at_the_top() -> None:
    assert tree(file("a", 1, "gone")) == [(0, "a")]


def test_an_origin_is_known_through_a_link(tmp_path: Path) -> None:
    origin = tmp_path / "origin.jsonl"
    origin.touch()
    (tmp_path / "link.jsonl").symlink_to(origin)
    fork = SessionFile(tmp_path / "fork.jsonl", 2, parent=str(tmp_path / "link.jsonl"))
    real = SessionFile(Path(os.path.realpath(origin)), 1)
    assert in_tree([real, fork]) == [(0, real), (1, fork)]


@given(st.lists(st.integers(0, 12), max_size=12))
def test_every_session_is_listed_once_however_they_are_forked(parents: list[int]) -> None:
    files = [file(str(number), number, str(parent)) for number, parent in enumerate(parents)]
    assert sorted(found.id for _, found in in_tree(files)) == sorted(found.id for found in files)


def test_a_long_line_of_forks_needs_no_recursion() -> None:
    files = [file(str(number), number, str(number - 1) if number else "") for number in range(2000)]
    assert tree(*files)[-1] == (1999, "1999")
