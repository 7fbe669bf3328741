"""Arguments of a tool can be read while the model is still writing them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render.arguments import arguments, read_partial
from pitui.session.blocks import ToolBlock


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("", {}),
        ("{", {}),
        ('{"pa', {}),
        ('{"path"', {}),
        ('{"path": "hel', {"path": "hel"}),
        ('{"path": "hello.py"', {"path": "hello.py"}),
        ('{"path": "hello.py", "off', {"path": "hello.py"}),
        ('{"path": "a", "offset": 1', {"path": "a"}),
        ('{"command": "echo \\', {"command": "echo "}),
        ('{"command": "echo \\u00', {"command": "echo "}),
        ('{"edits": [{"oldText": "a\\nb", "newText": "c', {"edits": [{"oldText": "a\nb", "newText": "c"}]}),
        ('{"edits": [{"oldText": "a"}, {', {"edits": [{"oldText": "a"}, {}]}),
        ("[1, 2", {}),
        ("no JSON", {}),
    ],
)
def test_what_is_written_so_far_is_known(text: str, known: dict[str, object]) -> None:
    assert read_partial(text) == known


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values), st.data())
def test_no_cut_raises_and_what_is_known_of_a_text_is_its_start(whole: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(whole)
    assert read_partial(text) == whole
    cut = data.draw(st.integers(0, len(text)))
    for key, value in read_partial(text[:cut]).items():
        assert key in whole
        if isinstance(value, str) and isinstance(whole[key], str):
            assert str(whole[key]).startswith(value.removesuffix("\ufffd")) or value[-1:] >= "\ud800"


@given(st.text(alphabet='{}[]",:\\u1a \n', max_size=60))
def test_no_text_raises(text: str) -> None:
    assert isinstance(read_partial(text), dict)


def test_a_script_may_be_written_as_bare_text() -> None:
    block = ToolBlock(id=1, name="codemode")
    block.write("const a = await tools.re")
    assert arguments(block) == {"code": "const a = await tools.re"}
