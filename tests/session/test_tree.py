"""The tree of a session as rows, from flat entries of any shape."""

from collections.abc import Sequence

import pytest

from pitui.rpc.messages import CustomEntry, Entry, LabelEntry
from pitui.session.tree import branch, labels, rows


def node(id_: str, parent: str | None = None) -> Entry:
    return CustomEntry(id=id_, parent_id=parent)


def label(id_: str, parent: str | None, target: str, words: str) -> Entry:
    return LabelEntry(id=id_, parent_id=parent, target_id=target, label=words)


def drawn(entries: Sequence[Entry], leaf: str | None) -> list[str]:
    return ["  " * row.depth + row.entry_id + (" *" if row.on_active_branch else "") for row in rows(entries, leaf)]


def test_a_chain_is_flat() -> None:
    assert drawn([node("a"), node("b", "a"), node("c", "b")], "c") == ["a *", "b *", "c *"]


def test_a_fork_indents_its_branches_and_the_active_one_comes_first() -> None:
    entries = [node("a"), node("b", "a"), node("old", "b"), node("old2", "old"), node("new", "b"), node("new2", "new")]
    assert drawn(entries, "new2") == ["a *", "b *", "  new *", "  new2 *", "  old", "  old2"]
    assert drawn(entries, "old2") == ["a *", "b *", "  old *", "  old2 *", "  new", "  new2"]
    found = rows(entries, "new2")
    assert [row.parent for row in found] == [None, 0, 1, 2, 1, 4]
    assert [row.segment for row in found] == [0, 0, 2, 2, 4, 4]
    assert [row.is_last for row in found] == [True, True, False, True, True, True]
    assert [row.is_fork for row in found] == [False, True, False, False, False, False]
    assert [row.entry_id for row in found if row.is_leaf] == ["new2"]


def test_several_roots_and_orphans_are_all_there() -> None:
    entries = [node("a"), node("b"), node("lost", "gone"), node("child", "lost")]
    assert drawn(entries, "b") == ["b *", "a", "lost", "child"]
    assert [row.entry_id for row in rows(entries, "b") if row.orphan] == ["lost"]


@pytest.mark.parametrize(
    "entries",
    [
        [node("a", "a")],
        [node("a", "b"), node("b", "a")],
        [node("a", "c"), node("b", "a"), node("c", "b"), node("d", "c"), node("e")],
        [node("a"), node("a"), node("b", "a"), node("b", "a")],
        [node("", "")],
    ],
)
def test_circles_and_repeated_ids_are_shown_once_each(entries: list[Entry]) -> None:
    for leaf in ("a", "b", "d", "gone", None):
        assert sorted(row.entry_id for row in rows(entries, leaf)) == sorted(entry.id for entry in entries)
        assert len(branch(entries, leaf)) <= len(entries)


def test_the_last_label_of_an_entry_counts() -> None:
    entries = [
        node("a"),
        label("l1", "a", "a", "first"),
        label("l2", "l1", "a", "second"),
        label("l3", "l2", "gone", "of nobody"),
        label("l4", "l3", "l1", "to be removed"),
        label("l5", "l4", "l1", ""),
    ]
    assert labels(entries) == {"a": "second", "gone": "of nobody"}
    assert [(row.entry_id, row.label) for row in rows(entries, "l5")][:2] == [("a", "second"), ("l1", "")]
    assert len(rows(entries, "l5")) == len(entries)


def test_a_branch_leads_from_the_root_to_the_leaf() -> None:
    entries = [node("a"), node("b", "a"), node("c", "b"), node("other", "a")]
    assert [entry.id for entry in branch(entries, "c")] == ["a", "b", "c"]
    assert [entry.id for entry in branch(entries, "gone")] == ["a", "other"]
    assert branch(entries, None) == []
    assert branch([], "a") == []


def test_the_longest_chain_and_the_deepest_comb_are_read_without_recursion() -> None:
    chain = [node(str(number), str(number - 1) if number else None) for number in range(20_000)]
    assert {row.depth for row in rows(chain, "19999")} == {0}
    comb = [node("t0")]
    for number in range(1, 5000):
        comb += [node(f"t{number}", f"t{number - 1}"), node(f"side{number}", f"t{number - 1}")]
    assert max(row.depth for row in rows(comb, "t4999")) == 4999
