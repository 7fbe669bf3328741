"""What was sent outlives whoever sent it, and goes to one pitui alone."""

import sqlite3
import stat
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from pitui.store import database as databases
from pitui.store.drafts import Place
from pitui.store.journal import Journal, Row
from pitui.store.shelf import SCHEMA

PICTURE = ("iVBORw0KGgo=", "image/png")


def row(key: int, text: str, **more: object) -> Row:
    return Row(**{"key": key, "kind": "steer", "state": "open", "text": text, "images": (), "made": 1.0, **more})  # pyright: ignore[reportArgumentType]


HERE = Place("here.jsonl", "/here")


def claimed(folder: Path) -> list[str]:
    keys = count(1)
    return [found.text for found in Journal(folder).claim(lambda _: True, lambda: next(keys))[0]]


def test_what_a_pitui_that_is_gone_has_left_is_had_by_the_next_with_images_and_in_order(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "one", images=(PICTURE,), session_id="s"))
    first.write(row(2, "two"))
    first.arrange([2, 1])
    first.close()
    keys = count(7)
    taken, left = Journal(tmp_path).claim(lambda found: found.session_id == "s", lambda: next(keys))
    assert [(found.key, found.text, found.images) for found in taken] == [(7, "one", (PICTURE,))]
    assert [found.text for found in left] == ["two"]


def test_nobody_takes_what_a_living_pitui_has_sent(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "mine"))
    assert claimed(tmp_path) == []
    first.close()
    assert claimed(tmp_path) == ["mine"]


def test_what_one_pitui_has_taken_over_no_other_gets(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "once"))
    first.close()
    second = Journal(tmp_path)
    keys = count(1)
    assert second.claim(lambda _: True, lambda: next(keys))[0]
    assert claimed(tmp_path) == []
    second.close()
    assert claimed(tmp_path) == ["once"]


def test_what_was_delivered_or_is_in_a_newer_prompt_is_not_kept(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    for key, text in enumerate(("said", "came back", "waits"), 1):
        first.write(row(key, text))
    first.delivered(1, 2.0, [])
    first.write(row(4, "came back, and more"), instead_of=[2])
    first.close()
    assert claimed(tmp_path) == ["waits", "came back, and more"]


def test_of_what_waits_it_is_known_which_message_was_said_last(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    for key in (1, 2, 3):
        first.write(row(key, "go on", after=5.0))
    first.delivered(1, 7.0, [2])
    first.close()
    keys = count(1)
    taken, _ = Journal(tmp_path).claim(lambda _: True, lambda: next(keys))
    assert [found.after for found in taken] == [7.0, 5.0]


def test_what_an_older_pitui_has_left_is_had(tmp_path: Path) -> None:
    older = SCHEMA[0].replace("after REAL NOT NULL DEFAULT 0", "skip INTEGER NOT NULL DEFAULT 0")
    with closing(sqlite3.connect(tmp_path / "prompts.db")) as database, database:
        database.execute(older)
        values = ("gone", 1, 1, "steer", "open", "older", "[]", 1.0, "", "", "")
        columns = "owner, key, place, kind, state, text, images, made, session_file, session_id, folder"
        database.execute(f"INSERT INTO prompt ({columns}) VALUES ({', '.join('?' * 11)})", values)
    assert claimed(tmp_path) == ["older"]


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "outbox")
    journal.write(row(1, "secret"))
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "outbox").iterdir()}
    assert (stat.S_IMODE((tmp_path / "outbox").stat().st_mode), modes) == (0o700, {0o600})


def test_a_disk_that_takes_nothing_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    journal = Journal(tmp_path / "file" / "outbox")
    journal.write(row(1, "hello"))
    assert "cannot be kept" in journal.problem


def test_a_damaged_one_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "prompts.db").write_bytes(b"no database" * 100)
    journal = Journal(tmp_path)
    journal.write(row(1, "hello"))
    journal.close()
    assert claimed(tmp_path) == ["hello"]
    assert (tmp_path / "prompts.db.damaged").exists()


def test_a_draft_that_is_sent_is_in_the_outbox_and_no_draft_any_more(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    number = first.drafts.new_number()
    first.drafts.keep(number, HERE, ["words"])
    first.write(row(1, "words"), drafts=[number])
    first.drafts.keep(number, HERE, ["words"])  # by somebody who was slower than the sending
    first.close()
    assert Journal(tmp_path).drafts.take(HERE) == []
    assert claimed(tmp_path) == ["words"]


def test_what_came_back_is_in_the_draft_and_not_in_the_outbox_any_more(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "words"))
    first.drafts.keep(first.drafts.new_number(), HERE, ["words, and more"], prompts=[1])
    first.write(row(1, "words", state="returned"))  # by somebody who was slower
    first.close()
    assert [kept.parts for kept in Journal(tmp_path).drafts.take(HERE)] == [["words, and more"]]
    assert claimed(tmp_path) == []


def test_what_would_have_to_wait_for_the_disk_is_not_done_at_once(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    assert not first.write(row(1, "first"), waits=False)  # there is no file yet
    first.write(row(1, "first"))
    assert first.write(row(2, "second"), waits=False)
    assert not first.write(row(3, "picture", images=(("A" * 100_000, "image/png"),)), waits=False)
    with closing(sqlite3.connect(tmp_path / "prompts.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not first.write(row(4, "fourth"), waits=False)
    first.close()
    assert claimed(tmp_path) == ["first", "second"]


def test_who_waited_for_the_disk_in_vain_does_not_wait_as_long_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "first"))
    with closing(sqlite3.connect(tmp_path / "prompts.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(databases, "LOCK_SECONDS", 0.0)
        first.write(row(2, "second"))
        monkeypatch.setattr(databases, "LOCK_SECONDS", 1e9)
        first.write(row(3, "third"))
        assert "locked" in first.problem


def test_a_file_that_somebody_takes_away_is_begun_anew(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "first"))
    for file in tmp_path.glob("prompts.db*"):
        file.unlink()
    assert not first.write(row(2, "second"), waits=False)
    first.write(row(2, "second"))
    first.close()
    assert claimed(tmp_path) == ["second"]


def test_half_of_a_character_does_not_keep_the_rest_from_the_disk(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.write(row(1, "half \ud83d of it", sent="\udc00"))
    first.close()
    assert claimed(tmp_path) == ["half ? of it"]
