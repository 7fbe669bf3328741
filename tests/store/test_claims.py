"""Who opens a session that another pitui has open is told so, and the dead are not taken for living."""

import subprocess
import sys
from pathlib import Path

import pytest

from pitui.store.claims import Claim

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")


def test_the_second_to_open_a_session_is_told_and_the_first_of_another_is_not(tmp_path: Path) -> None:
    first = Claim(tmp_path / "open", tmp_path / "a.jsonl")
    assert first.alone
    assert not Claim(tmp_path / "open", tmp_path / "." / "a.jsonl").alone
    assert Claim(tmp_path / "open", tmp_path / "b.jsonl").alone


def test_who_stays_counts_and_the_last_one_leaves_nothing_behind(tmp_path: Path) -> None:
    folder, session = tmp_path / "open", tmp_path / "a.jsonl"
    first, second = Claim(folder, session), Claim(folder, session)
    first.release()
    third = Claim(folder, session)
    assert not third.alone
    second.release()
    third.release()
    assert list(folder.iterdir()) == []
    assert Claim(folder, session).alone


def test_a_pitui_that_was_killed_has_nothing_open(tmp_path: Path) -> None:
    folder, session = tmp_path / "open", tmp_path / "a.jsonl"
    code = (
        "import sys; from pathlib import Path; from pitui.store.claims import Claim\n"
        "claim = Claim(*map(Path, sys.argv[1:])); print('claimed', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(folder), str(session)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        claim = Claim(folder, session)
        assert not claim.alone
        claim.release()
        other.kill()
    assert Claim(folder, session).alone


def test_where_nothing_can_be_kept_nobody_is_told(tmp_path: Path) -> None:
    (tmp_path / "open").write_text("no folder")
    claim = Claim(tmp_path / "open", tmp_path / "a.jsonl")
    assert claim.alone
    claim.release()
