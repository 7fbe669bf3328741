"""The tree of a session from flat entries of any shape."""

from collections.abc import Sequence

import pytest

from pitui.rpc.messages import (
    AssistantMessage,
    CustomEntry,
    Entry,
    LabelEntry,
    MessageEntry,
    TextPart,
    ToolCallPart,
    ToolResultMessage,
    UserMessage,
)
from pitui.session.outline import Outline
from pitui.session.tree import NONE, Label, Tree, branch, labels, said


def node(id_: str, parent: str | None = None) -> Entry:
    return CustomEntry(id=id_, parent_id=parent)


def label(id_: str, parent: str | None, target: str, words: str) -> Entry:
    return LabelEntry(id=id_, parent_id=parent, target_id=target, label=words, timestamp="today")


def drawn(entries: Sequence[Entry], leaf: str | None) -> list[str]:
    tree = Tree.of(entries, leaf)
    outline = Outline.of(tree, [True] * len(entries))
    return [
        "  " * depth + entries[place].id + (" *" if place in tree.active else "")
        for place, depth in zip(outline.places, outline.depths, strict=True)
    ]


def test_a_chain_is_flat() -> None:
    assert drawn([node("a"), node("b", "a"), node("c", "b")], "c") == ["a *", "b *", "c *"]


def test_a_fork_indents_its_branches_and_the_active_one_comes_first() -> None:
    entries = [node("a"), node("b", "a"), node("old", "b"), node("old2", "old"), node("new", "b"), node("new2", "new")]
    assert drawn(entries, "new2") == ["a *", "b *", "  new *", "  new2 *", "  old", "  old2"]
    assert drawn(entries, "old2") == ["a *", "b *", "  old *", "  old2 *", "  new", "  new2"]


def test_several_roots_and_orphans_are_all_there_and_say_what_is_wrong() -> None:
    entries = [node("a"), node("b"), node("lost", "gone"), node("child", "lost"), node("self", "self")]
    assert drawn(entries, "b") == ["b *", "a", "lost", "child", "self"]
    tree = Tree.of(entries, "b")
    assert [tree.damage(place) for place in range(5)] == ["", "", "its parent is gone", "", "its own ancestor"]


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
        assert sorted(Tree.of(entries, leaf).order) == list(range(len(entries)))
        assert len(branch(entries, leaf)) <= len(entries)


def test_an_entry_that_comes_before_its_parent_is_below_it_all_the_same() -> None:
    assert drawn([node("b", "a"), node("a"), node("c", "b")], "c") == ["a *", "b *", "c *"]


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
    assert Tree.of(entries, "l5").labels["a"] == Label("second", "today")


def test_a_branch_leads_from_the_root_to_the_leaf() -> None:
    entries = [node("a"), node("b", "a"), node("c", "b"), node("other", "a")]
    assert [entry.id for entry in branch(entries, "c")] == ["a", "b", "c"]
    assert Tree.of(entries, "other").line(2) == [0, 1, 2]
    assert branch(entries, None) == []
    assert [entry.id for entry in branch(entries, "gone")] == ["a", "other"]


def test_a_branch_ends_with_its_newest_entry_and_the_active_one_with_the_leaf() -> None:
    entries = [node("a"), node("b", "a"), node("c", "b"), node("d", "a"), node("e", "b"), node("f", "d")]
    tree = Tree.of(entries, "d")
    assert [tree.newest_below(place) for place in range(6)] == [3, 4, 2, 3, 4, 5]


def test_a_long_chain_is_no_problem() -> None:
    entries = [node("0"), *(node(str(number), str(number - 1)) for number in range(1, 20_000))]
    tree = Tree.of(entries, "19999")
    assert len(tree.active) == 20_000
    assert set(Outline.of(tree, [True] * 20_000).depths) == {0}


def test_a_tool_result_finds_its_call_among_several() -> None:
    calls = [ToolCallPart(id=name, name=name) for name in ("read", "bash")]
    entries: list[Entry] = [
        MessageEntry(id="asked", message=UserMessage(content=[TextPart(text="Go on.")])),
        MessageEntry(id="calls", parent_id="asked", message=AssistantMessage(content=[*calls])),
        MessageEntry(id="r1", parent_id="calls", message=ToolResultMessage(tool_call_id="read")),
        MessageEntry(id="r2", parent_id="r1", message=ToolResultMessage(tool_call_id="bash")),
        MessageEntry(id="r3", parent_id="asked", message=ToolResultMessage(tool_call_id="bash")),
    ]
    tree = Tree.of(entries, "r2")
    assert [tree.call_of(place) for place in range(5)] == [None, None, *calls, None]
    assert said(entries[0]) == "Go on."
    assert tree.place_of("r1") == 2
    assert tree.place_of("nowhere") == NONE
