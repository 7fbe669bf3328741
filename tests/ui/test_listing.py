"""Which sessions are listed, and what is said of them."""

from pathlib import Path

import pytest

from pitui.pi.sessions import SessionFile, read_session
from pitui.ui.screens.listing import Listing, age, term_of
from tests.pi.stored import Store, named, said


def listed(listing: Listing) -> list[str]:
    return [file.id for _, file in listing.ranked()]


def test_links_neither_hide_a_session_nor_which_one_is_open(tmp_path: Path) -> None:
    """B79: the folder of work and that of the sessions are reached through links."""
    store = Store(tmp_path)
    store.cwd = tmp_path / "real"
    store.cwd.mkdir()
    (tmp_path / "link").symlink_to(store.cwd)
    path = store.write("one", said("user", "hi"))
    (tmp_path / "sessions").symlink_to(path.parent)
    listing = Listing(tmp_path / "link", str(tmp_path / "sessions" / path.name), store.environ)
    listing.take([read_session(path)])
    [ranked] = listing.ranked()
    assert listing.row(ranked, 0).is_open


def test_a_session_is_found_by_its_name_its_folder_and_its_id(tmp_path: Path) -> None:
    store = Store(tmp_path)
    files = [
        read_session(store.write("abc", said("user", "Fix the Test"), named("Über alles"))),
        SessionFile(Path("/x"), 1),
    ]
    listing = Listing(store.cwd, "", store.environ)
    listing.take(files)
    listing.everywhere = True
    for query in ("über", "uber alles", "fix test", "abc", "project", "TEST"):
        listing.query = query
        assert listed(listing) == ["abc"], query
    listing.query, listing.found = "nowhere", {"/x": 5}
    assert [str(file.path) for _, file in listing.ranked()] == ["/x"]


@pytest.mark.parametrize(
    ("query", "text", "term"),
    [
        ("TEA garden", "the Tea Garden", "tea garden"),
        ("cafe", "A Café", "café"),
        ("garden tea", "tea leaves\nTea in a big garden, and tea", "garden, and tea"),
        ("garden tea", f"tea{' in' * 30} a garden", "garden"),
        ("absent", "x", ""),
    ],
)
def test_of_a_query_that_is_marked_which_stands_in_the_text(query: str, text: str, term: str) -> None:
    assert term_of(query, text) == term


def test_ages_take_few_cells() -> None:
    day = 86400
    assert [age(seconds) for seconds in (-5, 59, 60, 7300, day, 364 * day, 800 * day)] == [
        *("now", "now", "1 min", "2 h", "1 d", "364 d", "2 y")
    ]
