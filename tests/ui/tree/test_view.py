"""The tree on the screen: what the keys do, and what is seen."""

import pytest
from textual.theme import Theme

from pitui.rpc.messages import CustomEntry, Entry
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.model import Session
from pitui.ui.screens.compare import SHOWN, CompareScreen, compared
from pitui.ui.screens.entry_menu import Deed
from pitui.ui.screens.tree import AT_ONCE
from pitui.ui.theme import ANSI, DARK, LIGHT, palette_of
from pitui.ui.widgets.tree.painting import age
from tests.ui.tree.grove import NOW, Grove, TreeApp, at_the_tree, garden


async def test_it_opens_at_the_leaf_and_enter_asks_what_to_do_with_it() -> None:
    async with at_the_tree(garden().session()) as (app, pilot):
        assert app.at == "stopped"
        assert next(row for row in app.rows if row.startswith("◉")).split()[1:4] == ["│", "⊘", "stopped"]
        await pilot.press("up", "enter", "ctrl+e")
        assert app.wanted == [("more", None), ("more", Deed.LABEL)]


async def test_letters_are_looked_for_and_escape_shows_everything_around_what_was_found() -> None:
    async with at_the_tree(garden().session()) as (app, pilot):
        await pilot.press(*"oldest")
        assert app.words == ["That would be the oldest way."]
        await pilot.press("escape")
        assert app.at == "percented"
        assert len(app.rows) == 18
        assert app.screen is app.tree_screen
        await pilot.press("escape")
        assert app.screen is not app.tree_screen


async def test_arrows_fold_a_branch_and_go_from_one_to_the_next() -> None:
    async with at_the_tree(garden().session()) as (app, pilot):
        await pilot.press("left")
        assert app.at == "yes"
        await pilot.press("left")
        assert app.rows[3].startswith("◉ ├─▸ 8 entries")
        await pilot.press("right", "right")
        assert app.at == "no"
        await pilot.press("left", "left")
        assert app.at == "shall"


async def test_what_comes_moves_neither_the_selection_nor_the_view() -> None:
    grove = garden()
    session = grove.session()
    async with at_the_tree(session, (80, 12)) as (app, pilot):
        await pilot.press("up", "up", "up")
        selected, words = app.at, app.words
        grove.prompt("early", "Something else.", after="greet")
        grove.tell(session)
        app.tree_screen.sync(session.take_changes())
        await app.until_shown("early")
        await pilot.pause()
        assert app.at == selected
        assert app.words == words


async def test_of_another_session_the_leaf_is_selected() -> None:
    session = garden().session()
    async with at_the_tree(session) as (app, pilot):
        await pilot.press("home")
        grove = Grove()
        grove.prompt("other", "Another session.")
        grove.answer("end", "So it is.")
        apply(session, facts.Replaced())
        grove.tell(session)
        app.tree_screen.sync(session.take_changes())
        await app.until_shown("end")
        await pilot.pause()
        assert app.at == "end"
        assert app.words == ["▌ Another session.", "So it is."]


async def test_a_filter_keeps_the_selection_near_and_comes_back_to_it() -> None:
    async with at_the_tree(garden().session()) as (app, pilot):
        await pilot.press("ctrl+u")
        assert app.at == "more"
        await pilot.press("ctrl+l")
        assert app.words == ["It is done with format().  [with format · 4h]"]
        await pilot.press("ctrl+d")
        assert app.at == "stopped"


async def test_the_branch_of_the_selected_entry_is_shown_beside_the_tree() -> None:
    async with at_the_tree(garden().session(), (120, 30)) as (app, pilot):
        preview = app.tree_screen.preview
        await pilot.press("end", "up")
        await app.looks()
        await pilot.pause()
        said = "\n".join(strip.text for strip in preview.render_lines(preview.size.region))
        assert "That would be the oldest way." in said
        assert "Yes, an f-string." not in said
        cursor = preview.cursor.block()
        assert cursor is not None
        assert cursor.entry_id == "percented"


async def test_where_there_is_no_room_tab_shows_the_branch_instead_and_escape_the_tree() -> None:
    async with at_the_tree(garden().session(), (60, 20)) as (app, pilot):
        screen = app.tree_screen
        assert not screen.preview.display
        await pilot.press("tab")
        assert screen.preview.has_focus
        assert not screen.tree_view.display
        await pilot.press("escape")
        assert screen.tree_view.has_focus
        assert app.screen is screen


async def test_five_thousand_branchings_leave_room_for_the_words() -> None:
    chain: list[Entry] = [CustomEntry(id="0")]
    for number in range(1, 5000):
        chain += [
            CustomEntry(id=f"{number}", parent_id=f"{number - 1}"),
            CustomEntry(id=f"x{number}", parent_id=f"{number - 1}"),
        ]
    session = Session()
    apply(session, facts.EntriesLoaded(chain, "4999", whole=True))
    async with at_the_tree(session, (40, 12)) as (app, pilot):
        await pilot.press("ctrl+a")
        assert "kept by an extension" in next(row for row in app.rows if row.startswith("◉"))
        await pilot.press("end")
        assert "kept by an extension" in app.rows[-1]


async def test_a_chain_of_five_thousand_is_walked_and_searched_in_few_columns() -> None:
    """B75: nothing is indented that does not branch."""
    grove = Grove()
    for number in range(5000):
        grove.prompt(f"p{number}", f"q{number}")
    async with at_the_tree(grove.session(), (40, 12)) as (app, pilot):
        assert app.at == "p4999"
        await pilot.press("pageup", "home")
        assert app.at == "p0"
        assert app.words[0].strip("▌ ") == "q0"
        await pilot.press("end", *"q4990")
        assert [row.split()[2] for row in app.rows] == ["q4990"]
        await pilot.press("enter", "escape")
        assert app.wanted == [("p4990", None)]
        assert app.at == "p4990"


async def test_more_entries_than_a_frame_has_time_for_come_with_their_leaf_selected() -> None:
    grove = Grove()
    for number in range(AT_ONCE + 1):
        grove.prompt(f"p{number}", f"q{number}")
    app = TreeApp(grove.session())
    async with app.run_test(size=(140, 24)) as pilot:
        await pilot.pause()
        screen = app.tree_screen
        await app.until_shown(f"p{AT_ONCE}")
        assert app.at == f"p{AT_ONCE}"
        await pilot.press("up")
        await app.looks()
        assert app.at == f"p{AT_ONCE - 1}"
        assert screen.preview.shown()[-1] == AT_ONCE


async def test_of_a_long_side_the_first_entries_are_compared_and_it_says_so() -> None:
    grove = Grove()
    grove.prompt("root", "Two ways.")
    for number in range(SHOWN + 1):
        grove.answer(f"a{number}", f"answer {number}")
    grove.prompt("other", "The other way.", after="root")
    session = grove.session()
    async with at_the_tree(session, (140, 24)) as (app, pilot):
        tree = app.tree_screen.tree_view.branches.tree
        comparison, talks = compared(tree, tree.place_of(f"a{SHOWN}"), tree.leaf)
        screen = CompareScreen(comparison, ("Where you are", "The other"), talks, palette_of(DARK))
        await app.push_screen(screen)
        await pilot.pause()
        told = "\n".join(strip.text for strip in screen._compositor.render_strips())
        assert "Where you are: the first 2,000 of 2,001 entries" in told
        assert "0 prompts, 2,001 answers" in told
        await pilot.press("end")
        assert f"answer {SHOWN - 1}" in "\n".join(strip.text for strip in screen._compositor.render_strips())


async def test_foreign_words_are_only_words() -> None:
    grove = Grove()
    grove.prompt("evil", "\x1b[31mred\x1b]0;title\x07 [bold]no markup[/] \u202ereversed\nnext")
    grove.label("evil", "[/]\x1b[2J")
    async with at_the_tree(grove.session(), (119, 12)) as (app, _):
        assert "▌ red [bold]no markup[/] <U+202E>reversed next  [[/] · 4h]" in app.rows[0]


async def test_a_session_without_entries_says_so() -> None:
    async with at_the_tree(Session()) as (app, pilot):
        assert app.rows == ["Nothing was said in this session yet."]
        await pilot.press("down", "enter", "left", "right", "x")
        assert app.wanted == []


@pytest.mark.parametrize("theme", [DARK, LIGHT, ANSI], ids=lambda theme: theme.name)
async def test_the_selected_row_stands_out_in_every_theme(theme: Theme) -> None:
    async with at_the_tree(garden().session(), theme=theme) as (app, _):
        view = app.tree_screen.tree_view
        selected, other = (view.render_line(y)._segments[-1].style for y in (11, 12))
        assert selected is not None
        assert other is not None
        assert selected.reverse or selected.bgcolor != other.bgcolor


@pytest.mark.parametrize(
    ("timestamp", "words"),
    [
        ("2026-11-30T12:00:00Z", "now"),
        ("2026-11-30T11:58:00.5Z", "1m"),
        ("2026-11-30T02:00:00+00:00", "10h"),
        ("2026-11-01T12:00:00Z", "29d"),
        ("2024-11-01T12:00:00Z", "2y"),
        ("2030-01-01T00:00:00Z", "now"),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_an_age_is_short(timestamp: str, words: str) -> None:
    assert age(timestamp, NOW.timestamp()) == words


async def test_a_long_label_leaves_the_words_of_its_entry_and_is_told_whole_at_the_foot() -> None:
    grove = garden()
    label = " ".join(f"label{number}" for number in range(24))
    grove.label("more", label)
    async with at_the_tree(grove.session(), (80, 24)) as (app, pilot):
        await pilot.press("end", *["up"] * 30)
        [row] = [row for row in app.rows if "[label0" in row]
        assert "Now mend the test." in row
        assert "label23" not in row
        while app.at != "more":
            await pilot.press("down")
        await pilot.pause()
        assert label in " ".join("\n".join(strip.text for strip in app.screen._compositor.render_strips()).split())
        await pilot.press("up")
        await pilot.pause()
        assert "label23" not in "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def test_where_you_are_is_seen_when_it_is_marked_and_when_it_is_folded() -> None:
    async with at_the_tree(garden().session()) as (app, pilot):
        app.tree_screen.tree_view.marked = app.at
        assert [row[:2] for row in app.rows if "◆" in row] == ["◉◆"]
        await pilot.press("left", "left")
        assert [row[:2] for row in app.rows if "▸" in row] == ["◉ "]
