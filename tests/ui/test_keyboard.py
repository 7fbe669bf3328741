"""Modified keys as terminals really send them."""

import pytest
from textual import events

from pitui.ui.system.keyboard import Parser


def keys_of(sent: str) -> list[str]:
    parser = Parser()
    return [event.key for event in parser.feed(sent) if isinstance(event, events.Key)]


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        pytest.param("\x1b\r", "alt+enter", id="ESC CR, most terminals"),
        pytest.param("\x1b[27;3;13~", "alt+enter", id="tmux and xterm"),
        pytest.param("\x1b[13;3u", "alt+enter", id="Kitty"),
        pytest.param("\x1b[27;2;13~", "shift+enter", id="tmux and xterm, shift"),
        pytest.param("\x1b[13;2u", "shift+enter", id="Kitty, shift"),
        pytest.param("\n", "ctrl+j", id="line feed"),
        pytest.param("\r", "enter", id="plain"),
    ],
)
def test_enter_with_its_modifier_is_one_key(sent: str, key: str) -> None:
    assert keys_of(sent) == [key]


@pytest.mark.parametrize("cut", range(1, len("\x1b[27;3;13~")))
def test_a_key_that_comes_in_two_pieces_is_one_key(cut: int) -> None:
    sent = "\x1b[27;3;13~"
    parser = Parser()
    events_ = [*parser.feed(sent[:cut]), *parser.feed(sent[cut:])]
    assert [event.key for event in events_ if isinstance(event, events.Key)] == ["alt+enter"]


def test_fields_that_nobody_asked_for_do_not_end_the_keyboard() -> None:
    assert keys_of("\x1b[13;3:1u" + "a") == ["alt+enter", "a"]
