"""Pictures: files that a person names, and what is on the clipboard."""

import base64
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import anyio
import anyio.to_thread

from pitui.draft import Picture
from pitui.render.amounts import size

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
LIMIT = 20_000_000
"""Bytes of a picture at most. pi makes large ones smaller before it sends them, which takes it many seconds."""
PATIENCE = 5.0


class PictureError(Exception):
    """It does not go as a picture; why, in words for the person."""


def kind_of(data: bytes) -> str:
    """The media type by what is in it, of those that pi takes (its ``docs/rpc.md``); empty for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def picture_paths(text: str) -> list[str]:
    """The paths that `text` is made of, each as it is written there, if all of them are called like pictures.

    A terminal writes what is dropped on it in quotes, or with backslashes.
    """
    text = text.strip()
    if not text or "\n" in text or len(text) > 4000 or not text.strip("'\"").lower().endswith(SUFFIXES):
        return []
    words = _words(text)
    return words if all(path_of(word).lower().endswith(SUFFIXES) for word in words) else []


def is_dropped(written: str) -> bool:
    """Whether it may be what a terminal writes of a file that is dropped on it: a whole path."""
    return os.path.isabs(path_of(written))


def _words(text: str) -> list[str]:
    """Cut at spaces that are neither in quotes nor after a backslash; the whole text where quotes are left open."""
    words: list[str] = []
    word, quote, escaped = "", "", False
    for character in text:
        if character == " " and not quote and not escaped:
            words.append(word)
            word = ""
            continue
        if character in "'\"" and not escaped and quote in ("", character):
            quote = "" if quote else character
        escaped = character == "\\" and not escaped and quote != "'"
        word += character
    return [text] if quote else [found for found in (*words, word) if found]


def path_of(written: str) -> str:
    """The path that is meant: without quotes and backslashes, of a ``file:`` address, the home folder for ``~``."""
    try:
        plain = "".join(shlex.split(written))
    except ValueError:
        plain = written
    if plain.startswith("file://"):
        plain = unquote(urlsplit(plain).path)
    return os.path.expanduser(plain)


async def read_picture(written: str, folder: Path) -> Picture | None:
    """The picture in the file that is `written`, seen from `folder`; None where there is no such file.

    Raises PictureError when it is not a picture, or too large.
    """
    path = folder / path_of(written)
    return await anyio.to_thread.run_sync(_read, path, written, abandon_on_cancel=True)


def _read(path: Path, written: str) -> Picture | None:
    try:
        if not path.is_file():
            return None
        if (length := path.stat().st_size) > LIMIT:
            raise PictureError(_too_large(path.name, length))
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path.name} cannot be read: {error.strerror}. It goes as words.") from error
    except ValueError:  # a path that no system takes
        return None
    return picture_of(path.name, data, written)


def picture_of(name: str, data: bytes, written: str = "") -> Picture:
    """Raises PictureError when `data` is none."""
    from pitui.rpc.messages import ImagePart

    kind = kind_of(data)
    if not kind:
        raise PictureError(f"{name} is no picture that pi takes: PNG, JPEG, GIF or WebP. It goes as words.")
    if len(data) > LIMIT:
        raise PictureError(_too_large(name, len(data)))
    return Picture(name, ImagePart(data=base64.b64encode(data).decode(), mime_type=kind), written)


def _too_large(name: str, length: int) -> str:
    return f"{name} has {size(length)}; a picture can have {size(LIMIT)}. It goes as words."


async def from_clipboard(environ: Mapping[str, str] = os.environ) -> Picture | str | None:
    """The picture on the system's clipboard, else its text; None where no program reads it.

    Raises PictureError when the picture is too large.
    """
    pictures, texts = readers(environ)
    for command in pictures:
        if (data := await _output(command)) and kind_of(data):
            return picture_of("clipboard." + kind_of(data).removeprefix("image/"), data)
    for command in texts:
        if data := await _output(command):
            return data.decode("utf-8", "replace")
    return "" if pictures or texts else None


def readers(environ: Mapping[str, str] = os.environ) -> tuple[list[list[str]], list[list[str]]]:
    """The commands that write the clipboard's picture, and those that write its text, as far as they are there."""
    pictures: list[list[str]] = []
    texts: list[list[str]] = []
    if environ.get("WAYLAND_DISPLAY"):
        pictures += [["wl-paste", "--type", kind] for kind in ("image/png", "image/jpeg")]
        texts.append(["wl-paste", "--no-newline"])
    if environ.get("DISPLAY"):
        pictures += [["xclip", "-selection", "clipboard", "-t", kind, "-o"] for kind in ("image/png", "image/jpeg")]
        texts += [["xclip", "-selection", "clipboard", "-o"], ["xsel", "--clipboard", "--output"]]
    if sys.platform == "darwin":
        pictures.append(["pngpaste", "-"])
        texts.append(["pbpaste"])
    return [one for one in pictures if shutil.which(one[0])], [one for one in texts if shutil.which(one[0])]


async def _output(command: list[str]) -> bytes:
    try:
        with anyio.fail_after(PATIENCE):
            done = await anyio.run_process(command, stderr=subprocess.DEVNULL, check=False)
    except (OSError, TimeoutError):
        return b""
    return done.stdout if done.returncode == 0 else b""
