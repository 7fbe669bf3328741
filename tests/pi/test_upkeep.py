"""What is done to a session file is what pi would have done, or nothing."""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pitui.pi import entries, upkeep
from pitui.pi.ours import Ours
from pitui.pi.sessions import read_session
from pitui.pi.upkeep import UpkeepError
from pitui.stars import Stars
from tests.pi.stored import Store, append, named, said


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]


def test_a_name_is_an_entry_after_the_last_one(store: Store) -> None:
    path = store.write("one", said("user", "hi", id="a"), named("Old") | {"id": "b"})
    before = path.read_bytes()
    upkeep.rename(path, "  A new\nname  ", Ours())
    assert path.read_bytes().startswith(before)
    [entry] = lines(path)[3:]
    assert list(entry) == ["type", "id", "parentId", "timestamp", "name"]
    assert (entry["type"], entry["parentId"], entry["name"]) == ("session_info", "b", "A new name")
    assert len(entry["id"]) == 8
    assert read_session(path).name == "A new name"


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can become larger than this."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_on_a_full_disk_a_name_is_refused_and_nothing_of_it_stays(store: Store) -> None:
    path = store.write("one", said("user", "hi", id="a"))
    before = path.read_bytes()
    with full_disk(len(before) + 200), pytest.raises(UpkeepError, match="cannot be written"):
        upkeep.rename(path, "long " * 1000, Ours())
    assert path.read_bytes() == before


@pytest.mark.parametrize("copy", [upkeep.copy_into, lambda path, folder: upkeep.fork_into(path, folder, folder)])
def test_on_a_full_disk_no_half_of_a_session_is_left(
    store: Store, tmp_path: Path, copy: Callable[[Path, Path], Path]
) -> None:
    path = store.write("one", *(said("user", "words " * 100, id=f"e{number}") for number in range(100)))
    with full_disk(20_000), pytest.raises(UpkeepError, match="could not be copied"):
        copy(path, tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []


def test_a_name_starts_a_line_of_its_own_after_one_that_was_not_ended(store: Store) -> None:
    path = store.write("one", said("user", "hi", id="a"))
    append(path, b'{"type":"label","id":"b"}')
    upkeep.rename(path, "é", Ours())
    assert path.read_bytes().count(b"\n") == 4
    assert [entry.get("parentId") for entry in lines(path)] == [None, None, None, "b"]


def test_a_name_follows_an_entry_that_is_too_long_to_be_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "LONGEST_LINE", 1000)
    path = store.write("one", said("user", "hi", id="a"))
    append(path, b'{"type":"message","id":"long","x":"%s"}\n' % (b"A" * 5000))
    upkeep.rename(path, "name", Ours())
    assert lines(path)[-1]["parentId"] == "long"


@pytest.mark.parametrize("content", [b"garbage\n", b"", b'{"type":"session","id":"old"}\n{"type":"message"}\n'])
def test_what_is_no_session_of_today_is_not_named(store: Store, content: bytes) -> None:
    path = store.write_lines("one", [content])
    with pytest.raises(UpkeepError):
        upkeep.rename(path, "name", Ours())
    assert path.read_bytes() == content


def test_a_file_that_cannot_be_written_says_so(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UpkeepError, match="No such file"):
        upkeep.rename(tmp_path / "gone.jsonl", "name", Ours())


def test_a_session_that_another_program_writes_is_in_use(store: Store) -> None:
    path = store.write("one", said("user", "hi"))
    size = path.stat().st_size
    upkeep.check_unused(path, size, Ours())
    append(path, said("user", "more"))
    with pytest.raises(UpkeepError, match="has just written"):
        upkeep.check_unused(path, size, Ours())
    with pytest.raises(UpkeepError, match="perhaps by another pi"):
        upkeep.check_unused(path, path.stat().st_size, Ours())
    os.utime(path, (time.time() - 3600,) * 2)
    upkeep.check_unused(path, path.stat().st_size, Ours())


def test_what_was_named_from_here_is_not_in_use_for_that(store: Store) -> None:
    path, ours = store.write("one", said("user", "hi")), Ours()
    size = path.stat().st_size
    upkeep.rename(path, "name", ours)
    upkeep.check_unused(path, size, ours)
    append(path, said("user", "of another pi"))
    with pytest.raises(UpkeepError):
        upkeep.check_unused(path, path.stat().st_size, ours)
    upkeep.rename(path, "another name", ours)
    with pytest.raises(UpkeepError, match="perhaps by another pi"):
        upkeep.check_unused(path, path.stat().st_size, ours)


def test_a_name_is_taken_away_by_an_empty_one(store: Store) -> None:
    path = store.write("one", said("user", "hi", id="a"), named("old"))
    upkeep.rename(path, "  ", Ours())
    assert read_session(path).title == "hi"


def test_a_deleted_session_is_in_the_trash(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = store.write("one", said("user", "hi"))
    content = path.read_bytes()
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH", str(tmp_path / "data" / "Trash"), raising=False)
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH_B", os.fsencode(tmp_path / "data" / "Trash"), raising=False)
    upkeep.move_to_trash(path)
    assert not path.exists()
    assert [found.read_bytes() for found in (tmp_path / "data").rglob("*.jsonl")] == [content]


def test_a_fork_goes_on_in_another_folder_and_the_original_is_kept(store: Store, tmp_path: Path) -> None:
    path = store.write("one", said("user", "hi", id="a"), said("assistant", "ho", id="b", parentId="a"))
    append(path, b"torn {\n", said("user", "last", id="c"))
    before = path.read_bytes()
    made = upkeep.fork_into(path, tmp_path / "new", tmp_path / "sessions")
    header, *rest = lines(made)
    assert (header["cwd"], header["parentSession"], header["version"]) == (str(tmp_path / "new"), str(path), 3)
    assert header["id"] != "one"
    assert made.name == f"{header['timestamp'].replace(':', '-').replace('.', '-')}_{header['id']}.jsonl"
    assert [entry["id"] for entry in rest] == ["a", "b", "c"]
    assert path.read_bytes() == before


def test_an_import_never_takes_the_place_of_another_session(store: Store, tmp_path: Path) -> None:
    path = store.write("one", said("user", "hi"))
    folder = tmp_path / "sessions"
    made = [upkeep.copy_into(path, folder) for _ in range(3)]
    assert [found.stem.rpartition("_")[2] for found in made] == ["one", "one-1", "one-2"]
    assert upkeep.copy_into(made[0], folder) == made[0]
    with pytest.raises(UpkeepError, match="cannot be imported"):
        upkeep.copy_into(store.write_lines("bad", [b"x"]), folder)


def test_ids_of_sessions_tell_the_time() -> None:
    one = upkeep.new_session_id()
    time.sleep(0.002)
    assert one < upkeep.new_session_id()
    assert (one[14], one[19] in "89ab") == ("7", True)


def test_stars_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "state" / "stars.json"
    assert Stars(file).read() == set()
    assert Stars(file).toggle("one")
    assert Stars(file).toggle("two")
    assert not Stars(file).toggle("one")
    assert Stars(file).read() == {"two"}
    assert [path.name for path in file.parent.iterdir()] == ["stars.json"]


@pytest.mark.parametrize("content", [b"", b"{}", b"[1, null]", b"\xff", b"[" * 100_000])
def test_damaged_stars_are_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "stars.json"
    file.write_bytes(content)
    assert Stars(file).read() == set()
