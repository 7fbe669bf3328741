"""What is written and not sent, on disk."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

from pitui.store.drafts import Drafts, Place
from pitui.store.shelf import Shelf

PASTE = {"paste": "many\nlines"}


HERE, THERE = Place("here.jsonl", "/here"), Place("there.jsonl", "/there")


def drafts_in(folder: Path) -> Drafts:
    return Drafts(Shelf(folder))


def keep(drafts: Drafts, *written: object, instead_of: Collection[int] = ()) -> int:
    """A new draft; its number."""
    number = drafts.new_number()
    drafts.keep(number, HERE, list(written), instead_of=instead_of)
    return number


def parts(drafts: Drafts, place: Place = HERE) -> list[object]:
    return [kept.parts for kept in drafts.take(place)]


def test_a_draft_is_there_for_the_next_pitui(tmp_path: Path) -> None:
    drafts = drafts_in(tmp_path)
    number = keep(drafts, "see ", PASTE)
    drafts.keep(number, HERE, ["see ", PASTE, " and ", PASTE, "!"])
    drafts.keep(number, HERE, ["look at ", PASTE, " and ", PASTE])
    drafts.close()
    assert parts(drafts_in(tmp_path)) == [["look at ", PASTE, " and ", PASTE]]


def test_a_draft_is_found_only_where_it_was_written(tmp_path: Path) -> None:
    drafts = drafts_in(tmp_path)
    keep(drafts, "words")
    assert parts(drafts, THERE) == []
    assert parts(drafts) == [["words"]]


def edits(drafts: Drafts, text: str, seconds: float) -> None:
    """An editor writes so long after the draft was kept."""
    drafts.file_to_edit.parent.mkdir(parents=True)
    drafts.file_to_edit.write_text(text)
    os.utime(drafts.file_to_edit, (0, time.time() + seconds))


def test_what_an_editor_wrote_when_its_pitui_was_gone_is_found_once_with_the_draft(tmp_path: Path) -> None:
    for seconds, edited in ((60, "words, and more"), (-60, None)):
        drafts = drafts_in(tmp_path)
        drafts.keep(drafts.new_number(), THERE, ["elsewhere"])
        keep(drafts, "words")
        edits(drafts, "words, and more\n", seconds)
        drafts.close()
        found = drafts_in(tmp_path)
        assert all(kept.edited is None for kept in found.take(THERE))
        assert [kept.edited for kept in found.take(HERE)] == [edited]
        found.forget_edited()
        found.forget([kept.number for kept in found.take(HERE)])
        found.close()
        assert drafts_in(tmp_path).take(HERE) == []


def test_what_an_editor_wrote_into_an_empty_prompt_is_found_anywhere(tmp_path: Path) -> None:
    drafts = drafts_in(tmp_path)
    assert drafts.take(HERE) == []
    edits(drafts, "all of it\n", 0)
    other = drafts_in(tmp_path)
    assert other.take(THERE) == []
    drafts.close()
    assert [kept.edited for kept in other.take(THERE)] == ["all of it"]


def test_a_draft_that_was_sent_is_gone(tmp_path: Path) -> None:
    drafts = drafts_in(tmp_path)
    number = keep(drafts, "words")
    drafts.forget([number])
    assert parts(drafts) == []


def test_two_pituis_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    one, other = drafts_in(tmp_path), drafts_in(tmp_path)
    keep(one, "one")
    keep(other, "other")
    assert parts(one) == [["one"]]
    assert parts(other) == [["other"]]
    other.close()
    assert parts(one) == [["one"], ["other"]]


def test_what_was_found_can_become_one_draft(tmp_path: Path) -> None:
    for words in ("first", "second"):
        drafts = drafts_in(tmp_path)
        keep(drafts, words)
        drafts.close()
    drafts = drafts_in(tmp_path)
    found = drafts.take(HERE)
    keep(drafts, "first\n\nsecond", instead_of=[kept.number for kept in found])
    assert parts(drafts) == [["first\n\nsecond"]]


def test_a_pitui_that_is_killed_leaves_its_draft(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from tests.store.test_drafts import drafts_in, keep; "
        "drafts = drafts_in(Path(sys.argv[1])); keep(drafts, 'words'); print('kept', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "kept\n"
        drafts = drafts_in(tmp_path)
        assert parts(drafts) == []
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert parts(drafts) == [["words"]]


def test_what_cannot_be_read_is_left_alone_and_hides_nothing(tmp_path: Path) -> None:
    drafts = drafts_in(tmp_path)
    keep(drafts, "strange")
    with sqlite3.connect(tmp_path / "prompts.db") as database:
        database.execute("UPDATE draft SET words = '[7]'")
    database.close()
    keep(drafts, "words")
    assert parts(drafts) == [["words"]]


def test_a_damaged_file_is_told_of_and_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "prompts.db").write_bytes(b"no database" * 1000)
    drafts = drafts_in(tmp_path)
    keep(drafts, "words")
    assert parts(drafts) == [["words"]]
    assert "was damaged" in drafts.problem


def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    drafts = drafts_in(tmp_path / "file")
    assert not drafts.keep(1, HERE, ["words"])
    assert "cannot be kept" in drafts.problem


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    drafts = drafts_in(tmp_path / "state")
    keep(drafts, "words")
    assert {path.stat().st_mode & 0o077 for path in [tmp_path / "state", *(tmp_path / "state").iterdir()]} == {0}


def test_what_was_left_in_other_sessions_is_told_of_and_stays_there(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.jsonl", "two.jsonl", "open.jsonl")]
    for file in files:
        file.touch()
    one, two, opened = (Place(str(file), "/here") for file in files)
    ended, writing, drafts = drafts_in(tmp_path), drafts_in(tmp_path), drafts_in(tmp_path)
    for place, words in ((one, ["first ", PASTE, "!"]), (opened, ["here"]), (HERE, ["no file"])):
        ended.keep(ended.new_number(), place, words)
    ended.close()
    writing.keep(writing.new_number(), two, ["being written"])
    drafts.keep(drafts.new_number(), two, ["left by us"])
    assert [(left.place, left.words) for left in drafts.elsewhere(opened)] == [(two, "left by us"), (one, "first !")]
    assert ["first ", PASTE, "!"] in parts(drafts, one)
