"""The editor of the person's choice, which has the terminal for a while."""

import asyncio
import json
import os
import shlex
import shutil
import tempfile
from asyncio.subprocess import Process
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

LOOKED_EVERY = 0.5
"""Seconds after which the file is looked at again."""
LEAVING_SECONDS = 2.0
"""So long an editor that is told to end may take for it."""


class EditorError(Exception):
    """The text is as it was; why, in words for the person."""


def editor_command(settings: Path, environ: Mapping[str, str] = os.environ) -> list[str]:
    """pi's setting ``externalEditor`` in the file `settings`, else ``$VISUAL``, ``$EDITOR``, nano, vi: as pi does it.

    Raises EditorError when there is none.
    """
    named = _setting(settings) or environ.get("VISUAL") or environ.get("EDITOR")
    if not named:
        found = next((name for name in ("nano", "vi", "vim") if shutil.which(name)), "")
        if not found:
            raise EditorError("There is no editor: $EDITOR names the one to use.")
        return [found]
    try:
        command = shlex.split(named)
    except ValueError:
        command = [named]
    if not command or not shutil.which(command[0]):
        raise EditorError(f"There is no editor “{named}”: $VISUAL or $EDITOR names the one to use.")
    return command


def _setting(file: Path) -> str:
    try:
        settings: Any = json.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return ""
    named = cast("dict[str, Any]", settings).get("externalEditor") if isinstance(settings, dict) else None
    return named if isinstance(named, str) else ""


async def edit(command: list[str], text: str, saved: Callable[[str], None], place: Path | None = None) -> str:
    """What has become of `text`; `saved` hears of what it is meanwhile, soon after the editor has written it.

    It stands in the file `place`, alone in its folder, which goes at the end; its time is 0 until it is written.

    The terminal must be free. Raises EditorError when the editor failed. When it is cancelled the editor is told to
    end, and `saved` hears of what it has left.
    """
    with _file_at(place) as file:
        file.write_text(text, "utf-8", "surrogateescape", "\n")
        os.utime(file, (0, 0))
        looking = asyncio.create_task(_look(file, text, saved))
        process = None
        try:
            process = await asyncio.create_subprocess_exec(*command, str(file))
            code = await process.wait()
            changed = _read(_newest(file) if code else file, text)
        except OSError as error:
            raise EditorError(f"{command[0]}: {error.strerror}. The prompt is as it was.") from error
        except asyncio.CancelledError:
            if process is not None:
                await _end(process)
            with suppress(OSError):
                saved(_read(_newest(file), text))
            raise
        finally:
            looking.cancel()
        if code != 0:
            if changed != text:
                saved(changed)
            raise EditorError(f"{command[0]} ended with {code}. The prompt is as it was.")
    return changed


@contextmanager
def _file_at(place: Path | None) -> Generator[Path, None, None]:
    """That file in a new folder, or another one where that cannot be made."""
    made = None
    if place is not None:
        with suppress(OSError):
            place.parent.mkdir(0o700, parents=True)
            made = place
    made = made or Path(tempfile.mkdtemp(prefix="pitui-"), "prompt.md")
    try:
        yield made
    finally:
        shutil.rmtree(made.parent, ignore_errors=True)


async def _look(file: Path, before: str, saved: Callable[[str], None]) -> None:
    seen = before
    while True:
        await asyncio.sleep(LOOKED_EVERY)
        with suppress(OSError):  # many editors put a new file in its place
            now = await asyncio.to_thread(_read, file, before)
            if now != seen:
                seen = now
                saved(now)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), LEAVING_SECONDS)
        except TimeoutError:
            process.kill()


def _newest(file: Path) -> Path:
    """The file, or what nano or Emacs has put beside it of what was not saved when it had to end."""
    names = (file.name, f"{file.name}.save", f"#{file.name}#")
    left = [path for path in map(file.with_name, names) if path.exists()]
    return max(left, key=lambda path: path.stat().st_mtime_ns, default=file)


def _read(file: Path, before: str) -> str:
    """Editors end the last line; where there was no such end, none is meant."""
    text = file.read_text("utf-8", "replace")
    return text if before.endswith("\n") else text.removesuffix("\n")
