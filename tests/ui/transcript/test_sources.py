"""What can be taken out of a block: its code, and links that may be opened."""

import pytest

from pitui.ui.widgets.transcript.sources import Code, can_be_opened, codes, last_answer, links
from tests.ui.transcript.talk import Talk


@pytest.mark.parametrize("address", ["https://a.b/c?d=e#f", "http://a", "HTTPS://A.B", "mailto:a@b.c"])
def test_the_web_and_mail_can_be_opened(address: str) -> None:
    assert can_be_opened(address)


@pytest.mark.parametrize(
    "address",
    [
        *("javascript:alert(1)", "file:///etc/passwd", "ssh://host", "data:text/html,x", "vscode://x", "-version", ""),
        *("https://a b", "https://a\n--exec", "https://a\x1b]0;t", " https://a", "//a.b", "https:a", "../x"),
    ],
)
def test_nothing_else_can(address: str) -> None:
    assert not can_be_opened(address)


def test_links_come_as_they_stand_in_the_text_and_each_once() -> None:
    talk = Talk()
    answer = talk.answer(
        "See https://b.c/d. Then [this](https://a.b), <mailto:x@y.z>, [no](javascript:a), [nor](file:///x) "
        "and https://b.c/d again.\n\n- in a list: [deep](https://deep.er/x_y)"
    )
    assert links(answer) == ["https://b.c/d", "https://a.b", "mailto:x@y.z", "https://deep.er/x_y"]


def test_links_in_the_output_of_a_tool_are_found_too() -> None:
    assert links(Talk().tool(output="listening on http://localhost:8080/\nfile:///tmp/x")) == ["http://localhost:8080/"]


def test_code_tells_its_language() -> None:
    answer = Talk().answer("```python x=1\na\n```\n\n> - ```\n>   b\n>   ```\n\n```\n```\n")
    assert codes(answer) == [Code("python", "a"), Code("", "b")]


def test_the_output_of_a_tool_is_not_taken_for_code() -> None:
    assert codes(Talk().tool(output="    indented\n```\nx\n```")) == []


def test_the_last_answer_is_all_of_its_parts() -> None:
    talk = Talk()
    talk.answer("an earlier one")
    talk.tool()
    talk.answer("one")
    talk.answer("two")
    talk.error("late")
    assert last_answer(talk.session.blocks) == "one\n\ntwo"
