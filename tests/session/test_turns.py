"""What a run took is told after its last block, once, and the same of one that is read again."""

from dataclasses import replace
from pathlib import Path

import pytest

from pitui.rpc.messages import Entry
from pitui.session.apply import apply
from pitui.session.blocks import TurnBlock
from pitui.session.facts import EntriesLoaded, Exited, Replaced, Started

from .recordings import moved_in_the_tree, recordings, steps
from .telling import Telling, call, in_words, result, text
from .test_history import entry, said

USAGE = {"input": 100, "output": 20, "cost": {"total": 0.25}}


def asks(told: Telling, *calls: str) -> None:
    """A prompt, and an answer that calls `bash` so often."""
    told.pi("agent_start")
    told.message("user", "do it", timestamp=1000)
    told.message("assistant", [call(each) for each in calls], timestamp=2000, stopReason="toolUse", usage=USAGE)


def runs(told: Telling, call_id: str, seconds: float, name: str = "bash") -> None:
    told.pi("tool_execution_start", toolCallId=call_id, toolName=name, args={})
    told.now += seconds
    told.pi("tool_execution_end", toolCallId=call_id, toolName=name, result=result("done"), isError=False)


def answers(told: Telling, **fields: object) -> None:
    told.message("assistant", [text("Done.")], timestamp=9000, usage=USAGE, **fields)


def test_a_run_ends_with_what_it_took() -> None:
    told = Telling()
    asks(told, "a", "b")
    runs(told, "a", 5)
    runs(told, "b", 3)
    answers(told)
    told.pi("agent_settled")
    (turn,) = told.turns
    assert told.session.blocks[-1] is turn
    assert (turn.outcome, turn.duration, turn.tools) == ("done", 8, {"bash": 2})
    assert (turn.tokens_sent, turn.tokens_received, turn.cost) == (200, 40, 0.5)
    assert turn.timestamp == 9000  # it began at second one and took eight


def test_the_next_run_counts_only_its_own() -> None:
    told = Telling()
    for calls in ({"a": "read", "b": "bash", "c": "read"}, {"d": "edit"}):
        asks(told, *calls)
        for call_id, name in calls.items():
            told.pi("tool_execution_start", toolCallId=call_id, toolName=name, args={})
            runs(told, call_id, 1, name)
        answers(told)
        told.pi("agent_settled")
    assert [list(turn.tools.items()) for turn in told.turns] == [[("read", 2), ("bash", 1)], [("edit", 1)]]
    assert [turn.cost for turn in told.turns] == [0.5, 0.5]


def test_tools_that_another_tool_called_are_part_of_that() -> None:
    told = Telling()
    asks(told, "a")
    told.pi("tool_execution_start", toolCallId="a", toolName="codemode", args={})
    told.pi("tool_execution_start", toolCallId="n", toolName="read", args={}, parentToolCallId="a")
    told.pi("tool_execution_end", toolCallId="n", toolName="read", result=result("x"), parentToolCallId="a")
    told.pi("tool_execution_end", toolCallId="a", toolName="codemode", result=result("x"))
    told.pi("agent_settled")
    assert told.turns[0].tools == {"codemode": 1}


def test_a_retry_and_a_compaction_do_not_end_it() -> None:
    told = Telling()
    told.pi("agent_start")
    told.message("user", "do it", timestamp=1000)
    told.message("assistant", [], timestamp=2000, stopReason="error", errorMessage="529")
    told.pi("agent_end", willRetry=True)
    told.pi("auto_retry_start", attempt=1, maxAttempts=3, delayMs=2000, errorMessage="529")
    told.now += 2
    told.pi("auto_retry_end", success=True, attempt=1)
    told.pi("agent_start")
    told.pi("compaction_start", reason="threshold")
    told.now += 5
    told.pi("compaction_end", reason="threshold", result={"summary": "so far"}, aborted=False)
    answers(told)
    assert told.turns == []
    told.pi("agent_settled")
    assert [(turn.outcome, turn.duration) for turn in told.turns] == [("done", 7)]


def test_one_that_was_stopped_says_so() -> None:
    for settled in ({"aborted": True}, {}):  # before 1.1.0 only the answer tells
        told = Telling()
        told.pi("agent_start")
        told.message("user", "do it", timestamp=1000)
        told.now += 8
        told.message("assistant", [text("half")], timestamp=2000, stopReason="aborted")
        told.pi("agent_settled", **settled)
        assert [(turn.outcome, turn.duration) for turn in told.turns] == [("stopped", 8)]


def test_one_that_failed_says_so() -> None:
    told = Telling()
    asks(told)
    told.message("assistant", [], timestamp=2000, stopReason="error", errorMessage="529")
    told.pi("agent_settled")
    assert [turn.outcome for turn in told.turns] == ["failed"]


def test_it_is_told_too_when_pi_ends_within() -> None:
    told = Telling()
    asks(told, "a")
    told.pi("tool_execution_start", toolCallId="a", toolName="bash", args={})
    told.now += 4
    told.take(Exited(1, ""))
    assert [in_words(block) for block in told.session.blocks][-2:] == [
        "- stopped after 4.0: {'bash': 1}",
        "! pi ended (exit code 1).",
    ]


def test_a_run_in_which_nothing_was_said_leaves_no_word() -> None:
    told = Telling()
    told.pi("agent_start")
    told.pi("agent_settled")
    assert told.turns == []


# Read again

FIRST = "2026-01-01T00:00:00.000Z"
START = 1_767_225_600_000.0
"""The same in milliseconds."""


def a_run(number: int, parent: str | None, seconds: int, stop: str = "stop") -> list[Entry]:
    """A prompt at the first minute, a tool, an answer that was complete so many seconds later."""
    n, ended = str(number), f"2026-01-01T00:00:{seconds:02}.000Z"
    return [
        said(f"q{n}", parent, "user", "do it", START),
        said(f"c{n}", f"q{n}", "assistant", [call(f"t{n}", "read")], START + 1, stopReason="toolUse", usage=USAGE),
        said(f"r{n}", f"c{n}", "toolResult", [text("out")], START + 2, toolCallId=f"t{n}", toolName="read"),
        _written(said(f"a{n}", f"r{n}", "assistant", [text("Done.")], START + 3, stopReason=stop, usage=USAGE), ended),
    ]


def _written(read: Entry, timestamp: str) -> Entry:
    return replace(read, timestamp=timestamp)


def test_runs_of_an_old_session_are_told_from_what_pi_wrote_down() -> None:
    told = Telling()
    told.take(EntriesLoaded([*a_run(1, None, 12), *a_run(2, "a1", 30, "aborted")], "a2", True))
    assert [(turn.outcome, turn.duration, turn.tools, turn.cost) for turn in told.turns] == [
        ("done", 12, {"read": 1}, 0.5),
        ("stopped", 30, {"read": 1}, 0.5),
    ]
    assert told.turns[0].timestamp == START + 12_000
    kinds = [block.kind for block in told.session.blocks]
    assert kinds == ["prompt", "tool", "text", "turn", "prompt", "tool", "text", "notice", "turn"]


def test_a_prompt_in_the_middle_of_a_run_does_not_part_it() -> None:
    told = Telling()
    first, second = a_run(1, None, 12)[:3], a_run(2, "r1", 30)
    told.take(EntriesLoaded([*first, *second], "a2", True))
    assert [turn.tools for turn in told.turns] == [{"read": 2}]


def test_what_is_queued_begins_a_run_of_its_own() -> None:
    told = Telling()
    asks(told, "a")
    runs(told, "a", 5)
    answers(told)
    told.now += 1
    told.message("user", "and then", timestamp=10_000)
    told.now += 2
    told.message("assistant", [text("That too.")], timestamp=12_000)
    told.pi("agent_settled")
    assert [in_words(block) for block in told.session.blocks] == [
        *("> do it", "bash done: done", "Done.", "- done after 6.0: {'bash': 1}"),
        *("> and then", "That too.", "- done after 2.0: {}"),
    ]


def test_a_run_that_pi_left_by_ending_is_not_part_of_the_next_one() -> None:
    told = Telling()
    first, second = a_run(1, None, 12)[:2], a_run(2, "c1", 30)
    told.take(EntriesLoaded([*first, *second], "a2", True))
    assert [in_words(block) for block in told.session.blocks if block.kind != "prompt"] == [
        *("read lost", "- stopped after None: {'read': 1}"),
        *("read done: out", "Done.", "- done after 30.0: {'read': 1}"),
    ]


def test_the_summary_of_a_branch_comes_after_the_run_before_it() -> None:
    told = Telling()
    summary = entry("s", "a1", "branch_summary", fromId="x", summary="The other way.")
    told.take(EntriesLoaded([*a_run(1, None, 12), summary], "s", True))
    assert [block.kind for block in told.session.blocks][-2:] == ["turn", "branch_summary"]


def test_a_run_that_pi_left_last_was_stopped() -> None:
    told = Telling()
    told.take(EntriesLoaded(a_run(1, None, 12)[:2], "c1", True))
    assert [in_words(block) for block in told.turns] == ["- stopped after None: {'read': 1}"]


@pytest.mark.parametrize("recording", recordings(), ids=lambda path: path.stem)
def test_what_runs_took_is_told_the_same_when_the_session_is_opened_again(recording: Path) -> None:
    live, entries = Telling(), list[Entry]()
    live.take(Started("1.6.0"))
    for step in steps(recording):
        apply(live.session, step.applied, step.at)
        record = step.said or {}
        if isinstance(step.applied, Replaced) or moved_in_the_tree(step):
            return  # there are several branches in it
        if record.get("type") == "message_end" and record["message"]["role"] in ("user", "assistant", "toolResult"):
            fields = dict(record["message"])
            role, content, timestamp = (fields.pop(name) for name in ("role", "content", "timestamp"))
            parent = entries[-1].id if entries else None
            entries.append(said(f"e{len(entries)}", parent, role, content, timestamp, **fields))
    again = Telling()
    again.take(EntriesLoaded(entries, entries[-1].id if entries else None, True))
    assert list(map(_told, again.turns)) == list(map(_told, live.turns))
    tools = [(block.name, block.state, block.duration) for block in again.session.tools.values()]
    assert tools == [(block.name, block.state, block.duration) for block in live.session.tools.values()]


def _told(turn: TurnBlock) -> tuple[object, ...]:
    return turn.outcome, turn.tools, turn.tokens_received, turn.cost


def test_a_command_of_the_person_comes_after_the_run() -> None:
    told = Telling()
    command = said("x", "a1", "bashExecution", "", START + 9, command="ls", output="a", exitCode=0)
    told.take(EntriesLoaded([*a_run(1, None, 12), command], "x", True))
    assert [block.kind for block in told.session.blocks] == ["prompt", "tool", "text", "turn", "bash"]


def test_reading_it_again_says_nothing_twice() -> None:
    told = Telling()
    asks(told, "t1")
    runs(told, "t1", 5, "read")
    answers(told)
    told.pi("agent_settled")
    entries = [
        said("q", None, "user", "do it", 1000),
        said("c", "q", "assistant", [call("t1", "read")], 2000, stopReason="toolUse"),
        said("r", "c", "toolResult", [text("done")], 3000, toolCallId="t1", toolName="read"),
        said("a", "r", "assistant", [text("Done.")], 9000, stopReason="stop"),
    ]
    before = list(told.session.blocks)
    for whole in (False, True, True):
        told.take(EntriesLoaded(entries, "a", whole))
        assert told.session.blocks == before
