"""All sessions are known and searched, whatever state the files and the index are in, and none is changed."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitui.pi import entries, index
from pitui.pi.excerpt import find_place
from pitui.pi.index import Progress, SessionIndex
from pitui.pi.sessions import SessionFile, session_folders
from pitui.pi.words import Words
from tests.pi.stored import Store, append, named, said


class Archive:
    """The sessions of a store and an index of them."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.file = folder / "cache" / "index.sqlite3"
        self.index = SessionIndex(self.file)

    @property
    def folders(self) -> list[Path]:
        return session_folders(environ=self.store.environ)

    def refresh(self) -> list[Progress]:
        told: list[Progress] = []
        self.index.refresh(self.folders, threading.Event(), told.append)
        return told

    def sessions(self) -> list[SessionFile]:
        return self.index.sessions(self.folders)

    def found(self, query: str) -> set[str]:
        ids = {str(file.path): file.id for file in self.sessions()}
        return {ids[path] for path in self.index.search(query)}

    def again(self) -> None:
        """As another pitui finds it."""
        self.index.close()
        self.index = SessionIndex(self.file)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = Archive(tmp_path)
    yield archive
    archive.index.close()


def answer(text: str, *parts: dict[str, Any], cost: float = 0.0, at: float = 0) -> dict[str, Any]:
    usage = {"totalTokens": 100, "cost": {"total": cost}}
    content = [{"type": "text", "text": text}, *parts]
    return {
        "type": "message",
        "message": {"role": "assistant", "content": content, "usage": usage, "timestamp": at * 1000},
    }


def test_a_session_is_listed_before_it_is_read_and_with_all_it_came_to_afterwards(archive: Archive) -> None:
    path = archive.store.write("one", said("user", "hi"), answer("a", cost=0.5, at=50), answer("b", cost=1), named("N"))
    [before] = archive.sessions()
    assert (before.path, before.messages, before.modified) == (path, None, 1)
    archive.refresh()
    [after] = archive.sessions()
    assert (after.id, after.name, after.first_prompt, after.cwd) == ("one", "N", "hi", str(archive.store.cwd))
    assert (after.messages, after.tokens, after.cost, after.modified) == (3, 200, 1.5, 50)


def test_the_latest_comes_first(archive: Archive) -> None:
    archive.store.write("old", answer("x", at=100))
    archive.store.write("new", answer("x", at=200))
    archive.store.write("silent")
    archive.refresh()
    assert [file.id for file in archive.sessions()] == ["new", "old", "silent"]


def test_everything_said_is_found(archive: Archive) -> None:
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "grep needles", "more": ["deep"]}}
    thinking = {"type": "thinking", "thinking": "pondering"}
    bash = {"role": "bashExecution", "command": "make cake", "output": "baked"}
    archive.store.write(
        *("one", said("system", "hidden"), said("user", "a prompt"), answer("an answer", call, thinking)),
        *(said("toolResult", "an output"), {"type": "message", "message": bash}),
        *({"type": "compaction", "summary": "shortened"}, {"type": "label", "label": "bookmark"}, named("titled")),
    )
    archive.refresh()
    words = "prompt answer grep needles deep pondering output cake baked shortened bookmark titled"
    assert [word for word in words.split() if archive.found(word) != {"one"}] == []
    assert archive.found("hidden") == set()


SAID = "The Tea Garden plan, über alles; snake_case in src/main.py; 日本語 สวัสดี 한국어"
QUERIES = [
    *("tea", "te", "TEA", "garden tea", "gar", "pla", "plàn", "über", "uber", "snake_case", "snake case", "sna"),
    *(
        "src/main.py",
        "main.p",
        "日本",
        "本語",
        "語",
        "日本 tea",
        "สวัส",
        "한국",
        '"tea garden"',
        "tea-garden",
        "c++ tea",
    ),
]
NO_QUERIES = [
    *("AND", "OR NOT", "tea*", '"', '""', "'", "-tea", "*", "(", "tea AND", "text:tea", "^", "\0", "\ud800"),
    *("NEAR(a b)", "🎉", "", "___", "'; DROP TABLE sessions"),
]


@pytest.mark.parametrize("query", QUERIES)
def test_words_are_found_by_their_beginnings_whatever_signs_are_typed(archive: Archive, query: str) -> None:
    archive.store.write("one", said("user", SAID))
    archive.store.write("two", said("user", "nothing of the kind"))
    archive.refresh()
    assert archive.found(query) == {"one"}


@pytest.mark.parametrize("query", NO_QUERIES)
def test_no_query_is_an_error(archive: Archive, query: str) -> None:
    archive.store.write("one", said("user", "tea and or not near text a b"))
    archive.refresh()
    assert archive.found(query) <= {"one"}
    assert archive.found(f"tea {query}") <= {"one"}


def test_words_said_far_from_each_other_find_their_session(archive: Archive) -> None:
    far = [said("assistant", "filling " * 2000)] * 20
    archive.store.write("one", said("user", "apple"), *far, said("user", "pear"))
    archive.store.write("two", said("user", "apple"), *far)
    archive.refresh()
    assert archive.found("apple pear") == {"one"}
    assert archive.found("pear apple") == {"one"}


def test_the_place_where_it_was_said_is_found(archive: Archive) -> None:
    texts = [said("user", f"number {number} " + "filling " * 900, id=f"e{number}") for number in range(60)]
    path = archive.store.write("one", *texts)
    archive.refresh()
    for query, entry_id in (("number 17", "e17"), ("number 59", "e59"), ("number 10", "e10")):
        place = find_place(path, archive.index.search(query)[str(path)], Words(query))
        assert place is not None
        assert place.entry_id == entry_id


def test_only_what_is_new_is_read(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive.store.write("one", said("user", "first"))
    archive.refresh()
    read: list[int] = []
    real = entries.read_lines

    def watched(file: Any, start: int = 0) -> Any:
        read.append(start)
        return real(file, start)

    monkeypatch.setattr(index, "read_lines", watched)
    archive.refresh()
    assert read == []
    size = path.stat().st_size
    append(path, answer("second", cost=2))
    archive.refresh()
    assert read == [size]
    assert archive.found("second") == archive.found("first") == {"one"}
    assert [(file.messages, file.cost) for file in archive.sessions()] == [(2, 2)]


def test_a_line_that_is_being_written_is_read_when_it_is_whole(archive: Archive) -> None:
    path = archive.store.write("one", said("user", "first"))
    append(path, b'{"type":"message","message":{"role":"user",')
    archive.refresh()
    assert archive.sessions()[0].messages == 1
    append(path, b'"content":"second"}}')  # and the last one needs no end of line
    archive.refresh()
    assert archive.found("second") == {"one"}
    assert (archive.sessions()[0].messages, archive.sessions()[0].unread) == (2, 0)


def test_a_file_that_was_written_anew_is_read_anew(archive: Archive) -> None:
    path = archive.store.write("one", said("user", "the first words of it"))
    archive.refresh()
    archive.store.write("one", said("user", "other words, and more of them than before"))
    assert path.exists()
    archive.refresh()
    assert archive.found("first") == set()
    assert archive.found("other") == {"one"}
    assert archive.sessions()[0].messages == 1


def test_a_file_that_is_gone_is_forgotten(archive: Archive) -> None:
    path = archive.store.write("one", said("user", "word"))
    archive.refresh()
    path.unlink()
    assert archive.sessions() == []
    archive.refresh()
    assert archive.index.search("word") == {}


def test_an_index_that_is_mostly_of_what_is_gone_is_emptied(archive: Archive) -> None:
    archive.store.write("one", said("user", "word"))
    archive.refresh()
    with sqlite3.connect(archive.file) as database:
        database.execute("UPDATE sqlite_sequence SET seq = 5000")
    database.close()
    archive.refresh()
    assert archive.found("word") == {"one"}
    with sqlite3.connect(archive.file) as database:
        assert database.execute("SELECT number FROM sessions").fetchall() == [(1,)]
    database.close()


def test_it_stops_when_it_is_told_to_and_goes_on_from_there(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "BATCH_SECONDS", 0.0)
    archive.store.write("one", *[said("user", f"word{number}") for number in range(10)])
    stop, told = threading.Event(), list[Progress]()

    def tell(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 4:
            stop.set()

    archive.index.refresh(archive.folders, stop, tell)
    assert 0 < len(archive.index.search("word0")) <= 1
    assert archive.found("word9") == set()
    assert archive.sessions()[0].messages is None
    archive.again()
    archive.refresh()
    assert archive.found("word9") == archive.found("word0") == {"one"}
    assert archive.sessions()[0].messages == 10


def test_progress_ends_at_the_whole(archive: Archive) -> None:
    for number in range(5):
        archive.store.write(f"s{number}", said("user", "x" * 100))
    last = archive.refresh()[-1]
    assert last.done == last.total > 500
    assert last.sessions == 5


def test_damaged_files_are_listed_as_such_and_none_is_changed(archive: Archive) -> None:
    """B77: what pi reads of each is what is counted and found."""
    write, folder = archive.store.write, archive.store.write("fine", said("user", "fine")).parent
    append(write("nul", said("user", "before")), b"\0" * 300 + b"\n", said("user", "after"))
    append(write("glued"), b'{"type":"message"}{"type":"message"}\n', said("user", "valid"))
    append(write("unended"), b'{"type":"message","message":{"role":"user","content":"last"}}')
    write("escape", named("\x1b[2Jred\nsecond line"))
    archive.store.write_lines("garbage", [b"hello"])
    archive.store.write_lines("empty", [])
    archive.store.write_lines("homeless", [{"type": "session", "id": "homeless"}, said("user", "where")])
    append(write("half"), named("\ud800 name"), said("user", "halved \udc00"), {"type": "message", "id": "\ud800"})
    (folder / os.fsdecode(b"\xff.jsonl")).write_text("hello")
    (folder / "folder.jsonl").mkdir()
    (folder / "dangling.jsonl").symlink_to(folder / "gone")
    (folder / "loop").symlink_to(folder)
    secret = archive.store.write("secret", said("user", "secret"))
    secret.chmod(0)
    files = [path for path in folder.iterdir() if path.is_file() and path != secret]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
    archive.refresh()
    found = {file.path.stem.rpartition("_")[2]: file for file in archive.sessions()}
    unreadable = {"garbage", "empty", "folder", "gone"} | ({"secret"} if os.geteuid() else set())
    assert {name for name, file in found.items() if file.problem} == unreadable
    assert (found["half"].name, found["half"].last_prompt) == ("? name", "halved ?")
    assert (found["nul"].messages, found["nul"].unread) == (2, 1)
    assert (found["glued"].messages, found["glued"].unread) == (1, 1)
    assert (found["unended"].messages, found["homeless"].cwd) == (1, "")
    for word, name in (
        ("after", "nul"),
        ("valid", "glued"),
        ("last", "unended"),
        ("where", "homeless"),
        ("halved", "half"),
    ):
        assert archive.found(word) == {name}
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files} == before


def test_a_damaged_file_that_was_mended_is_read(archive: Archive) -> None:
    path = archive.store.write_lines("one", [b"hello"])
    archive.refresh()
    assert "damaged" in archive.sessions()[0].problem
    path.unlink()
    archive.store.write("one", said("user", "mended"))
    archive.refresh()
    assert archive.found("mended") == {"one"}


def test_a_line_of_any_length_hides_nothing_behind_it(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "LONGEST_LINE", 1000)
    picture = b'{"type":"message","id":"p","message":{"content":"%s"}}\n' % (b"A" * 5000)
    append(archive.store.write("one", said("user", "before")), picture, said("user", "after"))
    archive.refresh()
    assert archive.found("after") == archive.found("before") == {"one"}
    assert (archive.sessions()[0].messages, archive.sessions()[0].unread) == (3, 1)


def test_of_a_long_output_the_beginning_and_the_end_are_searched(archive: Archive) -> None:
    archive.store.write(
        "one", said("toolResult", "alpha " + "filling " * 3000 + "middle " + "filling " * 3000 + "omega")
    )
    archive.refresh()
    assert archive.found("alpha") == archive.found("omega") == {"one"}
    assert archive.found("middle") == set()


@pytest.mark.parametrize("content", [b"garbage " * 1000, b"", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_index_is_made_anew(archive: Archive, content: bytes) -> None:
    archive.store.write("one", said("user", "word"))
    archive.file.parent.mkdir()
    archive.file.write_bytes(content)
    archive.refresh()
    assert archive.found("word") == {"one"}
    archive.again()
    assert archive.found("word") == {"one"}


def test_an_index_damaged_in_the_middle_is_made_anew(archive: Archive) -> None:
    for number in range(30):
        archive.store.write(f"s{number}", said("user", f"word{number} " + "filling" * 500))
    archive.refresh()
    archive.index.close()
    content = bytearray(archive.file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    archive.file.write_bytes(content)
    archive.again()
    archive.refresh()
    assert archive.found("word7") == {"s7"}


def test_an_index_of_another_version_is_made_anew(archive: Archive) -> None:
    archive.store.write("one", said("user", "word"))
    archive.file.parent.mkdir()
    with sqlite3.connect(archive.file) as database:
        database.execute("CREATE TABLE sessions (other)")
        database.execute("PRAGMA user_version = 999")
    database.close()
    archive.refresh()
    assert archive.found("word") == {"one"}


def test_without_a_folder_for_it_the_index_is_in_memory(archive: Archive) -> None:
    archive.store.write("one", said("user", "word"))
    archive.file.parent.write_text("not a folder")
    archive.refresh()
    assert archive.found("word") == {"one"}


def test_two_pituis_share_one_index(archive: Archive) -> None:
    for number in range(20):
        archive.store.write(f"s{number}", said("user", f"word{number}x"))
    other = SessionIndex(archive.file)
    threads = [
        threading.Thread(target=each.refresh, args=(archive.folders, threading.Event()))
        for each in (archive.index, other)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [len(each.search(f"word{number}x")) for number in range(20) for each in (archive.index, other)] == [1] * 40
    assert [file.messages for file in archive.sessions()] == [1] * 20
    other.close()


def test_what_another_pitui_has_read_meanwhile_is_not_begun_anew(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH_SECONDS", 0.0)
    for number in range(5):
        archive.store.write(f"s{number}", said("user", f"word{number}"))
    other = SessionIndex(archive.file)

    def tell(progress: Progress) -> None:
        if progress.sessions == 1:
            other.refresh(archive.folders, threading.Event())

    archive.index.refresh(archive.folders, threading.Event(), tell)
    other.close()
    with sqlite3.connect(archive.file) as database:
        assert database.execute("SELECT max(number) FROM sessions").fetchall() == [(5,)]
    database.close()
    assert archive.found("word0") == {"s0"}


def test_an_index_that_another_pitui_holds_is_still_read(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "LOCK_SECONDS", 0.01)
    archive.store.write("one", said("user", "word"))
    archive.refresh()
    archive.again()
    holder = sqlite3.connect(archive.file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    archive.store.write("two", said("user", "later"))
    [told] = archive.refresh()
    assert "locked" in told.problem
    assert archive.found("word") == {"one"}
    holder.execute("ROLLBACK")
    holder.close()
    archive.refresh()
    assert archive.found("later") == {"two"}


def test_a_sqlite_without_full_text_still_lists(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "WORDS", "CREATE VIRTUAL TABLE words USING absent(text)")
    archive.store.write("one", said("user", "word"))
    archive.refresh()
    assert not archive.index.full_text
    assert [(file.id, file.messages) for file in archive.sessions()] == [("one", 1)]
    assert archive.found("word") == set()


def test_what_was_said_is_readable_for_its_owner_alone(archive: Archive) -> None:
    archive.store.write("one", said("user", "word"))
    archive.refresh()
    assert [oct(path.stat().st_mode & 0o77) for path in archive.file.parent.iterdir()] == ["0o0"] * 3


def test_it_is_closed_in_the_midst_of_reading_and_nothing_is_lost(archive: Archive) -> None:
    for number in range(40):
        archive.store.write(f"s{number}", *[said("user", f"needle {number} {word} " * 20) for word in range(20)])
    for _ in range(15):
        began = threading.Event()
        reading = threading.Thread(
            target=archive.index.refresh, args=(archive.folders, threading.Event(), lambda _, began=began: began.set())
        )
        reading.start()
        searching = threading.Thread(target=archive.index.search, args=("needle",))
        searching.start()
        began.wait(0.02)
        archive.index.close()
        reading.join()
        searching.join()
    archive.index = SessionIndex(archive.file)
    archive.refresh()
    assert len(archive.found("needle")) == 40


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_among_the_sessions_is_not_waited_for(archive: Archive) -> None:
    path = archive.store.write("one", said("user", "a needle"))
    os.mkfifo(path.with_name("pipe.jsonl"))
    archive.refresh()
    assert archive.found("needle") == {"one"}
    assert [file.problem for file in archive.sessions() if file.problem] == ["not a file"]
