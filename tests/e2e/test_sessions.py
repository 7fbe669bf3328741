"""Other sessions are found by what was said, named and forked, and the agent opens what came of it."""

import json
from pathlib import Path

from tests.e2e.conftest import Start
from tests.e2e.conversation import Place
from tests.e2e.person import send, wait_for_answer
from tests.pi.stored import Store
from tests.ui.test_sessions import talk


def saved(place: Place) -> list[Path]:
    return [path for path in place.home.rglob("*.jsonl") if "sessions" in str(path.parent)]


def test_an_old_session_is_resumed_by_a_word_said_in_it_and_named(start: Start, place: Place) -> None:
    terminal = start()
    send(terminal, "#say The needle is in the haystack.")
    wait_for_answer(terminal, "The needle is in the haystack.")
    [path] = saved(place)
    send(terminal, "/new")
    terminal.wait_gone("The needle")
    send(terminal, "#say Something else.")
    wait_for_answer(terminal, "Something else.")
    send(terminal, "/resume")
    terminal.wait("latest first")
    terminal.type("hayst")
    terminal.wait("1 of 2")
    terminal.press("ctrl+r")
    terminal.wait("Rename")
    terminal.type("named by hand")
    terminal.press("enter")
    terminal.wait(lambda text: "latest first" in text and "1 of 2" in text)
    terminal.press("enter")
    terminal.wait_gone("latest first")
    terminal.wait(lambda text: "named by hand" in text and "The needle" in text and "Something else" not in text)
    names = [json.loads(line).get("name") for line in path.read_text("utf-8").splitlines()]
    assert [name for name in names if name] == ["named by hand"]


def test_a_session_whose_folder_is_gone_goes_on_here_as_a_fork(start: Start, place: Place) -> None:
    path = Store(place.home).write("one", *talk("said long ago", "and answered"), cwd=place.home / "gone")
    before = path.read_bytes()
    terminal = start()
    send(terminal, f"/resume {path}")
    terminal.wait("The folder of this session is gone")
    terminal.press("right", "enter")
    terminal.wait("said long ago")
    send(terminal, "#say And it goes on.")
    wait_for_answer(terminal, "And it goes on.")
    headers = [json.loads(found.read_text("utf-8").splitlines()[0]) for found in saved(place) if found != path]
    assert [header["parentSession"] for header in headers] == [str(path)]
    assert path.read_bytes() == before
