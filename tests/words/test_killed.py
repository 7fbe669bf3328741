"""pi or pitui is killed while a person works, with real processes: every text is said once, or is back."""

import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.conftest import Start, agent_words, place, start
from tests.e2e.conversation import Place
from tests.e2e.person import send
from tests.e2e.test_queue import said
from tests.terminal.screen import Terminal

__all__ = ["agent_words", "place", "start"]

TOOL = '#tool bash {"command":"sleep 1"}\n#then\n#say Done.'
RUNS = [*(("demo", number) for number in range(16)), *(("pi", number) for number in range(16, 20))]


def database(place: Place) -> Path | None:
    return next(place.home.rglob("prompts.db"), None)


def times_kept(place: Place, word: str) -> int:
    """How often it is in what pitui has on disk."""
    path = database(place)
    if path is None:
        return 0
    with closing(sqlite3.connect(path)) as opened:
        found = [text for (text,) in opened.execute("SELECT text FROM prompt UNION ALL SELECT words FROM draft")]
    return sum(text.count(word) for text in found)


def times(place: Place, word: str) -> int:
    return sum(text == word for text, _ in said(place)) + times_kept(place, word)


def until_each_is_there_once(place: Place, words: list[str], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while (found := {word: times(place, word) for word in words}) != dict.fromkeys(words, 1):
        assert time.monotonic() < end, found
        time.sleep(0.02)


def until_written(place: Place, word: str) -> None:
    """Until pitui has read the keys: what it has not read it cannot keep."""
    end = time.monotonic() + 20
    while not times(place, word):
        assert time.monotonic() < end, word
        time.sleep(0.002)


def kill_pi(terminal: Terminal) -> None:
    for pid in terminal.descendants():
        os.kill(pid, signal.SIGKILL)
    terminal.wait("Enter starts it again")
    terminal.press("enter")
    terminal.wait_gone("Enter starts it again")


@pytest.mark.timeout(180)
@pytest.mark.parametrize(("agent_words", "number"), RUNS, indirect=["agent_words"])
def test_whoever_is_killed_every_text_is_there_once(start: Start, place: Place, number: int) -> None:
    chance = random.Random(number)
    kills_pitui = number % 8 < 4
    deed = ("sends", "escape", "new session" if kills_pitui else "escape", "holds")[number % 4]
    words = [f"needle{number}x{count}" for count in range(3)]
    terminal = start(LAB_TPS="200")
    send(terminal, TOOL)
    terminal.wait("$ sleep 1")
    for word in words:
        terminal.type(word)
        terminal.press(chance.choice(["enter", "alt+enter"]))
        until_written(place, word)
    match deed:
        case "escape":
            terminal.press("escape")
        case "new session":
            send(terminal, "/new")
        case "holds":
            terminal.press("f6", "f6", "f6")
            terminal.type(" ")
            terminal.press("f6")
        case _:
            pass
    time.sleep(chance.uniform(0, 0.3))  # anywhere in what happens then
    if kills_pitui:
        terminal.process.kill()
        terminal.process.wait()
        terminal = start("--continue", LAB_TPS="200")
    else:
        kill_pi(terminal)
    until_each_is_there_once(place, words)
    delivered = [text for text, _ in said(place)]
    terminal.wait(lambda text: all(word in text or word in delivered for word in words))
