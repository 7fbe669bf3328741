"""The index of all sessions: what each comes to, and every word that was said in them.

It is a database that can be made anew from the session files at any time. The words are in a full-text index without
their texts: a hit is a session and an offset in its file, where the text is read again. The index of another
version of pitui and a damaged one are made anew, one that cannot be written is kept in memory, and several pitui may
share one.
"""

import os
import sqlite3
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pitui.pi.entries import Summary, read_lines, said
from pitui.pi.sessions import SessionFile, open_session, read_session, session_files
from pitui.pi.words import Words, spaced

VERSION = 3
"""Of the tables and of what is put into them; `paths` has it in the name of the file."""
OFFSET_BITS = 40
"""A row of the full-text index has the number of its session and, in so many bits, the offset where it begins."""
TOGETHER_CHARACTERS = 32_000
"""So much is one row there: the fewer the rows the faster the search, and a place in one is soon found."""
BATCH_SECONDS = 0.25
"""How long the index is held for writing at a time."""
LOCK_SECONDS = 2.0
CHECKED_BYTES = 256
"""So much before the place where reading ended must still be the same, or the whole file is read again."""

SESSIONS = """CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, modified INTEGER NOT NULL,
    read INTEGER NOT NULL, sum INTEGER NOT NULL, id TEXT NOT NULL, cwd TEXT NOT NULL, parent TEXT NOT NULL,
    problem TEXT NOT NULL, name TEXT NOT NULL, first_prompt TEXT NOT NULL, messages INTEGER NOT NULL,
    tokens INTEGER NOT NULL, cost REAL NOT NULL, last REAL NOT NULL, unread INTEGER NOT NULL,
    last_prompt TEXT NOT NULL)"""
WORDS = "CREATE VIRTUAL TABLE words USING fts5(text, content='', prefix='2 3', tokenize='unicode61')"
LISTED = (
    "SELECT path, modified, id, cwd, name, first_prompt, problem, parent, messages, tokens, cost, last, unread,"
    " last_prompt FROM sessions"
)
NUMBERS = "SELECT number, path, read FROM sessions"
UNUSABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Progress(NamedTuple):
    """How much is left to read. `sessions` tells that more of them are known; `problem` why it does not go on."""

    done: int
    total: int
    sessions: int = 0
    problem: str = ""


class SessionIndex:
    """Every method may be called from any thread, and none raises for a file or an index that is not as it should be.

    `path` is the file of the index, made when it is needed.
    """

    def __init__(self, path: Path) -> None:
        self.full_text = True
        """Whether what was said can be searched: not every SQLite can."""
        self._path = path
        self._open = threading.Lock()
        self._reader: _Connection | None = None
        self._writer: _Connection | None = None
        """The same as the reader when all is in memory."""

    @property
    def is_kept(self) -> bool:
        """Whether it is in its file; what is in memory is gone with this program."""
        reader, writer = self._connections()
        return reader is not writer

    def close(self) -> None:
        """Close the database, when what is done in it now is done; whatever comes later opens it again."""
        with self._open:
            for connection in (self._reader, self._writer):
                if connection is not None:
                    with connection.lock:  # closed under the hands of another thread SQLite ends the whole program
                        connection.database.close()
            self._reader = self._writer = None

    # what is known

    def sessions(self, folders: Iterable[Path]) -> list[SessionFile]:
        """The sessions in `folders`, the latest first; of those that are new only the file is known."""
        known: dict[str, tuple[Any, ...]] = {}
        with suppress(sqlite3.Error), self._reading() as database:
            known = {row[0]: row[1:] for row in database.execute(LISTED)}
        found = [_session(path, status, known.get(str(path))) for path, status in session_files(folders).items()]
        return sorted(found, key=lambda file: -file.modified)

    def search(self, query: str) -> dict[str, int]:
        """The paths of the sessions in which all words of `query` were said, each with an offset in the file.

        There begins the last part in which they stand together, or else the last one with the last of them.
        """
        words = Words(query).phrases
        if not words or not self.full_text:
            return {}
        try:
            with self._reading() as database:
                found = _hits(database, " AND ".join(words))
                alone = [_hits(database, word) for word in words] if len(words) > 1 else []
                paths = dict[int, tuple[str, int]](
                    (number, (path, read)) for number, path, read in database.execute(NUMBERS)
                )
        except sqlite3.Error:
            return {}
        for number in set(alone[0]).intersection(*alone[1:]) if alone else ():
            found.setdefault(number, alone[-1][number])
        known = [(*paths[number], offset) for number, offset in found.items() if number in paths]
        return {path: offset for path, read, offset in known if offset < read}

    # keeping it up to date

    def refresh(
        self, folders: Iterable[Path], stop: threading.Event, tell: Callable[[Progress], None] = lambda _: None
    ) -> None:
        """Read what is new in the files, the latest first, until all is read or `stop` is set."""
        for _ in range(2):
            try:
                self._refresh(session_files(folders), stop, tell)
                return
            except sqlite3.OperationalError as error:  # locked, or the disk is full
                tell(Progress(0, 0, problem=str(error)))
                return
            except sqlite3.ProgrammingError:  # it was closed meanwhile
                return
            except sqlite3.DatabaseError:
                self._make_anew()

    def _refresh(
        self, files: dict[Path, os.stat_result | None], stop: threading.Event, tell: Callable[[Progress], None]
    ) -> None:
        with self._writing() as database:
            _forget_gone(database, files, self.full_text)
            known = {row[0]: row[1:] for row in database.execute("SELECT path, modified, problem FROM sessions")}
        latest = sorted(files, key=lambda path: -_modified(files[path]))
        changed = [path for path in latest if known.get(str(path)) != (_modified(files[path]), "")]
        sizes = {path: getattr(files[path], "st_size", 0) for path in changed}
        total, left = sum(sizes.values()), sum(sizes.values())
        heads = deque(path for path in changed if str(path) not in known)
        bodies = deque(changed)
        while (heads or bodies) and not stop.is_set():
            with self._writing() as database:
                deadline = time.monotonic() + BATCH_SECONDS
                while heads or bodies:
                    if heads:
                        _add_new(database, heads.popleft())
                    elif _read_on(database, bodies[0], self.full_text, deadline):
                        left -= sizes[bodies.popleft()]
                    if time.monotonic() > deadline or stop.is_set():
                        break
            tell(Progress(total - left, total, len(latest) - len(heads)))

    # the database

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        reader, _ = self._connections()
        with reader.lock:
            yield reader.database

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        _, writer = self._connections()
        with writer.lock:
            database = writer.database
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    database.execute("ROLLBACK")
                raise

    def _connections(self) -> "tuple[_Connection, _Connection]":
        with self._open:
            if self._reader is None or self._writer is None:
                self._reader, self._writer = self._open_file() or self._open_file() or self._open_in_memory()
            return self._reader, self._writer

    def _open_file(self) -> "tuple[_Connection, _Connection] | None":
        """None when it could not be used; one that was damaged, or of another version, is gone then."""
        writer = None
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))  # it has what was said in it
            writer = _connect(str(self._path))
            writer.database.execute("PRAGMA journal_mode = WAL")
            writer.database.execute("PRAGMA synchronous = OFF")
            self.full_text = _make_tables(writer.database)
            reader = _connect(str(self._path))
            reader.database.execute("PRAGMA query_only = ON")
            return reader, writer
        except (OSError, sqlite3.Error) as error:
            if writer is not None:
                writer.database.close()
            if isinstance(error, sqlite3.Error) and error.sqlite_errorcode in UNUSABLE:
                self._remove()
            return None

    def _open_in_memory(self) -> "tuple[_Connection, _Connection]":
        only = _connect(":memory:")
        self.full_text = _make_tables(only.database)
        return only, only

    def _make_anew(self) -> None:
        self.close()
        self._remove()

    def _remove(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink()


class _Connection(NamedTuple):
    database: sqlite3.Connection
    lock: threading.Lock


def _connect(name: str) -> _Connection:
    database = sqlite3.connect(name, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    return _Connection(database, threading.Lock())


def _make_tables(database: sqlite3.Connection) -> bool:
    """Have the tables of this version; whether they can hold words. Raises sqlite3.Error."""
    if _version(database) != VERSION:
        database.execute("BEGIN IMMEDIATE")
        try:
            if _version(database) == 0:
                database.execute(SESSIONS)
                with suppress(sqlite3.OperationalError):  # a SQLite without FTS5
                    database.execute(WORDS)
                database.execute(f"PRAGMA user_version = {VERSION}")
            elif _version(database) != VERSION:
                raise _OtherVersionError
        finally:
            database.execute("COMMIT")
    return database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'words'").fetchone()[0] > 0


def _version(database: sqlite3.Connection) -> int:
    return database.execute("PRAGMA user_version").fetchone()[0]


class _OtherVersionError(sqlite3.DatabaseError):
    sqlite_errorcode = sqlite3.SQLITE_NOTADB


# rows of the database


def _modified(status: os.stat_result | None) -> int:
    return status.st_mtime_ns if status else 0


def _session(path: Path, status: os.stat_result | None, row: tuple[Any, ...] | None) -> SessionFile:
    modified, length = (status.st_mtime, status.st_size) if status else (0.0, 0)
    if row is None:
        return SessionFile(path, modified, size=length)
    read, id_, cwd, name, first_prompt, problem, parent, messages, tokens, cost, last, unread, last_prompt = row
    counted = messages if read and not problem else None
    return SessionFile(
        *(path, last or modified, id_, cwd, name, first_prompt, problem, parent),
        *(length, counted, tokens, cost, unread, last_prompt),
    )


def _forget_gone(database: sqlite3.Connection, files: dict[Path, os.stat_result | None], full_text: bool) -> None:
    """Forget the files that are there no more, and everything when most of the words are of such."""
    paths: list[str] = [row[0] for row in database.execute("SELECT path FROM sessions")]
    gone = [(path,) for path in paths if Path(path) not in files and not os.path.lexists(path)]
    database.executemany("DELETE FROM sessions WHERE path = ?", gone)
    given = database.execute("SELECT seq FROM sqlite_sequence").fetchone()
    if given and given[0] > 3 * len(paths) + 1000:
        database.execute("DELETE FROM sessions")
        database.execute("DELETE FROM sqlite_sequence")
        if full_text:
            database.execute("INSERT INTO words(words) VALUES('delete-all')")


def _add_new(database: sqlite3.Connection, path: Path) -> None:
    """A file that was not known, unless another pitui has been faster: it may have read all of it."""
    if database.execute("SELECT 1 FROM sessions WHERE path = ?", (str(path),)).fetchone() is None:
        _add(database, read_session(path))


def _add(database: sqlite3.Connection, file: SessionFile) -> None:
    """A file of which only the ends were read, under a new number: what was known of it before is of no file now."""
    modified = int(file.modified * 1e9) if file.problem else 0
    database.execute("DELETE FROM sessions WHERE path = ?", (str(file.path),))
    database.execute(
        "INSERT INTO sessions VALUES (NULL, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, '')",
        (str(file.path), modified, file.id, file.cwd, file.parent, file.problem, file.name, file.first_prompt),
    )


def _read_on(database: sqlite3.Connection, path: Path, full_text: bool, deadline: float) -> bool:
    """Read what is new in the file; False when the time was over before its end."""
    try:
        with open_session(path) as file:
            modified = os.fstat(file.fileno()).st_mtime_ns
            number, read, summary = _state(database, path, file)
            if not number:
                return True
            finished, together, texts, characters = True, read, list[str](), 0
            for line in read_lines(file, read):
                summary.add(line)
                words = said(line.entry) if full_text else None
                if words:
                    texts.append(words.text)
                    characters += len(words.text)
                read = line.end
                if characters > TOGETHER_CHARACTERS:
                    _add_words(database, number, together, texts)
                    together, texts, characters = read, [], 0
                if time.monotonic() > deadline:
                    finished = False
                    break
            _add_words(database, number, together, texts)
            database.execute(
                "UPDATE sessions SET modified = ?, read = ?, sum = ?, name = ?, first_prompt = ?, messages = ?,"
                " tokens = ?, cost = ?, last = ?, unread = ?, last_prompt = ? WHERE number = ?",
                (modified if finished else 0, read, _sum(file, read), *astuple(summary), number),
            )
            return finished
    except OSError:
        _add(database, read_session(path))
        return True


def _add_words(database: sqlite3.Connection, number: int, start: int, texts: Sequence[str]) -> None:
    if texts:
        row = (number << OFFSET_BITS) | start
        database.execute("INSERT INTO words(rowid, text) VALUES (?, ?)", (row, spaced("\n".join(texts))))


def _state(database: sqlite3.Connection, path: Path, file: BinaryIO) -> tuple[int, int, Summary]:
    """The number of the file, how far it is read and what it came to there; the number is 0 when it is no session."""
    columns = "number, problem, read, sum, name, first_prompt, messages, tokens, cost, last, unread, last_prompt"
    select = f"SELECT {columns} FROM sessions WHERE path = ?"
    row = database.execute(select, (str(path),)).fetchone()
    if row is None or row[1] or (row[2] and row[3] != _sum(file, row[2])):
        _add(database, read_session(path))
        row = database.execute(select, (str(path),)).fetchone()
    number, problem, read, _, *known = row
    return (0 if problem else number), read, Summary(*known) if read else Summary()


def _sum(file: BinaryIO, read: int) -> int:
    start = max(0, read - CHECKED_BYTES)
    file.seek(start)
    return zlib.crc32(file.read(read - start))


def _hits(database: sqlite3.Connection, match: str) -> dict[int, int]:
    """The last offset in each session, by its number; also in those that are known no more."""
    select = "SELECT max(rowid) FROM words WHERE words MATCH ? GROUP BY rowid >> ?"
    rows: list[tuple[int]] = database.execute(select, (match, OFFSET_BITS)).fetchall()
    return {row >> OFFSET_BITS: row & ((1 << OFFSET_BITS) - 1) for (row,) in rows}
