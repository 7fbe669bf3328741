"""What others append to a session file is told once, and what is done to the file that no pi does."""

import os
from pathlib import Path

import pytest

from pitui.pi import tail as tail_module
from pitui.pi.tail import Damage, Look, Tail
from tests.pi.stored import Entry, Store, append, said


def prompt(entry_id: str, text: str = "hello") -> Entry:
    return said("user", text, id=entry_id, parentId=None, timestamp="2026-11-30T04:00:00.000Z")


def ids(look: Look) -> list[str]:
    assert look.damage is None
    return [written.id for written in look.written]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Store(tmp_path).write("one", prompt("a"), prompt("b"))


def test_each_entry_is_told_once_with_its_words_and_its_time(path: Path) -> None:
    tail = Tail(path)
    assert ids(tail.look()) == ["a", "b"]
    assert ids(tail.look()) == []
    append(path, prompt("c", "mend  the\nparser"))
    [written] = tail.look().written
    assert (written.id, written.words, written.at) == ("c", "mend the parser", 1796011200.0)
    assert ids(tail.look()) == []


def test_what_was_damaged_before_the_first_look_was_written_by_nobody(path: Path) -> None:
    append(path, {"type": "message"}, {"type": "message", "id": 5, "message": None})
    tail = Tail(path)
    assert ids(tail.look()) == ["a", "b"]
    append(path, {"type": "message"})
    assert ids(tail.look()) == [""]


def test_the_first_look_goes_back_only_so_far(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail_module, "TAIL_BYTES", 10)
    append(path, prompt("c"))
    tail = Tail(path)
    assert ids(tail.look()) == []
    append(path, prompt("d"))
    assert ids(tail.look()) == ["d"]


def test_a_line_that_is_not_whole_waits_until_it_is(path: Path) -> None:
    tail = Tail(path)
    tail.look()
    whole = path.read_bytes().splitlines(keepends=True)[1].replace(b'"a"', b'"c"')
    append(path, whole[:30])
    assert ids(tail.look()) == []
    append(path, whole[30:] + whole[:5])
    assert ids(tail.look()) == ["c"]


def test_a_damaged_line_accuses_nobody(path: Path) -> None:
    tail = Tail(path)
    tail.look()
    append(path, b'{"type":"message","id":"torn"', b'{"type":"message","id":"c"}\n', b"\n", prompt("d"))
    assert ids(tail.look()) == ["d"]


def test_a_huge_append_is_read_a_part_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tail = Tail(path)
    tail.look()
    monkeypatch.setattr(tail_module, "LOOK_BYTES", 5000)
    append(path, *(prompt(f"n{number}", "x" * 100) for number in range(100)))
    looks = [ids(tail.look()) for _ in range(10)]
    assert len(looks[0]) < 40
    assert [id_ for look in looks for id_ in look] == [f"n{number}" for number in range(100)]


def test_a_file_that_pi_makes_later_is_read_from_its_beginning(tmp_path: Path) -> None:
    tail = Tail(tmp_path / "agent" / "later.jsonl")
    assert tail.look() == Look([])
    made = Store(tmp_path).write("one", prompt("a"))
    made.rename(tmp_path / "agent" / "later.jsonl")
    assert ids(tail.look()) == ["a"]


def test_a_deleted_file_is_told_once_and_the_one_that_comes_after_it_is_read(path: Path) -> None:
    tail = Tail(path)
    tail.look()
    path.unlink()
    assert tail.look() == Look([], Damage.DELETED)
    assert tail.look() == Look([])
    path.write_bytes(b'{"type":"message","id":"c"}\n')
    assert ids(tail.look()) == ["c"]


def test_a_file_that_was_cut_off_is_told_of_and_read_on(path: Path) -> None:
    tail = Tail(path)
    tail.look()
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert tail.look() == Look([], Damage.SHORTENED)
    append(path, prompt("z"))
    assert ids(tail.look()) == ["z"]


def test_a_file_whose_lines_were_changed_is_told_of_also_when_it_has_grown(path: Path) -> None:
    tail = Tail(path)
    tail.look()
    path.write_bytes(path.read_bytes().replace(b"hello", b"hullo") + b'{"type":"message","id":"c"}\n')
    assert tail.look() == Look([], Damage.REWRITTEN)
    append(path, prompt("z"))
    assert ids(tail.look()) == ["z"]


def test_another_file_with_the_same_content_in_its_place_is_as_good(path: Path) -> None:
    tail = Tail(path)
    tail.look()
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    append(copy, prompt("c"))
    copy.replace(path)
    assert ids(tail.look()) == ["c"]


def test_what_is_no_file_is_not_waited_for(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)
    assert Tail(path).look() == Look([])
