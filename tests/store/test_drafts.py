"""What is written and not sent, on disk."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from pitui.store.drafts import Drafts

PASTE = {"paste": "many\nlines"}


def parts(drafts: Drafts, place: str = "here") -> list[object]:
    return [kept.parts for kept in drafts.take(place)]


def test_a_draft_is_there_for_the_next_pitui(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    number = drafts.keep(None, "here", ["see ", PASTE])
    assert number is not None
    drafts.keep(number, "here", ["see ", PASTE, " and ", PASTE, "!"])
    drafts.keep(number, "here", ["look at ", PASTE, " and ", PASTE])
    drafts.close()
    assert parts(Drafts(tmp_path)) == [["look at ", PASTE, " and ", PASTE]]


def test_a_draft_is_found_only_where_it_was_written(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(None, "here", ["words"])
    assert parts(drafts, "there") == []
    assert parts(drafts) == [["words"]]


def test_a_draft_that_was_sent_is_gone(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    number = drafts.keep(None, "here", ["words"])
    assert number is not None
    drafts.forget([number])
    assert parts(drafts) == []


def test_two_pituis_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    one, other = Drafts(tmp_path), Drafts(tmp_path)
    one.keep(None, "here", ["one"])
    other.keep(None, "here", ["other"])
    assert parts(one) == [["one"]]
    assert parts(other) == [["other"]]
    other.close()
    assert parts(one) == [["one"], ["other"]]


def test_what_was_found_can_become_one_draft(tmp_path: Path) -> None:
    for words in ("first", "second"):
        drafts = Drafts(tmp_path)
        drafts.keep(None, "here", [words])
        drafts.close()
    drafts = Drafts(tmp_path)
    found = drafts.take("here")
    drafts.keep(None, "here", ["first\n\nsecond"], [kept.number for kept in found])
    assert parts(drafts) == [["first\n\nsecond"]]


def test_a_pitui_that_is_killed_leaves_its_draft(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from pitui.store.drafts import Drafts; "
        "drafts = Drafts(Path(sys.argv[1])); drafts.keep(None, 'here', ['words']); print('kept', flush=True); "
        "time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "kept\n"
        drafts = Drafts(tmp_path)
        assert parts(drafts) == []
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert parts(drafts) == [["words"]]


def test_what_cannot_be_read_is_left_alone_and_hides_nothing(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(None, "here", ["strange"])
    with sqlite3.connect(tmp_path / "drafts.db") as database:
        database.execute("UPDATE draft SET words = '[7]'")
    database.close()
    drafts.keep(None, "here", ["words"])
    assert parts(drafts) == [["words"]]


def test_a_damaged_file_is_told_of_and_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "drafts.db").write_bytes(b"no database" * 1000)
    drafts = Drafts(tmp_path)
    drafts.keep(None, "here", ["words"])
    assert parts(drafts) == [["words"]]
    assert "was damaged" in drafts.problem


def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    drafts = Drafts(tmp_path / "file")
    assert drafts.keep(None, "here", ["words"]) is None
    assert "cannot be kept" in drafts.problem


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "state")
    drafts.keep(None, "here", ["words"])
    assert {path.stat().st_mode & 0o077 for path in [tmp_path / "state", *(tmp_path / "state").iterdir()]} == {0}
