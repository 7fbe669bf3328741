"""Requests find their answers, everything else goes to the sink in order, and nothing waits for a pi that is gone."""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from pitui.rpc import client as client_module
from pitui.rpc import nested, records
from pitui.rpc import requests as ask
from pitui.rpc.client import RpcClient
from pitui.rpc.errors import AnswerUnreadable, PiGone, RequestError, RequestRefused, RequestTimedOut
from pitui.rpc.messages import Unknown
from pitui.rpc.records import AgentEnd, AgentSettled, AgentStart, Record, Response, TurnStart, Unparsed
from pitui.rpc.results import State
from tests.rpc.memory import MemoryPi, until


class Conversation:
    """A client, the pi in memory at its other end, and all that the sink was given."""

    def __init__(self) -> None:
        self.pi = MemoryPi()
        self.records: list[Record] = []
        self.ends: list[tuple[int | None, str]] = []
        self.stalls: list[bool] = []
        self.client = RpcClient(
            self.pi,
            self.records.append,
            on_stall=self.stalls.append,
            on_end=lambda code, stderr: self.ends.append((code, stderr)),
        )

    async def heard(self, number: int) -> list[Record]:
        await until(lambda: len(self.records) >= number)
        assert len(self.records) == number
        return self.records


@asynccontextmanager
async def conversation() -> AsyncIterator[Conversation]:
    talk = Conversation()
    async with talk.client:
        yield talk


@asynccontextmanager
async def asking(request: Callable[[], Awaitable[Any]]) -> AsyncIterator[list[Any]]:
    """Runs the request beside the block, and at its end gives what it returned or raised."""
    outcome: list[Any] = []

    async def ask_it() -> None:
        try:
            outcome.append(await request())
        except RequestError as error:
            outcome.append(error)

    async with anyio.create_task_group() as group:
        group.start_soon(ask_it)
        yield outcome
        await until(lambda: bool(outcome))


def line_of(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


NATIVE = sys.version_info >= (3, 14)
"""Python itself reads a tree of 20,000 levels, in a few milliseconds."""
START, TURN, SETTLED = (line_of({"type": name}) for name in ("agent_start", "turn_start", "agent_settled"))
ALL = [AgentStart(), TurnStart(), AgentSettled()]


# What pi says


async def test_records_packed_into_one_chunk_arrive_in_order():
    async with conversation() as talk:
        talk.pi.says(START + TURN + SETTLED)
        assert await talk.heard(3) == ALL


async def test_records_cut_at_every_byte_arrive_whole():
    async with conversation() as talk:
        talk.pi.says(*(bytes([byte]) for byte in START + TURN + SETTLED))
        assert await talk.heard(3) == ALL


async def test_windows_line_ends_blank_lines_and_a_last_line_without_end_are_all_right():
    async with conversation() as talk:
        talk.pi.says(b'{"type": "agent_start"}\r\n\r\n\n', b'{"type": "turn_start"}\r', b"\n", SETTLED.rstrip())
        talk.pi.exits(0)
        await talk.client.ended.wait()
        assert talk.records == ALL
        assert talk.ends == [(0, "")]


async def test_noise_between_records_costs_nothing_but_itself():
    async with conversation() as talk:
        talk.pi.says(START, b"npm warn \xff deprecated\n", b"\x00\x1b[2J\n", TURN, b"[1, 2]\nnull\n17\n", SETTLED)
        heard = await talk.heard(8)
        assert [record for record in heard if not isinstance(record, Unparsed | Unknown)] == ALL
        assert [type(record) for record in heard[1:3]] == [Unparsed, Unparsed]


async def test_a_line_of_64_mib_arrives_between_its_neighbours():
    text = "x" * (64 << 20)
    line = line_of({"type": "bash_execution_update", "id": "b", "delta": text})
    async with conversation() as talk:
        talk.pi.says(START, *(line[at : at + (64 << 10)] for at in range(0, len(line), 64 << 10)), SETTLED)
        await until(lambda: len(talk.records) == 3, seconds=60)
        big = talk.records[1]
        assert isinstance(big, records.BashExecutionUpdate)
        assert big.delta == text


async def test_a_sink_that_fails_neither_stops_the_reading_nor_goes_unnoticed():
    pi, heard = MemoryPi(), list[Record]()

    def sink(record: Record) -> None:
        heard.append(record)
        if isinstance(record, TurnStart):
            raise RuntimeError("a fault of ours")

    async with RpcClient(pi, sink) as client:
        pi.says(START + TURN + SETTLED)
        await until(lambda: len(heard) == 3)
        assert "a fault of ours" in client.faults[0]


async def test_the_screen_gets_its_turn_while_pi_never_stops_talking():
    turns = 0
    async with conversation() as talk:
        talk.pi.says(*[TURN * 1000] * 50)
        while len(talk.records) < 50_000:
            await anyio.lowlevel.checkpoint()
            turns += 1
        assert turns >= 50


# Requests and answers


async def test_a_request_gets_its_typed_answer():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.GetState())) as outcome:
        request = await talk.pi.gets(1)
        assert request["type"] == "get_state"
        talk.pi.answers(request, {"sessionId": "s1", "isStreaming": True})
    assert outcome[0].session_id == "s1"
    assert outcome[0].is_streaming


async def test_a_refusal_says_why():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.SetModel("a", "b"))) as outcome:
        talk.pi.answers(await talk.pi.gets(1), success=False, error="Model not found: a/b")
    assert isinstance(outcome[0], RequestRefused)
    assert (outcome[0].command, outcome[0].error) == ("set_model", "Model not found: a/b")


async def test_an_answer_is_heard_before_what_pi_says_after_it():
    async with conversation() as talk:

        def heard(state: State) -> None:
            talk.records.append(AgentEnd(will_retry=state.is_streaming))

        async with asking(lambda: talk.client.request(ask.GetState(), heard=heard)):
            request = await talk.pi.gets(1)
            answer = {"id": request["id"], "type": "response", "command": "get_state", "success": True}
            talk.pi.says(START + line_of({**answer, "data": {"isStreaming": True}}) + TURN)
        assert talk.records == [AgentStart(), AgentEnd(will_retry=True), TurnStart()]


async def test_answers_may_come_in_another_order():
    async with conversation() as talk:
        async with asking(lambda: talk.client.request(ask.Bash("slow"))) as slow:
            first = await talk.pi.gets(1)
            async with asking(lambda: talk.client.request(ask.Bash("quick"))) as quick:
                talk.pi.answers(await talk.pi.gets(2), {"output": "2"})
            talk.pi.answers(first, {"output": "1"})
        assert (slow[0].output, quick[0].output) == ("1", "2")


async def test_the_output_of_a_command_is_not_taken_for_its_answer():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.Bash("ls"), id_="b7")) as outcome:
        request = await talk.pi.gets(1)
        assert request["id"] == "b7"
        talk.pi.says(line_of({"type": "bash_execution_update", "id": "b7", "delta": "a.txt\n"}))
        assert await talk.heard(1) == [records.BashExecutionUpdate(id="b7", delta="a.txt\n")]
        assert outcome == []
        talk.pi.answers(request, {"output": "a.txt\n", "exitCode": 0})
    assert outcome[0].exit_code == 0


async def test_the_sink_has_heard_all_that_came_before_an_answer():
    async with conversation() as talk:
        known: list[int] = []

        async def ask_it() -> None:
            await talk.client.request(ask.Abort())
            known.append(len(talk.records))

        async with asking(ask_it):
            request = await talk.pi.gets(1)
            answer = line_of({"id": request["id"], "type": "response", "command": "abort", "success": True})
            talk.pi.says(START + TURN + SETTLED + answer)
        assert known == [3]


async def test_a_request_that_takes_too_long_says_so_and_its_late_answer_is_dropped():
    async with conversation() as talk:
        async with asking(lambda: talk.client.request(ask.GetState(), timeout=0.01)) as outcome:
            request = await talk.pi.gets(1)
        assert isinstance(outcome[0], RequestTimedOut)
        talk.pi.answers(request, {"sessionId": "late"})
        talk.pi.says(SETTLED)
        assert await talk.heard(1) == [AgentSettled()]


async def test_a_second_answer_to_the_same_request_is_dropped():
    async with conversation() as talk:
        async with asking(lambda: talk.client.request(ask.GetState())) as outcome:
            request = await talk.pi.gets(1)
            talk.pi.answers(request, {"sessionId": "first"})
            talk.pi.answers(request, {"sessionId": "second"})
        talk.pi.says(SETTLED)
        assert await talk.heard(1) == [AgentSettled()]
        assert outcome[0].session_id == "first"


async def test_two_requests_never_wait_under_one_id():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.Bash("a"), id_="same")):
        request = await talk.pi.gets(1)
        with pytest.raises(ValueError, match="same"):
            await talk.client.request(ask.Bash("b"), id_="same")
        talk.pi.answers(request)


@pytest.mark.parametrize("id_", [None, 7, "not ours", ["x"], {"a": 1}])
async def test_an_answer_to_nothing_of_ours_is_a_record_like_any_other(id_: Any):
    async with conversation() as talk:
        said = {"id": id_, "type": "response", "command": "parse", "success": False, "error": "Failed to parse command"}
        talk.pi.says(line_of(said), SETTLED)
        first, _ = await talk.heard(2)
        assert isinstance(first, Response)
        assert first.error == "Failed to parse command"


async def test_an_error_with_neither_id_nor_command_is_a_record_like_any_other():
    async with conversation() as talk:
        talk.pi.says(line_of({"type": "response", "success": False, "error": "Unknown command: undefined"}), SETTLED)
        first, _ = await talk.heard(2)
        assert isinstance(first, Response)
        assert first.command == ""


async def test_an_answer_that_cannot_be_read_reaches_the_one_who_asked():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.GetState())) as outcome:
        request = await talk.pi.gets(1)
        talk.pi.says(b'{"id":"%s","type":"response","command":"get_state","succ\n' % request["id"].encode())
    assert isinstance(outcome[0], AnswerUnreadable)
    assert talk.records == []


@pytest.mark.parametrize("data", ["a text", [1, 2], 17, None, {"model": "none", "messageCount": {}}])
async def test_strange_data_in_an_answer_is_read_as_far_as_it_goes(data: Any):
    async with conversation() as talk, asking(lambda: talk.client.request(ask.GetState())) as outcome:
        talk.pi.answers(await talk.pi.gets(1), data)
    assert outcome[0] == ask.results.State()


async def test_no_other_model_to_cycle_to_is_an_answer():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.CycleModel())) as outcome:
        request = await talk.pi.gets(1)
        talk.pi.says(line_of({"id": request["id"], "type": "response", "command": "x", "success": True, "data": None}))
    assert outcome == [None]


async def test_an_unknown_record_strands_no_later_answer():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.GetState())) as outcome:
        request = await talk.pi.gets(1)
        talk.pi.says(
            line_of({"type": "hologram_started", "phase": 3}),
            line_of({"type": "message_end", "message": {"role": "futureRole", "content": 7}}),
            line_of({"type": "extension_ui_request", "id": "u1", "method": "showHologram"}),
        )
        talk.pi.answers(request, {"sessionId": "s1"})
    assert outcome[0].session_id == "s1"
    assert len(talk.records) == 3


async def test_a_dialog_is_answered_by_its_id():
    async with conversation() as talk:
        await talk.client.answer("d1", ask.Value("Blue"))
        assert talk.pi.sent == [{"type": "extension_ui_response", "id": "d1", "value": "Blue"}]


# A session as long as it may be


def tree_of(levels: int) -> bytes:
    """The data of a get_tree answer: one entry under the other."""
    nodes = (
        f'{{"entry":{{"type":"message","id":"e{level}","message":{{"role":"user","content":"{level}"}}}},"children":['
        for level in range(levels)
    )
    return ('{"tree":[' + "".join(nodes) + "]}" * levels + '],"leafId":"last"}').encode()


def answer_of(request: dict[str, Any], data: bytes) -> bytes:
    return b'{"id":"%s","type":"response","command":"get_tree","success":true,"data":%s}\n' % (
        request["id"].encode(),
        data,
    )


async def test_a_tree_of_20000_levels_is_read_and_the_screen_lives_meanwhile():
    async with conversation() as talk:
        turns = 0
        async with asking(lambda: talk.client.request(ask.GetTree())) as outcome:
            talk.pi.says(answer_of(await talk.pi.gets(1), tree_of(20_000)))
            while not outcome:
                await anyio.sleep(0.001)
                turns += 1
        assert turns > 20 or NATIVE, "read on the event loop"
        entries = outcome[0].flat()
        assert [entry.id for entry, _ in entries] == [f"e{level}" for level in range(20_000)]
        assert entries[-1][0].message.content[0].text == "19999"
        assert outcome[0].leaf_id == "last"


async def test_a_long_answer_is_not_read_where_the_screen_waits(monkeypatch: pytest.MonkeyPatch):
    threads: list[threading.Thread] = []

    def read_answer(request: ask.Request[Any], line: bytes) -> Any:
        threads.append(threading.current_thread())
        return ask.read_answer(request, line)

    monkeypatch.setattr(client_module, "read_answer", read_answer)
    async with conversation() as talk, asking(lambda: talk.client.request(ask.GetTree())) as outcome:
        talk.pi.says(answer_of(await talk.pi.gets(1), tree_of(500)))
    assert len(outcome[0].flat()) == 500
    assert threading.main_thread() not in threads


@pytest.mark.skipif(NATIVE, reason="that Python reads as deep as its stack goes")
async def test_past_the_depth_that_pitui_reads_the_one_who_asked_is_told(monkeypatch: pytest.MonkeyPatch):
    assert nested.MAX_DEPTH >= 2 * 20_000
    monkeypatch.setattr(nested, "MAX_DEPTH", 60_000)  # past what any Python reads by itself
    async with conversation() as talk:
        async with asking(lambda: talk.client.request(ask.GetTree())) as outcome:
            talk.pi.says(answer_of(await talk.pi.gets(1), tree_of(30_001)))
        assert isinstance(outcome[0], AnswerUnreadable)
        assert "60,000 levels" in str(outcome[0])
        talk.pi.says(SETTLED)
        assert await talk.heard(1) == [AgentSettled()]


async def test_nesting_in_a_small_record_does_not_hold_the_screen_up_either():
    deep = b'{"type":"hologram","x":' + b"[" * 30_000 + b"]" * 30_000 + b"}\n"
    async with conversation() as talk:
        turns = 0
        talk.pi.says(deep)
        while not talk.records:
            await anyio.lowlevel.checkpoint()
            turns += 1
        assert isinstance(talk.records[0], Unknown)
        assert turns > 5, "read on the event loop"


# What we say


async def test_lines_go_out_whole_and_in_the_order_of_the_calls():
    long = "x" * (3 << 20)
    async with conversation() as talk, anyio.create_task_group() as group:
        talk.pi.stops_reading()

        async def ask_it(request: ask.Request[Any]) -> None:
            with pytest.raises(PiGone):
                await talk.client.request(request)

        for request in (ask.Prompt(long), ask.ClearQueue(), ask.Abort()):
            group.start_soon(ask_it, request)
        await anyio.wait_all_tasks_blocked()
        talk.pi.reads_again()
        await talk.pi.gets(3)
        assert [request["type"] for request in talk.pi.sent] == ["prompt", "clear_queue", "abort"]
        talk.pi.exits(0)


async def test_a_pi_that_does_not_read_is_seen_to_stall_and_to_go_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(client_module, "STALLED_AFTER", 0.01)
    async with conversation() as talk:
        talk.pi.stops_reading()
        async with asking(lambda: talk.client.request(ask.GetState(), timeout=0.001)) as outcome:
            await until(lambda: talk.client.stalled)
            assert outcome == [], "the clock starts when the line is written"
            talk.pi.reads_again()
            talk.pi.answers(await talk.pi.gets(1))
        assert not talk.client.stalled
        assert talk.stalls == [True, False]


async def test_a_request_given_up_while_it_is_written_is_written_whole():
    async with conversation() as talk:
        talk.pi.stops_reading()
        with anyio.move_on_after(0.01):
            await talk.client.request(ask.Prompt("half?"))
        with anyio.move_on_after(0.01):
            await talk.client.request(ask.Prompt("never begun"))
        talk.pi.reads_again()
        async with asking(lambda: talk.client.request(ask.GetState())):
            talk.pi.answers(await talk.pi.gets(2))
        assert [request.get("message") for request in talk.pi.sent] == ["half?", None]


# The end of pi


async def test_the_last_words_of_a_pi_may_be_an_answer():
    async with conversation() as talk, asking(lambda: talk.client.request(ask.Prompt("/shutdown"))) as outcome:
        talk.pi.answers(await talk.pi.gets(1), {"disposition": "handled"})
        talk.pi.exits(0)
    assert outcome[0].disposition == "handled"


async def test_every_waiting_request_ends_at_once_when_pi_does():
    async with conversation() as talk:
        async with (
            asking(lambda: talk.client.request(ask.Prompt("one"), timeout=None)) as first,
            asking(lambda: talk.client.request(ask.Abort(), timeout=None)) as second,
        ):
            await talk.pi.gets(2)
            talk.pi.says(START, b'{"type": "turn_start"}')
            talk.pi.exits(134, "FATAL: out of memory\n")
        for outcome in (first[0], second[0]):
            assert isinstance(outcome, PiGone)
            assert (outcome.code, outcome.stderr) == (134, "FATAL: out of memory\n")
        assert talk.records == [AgentStart(), TurnStart()]
        assert talk.ends == [(134, "FATAL: out of memory\n")]
        assert talk.client.exit_code == 134


async def test_the_end_is_told_after_the_last_record_and_once():
    order: list[str] = []
    pi = MemoryPi()
    client = RpcClient(pi, lambda record: order.append("record"), on_end=lambda code, stderr: order.append("end"))
    async with client:
        pi.says(START, SETTLED.rstrip())
        pi.exits(0)
        await client.ended.wait()
        await client.stop()
    assert order == ["record", "record", "end"]


async def test_what_is_said_to_a_dead_pi_raises_that_it_is_gone():
    async with conversation() as talk:
        talk.pi.exits(-9)
        await talk.client.ended.wait()
        with pytest.raises(PiGone):
            await talk.client.request(ask.GetState())
        with pytest.raises(PiGone):
            await talk.client.answer("d1", ask.Dismissed())


async def test_a_pi_that_takes_no_more_input_counts_as_ended():
    async with conversation() as talk:
        talk.pi.broken = True
        with pytest.raises(PiGone):
            await talk.client.request(ask.GetState())
        assert talk.pi.stops
        assert talk.client.ended.is_set()


async def test_writes_that_still_wait_end_with_pi():
    async with conversation() as talk:
        talk.pi.stops_reading()
        async with (
            asking(lambda: talk.client.request(ask.GetState())) as first,
            asking(lambda: talk.client.request(ask.Abort())) as second,
        ):
            await anyio.wait_all_tasks_blocked()
            talk.pi.exits(1)
        assert isinstance(first[0], PiGone)
        assert isinstance(second[0], PiGone)


async def test_leaving_stops_pi_also_with_an_error_and_the_error_comes_out_as_it_was():
    talk = Conversation()
    with pytest.raises(KeyError, match="ours"):
        async with talk.client:
            raise KeyError("ours")
    assert talk.pi.stops
    assert talk.ends == [(0, "")]


async def test_leaving_stops_pi_also_when_cancelled():
    talk = Conversation()
    with anyio.move_on_after(0.01) as scope:
        async with talk.client:
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert talk.pi.stops
    assert talk.ends == [(0, "")]


async def test_leaving_stops_pi_also_when_the_program_is_interrupted():
    talk = Conversation()

    async def stay() -> None:
        async with talk.client:
            await anyio.sleep_forever()

    task = asyncio.create_task(stay())
    await anyio.wait_all_tasks_blocked()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert talk.pi.stops
    assert talk.ends == [(0, "")]


async def test_every_cut_of_a_conversation_leaves_the_client_in_order():
    stream = START + line_of({"type": "extension_ui_request", "method": "notify", "message": "漢字"}) + SETTLED
    for before, _ in pairwise(range(0, len(stream), 9)):
        async with conversation() as talk:
            talk.pi.says(stream[:before])
            talk.pi.exits(0)
            await talk.client.ended.wait()
            assert talk.ends == [(0, "")]
            assert not talk.client.faults
