"""Modified keys and pastes as terminals really send them."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events

from pitui.ui.system import keyboard
from pitui.ui.system.keyboard import END, START, EntersAreAlike, Parser


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time stands still until it is asked for what has come to an end meanwhile."""
    now = [0.0]
    monkeypatch.setattr(keyboard, "get_time", lambda: now[0])
    monkeypatch.setattr("textual._parser.get_time", lambda: now[0])
    monkeypatch.setattr(Parser, "later", lambda parser: now.__setitem__(0, now[0] + 10) or parser.tick(), raising=False)
    yield


def told(*pieces: str) -> list[str | tuple[str, str]]:
    """The keys and pastes of a terminal that sends these pieces, and then nothing for a while."""
    parser = Parser()
    list(parser.feed("\x1b[?2004;0$y"))  # what comes first was typed before anybody read it
    messages = [message for piece in pieces for message in parser.feed(piece)]
    messages += [*parser.later(), *parser.later()]
    return [
        message.key if isinstance(message, events.Key) else ("paste", message.text)
        for message in messages
        if isinstance(message, events.Key | events.Paste)
    ]


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
        pytest.param("\x1b[27;5;99~", "ctrl+c", id="xterm, a letter"),
        pytest.param("\x1b[27;6;80~", "ctrl+shift+p", id="xterm, a letter with shift"),
        pytest.param("\x1b[27;2;65~", "A", id="xterm, a capital letter"),
        pytest.param("\x1b[27;7;93~", "alt+ctrl+right_square_bracket", id="xterm, two modifiers"),
        pytest.param("\x1bd", "alt+d", id="ESC and a letter"),
        pytest.param("\x1b\x7f", "alt+backspace", id="ESC and backspace"),
        pytest.param("\x1b\x1d", "alt+ctrl+right_square_bracket", id="ESC and a control"),
        pytest.param("\x1b", "escape", id="Esc alone"),
        pytest.param("\x1b[A", "up", id="arrow"),
    ],
)
@pytest.mark.usefixtures("later")
def test_a_key_is_one_key_however_it_is_cut(sent: str, key: str) -> None:
    assert told(sent) == [key]
    for cut in range(1, len(sent)):
        assert told(sent[:cut], sent[cut:]) == [key]


@pytest.mark.usefixtures("later")
def test_keys_that_come_at_once_are_all_there() -> None:
    assert told("\x1bd\x1bf\x1b[Ab") == ["alt+d", "ctrl+right", "up", "b"]
    assert told("\x1b[13;3:1u" + "a") == ["alt+enter", "a"]


@settings(deadline=None)
@given(st.text(), st.sets(st.integers(0, 60)))
def test_what_is_pasted_is_text_and_never_a_key(text: str, cuts: set[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        now = [0.0]
        patch.setattr(keyboard, "get_time", lambda: now[0])
        patch.setattr(Parser, "later", lambda parser: now.__setitem__(0, now[0] + 10) or parser.tick(), raising=False)
        sent = START + text + END
        places = sorted({0, len(sent), *(cut for cut in cuts if cut < len(sent))})
        pieces = [sent[a:b] for a, b in pairwise(places)]
        assert told("a", *pieces) == ["a", *([("paste", text)] if text else [])]


HOSTILE = [
    "ls\x1b[31mred\x1b[0m\rrm -rf x\r",
    f"ls{END}\rrm -rf x\r",
    f"ls{END}{START}{END}rm\r",
    f"{END}\r\r{END}",
    "\x1b",
    "\x1b[20",
    "\x1b]0;title\x07\x1bP1;2q\x1b\\",
    "a" * 40 + "\x1b[" + "1" * 100 + "m\r",
]


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("text", HOSTILE)
def test_no_paste_breaks_out(text: str) -> None:
    sent = START + text + END
    for cut in range(len(sent) + 1):
        assert told(*filter(None, (sent[:cut], sent[cut:]))) == [("paste", text)]
    assert told(*sent) == [("paste", text)]


@pytest.mark.usefixtures("later")
def test_keys_around_a_paste_keep_their_place() -> None:
    assert told(f"a\x1b[A{START}one{END}\rb") == ["a", "up", ("paste", "one"), "enter", "b"]


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    "text",
    [
        *("line one\rline two\rline three\r", "a\rb", "a\r\nb\r\n", "a line without an end " * 10),
        "red \x1b[31mrm -rf x\x1b[0m\rand more",
    ],
)
def test_without_markers_much_at_once_is_a_paste(text: str) -> None:
    assert told(text) == [("paste", text)]
    assert told(f"{text} and", " more\rlines") == [("paste", f"{text} and more\rlines")]


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    "text",
    [
        *("ok\r", "\r\r", "yes\r", "\x1b[A" * 6, "\x1b[<35;10;10M" * 40),
        *("fix the failing tests\r", "no not that one\x15this one instead\r", "the quick brown fox\x7f\x7f\x7fcat"),
        "to the left" * 10 + "\x1b[D\x1b[D and on",
    ],
)
def test_what_can_be_typed_is_typed(text: str) -> None:
    """A slow connection brings what was typed in one piece, and so does a script."""
    assert not [found for found in told(text) if isinstance(found, tuple)]


@pytest.mark.usefixtures("later")
def test_a_long_line_that_comes_at_once_with_its_enter_is_sent() -> None:
    line = "a line of a script " * 20
    assert told(f"{line}\r") == [("paste", line), "enter"]


def test_what_was_typed_before_anybody_read_it_is_sent() -> None:
    messages = list(Parser().feed("fix the failing tests\r"))
    assert [message.key for message in messages][-2:] == ["s", "enter"]


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("known", ["\x1b[?2004;1$y", f"{START}x{END}"])
def test_where_pastes_are_marked_all_else_is_typed(known: str) -> None:
    parser = Parser()
    list(parser.feed(known))
    list(parser.later())
    sent = "fix the failing tests\r"
    assert [message.key for message in parser.feed(sent)][-2:] == ["s", "enter"]


@pytest.mark.usefixtures("later")
def test_a_paste_whose_end_never_comes_does_not_take_the_keyboard() -> None:
    parser = Parser()
    assert list(parser.feed(f"{START}one")) == []
    assert [message.text for message in parser.later()] == ["one"]
    assert [message.key for message in parser.feed("a")] == ["a"]


@pytest.mark.parametrize(
    ("answers", "alike"), [("\x1b[?0u\x1b[?62;22c", False), ("\x1b[?31u\x1b[?1;2c", False), ("\x1b[?1;2c", True)]
)
def test_whether_enters_are_alike_is_asked_of_the_terminal(answers: str, alike: bool) -> None:
    for pieces in ([answers], list(answers)):
        parser = Parser()
        messages = [message for piece in pieces for message in parser.feed(piece)]
        assert [type(message) for message in messages] == ([EntersAreAlike] if alike else [])
