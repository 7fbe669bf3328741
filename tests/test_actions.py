"""The table of actions is one: nothing in it clashes, and the app and the README follow it."""

from collections import Counter
from importlib.util import find_spec

import pytest

from pitui.actions import ACTIONS, BY_ID, BY_SLASH, clashes, keys_in_force
from tests.readme import README, key_table


def repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def test_an_action_has_one_id_and_one_method() -> None:
    assert repeated([action.id for action in ACTIONS]) == []
    assert repeated([action.method for action in ACTIONS]) == []


def test_a_key_does_one_thing() -> None:
    assert repeated([key for action in ACTIONS for key in action.keys]) == []


def test_own_keys_go_before_those_of_pi_and_those_before_the_tables() -> None:
    of_pi = {"app.model.select": ("f7",), "app.tools.expand": ("f8",), "app.exit": ()}
    keys = keys_in_force(of_pi, {"model.pick": ("f9", "f10")})
    assert keys["model.pick"] == ("f9", "f10")
    assert keys["tools.expand"] == ("f8",)
    assert keys["leave"] == ()
    assert keys["help"] == BY_ID["help"].keys


def test_a_key_that_was_given_twice_is_found() -> None:
    assert clashes(keys_in_force({}, {})) == {}
    assert clashes(keys_in_force({"app.tools.expand": ("f1",)}, {})) == {"f1": ["tools.expand", "help"]}


def test_a_slash_word_and_a_key_of_pi_mean_one_thing() -> None:
    assert repeated([action.slash for action in ACTIONS if action.slash]) == []
    assert repeated([action.pi_action for action in ACTIONS if action.pi_action]) == []


def test_every_action_can_be_reached() -> None:
    assert [action.id for action in ACTIONS if not action.keys and not action.slash] == []
    assert set(BY_ID) == {action.id for action in ACTIONS}
    assert all(BY_SLASH[action.slash] is action for action in ACTIONS if action.slash)


def test_an_argument_belongs_to_a_slash_word() -> None:
    assert [action.id for action in ACTIONS if action.argument and not action.slash] == []


@pytest.mark.skipif(find_spec("pitui.ui.app") is None, reason="there is no app yet")
def test_the_app_can_do_every_action() -> None:
    from pitui.ui.app import PituiApp

    assert [action.id for action in ACTIONS if not callable(getattr(PituiApp, action.method, None))] == []


def test_the_readme_lists_the_keys_as_they_are() -> None:
    assert key_table() in README.read_text("utf-8"), "make it anew with `python -m tests.readme`"
