"""The table of the keys of panes is one: nothing in it clashes, and a person's own keys go before it."""

from collections import Counter

from textual.dom import DOMNode

from pitui import actions
from pitui.pane_actions import BY_ID, PANE_KEYS, PANES, pane_clashes, pane_keys_in_force
from pitui.ui.keys import fitting, told
from pitui.ui.screens.changes import ChangesScreen
from pitui.ui.screens.compare import CompareScreen
from pitui.ui.screens.context import ContextScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.screens.tree import TreeScreen
from pitui.ui.widgets.tree import TreeView
from pitui.ui.widgets.tree.pane import TreePane

EVERYWHERE = {action.id: action.keys for action in actions.ACTIONS if action.everywhere}


def repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def test_a_key_does_one_thing_in_a_pane_and_an_id_means_one_thing_everywhere() -> None:
    assert pane_clashes(PANE_KEYS, EVERYWHERE) == []
    assert repeated([*actions.BY_ID, *(action.id for pane in PANES for action in pane.actions)]) == []
    for pane in PANES:
        assert repeated([action.pi_action for action in pane.actions if action.pi_action]) == []


def test_every_action_of_a_pane_can_be_done_where_it_is_shown() -> None:
    screens: list[type[DOMNode]] = [TreeScreen, CompareScreen, ChangesScreen, ContextScreen, SessionsScreen]
    owners = [TreeView, TreePane, *screens]
    offered = {action.id for owner in owners for action in owner.ACTIONS}  # type: ignore[attr-defined]
    assert offered == set(BY_ID)
    for owner in owners:
        for action in owner.ACTIONS:  # type: ignore[attr-defined]
            method = "action_" + action.does.partition("(")[0]
            assert callable(getattr(owner, method, None)), f"{owner.__name__}.{method}"


def test_own_keys_go_before_those_of_pi_and_take_them_from_whatever_else_had_them() -> None:
    of_pi = {"app.tree.foldOrUp": ("ctrl+f",), "app.tree.editLabel": ("ctrl+t",), "app.session.delete": ()}
    keys = pane_keys_in_force(of_pi, {"tree.copy": ("f9",), "sessions.rename": ("f10", "ctrl+e")})
    assert keys["tree.fold"] == ("ctrl+f",)
    assert keys["tree.label"] == ("ctrl+t",)
    assert keys["tree.no_tools"] == ()
    assert keys["tree.copy"] == ("f9",)
    assert keys["sessions.delete"] == ()
    assert keys["sessions.rename"] == ("f10", "ctrl+e")
    assert keys["sessions.star"] == BY_ID["sessions.star"].keys
    assert pane_keys_in_force({}, keys) == keys
    assert pane_clashes(keys, EVERYWHERE) == []


def test_a_key_that_a_person_gave_twice_in_a_pane_is_found() -> None:
    own = {"tree.label": ("f9",), "tree.copy": ("f9",), "sessions.star": ("f9",)}
    assert pane_clashes(pane_keys_in_force({}, own), {}) == [("f9", ["tree.label", "tree.copy"])]
    deletes = pane_keys_in_force({"app.session.delete": ("f8",)}, {})
    assert pane_clashes(deletes, EVERYWHERE) == [("f8", ["sessions.delete", "dialog.open"])]


def test_hints_tell_the_keys_in_force_and_leave_out_what_has_none() -> None:
    hint = "[tree.menu] menu · [tree.fold tree.unfold] fold · type to search · [tree.leave]"
    assert told(hint, PANE_KEYS) == "Enter menu · ←→ fold · type to search · Esc"
    own = {**PANE_KEYS, "tree.fold": ("ctrl+left",), "tree.unfold": ("ctrl+right",), "tree.menu": ()}
    assert told(hint, own) == "Ctrl+Left Ctrl+Right fold · type to search · Esc"
    assert fitting((hint, "[tree.menu]"), PANE_KEYS, 40) == "Enter"
