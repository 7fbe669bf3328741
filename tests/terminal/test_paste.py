"""What a person pastes, in a terminal that marks pastes and in one that does not."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.conversation import Place
from tests.terminal.screen import OLD, PLAIN, Terminal


@contextmanager
def at_the_prompt(folder: Path, modes: frozenset[int] = PLAIN) -> Iterator[Terminal]:
    place = Place.make(folder)
    command = [sys.executable, "-m", "pitui", "--demo"]
    with Terminal(command, place.project, place.environment(), known_modes=modes) as terminal:
        terminal.wait("Write to pi")
        terminal.wait("thoughtful")
        yield terminal


def sent(terminal: Terminal, words: str) -> None:
    """Wait until they are in the chat, and the prompt is empty."""
    terminal.wait(lambda text: words in text and "Write to pi" in text)


def test_lines_pasted_into_an_old_terminal_are_not_sent(tmp_path: Path) -> None:
    with at_the_prompt(tmp_path, OLD) as terminal:
        terminal.type("line one\rline two\rline three\r")
        terminal.wait("▌ line one\n▌ line two\n▌ line three\n▌\n")
        terminal.press("backspace", "enter")
        sent(terminal, "line three")


def test_a_paste_with_escape_sequences_runs_nothing(tmp_path: Path) -> None:
    with at_the_prompt(tmp_path) as terminal:
        terminal.paste("ls\x1b[31mred\x1b[0m\rrm -rf x\r\x1b[201~#say It broke out.\r")
        terminal.type("!")
        terminal.wait("▌ lsred\n▌ rm -rf x\n▌ #say It broke out.\n▌ !\n")
        assert "You said" not in terminal.text


@pytest.mark.parametrize("modes", [PLAIN, OLD])
def test_a_paste_comes_once(tmp_path: Path, modes: frozenset[int]) -> None:
    with at_the_prompt(tmp_path, modes) as terminal:
        terminal.paste("only once")
        terminal.type("!")
        terminal.wait("▌ only once!\n")


def test_a_new_line_can_be_had_however_the_terminal_sends_it(tmp_path: Path) -> None:
    with at_the_prompt(tmp_path) as terminal:
        for piece in ("a", "\x1b[13;2u", "b", "\x1b[27;2;13~", "c", "\n", "e"):
            terminal.type(piece)
        terminal.wait("▌ a\n▌ b\n▌ c\n▌ e\n")
        terminal.type("\x1b")
        terminal.type("\r")
        sent(terminal, " c")


def test_a_megabyte_is_one_thing_and_is_sent_whole(tmp_path: Path) -> None:
    with at_the_prompt(tmp_path) as terminal:
        terminal.paste(("0123456789" * 10 + "\n") * 10_000)
        terminal.wait("[paste 10,000 lines]")
        terminal.press("enter")
        sent(terminal, "0123456789")


def test_what_is_dropped_from_another_window_arrives(tmp_path: Path) -> None:
    with at_the_prompt(tmp_path) as terminal:
        terminal.type("see ")
        terminal.wait("▌ see")
        terminal.type("\x1b[O")
        terminal.paste("what was dropped")
        terminal.wait("▌ see what was dropped")
