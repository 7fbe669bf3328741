"""What pi answers, read as far as it can be."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc import messages, nested, reading, results
from pitui.rpc import requests as ask


def answer(request: ask.Request[Any], data: Any) -> Any:
    line = json.dumps({"id": "1", "type": "response", "command": request.wire_type, "success": True, "data": data})
    return ask.read_answer(request, line.encode())


def node(id_: str, *children: Any, **fields: Any) -> dict[str, Any]:
    return {"entry": {"type": "model_change", "id": id_, "provider": "p"}, "children": list(children), **fields}


def test_a_tree_is_read_from_the_top_with_its_branches_in_order_and_its_labels():
    tree = [node("a", node("b", node("c"), label="start"), node("d", node("e"))), node("f", label="")]
    read = answer(ask.GetTree(), {"tree": tree, "leafId": "e"})
    assert [(entry.id, label) for entry, label in read.flat()] == [
        ("a", None),
        ("b", "start"),
        ("c", None),
        ("d", None),
        ("e", None),
        ("f", None),
    ]
    assert isinstance(read.flat()[0][0], messages.ModelChangeEntry)


@pytest.mark.parametrize("entry", [None, 5, [], {}, {"type": 7}, {"type": "future", "id": "x"}])
def test_an_entry_that_nobody_knows_keeps_its_place_in_the_tree(entry: Any):
    tree = [{"entry": entry, "children": [node("below")]}]
    (first, _), (second, _) = answer(ask.GetTree(), {"tree": tree}).flat()
    assert isinstance(first, messages.UnknownEntry)
    assert first.raw == entry
    assert second.id == "below"


@pytest.mark.parametrize("tree", [[None, 5, "x"], [{}], [{"children": 7}], [{"children": [None, {"label": 3}]}]])
def test_a_damaged_tree_is_no_error(tree: Any):
    answer(ask.GetTree(), {"tree": tree}).flat()


def test_a_tree_can_be_read_twice():
    tree = answer(ask.GetTree(), {"tree": [{"entry": {"type": "future", "id": "x"}}]})
    assert tree.flat()[0][0].name == tree.flat()[0][0].name == "future"


# What the parsers of Python refuse


def test_what_nests_deeply_is_the_same_value():
    value: Any = {"end": [1, -2.5e3, True, None, 'a\n\u2028"', {}, []]}
    for level in range(5_000):
        value = {"level": level, "list": [value, "after"]} if level % 2 else [value]
    text, at = "", value
    opened: list[str] = []
    while not (isinstance(at, dict) and "end" in at):
        if isinstance(at, list):
            text, at = text + " [ ", at[0]
            opened.append(" ]\n")
        else:
            text, at = text + f'{{"level": {at["level"]}, "list": [', at["list"][0]
            opened.append(', "after"]}')
    text += json.dumps(at) + "".join(reversed(opened))
    read, expected = nested.read_nested(text), value
    while not (isinstance(expected, dict) and "end" in expected):
        assert type(read) is type(expected)
        if isinstance(expected, dict):
            assert (read["level"], read["list"][1]) == (expected["level"], "after")
            read, expected = read["list"][0], expected["list"][0]
        else:
            read, expected = read[0], expected[0]
    assert read == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 1, "\t"]))
def test_without_recursion_the_same_is_read(value: Any, indent: Any):
    assert nested.read_nested(json.dumps(value, indent=indent)) == value


@given(st.text(st.sampled_from('{}[]":,0-1.eE+tfn \\ua'), max_size=20))
def test_what_is_no_json_is_none_here_either(text: str):
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            nested.read_nested(text)
    else:
        assert nested.read_nested(text) == expected


def test_deep_values_can_be_dropped():
    value = reading.load(b"[" * 60_000 + b"]" * 60_000)
    del value


def test_too_deep_is_an_error_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(nested, "MAX_DEPTH", 3_000)
    assert nested.read_nested("[" * 3_000 + "]" * 3_000)
    with pytest.raises(nested.NestedTooDeepError, match="3,000 levels"):
        nested.read_nested("[" * 3_002 + "]" * 3_002)


# Single answers


def test_no_model_is_an_answer():
    unknown = {"provider": "unknown", "id": "unknown", "api": "unknown", "contextWindow": 0}
    assert not answer(ask.GetState(), {"model": unknown}).model.known


def test_an_answer_without_a_last_text():
    assert answer(ask.GetLastAssistantText(), {}).text is None
    assert answer(ask.GetLastAssistantText(), {"text": None}).text is None


def test_a_queue_of_things_that_are_no_texts_loses_none():
    queues = answer(ask.ClearQueue(), {"steering": ["a", {"text": "b"}, {"x": 1}], "followUp": None})
    assert queues == results.Queues(steering=["a", "b", '{"x": 1}'])
