"""How a session ends that pi is about to open is read from its file, as pi chooses that file."""

import json
import os
from pathlib import Path

import pytest

from pitui.pi.opened import END_BYTES, look_at_named, read_end, session_to_open, working_folder
from pitui.pi.problem import Problem
from tests.pi.stored import Store, said


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def texts(path: Path) -> list[str]:
    return [json.loads(line)["message"]["content"][0]["text"] for line in read_end(path)]


def chosen(store: Store, *argv: str) -> Path | None:
    return session_to_open(["pi", "--mode", "rpc", *argv], store.cwd, store.environ)


def test_the_session_that_is_named_is_the_one(store: Store) -> None:
    path = store.write("one", said("user", "hello"))
    assert chosen(store, "--session", str(path)) == path


def test_to_continue_is_to_take_the_latest(store: Store) -> None:
    one, two = store.write("one"), store.write("two")
    os.utime(one, (2, 2))
    os.utime(two, (1, 1))
    assert chosen(store, "--continue") == one
    assert chosen(store, "-c") == one


def test_a_damaged_file_is_passed_over_as_pi_does(store: Store) -> None:
    one = store.write("one")
    (one.parent / "two.jsonl").write_text("nothing")
    assert chosen(store, "-c") == one


def test_a_new_session_has_no_end(store: Store) -> None:
    store.write("one")
    assert chosen(store) is None


def test_a_short_file_is_read_whole(store: Store) -> None:
    assert texts(store.write("one", said("user", "hello"), said("assistant", "hi"))) == ["hello", "hi"]


def test_of_a_long_file_only_whole_lines_of_the_end_are_read(store: Store) -> None:
    long = [said("assistant", "y" * 1000)] * (2 * END_BYTES // 1000)
    found = texts(store.write("one", said("user", "first"), *long, said("assistant", "last")))
    assert found[-1] == "last" and set(found[:-1]) == {"y" * 1000}


def test_what_cannot_be_read_has_no_end(store: Store, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_end(pipe) == []
    assert read_end(tmp_path / "none.jsonl") == []


def test_a_file_that_pi_would_have_to_convert_is_left_to_pi(store: Store) -> None:
    path = store.write("one", said("user", "hello"))
    path.write_bytes(path.read_bytes().replace(b'"version": 3', b'"version": 2'))
    assert read_end(path) == []


def test_a_session_works_in_the_folder_of_its_header(store: Store, tmp_path: Path) -> None:
    assert working_folder(store.write("one", cwd=tmp_path / "elsewhere")) == tmp_path / "elsewhere"
    assert working_folder(store.write_lines("old", [{"type": "session", "id": "old"}])) is None
    assert working_folder(store.write_lines("bad", [b"garbage"])) is None
    assert working_folder(tmp_path / "none.jsonl") is None


@pytest.mark.parametrize("name", ["new.jsonl", "./new.jsonl"])
def test_a_named_session_that_is_not_there_is_told(store: Store, name: str) -> None:
    store.cwd.mkdir()
    told = look_at_named(["pi", "--session", name], store.cwd)
    assert told == "There is no session new.jsonl yet: a new one begins there when you say something."
    (store.cwd / "new.jsonl").touch()
    assert look_at_named(["pi", "--session", name], store.cwd) == ""


def test_a_named_session_in_a_folder_that_is_not_there_is_a_problem(store: Store) -> None:
    store.cwd.mkdir()
    told = look_at_named(["pi", "--session", "nowhere/new.jsonl"], store.cwd)
    assert isinstance(told, Problem) and str(store.cwd / "nowhere") in told.why and "--resume" in told.remedy
    told = look_at_named(["pi", "--session", "./"], store.cwd)
    assert isinstance(told, Problem) and "is a folder" in told.why


@pytest.mark.parametrize("argv", [[], ["-c"], ["--session", "0199ab"]])
def test_where_no_file_is_named_there_is_nothing_to_tell(store: Store, argv: list[str]) -> None:
    assert look_at_named(["pi", *argv], store.cwd) == ""
