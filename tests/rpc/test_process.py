"""A real child process: started, spoken to, and never left behind."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from pitui.rpc import client as client_module
from pitui.rpc import process as process_module
from pitui.rpc import requests as ask
from pitui.rpc.client import RpcClient
from pitui.rpc.errors import PiGone
from pitui.rpc.messages import Unknown
from pitui.rpc.process import PiProcess
from pitui.rpc.records import AgentSettled, AgentStart, Record
from pitui.rpc.spawn import PiNotFoundError, PiNotStartedError
from tests.rpc.memory import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups need POSIX")

Script = Callable[[str], list[str]]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """A Python program as a command line; it ends by itself after a minute."""

    def write(body: str) -> list[str]:
        path = tmp_path / "child.py"
        head = "import json, os, signal, subprocess, sys, time\nsignal.alarm(60)\n"
        path.write_text(head + textwrap.dedent(body))
        return [sys.executable, "-u", str(path)]

    return write


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "PATIENCE", (0.2, 0.2, 2.0))
    monkeypatch.setattr(process_module, "PATIENCE_LEFT_BEHIND", 0.2)


ECHO = """
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
"""


def lives(pid: int) -> bool:
    """Whether it runs; the dead whom nobody has buried do not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True


async def received(process: PiProcess, *, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += await process.receive()
    return data


async def test_what_is_sent_comes_back(script: Script):
    process = await PiProcess.spawn(script(ECHO))
    await process.send(b"hello\n")
    assert await received(process, size=6) == b"hello\n"
    assert process.returncode is None
    assert await process.stop() == 0


async def test_the_child_gets_its_folder_its_environment_and_a_session_of_its_own(script: Script, tmp_path: Path):
    body = f"""
        print(os.path.samefile(".", {str(tmp_path)!r}), os.environ["PITUI_TEST"], os.getsid(0) == os.getpid())
    """
    process = await PiProcess.spawn(script(body), cwd=tmp_path, env={"PITUI_TEST": "yes"})
    assert await received(process, size=14) == b"True yes True\n"
    await process.stop()


async def test_a_command_that_does_not_exist():
    with pytest.raises(PiNotFoundError, match="no-such-pi") as caught:
        await PiProcess.spawn(["no-such-pi", "--mode", "rpc"])
    assert caught.value.argv == ("no-such-pi", "--mode", "rpc")


async def test_a_command_that_may_not_be_run(tmp_path: Path):
    (tmp_path / "pi").write_text("not a program")
    with pytest.raises(PiNotStartedError, match="ermission"):
        await PiProcess.spawn([str(tmp_path / "pi")])


async def test_a_folder_that_does_not_exist_is_not_a_missing_command(script: Script, tmp_path: Path):
    with pytest.raises(PiNotStartedError, match="gone") as caught:
        await PiProcess.spawn(script(ECHO), cwd=tmp_path / "gone")
    assert not isinstance(caught.value, PiNotFoundError)


async def test_closing_its_input_is_enough_for_a_well_behaved_child(script: Script):
    process = await PiProcess.spawn(script("sys.stdin.read(); print('saved'); sys.exit(7)"))
    assert await process.stop() == 7
    assert await received(process, size=6) == b"saved\n"
    with pytest.raises(anyio.EndOfStream):
        await process.receive()
    with pytest.raises(anyio.BrokenResourceError):
        await process.send(b"late\n")


async def test_a_child_that_ignores_the_end_of_its_input_is_asked_then_killed(script: Script, impatient: None):
    body = """
        signal.signal(signal.SIGINT, lambda *_: print("SIGINT"))
        signal.signal(signal.SIGTERM, lambda *_: print("SIGTERM"))
        print("ready")
        while True:
            time.sleep(0.01)
    """
    process = await PiProcess.spawn(script(body))
    assert await received(process, size=6) == b"ready\n"
    assert await process.stop() == -signal.SIGKILL
    assert await received(process, size=8) == b"SIGTERM\n"
    with pytest.raises(anyio.EndOfStream):
        await process.receive()


async def test_a_child_that_has_never_said_anything_has_a_patience_of_its_own(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_module, "PATIENCE", (0, 0, 2.0))
    monkeypatch.setattr(process_module, "PATIENCE_WITH_SILENCE", (0.1, 20.0, 2.0))
    ready = tmp_path / "ready"
    process = await PiProcess.spawn(
        script(f"""
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
        open({str(ready)!r}, "w")
        time.sleep(60)
    """)
    )
    await until(ready.exists)
    assert await process.stop() == 7


async def test_a_child_that_is_being_stopped_can_be_ended_at_once_with_all_its_own(
    script: Script, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_module, "PATIENCE", (60, 60, 60))
    process = await PiProcess.spawn(
        script("""
        child = subprocess.Popen(["sleep", "60"])
        print(child.pid, flush=True)
        time.sleep(60)
    """)
    )
    child = int(await process.receive())
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(process.stop)
            await anyio.lowlevel.checkpoint()
            process.kill()
        assert process.returncode == -signal.SIGKILL
        await until(lambda: not lives(child))


async def test_two_who_stop_it_send_one_signal(script: Script, impatient: None):
    body = """
        signal.signal(signal.SIGTERM, lambda *_: print("SIGTERM"))
        print("ready")
        while True:
            time.sleep(0.01)
    """
    process = await PiProcess.spawn(script(body))
    await received(process, size=6)
    async with anyio.create_task_group() as group:
        group.start_soon(process.stop)
        await anyio.sleep(0.1)
        group.start_soon(process.stop)
    assert await received(process, size=8) == b"SIGTERM\n"
    with pytest.raises(anyio.EndOfStream):
        await process.receive()


async def test_stopping_goes_on_when_cancelled(script: Script, impatient: None):
    process = await PiProcess.spawn(script("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile 1: time.sleep(1)"))
    with anyio.move_on_after(0.01):
        await process.stop()
    assert process.returncode is not None
    assert not lives(process.pid)


async def test_a_child_that_has_much_to_say_at_the_end_can_say_it(script: Script):
    process = await PiProcess.spawn(script("sys.stdin.read(); sys.stdout.write('x' * 1_000_000); sys.exit(3)"))
    assert await process.stop() == 3
    assert len(await received(process, size=1_000_000)) == 1_000_000


async def test_noise_on_stderr_never_blocks_the_child_and_its_end_is_kept(script: Script):
    body = """
        for number in range(60_000):
            print(f"warn: deprecated option {number} [/] \\x1b[31mred", file=sys.stderr)
        sys.stderr.buffer.write(b"caf\\xe9 last words\\n")
        print("done after the noise")
        sys.stdin.read()
    """
    process = await PiProcess.spawn(script(body))
    assert await received(process, size=21) == b"done after the noise\n"
    await process.stop()
    assert process.stderr_tail.endswith("caf\ufffd last words\n")
    assert "option 59999" in process.stderr_tail
    assert len(process.stderr_tail) <= process_module.STDERR_KEPT


async def test_a_child_that_does_not_read_blocks_nobody_but_the_writer(script: Script, impatient: None):
    body = """
        print(subprocess.Popen(["sleep", "60"], start_new_session=True, stdout=2).pid)
        time.sleep(60)
    """
    process = await PiProcess.spawn(script(body))
    holds_the_pipe = int(await received(process, size=2))
    turns = 0
    async with anyio.create_task_group() as group:

        async def write() -> None:
            with pytest.raises(anyio.BrokenResourceError):
                await process.send(bytes(20 << 20))

        group.start_soon(write)
        for _ in range(20):
            await anyio.sleep(0.001)
            turns += 1
        await process.stop()
    assert turns == 20
    assert not lives(process.pid)
    os.kill(holds_the_pipe, signal.SIGKILL)


async def test_a_long_line_is_written_whole_to_a_slow_reader(script: Script):
    body = """
        size = 0
        while size < 20 << 20:
            size += len(os.read(0, 1 << 16))
        print(size)
    """
    process = await PiProcess.spawn(script(body))
    await process.send(bytes(20 << 20))
    assert await received(process, size=9) == b"20971520\n"
    await process.stop()


HOLDS_THE_PIPES = """
    child = subprocess.Popen(["sleep", "60"], start_new_session={apart})
    print(json.dumps({{"type": "grandchild", "pid": child.pid}}))
    print(json.dumps({{"type": "agent_settled"}}))
    sys.exit(5)
"""


@pytest.mark.parametrize("apart", [False, True])
async def test_a_grandchild_that_holds_the_pipes_does_not_hide_the_end(script: Script, apart: bool):
    heard: list[Record] = []
    process = await PiProcess.spawn(script(HOLDS_THE_PIPES.format(apart=apart)))
    async with RpcClient(process, heard.append) as client:
        with anyio.fail_after(5):
            await client.ended.wait()
    assert client.exit_code == 5
    assert heard[1] == AgentSettled()
    grandchild = getattr(heard[0], "raw", {})["pid"]
    if apart:  # no child of ours any more: pi runs the commands of its tools like this, and they may go on
        os.kill(grandchild, signal.SIGKILL)
    else:
        await until(lambda: not lives(grandchild))


async def test_a_grandchild_that_ignores_the_signal_is_killed(script: Script, impatient: None):
    body = """
        stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True)"
        child = subprocess.Popen([sys.executable, "-c", stubborn + "; time.sleep(60)"], stdout=subprocess.PIPE)
        child.stdout.readline()
        print(child.pid)
        sys.stdin.read()
    """
    process = await PiProcess.spawn(script(body))
    grandchild = int(await received(process, size=2))
    assert lives(grandchild)
    await process.stop()
    await until(lambda: not lives(grandchild))


# The client on a real process


async def test_what_is_said_to_a_pi_that_does_not_read_yet_arrives_whole_and_in_order(
    script: Script, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(client_module, "STALLED_AFTER", 0.01)
    body = """
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        print('{"type": "ready"}')
        signal.sigwait([signal.SIGUSR1])
        for line in sys.stdin:
            request = json.loads(line)
            print(json.dumps({"type": "took", "command": request["type"], "length": len(line)}))
            print(json.dumps({"type": "response", "id": request["id"], "command": request["type"], "success": True}))
    """
    heard: list[Record] = []
    process = await PiProcess.spawn(script(body))
    async with RpcClient(process, heard.append) as client, anyio.create_task_group() as group:
        await until(lambda: len(heard) == 1)
        for request in (ask.Prompt("x" * 1_000_000), ask.ClearQueue(), ask.Abort()):
            group.start_soon(client.request, request)
        await until(lambda: client.stalled)
        os.kill(process.pid, signal.SIGUSR1)
        await until(lambda: len(heard) == 4)
        assert not client.stalled
    took = [record.raw for record in heard[1:] if isinstance(record, Unknown)]
    assert [record["command"] for record in took] == ["prompt", "clear_queue", "abort"]
    assert took[0]["length"] > 1_000_000


async def test_a_killed_child_is_noticed_and_its_waiting_requests_end(script: Script):
    process = await PiProcess.spawn(script("print('FATAL: no memory', file=sys.stderr)\nfor _ in sys.stdin: print(1)"))
    ends: list[tuple[int | None, str]] = []
    async with RpcClient(process, lambda record: None, on_end=lambda *end: ends.append(end)) as client:

        async def ask_it() -> None:
            with pytest.raises(PiGone) as caught:
                await client.request(ask.GetState(), timeout=None)
            assert caught.value.code == -signal.SIGKILL

        async with anyio.create_task_group() as group:
            group.start_soon(ask_it)
            await until(lambda: client.stderr_tail == "FATAL: no memory\n")
            os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(PiGone):
            await client.request(ask.Prompt("next question"))
    assert ends == [(-signal.SIGKILL, "FATAL: no memory\n")]


async def test_a_child_that_closes_its_output_and_lives_on_is_stopped(script: Script, impatient: None):
    heard: list[Record] = []
    body = """
        print('{"type": "agent_start"}')
        os.close(1)
        while True:
            time.sleep(1)
    """
    process = await PiProcess.spawn(script(body))
    async with RpcClient(process, heard.append) as client:
        await client.ended.wait()
        assert client.exit_code == -signal.SIGTERM
    assert heard == [AgentStart()]
    assert not lives(process.pid)


async def test_a_child_that_closes_its_input_and_lives_on_is_stopped(script: Script, impatient: None):
    process = await PiProcess.spawn(script("os.close(0)\nprint(1)\nwhile True: time.sleep(1)"))
    await received(process, size=2)
    async with RpcClient(process, lambda record: None) as client:
        with pytest.raises(PiGone):
            await client.request(ask.GetState())
    assert not lives(process.pid)


@pytest.mark.parametrize("end", ["raise SystemExit(3)", "raise KeyError('ours')", "sys.exit()"])
def test_no_child_outlives_a_program_that_ends_without_stopping_it(end: str):
    program = f"""
        import asyncio, sys
        from pitui.rpc.process import PiProcess
        async def main():
            stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
            process = await PiProcess.spawn([sys.executable, "-c", stubborn])
            print(process.pid, flush=True)
            {end}
        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert not lives(int(done.stdout))
