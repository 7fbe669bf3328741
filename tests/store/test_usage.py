"""What was chosen in a folder: often and lately counts more."""

from pathlib import Path

import pytest

from pitui.store import usage
from pitui.store.usage import HALF_LIFE, Usage

HERE, ELSEWHERE = Path("/projects/here"), Path("/projects/elsewhere")


def test_what_was_chosen_often_counts_more_and_fades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1e9
    monkeypatch.setattr("time.time", lambda: now)
    store = Usage(tmp_path / "usage.sqlite3")
    for name in ("a.py", "b.py", "a.py"):
        store.add(HERE, "file", name)
    store.add(ELSEWHERE, "file", "c.py")
    store.add(HERE, "command", "model")
    assert store.weights(HERE, "file") == {"a.py": 2.0, "b.py": 1.0}
    now += HALF_LIFE
    store.add(HERE, "file", "b.py")
    assert store.weights(HERE, "file") == {"a.py": 1.0, "b.py": 1.5}


def test_the_oldest_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "KEPT", 2)
    store = Usage(tmp_path / "usage.sqlite3")
    for name in "abc":
        store.add(HERE, "file", name)
    assert set(store.weights(HERE, "file")) == {"b", "c"}


def test_where_nothing_can_be_kept_nothing_counts(tmp_path: Path) -> None:
    (tmp_path / "usage.sqlite3").mkdir()
    store = Usage(tmp_path / "usage.sqlite3")
    store.add(HERE, "file", "no\udcfftext")
    assert store.weights(HERE, "file") == {}
