"""The index of sessions is kept up to date by a process of its own, which ends with pitui and is in nobody's way."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path

import pytest

from pitui.paths import session_index
from pitui.pi import indexing
from pitui.pi.index import VERSION, Progress, SessionIndex
from pitui.pi.indexer import delete_unused
from pitui.pi.indexing import COMMAND, keep_indexed
from pitui.pi.sessions import session_folders
from tests.pi.stored import Store, append, said

SECONDS = 60.0
PARENT = """
import asyncio, sys
from pathlib import Path
from pitui.pi import indexing
indexing.FIRST_SECONDS = 0
asyncio.run(indexing.keep_indexed(Path(sys.argv[1]), lambda: ("", None)))
"""


class Kept:
    """Sessions, and the index that is kept of them."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.file = folder / "cache" / "index.sqlite3"

    def write_much(self) -> None:
        """So much that reading it takes seconds; what was said last is read first."""
        self.store.write("oldest", said("user", "bottom"))
        for number in range(40):
            texts = (" ".join(f"x{number}y{word}z{i}" for i in range(300)) for word in range(100))
            self.store.write(f"s{number}", *[said("user", text) for text in texts])
        self.store.write("latest", said("user", "top"))

    def knows(self, word: str) -> bool:
        with closing(SessionIndex(self.file)) as index:
            return bool(index.search(word))

    async def until_it_knows(self, word: str) -> None:
        await asyncio.to_thread(until, lambda: self.knows(word))

    @asynccontextmanager
    async def being_indexed(self, session_dir: Path | None = None) -> AsyncIterator[None]:
        task = asyncio.create_task(keep_indexed(self.file, lambda: ("", session_dir)))
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    @contextmanager
    def indexer(self) -> Iterator[subprocess.Popen[bytes]]:
        words = [*COMMAND, str(self.file), "", ""]
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT) as process:
            try:
                yield process
            finally:
                process.kill()


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def indexers(parent: int) -> Sequence[int]:
    """The processes that `parent` has for the index."""
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines()]
    return [int(row[0]) for row in rows if int(row[1]) == parent and "pitui.pi.indexer" in row[2]]


def runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-p", str(pid), "-o", "stat="], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    kept = Kept(tmp_path)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(kept.store.agent))
    monkeypatch.delenv("PI_CODING_AGENT_SESSION_DIR", raising=False)
    monkeypatch.setattr(indexing, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(indexing, "EVERY_SECONDS", 0.05)
    return kept


async def test_what_was_said_is_known_though_nobody_looked_for_it(kept: Kept) -> None:
    path = kept.store.write("one", said("user", "apple"))
    async with kept.being_indexed():
        await kept.until_it_knows("apple")
        append(path, said("assistant", "pear"))
        await kept.until_it_knows("pear")


async def test_the_sessions_are_where_pi_was_told_to_keep_them(kept: Kept, tmp_path: Path) -> None:
    kept.store.write("one", said("user", "apple"), folder=tmp_path / "elsewhere")
    async with kept.being_indexed(tmp_path / "elsewhere"):
        await kept.until_it_knows("apple")


async def test_leaving_ends_it_in_the_midst_of_reading(kept: Kept) -> None:
    kept.write_much()
    async with kept.being_indexed():
        await kept.until_it_knows("top")
        assert len(indexers(os.getpid())) == 1
    assert indexers(os.getpid()) == []
    assert not kept.knows("bottom")


def test_it_ends_with_a_pitui_that_is_killed(kept: Kept) -> None:
    kept.write_much()
    with subprocess.Popen([sys.executable, "-c", PARENT, str(kept.file)]) as parent:
        until(lambda: kept.knows("top"))
        [pid] = indexers(parent.pid)
        parent.kill()
    until(lambda: not runs(pid))
    assert not kept.knows("bottom")


def test_of_several_pituis_one_does_it(kept: Kept) -> None:
    kept.write_much()
    with kept.indexer() as first:
        until(lambda: kept.knows("top"))
        with kept.indexer() as second:
            assert second.wait(SECONDS) == 0
        assert first.poll() is None
        assert not kept.knows("bottom")


def test_the_list_reads_and_searches_meanwhile_and_is_never_refused(kept: Kept) -> None:
    kept.write_much()
    index, told = SessionIndex(kept.file), list[Progress]()
    folders = session_folders()
    with kept.indexer() as indexer:
        until(lambda: kept.knows("top"))
        reading = threading.Thread(target=index.refresh, args=(folders, threading.Event(), told.append))
        reading.start()
        while reading.is_alive():
            assert len(index.search("top")) == 1
            assert len(index.sessions(folders)) == 42
        assert [progress.problem for progress in told if progress.problem] == []
        assert indexer.wait(SECONDS) == 0
    assert len(index.search("bottom")) == 1
    assert sorted(file.messages or 0 for file in index.sessions(folders)) == [1, 1, *[100] * 40]
    index.close()


@pytest.mark.parametrize("unusable", ["cache", "cache/index.sqlite3/folder"])
def test_an_index_that_cannot_be_written_is_passed_over_in_silence(kept: Kept, tmp_path: Path, unusable: str) -> None:
    kept.store.write("one", said("user", "apple"))
    (tmp_path / unusable).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / unusable).write_text("in the way")
    with kept.indexer() as indexer:
        assert indexer.communicate(timeout=SECONDS) == (b"", None)
        assert indexer.returncode == 0
    assert (tmp_path / unusable).read_text() == "in the way"


def test_the_index_of_another_version_is_left_to_it_while_somebody_uses_it(tmp_path: Path) -> None:
    assert session_index().stem == f"sessions-{VERSION}"
    ours, used, unused = (tmp_path / f"sessions-{number}.sqlite3" for number in (5, 6, 4))
    beside = tmp_path / "sessions-4.sqlite3-wal"
    others = [tmp_path / "notes-4.sqlite3", tmp_path / "sessions-4.lock"]
    for file in (ours, used, unused, beside, *others):
        file.touch()
    for file in (ours, unused, beside, *others):
        os.utime(file, (0, 0))
    delete_unused(ours)
    assert sorted(tmp_path.iterdir()) == sorted([ours, used, *others])
