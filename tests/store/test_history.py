"""What was written in a folder: kept for every session there, by several pituis at once, and not for ever."""

import os
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from pitui.store import history
from pitui.store.history import History, PastPrompt

HERE, ELSEWHERE = Path("/projects/here"), Path("/projects/elsewhere")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "history.sqlite3"


def writes(path: Path, *texts: str, folder: Path = HERE) -> History:
    store = History(path)
    store.add(folder, [PastPrompt(text) for text in texts])
    return store


def texts(path: Path, folder: Path = HERE) -> list[str]:
    return [prompt.text for prompt in History(path).recall(folder) or ()]


def test_another_run_has_what_was_written_in_the_same_folder(path: Path) -> None:
    writes(path, "first", "!ls -l", "two\nlines — 日本語")
    writes(path, "not here", folder=ELSEWHERE)
    assert texts(path) == ["first", "!ls -l", "two\nlines — 日本語"]
    assert texts(path, ELSEWHERE) == ["not here"]
    assert [prompt.kind for prompt in History(path).recall(HERE) or ()] == ["prompt", "shell", "prompt"]


def test_a_folder_is_the_same_by_whatever_link_one_came(path: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    writes(path, "first", folder=tmp_path)
    assert texts(path, tmp_path / "link") == ["first"]


def test_the_same_prompt_twice_running_is_kept_once(path: Path) -> None:
    writes(path, "again", "again")
    writes(path, "again", "other", "again")
    assert texts(path) == ["again", "other", "again"]


def test_what_else_was_in_the_editor_comes_back_with_the_text(path: Path) -> None:
    History(path).add(HERE, [PastPrompt("[paste]", '{"paste": "long"}'), PastPrompt("[paste]", '{"paste": "other"}')])
    assert [prompt.data for prompt in History(path).recall(HERE) or ()] == ['{"paste": "long"}', '{"paste": "other"}']


def test_nobody_else_can_read_it(path: Path) -> None:
    writes(path, "secret")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (path.parent, *path.parent.iterdir())}
    assert modes == {"state": 0o700, "history.sqlite3": 0o600}


def test_several_pituis_write_at_once_and_nothing_is_lost(path: Path) -> None:
    def write(name: str) -> None:
        for number in range(20):
            writes(path, f"{name}{number}")

    writers = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(texts(path)) == sorted(f"{name}{number}" for name in "abcd" for number in range(20))


def test_the_oldest_go_when_there_are_too_many(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "PRUNED_EVERY", 1)
    monkeypatch.setattr(history, "KEPT_IN_A_FOLDER", 3)
    monkeypatch.setattr(history, "KEPT", 6)
    writes(path, "a", "b", "c", "d")
    assert texts(path) == ["b", "c", "d"]
    writes(path, "e", "f", "g", "h", folder=ELSEWHERE)
    assert texts(path, ELSEWHERE) == ["f", "g", "h"]
    assert texts(path) == ["c", "d"]


def test_the_oldest_go_when_they_are_too_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "PRUNED_EVERY", 1)
    monkeypatch.setattr(history, "KEPT_CHARACTERS", 100)
    writes(path, "a", "b" * 60, "c" * 60)
    assert texts(path) == ["c" * 60]
    writes(path, "d" * 200)
    assert texts(path) == ["d" * 200]


def test_a_letter_that_no_file_can_hold_costs_nothing_but_itself(path: Path) -> None:
    writes(path, "before \udc80 after")
    assert texts(path) == ["before ? after"]


def test_a_damaged_file_is_put_aside_and_the_history_goes_on(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database" * 1000)
    store = writes(path, "first")
    assert [prompt.text for prompt in store.recall(HERE) or ()] == ["first"]
    aside = path.with_name("history.sqlite3.damaged")
    assert aside.read_bytes().startswith(b"no database")
    assert store.problem == f"The history of prompts was damaged. It is kept as {aside}, and a new one is begun."


def test_a_file_that_cannot_be_written_is_told_of(path: Path) -> None:
    path.mkdir(parents=True)
    store = writes(path, "first")
    assert store.recall(HERE) is None
    assert store.problem == f"The history of prompts cannot be kept in {path}: Is a directory"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_cannot_be_written_is_told_of(path: Path) -> None:
    path.parent.mkdir(mode=0o500)
    assert "Permission denied" in writes(path, "first").problem


def test_a_file_that_somebody_holds_for_long_is_told_of(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitui.store.database.LOCK_SECONDS", 0.01)
    writes(path, "first")
    held = sqlite3.connect(path, isolation_level=None)
    try:
        held.execute("BEGIN IMMEDIATE")
        assert "database is locked" in writes(path, "second").problem
    finally:
        held.close()
    assert texts(path) == ["first"]
