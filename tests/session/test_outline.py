"""Which rows of a tree are shown, and how they are indented."""

import random

import pytest

from pitui.rpc.messages import CustomEntry, Entry
from pitui.session.outline import Filter, Outline, chosen, kind_of
from pitui.session.tree import NONE, Tree
from tests.ui.tree.grove import Grove, garden


def shown_by(grove: Grove, chosen_filter: Filter) -> list[str]:
    tree = Tree.of(grove.entries, grove.leaf)
    shown = chosen(tree, [kind_of(entry) for entry in grove.entries], chosen_filter)
    return [entry.id for entry, is_shown in zip(grove.entries, shown, strict=True) if is_shown]


def test_the_conversation_is_without_settings_and_a_call_stands_with_its_result() -> None:
    shown = shown_by(garden(), Filter.DEFAULT)
    assert "read" in shown
    assert not {"model", "thinks", "kept", "read-call", "label-18"} & set(shown)
    assert {"summary", "bash", "strange", "lost", "stopped"} <= set(shown)


def test_a_call_that_was_never_run_stands_for_itself() -> None:
    grove = Grove()
    grove.prompt("asked", "Go on.")
    grove.tool("ran", "read", path="a")
    grove.entries.pop()
    grove.leaf = "ran-call"
    assert shown_by(grove, Filter.DEFAULT) == ["asked", "ran-call"]


def test_the_other_filters() -> None:
    assert shown_by(garden(), Filter.USER) == ["greet", "yes", "no", "percent", "more", "lost"]
    assert shown_by(garden(), Filter.LABELLED) == ["formatted"]
    assert len(shown_by(garden(), Filter.ALL)) == len(garden().entries)
    assert not {"read", "edit", "read-call"} & set(shown_by(garden(), Filter.NO_TOOLS))


def forked() -> tuple[Tree, list[str]]:
    """A fork in a branch of a fork: a(b(c d) e)."""
    names = ["root", "a", "b", "b2", "c", "d", "e", "e2"]
    above = [None, "root", "a", "b", "b2", "b2", "a", "e"]
    entries: list[Entry] = [CustomEntry(id=id_, parent_id=up) for id_, up in zip(names, above, strict=True)]
    return Tree.of(entries, "c"), names


def test_lines_go_on_beside_a_branch_until_the_last_one_begins() -> None:
    tree, names = forked()
    outline = Outline.of(tree, [True] * len(names))
    lines = ["".join(outline.guides(row)) + names[outline.places[row]] for row in range(len(outline))]
    assert lines == ["root", "a", "├b", "│b2", "│├c", "│└d", "└e", " e2"]
    assert outline.guides(4, above=1) == ["├"]


def test_a_branching_of_what_is_hidden_is_none() -> None:
    tree, names = forked()
    outline = Outline.of(tree, [name not in ("b", "b2", "d") for name in names])
    lines = ["".join(outline.guides(row)) + names[outline.places[row]] for row in range(len(outline))]
    assert lines == ["root", "a", "├c", "└e", " e2"]
    assert outline.nearest[names.index("d")] == lines.index("a")


def test_a_fold_hides_what_is_below_and_moves_nothing_else() -> None:
    tree, names = forked()
    outline = Outline.of(tree, [True] * len(names))
    seen = outline.unfolded(frozenset({names.index("b")}))
    assert [names[outline.places[row]] for row in seen] == ["root", "a", "b", "e", "e2"]


@pytest.mark.parametrize("seed", range(20))
def test_any_tree_is_drawn_whole_and_each_row_below_its_parent(seed: int) -> None:
    dice = random.Random(seed)
    count = dice.randrange(1, 60)
    ids = [str(dice.randrange(count)) for _ in range(count)]
    parents = [dice.choice([None, *ids]) for _ in ids]
    entries: list[Entry] = [CustomEntry(id=id_, parent_id=up) for id_, up in zip(ids, parents, strict=True)]
    tree = Tree.of(entries, dice.choice(ids))
    outline = Outline.of(tree, [dice.random() < 0.7 for _ in ids])
    for row, parent in enumerate(outline.parents):
        assert parent == NONE or parent < row < outline.ends[parent]
        assert len(outline.guides(row)) == outline.depths[row]
    assert sorted(tree.order) == list(range(count))
