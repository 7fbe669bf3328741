"""Pictures that a person names, and the clipboard's."""

import os
from pathlib import Path

import pytest

from pitui.draft import Picture
from pitui.ui.system import pictures
from pitui.ui.system.pictures import PictureError, from_clipboard, kind_of, path_of, picture_paths, read_picture

PNG = b"\x89PNG\r\n\x1a\n" + b"data"


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("/tmp/a.png", ["/tmp/a.png"]),
        (" '/tmp/my shot.PNG' ", ["'/tmp/my shot.PNG'"]),
        (r"/tmp/my\ shot.png", [r"/tmp/my\ shot.png"]),
        ("file:///tmp/my%20shot.jpg", ["file:///tmp/my%20shot.jpg"]),
        (r"/tmp/a.png '/tmp/b c.webp' /tmp/d\ e.gif", ["/tmp/a.png", "'/tmp/b c.webp'", r"/tmp/d\ e.gif"]),
        ("see /tmp/a.png", []),
        ("/tmp/a.txt", []),
        ("/tmp/a.png\n/tmp/b.png", []),
        ("'/tmp/open.png", ["'/tmp/open.png"]),
        ("", []),
    ],
)
def test_what_is_dropped_on_a_terminal_is_known_for_a_picture(text: str, paths: list[str]) -> None:
    assert picture_paths(text) == paths


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("'/tmp/my shot.png'", "/tmp/my shot.png"),
        (r"/tmp/my\ shot.png", "/tmp/my shot.png"),
        ("file:///tmp/my%20shot.jpg", "/tmp/my shot.jpg"),
        ("~/a.png", str(Path("~/a.png").expanduser())),
        ("'/tmp/open.png", "'/tmp/open.png"),
    ],
)
def test_the_path_that_is_meant(written: str, path: str) -> None:
    assert path_of(written) == path


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
        (b"RIFF....WAVE", ""),
        (b"<svg>", ""),
        (b"", ""),
    ],
)
def test_a_picture_is_known_by_what_is_in_it(data: bytes, kind: str) -> None:
    assert kind_of(data) == kind


async def test_a_picture_is_read_and_keeps_the_path_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "my shot.png").write_bytes(PNG)
    picture = await read_picture(r"./my\ shot.png", tmp_path)
    assert picture is not None
    assert (picture.name, picture.path, picture.image.mime_type) == ("my shot.png", r"./my\ shot.png", "image/png")


async def test_what_is_no_picture_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text.png").write_text("words")
    (tmp_path / "large.png").write_bytes(PNG * 10)
    monkeypatch.setattr(pictures, "LIMIT", 50)
    assert await read_picture("none.png", tmp_path) is None
    assert await read_picture("a\0b.png", tmp_path) is None
    with pytest.raises(PictureError, match="no picture that pi takes: PNG, JPEG, GIF or WebP"):
        await read_picture("text.png", tmp_path)
    with pytest.raises(PictureError, match="has 120 B; a picture can have 50 B"):
        await read_picture("large.png", tmp_path)


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


async def test_the_picture_on_the_clipboard_goes_before_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "picture").write_bytes(PNG)
    program(tmp_path, "wl-paste", f'case "$*" in *image/png*) cat {tmp_path}/picture;; *) printf words;; esac')
    found = await from_clipboard({"WAYLAND_DISPLAY": "wayland-0"})
    assert isinstance(found, Picture)
    assert (found.name, found.path) == ("clipboard.png", "")
    program(tmp_path, "wl-paste", 'case "$*" in *image*) exit 1;; *) printf words;; esac')
    assert await from_clipboard({"WAYLAND_DISPLAY": "wayland-0"}) == "words"
    assert await from_clipboard({}) is None
