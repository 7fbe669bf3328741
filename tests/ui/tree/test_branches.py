"""What of a tree is seen: filtered, searched and folded."""

from pitui.session.outline import Filter
from pitui.ui.widgets.tree.branches import Branches
from tests.ui.tree.grove import garden, ids


def of_the_garden() -> Branches:
    grove, branches = garden(), Branches()
    branches.load(grove.entries, grove.leaf)
    return branches


def seen(branches: Branches) -> list[str]:
    return ids([branches.entry(row) for row in branches.rows])


def find(branches: Branches, query: str) -> list[str]:
    branches.look_for(query)
    while not branches.go_on(0):
        pass
    return seen(branches)


def test_all_words_are_found_in_texts_labels_and_what_tools_did() -> None:
    branches = of_the_garden()
    assert find(branches, "COMMA name") == ["greet"]
    assert find(branches, "with format") == ["formatted"]
    assert find(branches, "pytest") == ["tests"]
    assert find(branches, "nowhere") == []
    assert find(branches, "format") == ["summary", "no", "formatted"]


def test_a_longer_word_is_found_among_what_was_found_and_a_shorter_one_everywhere() -> None:
    branches = of_the_garden()
    assert find(branches, "f") != find(branches, "f-string") == ["shall", "yes"]
    assert len(find(branches, "f")) > 2
    assert len(find(branches, "")) == 18


def test_a_search_finds_only_what_the_filter_shows_and_the_rest_once_it_does() -> None:
    branches = of_the_garden()
    branches.show_only(Filter.USER)
    assert find(branches, "format") == ["no"]
    branches.show_only(Filter.ALL)
    assert seen(branches) == ["summary", "no", "formatted", "label-16"]


def test_what_is_said_during_a_search_is_found_too() -> None:
    grove, branches = garden(), Branches()
    branches.load(grove.entries, grove.leaf)
    find(branches, "mend")
    grove.prompt("again", "Mend it, please.")
    branches.load(grove.entries, grove.leaf)
    branches.go_on(1)
    assert seen(branches) == ["more", "again"]


def test_another_session_has_other_texts() -> None:
    grove, branches = garden(), Branches()
    branches.load(grove.entries, grove.leaf)
    find(branches, "greet")
    branches.load(grove.entries[9:], grove.leaf)
    branches.go_on(1)
    assert seen(branches) == ["done"]


def test_a_folded_branch_hides_what_is_below_it_until_something_is_searched_for() -> None:
    branches = of_the_garden()
    yes = seen(branches).index("yes")
    branches.fold(yes, True)
    assert branches.is_folded(yes)
    assert branches.below(yes) == 8
    assert seen(branches) == [
        "greet",
        "read",
        "shall",
        "yes",
        "no",
        "write",
        "formatted",
        "percent",
        "percented",
        "lost",
    ]
    assert find(branches, "mend") == ["more"]
    find(branches, "")
    branches.fold(yes, False)
    assert len(seen(branches)) == 18


def test_the_leaf_is_marked_at_what_is_shown_before_it() -> None:
    branches = of_the_garden()
    branches.show_only(Filter.USER)
    assert branches.entry(branches.leaf_row).id == "more"
