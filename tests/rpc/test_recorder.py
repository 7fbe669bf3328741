"""A conversation is written to a file, and a file is played as a conversation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from pitui.rpc import requests as ask
from pitui.rpc.client import RpcClient
from pitui.rpc.errors import PiGone, RequestRefused
from pitui.rpc.recorder import Recorder
from pitui.rpc.records import AgentSettled, AgentStart, Record, Response, TextDelta, Unparsed, decode
from pitui.rpc.replay import Replay, is_recording
from tests.rpc.memory import MemoryPi, until

RECORDINGS = sorted((Path(__file__).parent.parent / "recordings").rglob("*.jsonl"))


def entries_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


async def test_both_directions_are_written_with_their_times_as_they_happen(tmp_path: Path):
    path, pi = tmp_path / "session.jsonl", MemoryPi()
    recorder = Recorder(path)
    async with RpcClient(pi, lambda record: None, recorder=recorder) as client:
        pi.says(b'{"type": "agent_start", "text": "\xe2\x80\xa8"}\n', b"npm \xff warn\n", b'{"type": "caf\xe9"}\n')
        await until(lambda: len(entries_of(path)) == 3)
        await client.answer("d1", ask.Value("Blue"))
        written = entries_of(path)
    recorder.close()
    assert [{key: value for key, value in entry.items() if key != "t"} for entry in written] == [
        {"to": "client", "record": {"type": "agent_start", "text": "\u2028"}},
        {"to": "client", "line": "npm \ufffd warn"},
        {"to": "client", "record": {"type": "caf\ufffd"}},
        {"to": "pi", "record": {"type": "extension_ui_response", "id": "d1", "value": "Blue"}},
    ]
    assert all(isinstance(entry["t"], int) and entry["t"] >= 0 for entry in written)
    assert path.stat().st_mode & 0o077 == 0, "it holds all that was said"


async def test_a_fault_of_ours_is_in_the_recording(tmp_path: Path):
    path, pi = tmp_path / "session.jsonl", MemoryPi()

    def sink(record: Record) -> None:
        raise RuntimeError("a fault of ours")

    recorder = Recorder(path)
    async with RpcClient(pi, sink, recorder=recorder):
        pi.says(b'{"type": "agent_start"}\n')
        await until(lambda: len(entries_of(path)) == 2)
    recorder.close()
    assert "a fault of ours" in entries_of(path)[1]["fault"]


def test_a_recording_that_cannot_be_made_is_refused_at_once(tmp_path: Path):
    with pytest.raises(OSError):
        Recorder(tmp_path / "no" / "such" / "folder.jsonl")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
async def test_a_full_disk_is_told_once_and_the_conversation_goes_on():
    faults: list[str] = []
    pi, heard = MemoryPi(), list[Record]()
    recorder = Recorder(Path("/dev/full"), faults.append)
    async with RpcClient(pi, heard.append, recorder=recorder):
        pi.says(b'{"type": "agent_start"}\n{"type": "agent_settled"}\n')
        await until(lambda: len(heard) == 2)
    recorder.close()
    assert len(faults) == 1
    assert "/dev/full" in faults[0]


# Playing


@pytest.fixture
def recording(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: Any) -> Path:
        path = tmp_path / "recording.jsonl"
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return write


def said(at: int, record: Any) -> dict[str, Any]:
    return {"t": at, "to": "client", "record": record}


def response(command: str, data: Any = None, **fields: Any) -> dict[str, Any]:
    return said(5, {"id": "r9", "type": "response", "command": command, "success": True, "data": data} | fields)


async def test_what_was_recorded_is_said_again_in_order(recording: Callable[..., Path]):
    path = recording(said(0, {"type": "agent_start"}), said(10_000, {"type": "agent_settled"}))
    heard: list[Record] = []
    async with RpcClient(Replay(path, speed=0), heard.append):
        await until(lambda: len(heard) == 2)
    assert heard == [AgentStart(), AgentSettled()]


async def test_records_wait_for_their_time_and_speed_makes_it_shorter(recording: Callable[..., Path]):
    path = recording(said(0, {"type": "agent_start"}), said(3_600_000, {"type": "agent_settled"}))
    heard: list[Record] = []
    async with RpcClient(Replay(path), heard.append) as client:
        await client.request(ask.GetState())
        await anyio.wait_all_tasks_blocked()
        assert heard == [AgentStart()]
    async with RpcClient(Replay(path, speed=3_600_000), heard.append):
        await until(lambda: len(heard) == 3)


async def test_questions_get_the_recorded_answers_in_order_and_then_the_last_one(recording: Callable[..., Path]):
    path = recording(response("get_state", {"sessionId": "one"}), response("get_state", {"sessionId": "two"}))
    async with RpcClient(Replay(path), lambda record: None) as client:
        assert [(await client.request(ask.GetState())).session_id for _ in range(3)] == ["one", "two", "two"]


async def test_entries_are_given_once(recording: Callable[..., Path]):
    path = recording(response("get_entries", {"entries": [{"type": "label", "id": "e1"}], "leafId": "e1"}))
    async with RpcClient(Replay(path), lambda record: None) as client:
        assert len((await client.request(ask.GetEntries())).entries) == 1
        assert (await client.request(ask.GetEntries(since="e1"))).entries == []


async def test_a_refusal_is_played_too(recording: Callable[..., Path]):
    path = recording(response("cycle_model", success=False, error="No API key"))
    async with RpcClient(Replay(path), lambda record: None) as client:
        with pytest.raises(RequestRefused, match="No API key"):
            await client.request(ask.CycleModel())


@pytest.mark.parametrize("request_", [ask.Prompt("hello"), ask.Bash("ls", False), ask.Compact(), ask.NewSession()])
async def test_what_only_a_pi_could_do_is_refused(recording: Callable[..., Path], request_: ask.Request[Any]):
    path = recording(response("prompt", {"disposition": "started"}))
    async with RpcClient(Replay(path), lambda record: None) as client:
        with pytest.raises(RequestRefused, match="This is a recording; nothing is sent"):
            await client.request(request_)


@pytest.mark.parametrize(
    ("lines", "is_one"),
    [
        ([], False),
        (["not json\n", "[]\n", '{"t": 1, "to": "client"}\n', {"t": 1, "to": "pi", "record": {}}], False),
        (["not json\n", {"t": 1, "to": "client", "record": {"type": "agent_start"}}], True),
    ],
)
def test_a_recording_is_told_from_another_file(recording: Callable[..., Path], lines: list[Any], is_one: bool):
    assert is_recording(recording(*lines)) is is_one


@pytest.mark.parametrize("request_", [ask.GetState(), ask.ClearQueue(), ask.CycleModel()])
async def test_what_was_never_recorded_succeeds(recording: Callable[..., Path], request_: ask.Request[Any]):
    async with RpcClient(Replay(recording()), lambda record: None) as client:
        await client.request(request_)


async def test_dialogs_can_be_answered(recording: Callable[..., Path]):
    async with RpcClient(Replay(recording()), lambda record: None) as client:
        await client.answer("d1", ask.Confirmed(True))
        await client.request(ask.GetState())


async def test_damaged_lines_are_left_out_and_counted(recording: Callable[..., Path]):
    path = recording(
        said(0, {"type": "agent_start"}),
        "not json\n",
        "\n",
        {"t": 1, "to": "client"},
        {"t": "soon", "to": "client", "record": {}},
        '{"t": NaN, "to": "client", "record": {}}\n',
        "7\n[]\n",
        {"t": 2, "to": "client", "line": "npm warn"},
        {"t": 2, "to": "client", "fault": "of ours"},
        "[" * 100_000 + "\n",
        said(3, {"type": "agent_settled"}),
        '{"t": 4, "to": "cli',
    )
    heard: list[Record] = []
    replay = Replay(path, speed=0)
    async with RpcClient(replay, heard.append):
        await until(lambda: len(heard) == 3)
    assert [type(record) for record in heard] == [AgentStart, Unparsed, AgentSettled]
    assert replay.skipped == 8


async def test_a_replay_stays_when_all_is_said_and_ends_when_it_is_stopped(recording: Callable[..., Path]):
    ends: list[tuple[int | None, str]] = []
    async with RpcClient(Replay(recording()), lambda record: None, on_end=lambda *end: ends.append(end)) as client:
        await client.request(ask.GetState())
        assert not client.ended.is_set()
    assert ends == [(0, "")]
    with pytest.raises(PiGone):
        await client.request(ask.GetState())


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
async def test_what_the_real_pi_said_is_played_whole(path: Path):
    expected = [
        record
        for entry in entries_of(path)
        if entry["to"] == "client"
        and not (isinstance(record := decode(json.dumps(entry["record"]).encode()), Response) and record.id is not None)
    ]
    heard: list[Record] = []
    replay = Replay(path, speed=0)
    async with RpcClient(replay, heard.append):
        await until(lambda: len(heard) == len(expected))
    assert heard == expected
    assert replay.skipped == 0


async def test_a_conversation_with_a_replay_can_be_recorded_and_played_again(tmp_path: Path):
    source = next(path for path in RECORDINGS if path.stem == "chat")
    first, second = list[Record](), list[Record]()
    recorder = Recorder(tmp_path / "again.jsonl")
    async with RpcClient(Replay(source, speed=0), first.append, recorder=recorder) as client:
        state = await client.request(ask.GetState())
        await until(lambda: any(isinstance(record, AgentSettled) for record in first))
    recorder.close()
    async with RpcClient(Replay(tmp_path / "again.jsonl", speed=0), second.append) as client:
        assert await client.request(ask.GetState()) == state
        await until(lambda: len(second) == len(first))
    assert second == first
    assert any(isinstance(getattr(record, "assistant_message_event", None), TextDelta) for record in first)
