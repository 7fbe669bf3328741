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


def unheard(text: str) -> None:
    raise AssertionError(f"{text} was not saved before the end")


async def test_what_the_editor_has_written_comes_back() -> None:
    upper = python("file.write_text(file.read_text().upper() + chr(10))")
    assert await edit(upper, "words ж", unheard) == "WORDS Ж"
    assert await edit(python("pass"), "words\n", unheard) == "words\n"


async def test_an_editor_that_fails_changes_nothing_and_what_it_saved_is_told() -> None:
    saved: list[str] = []
    with pytest.raises(EditorError, match=r"ended with 3\. The prompt is as it was"):
        await edit(python("file.write_text('in vain' + chr(10)); sys.exit(3)"), "words", saved.append)
    assert saved == ["in vain"]
    with pytest.raises(EditorError, match="The prompt is as it was"):
        await edit(python("file.unlink()"), "words", unheard)


async def test_what_is_saved_is_told_while_the_editor_is_open(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    waits = f"import os\nwhile not os.path.exists({str(seen)!r}): pass"
    command = python(f"new = file.with_name('new'); new.write_text('saved' + chr(10)); new.replace(file)\n{waits}")
    saved: list[str] = []

    def hear(text: str) -> None:
        saved.append(text)
        seen.touch()

    assert await edit(command, "words", hear) == "saved"
    assert saved == ["saved"]
