"""The editor of the person's choice."""

import os
import sys
from pathlib import Path

import pytest

from pitui.ui.system.editor import EditorError, edit, editor_command


def python(code: str) -> list[str]:
    return [sys.executable, "-c", f"import sys, pathlib; file = pathlib.Path(sys.argv[1]); {code}"]


def test_the_setting_of_pi_goes_before_the_environment(tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    path = {"PATH": os.environ["PATH"]}
    assert editor_command(settings, path | {"VISUAL": "sh -x", "EDITOR": "cat"}) == ["sh", "-x"]
    assert editor_command(settings, path | {"EDITOR": "cat"}) == ["cat"]
    settings.write_text('{"externalEditor": "env cat"}')
    assert editor_command(settings, path | {"VISUAL": "sh"}) == ["env", "cat"]
    settings.write_text("[damaged")
    assert editor_command(settings, path | {"VISUAL": "sh"}) == ["sh"]


def test_a_missing_editor_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EditorError, match="There is no editor “no-such-editor -x”"):
        editor_command(tmp_path / "none", {"EDITOR": "no-such-editor -x"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EditorError, match=r"There is no editor: \$EDITOR"):
        editor_command(tmp_path / "none", {})


async def test_what_the_editor_has_written_comes_back() -> None:
    assert await edit(python("file.write_text(file.read_text().upper() + chr(10))"), "words ж") == "WORDS Ж"
    assert await edit(python("pass"), "words\n") == "words\n"


async def test_an_editor_that_fails_changes_nothing() -> None:
    with pytest.raises(EditorError, match=r"ended with 3\. The prompt is as it was"):
        await edit(python("file.write_text('lost'); sys.exit(3)"), "words")
    with pytest.raises(EditorError, match="The prompt is as it was"):
        await edit(python("file.unlink()"), "words")
