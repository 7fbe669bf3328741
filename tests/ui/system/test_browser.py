"""An address goes to the system's program for it, where there is one."""

from pathlib import Path

import anyio
import pytest

from pitui.ui.system.browser import open_address


async def test_the_program_of_the_system_gets_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/new\nmv {tmp_path}/new {tmp_path}/opened\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("sys.platform", "linux")
    assert await open_address("https://a.b/c", {"DISPLAY": ":0"})
    with anyio.fail_after(10):
        while not (tmp_path / "opened").exists():  # noqa: ASYNC110 - a file of another program
            await anyio.sleep(0.01)
    assert (tmp_path / "opened").read_text() == "https://a.b/c"


async def test_without_a_screen_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert not await open_address("https://a.b/c", {})
