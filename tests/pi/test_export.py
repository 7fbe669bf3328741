"""What is written of a session: its branch, chained as pi does it, or all of it with the branch at the end."""

import json
import os
from pathlib import Path

import pytest

from pitui.pi.export import Exported, ExportError, branch, export_branch, save_anew
from tests.pi.stored import Entry, said

TREE: list[Entry] = [
    said("user", "a", id="a", parentId="gone"),
    said("assistant", "b", id="b", parentId="a"),
    said("assistant", "c \ud800", id="c", parentId="a"),
    said("user", "d", id="d", parentId="b"),
]


def written(path: Path) -> list[Entry]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_branch_begins_at_its_root_whatever_that_hangs_on() -> None:
    assert [(entry["id"], entry["parentId"]) for entry in branch(TREE, "d")] == [("a", None), ("b", "a"), ("d", "b")]
    assert branch(TREE, None) == branch([], "d") == []
    circle = [{"id": "x", "parentId": "y"}, {"id": "y", "parentId": "x"}]
    assert [entry["id"] for entry in branch(circle, "x")] == ["y", "x"]


def test_nothing_is_written_over_unless_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "link")  # not every disk has links
    file, session = tmp_path / "c.jsonl", Exported("s", tmp_path, TREE, "c")
    export_branch(file, session, replace=False)
    before = file.read_bytes()
    with pytest.raises(ExportError, match="is there already"):
        export_branch(file, Exported("s", tmp_path, TREE, "d"), replace=False)
    assert file.read_bytes() == before
    export_branch(file, Exported("s", tmp_path, TREE, "d"), replace=True)
    assert file.read_bytes() != before
    assert list(tmp_path.iterdir()) == [file]


def test_half_a_character_is_kept_as_pi_writes_it(tmp_path: Path) -> None:
    export_branch(tmp_path / "c.jsonl", Exported("s", tmp_path, TREE, "c"), replace=False)
    assert [entry["id"] for entry in written(tmp_path / "c.jsonl")] == ["s", "a", "c"]
    assert b"\\ud800" in (tmp_path / "c.jsonl").read_bytes()


def test_a_session_saved_anew_has_all_branches_and_is_opened_at_its_leaf(tmp_path: Path) -> None:
    made = save_anew(tmp_path / "folder" / "old.jsonl", Exported("s", tmp_path, TREE, "c"))
    header, *entries = written(made)
    assert header["parentSession"] == str(tmp_path / "folder" / "old.jsonl")
    assert header["id"] != "s"
    assert sorted(entry["id"] for entry in entries) == ["a", "b", "c", "d"]
    assert entries[-1]["id"] == "c"
    assert list(made.parent.iterdir()) == [made]
