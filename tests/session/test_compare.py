"""Two branches side by side."""

import pytest

from pitui.session.compare import Comparison, FileChange, compare
from pitui.session.tree import Tree
from tests.ui.tree.grove import garden


def compared(left: str, right: str) -> Comparison:
    grove = garden()
    tree = Tree.of(grove.entries, grove.leaf)
    return compare(tree, tree.place_of(left), tree.place_of(right))


def test_branches_are_compared_from_where_they_part() -> None:
    found = compared("stopped", "percented")
    assert found.parting is not None
    assert found.parting.id == "shall"
    assert found.common == 5
    assert found.left.entries[0].id == "yes"
    assert found.right.entries[0].id == "no"


def test_what_was_said_done_and_paid_is_counted_on_each_side() -> None:
    found = compared("stopped", "percented")
    assert (found.left.prompts, found.left.answers) == (2, 4)
    assert (found.left.tools, found.left.failed_tools) == (2, 1)
    assert found.left.files == {"hello.py": FileChange(edits=1)}
    assert found.right.files == {"hello.py": FileChange(writes=1)}
    assert (found.left.tokens_in, found.left.tokens_out) == (4 * 1200, 4 * 80)
    assert found.left.cost == pytest.approx(0.05)
    assert found.right.seconds == 6 * 180


def test_a_branch_and_its_own_beginning_leave_nothing_on_one_side() -> None:
    found = compared("yes", "stopped")
    assert found.left.entries == []
    assert found.left.seconds is None
    assert found.right.prompts == 1


def test_branches_of_two_roots_have_nothing_in_common() -> None:
    found = compared("lost", "stopped")
    assert (found.common, found.parting) == (0, None)
    assert [entry.id for entry in found.left.entries] == ["lost"]
