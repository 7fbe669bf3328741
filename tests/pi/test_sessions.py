"""The saved sessions of a folder are listed, whatever state their files are in, and none is changed."""

import json
import os
import stat
from pathlib import Path

import pytest

from pitui.pi.folders import folder_of
from pitui.pi.opened import session_to_open
from pitui.pi.problem import Problem
from pitui.pi.sessions import (
    HEAD_BYTES,
    TAIL_BYTES,
    SessionFile,
    find_session,
    read_session,
    session_files,
    session_folders,
)
from tests.pi.stored import Store, named, said


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def stored(store: Store) -> list[SessionFile]:
    files = [read_session(path) for path in session_files(session_folders(environ=store.environ))]
    return sorted(files, key=lambda file: file.modified, reverse=True)


def listed(store: Store) -> list[tuple[str, str, str]]:
    return [(file.id, file.name, file.first_prompt) for file in stored(store)]


def test_the_latest_comes_first_with_its_name_and_first_words(store: Store) -> None:
    store.write("one", said("system", "x" * 6000), said("user", "fix the bug"), said("assistant", "done"))
    store.write("two", said("user", "hello"), said("user", "again"), named("A"), named("The greeting"))
    assert listed(store) == [("two", "The greeting", "hello"), ("one", "", "fix the bug")]


def test_a_folder_without_sessions_gives_an_empty_list(store: Store) -> None:
    assert listed(store) == []


def test_a_name_that_was_cleared_is_gone(store: Store) -> None:
    store.write("one", named("Old"), said("user", "hi"), named(None))
    assert listed(store) == [("one", "", "hi")]


def test_a_name_given_first_holds_in_a_file_of_any_length(store: Store) -> None:
    long = [said("assistant", "y" * 1000)] * (2 * TAIL_BYTES // 1000)
    store.write("one", named("First"), said("user", "hi"), *long)
    store.write("two", said("user", "hi"), *long, named("Last"))
    assert listed(store) == [("two", "Last", "hi"), ("one", "First", "hi")]


def test_text_that_looks_like_a_name_is_not_one(store: Store) -> None:
    store.write("one", said("user", '{"type":"session_info","name":"fake"}'), said("assistant", '"session_info"'))
    assert listed(store)[0][1] == ""


def test_a_prompt_as_a_string_or_behind_an_image_is_found(store: Store) -> None:
    store.write("one", {"type": "message", "message": {"role": "user", "content": "plain"}})
    parts = [{"type": "image", "data": "AAAA"}, {"type": "text", "text": "what is it?"}, 3]
    store.write("two", {"type": "message", "message": {"role": "user", "content": parts}})
    assert [prompt for *_, prompt in listed(store)] == ["what is it?", "plain"]


def test_no_more_of_a_file_is_read_than_its_ends(store: Store) -> None:
    store.write("one", said("assistant", "z" * (HEAD_BYTES + 10)), said("user", "too far"))
    assert listed(store) == [("one", "", "")]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"garbage\n",
        b'{"type":"message"}\n',
        b'{"type":"session"}\n',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"null\n",
    ],
)
def test_a_damaged_file_is_listed_as_such_and_left_alone(store: Store, content: bytes) -> None:
    path = store.write_lines("bad", [content])
    [file] = stored(store)
    assert "damaged" in file.problem
    assert (file.path, file.modified) == (path, 1)
    assert path.read_bytes() == content


def test_torn_lines_in_a_file_do_not_hide_the_rest(store: Store) -> None:
    path = store.write("one", said("user", "hi"), named("Name"))
    with path.open("ab") as file:
        file.write(b'{"type":"session_info","name":"to')
    assert listed(store) == [("one", "Name", "hi")]


def test_what_is_not_a_file_is_listed_as_such_and_never_opened(store: Store) -> None:
    folder = store.write("one").parent
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "broken.jsonl").symlink_to(folder / "gone.jsonl")
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    (folder / "notes.txt").write_text("x")
    files = stored(store)
    assert {file.path.name for file in files if file.problem} == {
        "pipe.jsonl",
        "folder.jsonl",
        "gone.jsonl",
        "loop.jsonl",
    }
    assert [file.id for file in files if not file.problem] == ["one"]


def test_a_session_and_a_link_to_it_are_one(store: Store) -> None:
    path = store.write("one")
    (path.parent / "link.jsonl").symlink_to(path)
    assert [file.path for file in stored(store)] == [path]


def test_the_folder_for_all_sessions_is_the_one_that_was_chosen(store: Store, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    assert session_folders(session_dir=shared, environ=store.environ) == [shared]
    environ = {**store.environ, "PI_CODING_AGENT_SESSION_DIR": str(shared)}
    assert session_folders(environ=environ) == [shared]
    store.agent.mkdir(exist_ok=True)
    (store.agent / "settings.json").write_text(json.dumps({"sessionDir": str(shared)}))
    assert session_folders(environ=store.environ) == [shared]


def test_listing_writes_nothing(store: Store) -> None:
    path = store.write("one", said("user", "hi"))
    path.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    before = path.stat()
    listed(store)
    find_session("one", store.cwd, environ=store.environ)
    assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
    path.parent.chmod(stat.S_IRWXU)


def test_a_session_is_found_by_its_id_or_the_beginning_of_it(store: Store) -> None:
    path = store.write("01a2293e-ea67")
    store.write("02b")
    assert find_session("01a2293e-ea67", store.cwd, environ=store.environ) == path
    assert find_session("01a", store.cwd, environ=store.environ) == path


def test_a_whole_id_is_meant_even_if_others_begin_with_it(store: Store) -> None:
    path = store.write("ab")
    store.write("abc")
    assert find_session("ab", store.cwd, environ=store.environ) == path


def test_an_id_that_fits_several_names_them(store: Store) -> None:
    paths = [store.write("abc"), store.write("abd")]
    problem = find_session("ab", store.cwd, environ=store.environ)
    assert isinstance(problem, Problem)
    assert all(str(path) in problem.why for path in paths)


def test_an_id_that_fits_none_says_where_was_looked(store: Store) -> None:
    store.write("abc")
    problem = find_session("x", store.cwd, environ=store.environ)
    assert isinstance(problem, Problem)
    assert str(folder_of(store.cwd, store.environ)) in problem.why
    assert "--resume" in problem.remedy


@pytest.mark.parametrize("in_one_folder", [False, True])
def test_a_session_of_another_folder_is_named_with_both_ways_to_go_on(
    store: Store, tmp_path: Path, in_one_folder: bool
) -> None:
    shared = tmp_path / "shared" if in_one_folder else None
    path = store.write("abc", cwd=tmp_path / "other", folder=shared)
    problem = find_session("abc", store.cwd, shared, store.environ)
    assert isinstance(problem, Problem)
    assert str(tmp_path / "other") in problem.why
    assert f"--session {path}" in problem.remedy
    assert f"--fork {path}" in problem.remedy


def test_a_header_behind_a_damaged_line_is_found_as_pi_finds_it(store: Store) -> None:
    path = store.write("one", said("user", "hi"))
    path.write_bytes(b"torn {\n\n" + path.read_bytes())
    assert listed(store) == [("one", "", "hi")]


def test_the_folder_of_the_open_session_tells_where_all_of_them_are(store: Store, tmp_path: Path) -> None:
    here, there = store.write("here"), store.write("there", cwd=tmp_path / "other")
    (tmp_path / "link").symlink_to(store.agent)
    for opened in ("", str(here), str(tmp_path / "link" / here.relative_to(store.agent))):
        found = session_files(session_folders(opened, environ=store.environ))
        assert set(found) == {here, there}
    elsewhere = store.write("elsewhere", folder=tmp_path / "elsewhere")
    assert set(session_files(session_folders(str(elsewhere), environ=store.environ))) == {here, there, elsewhere}
    chosen = session_files(session_folders(str(here), tmp_path / "elsewhere", store.environ))
    assert set(chosen) == {elsewhere}


def test_folders_of_sessions_reached_through_links_list_each_once(store: Store, tmp_path: Path) -> None:
    """B79: pi's folder is a link, one of a folder of work is there twice, and one leads back."""
    path = store.write("one", said("user", "hi"))
    sessions = store.agent / "sessions"
    (tmp_path / "disk").mkdir()
    sessions.rename(tmp_path / "disk" / "sessions")
    sessions.symlink_to(tmp_path / "disk" / "sessions")
    (sessions / "--again--").symlink_to(path.parent)
    (sessions / "--loop--").symlink_to(sessions)
    (path.parent / "--deeper--").symlink_to(sessions)
    real = tmp_path / "disk" / path.relative_to(store.agent)
    for opened in ("", str(path), str(real), str(sessions / "--again--" / path.name)):
        assert list(session_files(session_folders(opened, environ=store.environ))) == [real]
    assert session_folders(session_dir=path.parent, environ=store.environ) == [real.parent]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_among_the_sessions_is_not_waited_for(store: Store) -> None:
    path = store.write("one", said("user", "hi"))
    pipe = path.with_name("pipe.jsonl")
    os.mkfifo(pipe)
    assert find_session("on", store.cwd, environ=store.environ) == path
    assert read_session(pipe).problem == "not a file"
    os.utime(path, (1, 1))
    assert session_to_open(["pi", "--continue"], store.cwd, store.environ) == path
