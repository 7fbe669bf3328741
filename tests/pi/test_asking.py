"""Programs that are run for a moment, and what is left of them."""

import asyncio
import os
import sys
from pathlib import Path

import anyio
import pytest

from pitui.pi.asking import said_by

SLOW = """
import subprocess, sys, time
child = subprocess.Popen(["sleep", "60"])
print("half a word", flush=True)
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(60)
"""


async def test_what_a_program_says_is_known_with_its_errors_or_without() -> None:
    both = [sys.executable, "-c", "import sys; print('said'); print('wrong', file=sys.stderr); sys.exit(3)"]
    assert await said_by(both, 20) == "said\n"
    told = await said_by(both, 20, errors=True)
    assert told and sorted(told.split()) == ["said", "wrong"]
    assert await said_by(["/nowhere/pi"], 20) is None


async def test_a_program_that_takes_too_long_says_nothing(tmp_path: Path) -> None:
    assert await said_by([sys.executable, "-c", SLOW, str(tmp_path / "pid")], 0.5) is None


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
async def test_one_who_does_not_wait_for_it_any_more_leaves_nothing_of_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    asking = asyncio.create_task(said_by([sys.executable, "-c", SLOW, str(pid)], 60))
    with anyio.fail_after(20):
        while not pid.exists() or not pid.read_text():  # noqa: ASYNC110 - another process writes it
            await anyio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        while _lives(int(pid.read_text())):  # noqa: ASYNC110
            await anyio.sleep(0.01)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
