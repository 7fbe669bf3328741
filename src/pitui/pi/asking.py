"""What a program says that is run for a moment, as pi is when it is to tell something of itself."""

import subprocess
from collections.abc import Sequence

import anyio
import anyio.abc

from pitui.operating_system import END_AT_ONCE, signal_group


async def said_by(words: Sequence[str], seconds: float, *, errors: bool = False) -> str | None:
    """All that it writes, with its `errors` or without; None when it cannot be run, or goes on for longer.

    It runs without a terminal, so that no ``ssh`` can ask for a password in the middle of the screen, and reads
    nothing: the keys are the person's. Nothing that it has started is left when this returns or is cancelled.
    """
    stderr = subprocess.STDOUT if errors else subprocess.DEVNULL
    try:
        process = await anyio.open_process(words, stdin=subprocess.DEVNULL, stderr=stderr, start_new_session=True)
    except OSError:
        return None
    said = bytearray()
    try:
        with anyio.move_on_after(seconds):
            async for chunk in _output(process):
                said += chunk
            await process.wait()
    finally:
        is_over = process.returncode is not None
        if not is_over:
            signal_group(process.pid, END_AT_ONCE)  # a shell would leave its children, which keep us waiting
        await process.aclose()
    return said.decode(errors="replace") if is_over else None


def _output(process: anyio.abc.Process) -> anyio.abc.ByteReceiveStream:
    assert process.stdout
    return process.stdout
