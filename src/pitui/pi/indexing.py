"""Keeping the index of all sessions up to date while nobody looks at it."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE

FIRST_SECONDS = 15.0
"""By then pitui and pi have started, and the person has begun."""
EVERY_SECONDS = 180.0
ENDING_SECONDS = 1.0
"""So long leaving waits for a process that was killed: one that a disk holds does not end."""
COMMAND = (sys.executable, "-P", "-m", "pitui.pi.indexer")
"""``-P``: what lies in the folder of work is not imported."""


async def keep_indexed(index_file: Path, where: Callable[[], tuple[str, Path | None]]) -> None:
    """Read what is new in a process of its own, now and then, until this is cancelled; the process has ended then.

    `where` gives what `session_folders` takes, as it is at the time. Whatever goes wrong, the next time may be better.
    """
    await asyncio.sleep(FIRST_SECONDS)
    while True:
        open_file, session_dir = where()
        with suppress(OSError):
            await _index(str(index_file), open_file, str(session_dir or ""))
        await asyncio.sleep(EVERY_SECONDS)


async def _index(*words: str) -> None:
    # It goes on while its input is open, which a pitui that is killed closes too; no key of the terminal ends it.
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *words, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
    )
    try:
        await process.wait()
    finally:
        with suppress(ProcessLookupError, TimeoutError):
            process.kill()
            async with asyncio.timeout(ENDING_SECONDS):
                await process.wait()
