"""A call and its run are one block, whoever tells of it first."""

import pytest

from pitui.session import facts
from pitui.session.blocks import ToolState

from .telling import Telling, call, output_of, result, text


def starts(told: Telling, id_: str, **fields: object) -> None:
    told.pi("tool_execution_start", toolCallId=id_, toolName="bash", args={"command": "true"}, **fields)


def finishes(told: Telling, id_: str, words: str = "out", *, failed: bool = False, **fields: object) -> None:
    told.pi("tool_execution_end", toolCallId=id_, toolName="bash", result=result(words), isError=failed, **fields)


def test_a_call_is_written_waits_runs_and_is_done_in_one_block() -> None:
    told = Telling()
    told.begins()
    told.delta("toolcall_start", 0, id="c1", toolName="bash")
    told.delta("toolcall_delta", 0, delta='{"comm')
    told.delta("toolcall_delta", 0, delta='and":')
    block = told.tool("c1")
    assert (block.state, block.argument_text, block.arguments) == (ToolState.WRITING, '{"command":', {})
    told.delta("toolcall_end", 0, toolCall=call("c1", command="ls"))
    assert (block.state, block.arguments) == (ToolState.WAITING, {"command": "ls"})
    told.ends(content=[call("c1", command="ls")], stopReason="toolUse")
    starts(told, "c1")
    assert block.state is ToolState.RUNNING
    told.pi("tool_execution_update", toolCallId="c1", toolName="bash", partialResult=result("a\n"))
    told.pi("tool_execution_update", toolCallId="c1", toolName="bash", partialResult=result("a\nb\n"))
    assert output_of(block) == "a\nb\n"
    finishes(told, "c1", "a\nb\nc\n")
    assert told.chat == ["bash done: a\nb\nc\n"]
    assert told.session.blocks == [block]
    assert block.finished


@pytest.mark.parametrize("failed", [True, False])
def test_durations_are_pis_or_else_our_own(failed: bool) -> None:
    told = Telling()
    starts(told, "a")
    starts(told, "b")
    told.now += 2.5
    finishes(told, "a", failed=failed, durationMs=40)
    finishes(told, "b", failed=failed)
    assert told.tool("a").duration == 0.04
    assert told.tool("b").duration == 2.5
    assert told.tool("a").state is (ToolState.FAILED if failed else ToolState.DONE)


@pytest.mark.parametrize("id_", ["call_abc|fc_def", "1abc", "toolu.01/x", "functions.bash:0", "", "é", "a b"])
def test_any_text_is_an_id_and_a_run_without_a_call_is_a_block_at_the_end(id_: str) -> None:
    told = Telling()
    told.ends(content=[text("before")])
    starts(told, id_)
    finishes(told, id_, f"out of {id_}")
    assert output_of(told.tool(id_)) == f"out of {id_}"
    assert told.session.blocks[-1] is told.tool(id_)
    told.pi("extension_ui_request", id="w", method="setWidget", widgetKey=id_, widgetLines=["x"])
    told.pi("extension_ui_request", id="s", method="setStatus", statusKey=id_, statusText="y")
    assert (list(told.session.widgets), told.session.statuses) == ([id_], {id_: "y"})
    told.pi("extension_ui_request", id="w", method="setWidget", widgetKey=id_)
    told.pi("extension_ui_request", id="s", method="setStatus", statusKey=id_)
    assert not told.session.widgets
    assert not told.session.statuses


def test_a_run_that_was_told_of_before_its_call_moves_to_the_place_of_the_call() -> None:
    told = Telling()
    told.begins()
    starts(told, "c1")
    told.delta("text_delta", 1, delta="after")
    told.ends(content=[call("c1", command="ls"), text("after")])
    assert told.chat == ["bash running", "after"]


def test_a_call_whose_start_was_lost_still_finds_its_run() -> None:
    told = Telling()
    told.begins()
    told.delta("toolcall_delta", 0, delta="{}")
    starts(told, "c1")
    told.ends(content=[call("c1")])
    finishes(told, "c1", "x")
    assert told.chat == ["bash done: x"]
    assert list(told.session.tools) == ["c1"]


def test_a_second_message_that_uses_an_id_again_gets_a_block_of_its_own() -> None:
    told = Telling()
    for turn in (1, 2):
        told.ends(content=[call("same")], timestamp=turn)
        starts(told, "same")
        finishes(told, "same", f"turn {turn}")
    assert told.chat == ["bash done: turn 1", "bash done: turn 2"]
    assert list(told.session.tools.values()) == told.session.blocks


def test_parallel_runs_finish_in_any_order() -> None:
    told = Telling()
    told.ends(content=[call("p1"), call("p2"), call("p3")], stopReason="toolUse")
    starts(told, "p1")
    starts(told, "p2")
    finishes(told, "p2", "second")
    assert told.chat == ["bash running", "bash done: second", "bash waiting"]


def test_after_an_aborted_run_nothing_runs_or_waits_any_more() -> None:
    told = Telling()
    told.pi("agent_start")
    told.ends(content=[call("p1"), call("p2"), call("p3")], stopReason="toolUse")
    starts(told, "p1")
    starts(told, "p2")
    finishes(told, "p1", "Operation aborted", failed=True)
    told.ends(stopReason="aborted", timestamp=2)
    told.now += 3
    told.pi("agent_settled", aborted=True)
    assert [told.tool(id_).state.name for id_ in ("p1", "p2", "p3")] == ["FAILED", "FAILED", "SKIPPED"]
    assert told.tool("p2").duration == 3
    assert all(tool.finished for tool in told.session.tools.values())


def test_calls_of_an_answer_that_was_stopped_never_ran() -> None:
    told = Telling()
    told.begins()
    told.delta("toolcall_start", 0, id="c", toolName="write")
    told.delta("toolcall_delta", 0, delta='{"path": "big')
    told.ends(content=[call("c", "write", path="big")], stopReason="aborted")
    assert told.tool("c").state is ToolState.SKIPPED


@pytest.mark.parametrize("how", ["settles", "ends", "is replaced"])
def test_however_it_is_over_no_run_stays_open(how: str) -> None:
    told = Telling()
    told.pi("agent_start")
    told.begins()
    told.delta("toolcall_start", 0, id="writing", toolName="bash")
    starts(told, "running")
    match how:
        case "settles":
            told.pi("agent_settled")
        case "ends":
            told.take(facts.Exited(-9, ""))
        case _:
            told.take(facts.Replaced())
    assert all(tool.state.over for tool in told.session.tools.values())


def test_a_late_word_of_a_run_that_is_over_does_not_open_it_again() -> None:
    told = Telling()
    starts(told, "a")
    told.pi("agent_settled")
    told.pi("tool_execution_update", toolCallId="a", toolName="bash", partialResult=result("late"))
    assert told.chat == ["bash failed"]
    finishes(told, "a", "the end after all")
    assert told.chat == ["bash done: the end after all"]


def test_nested_runs_stand_under_the_run_that_called_them() -> None:
    told = Telling()
    told.ends(content=[call("top", "codemode"), text("and then")], stopReason="toolUse")
    told.pi("tool_execution_start", toolCallId="top", toolName="codemode", args={})
    starts(told, "top/1", parentToolCallId="top")
    starts(told, "top/1/1", parentToolCallId="top/1")
    starts(told, "top/2", parentToolCallId="top")
    finishes(told, "top/1", "one", parentToolCallId="top")
    assert told.chat == [
        "codemode running",
        "  bash done: one",
        "    bash running",
        "  bash running",
        "and then",
    ]
    assert set(told.session.tools) == {"top", "top/1", "top/1/1", "top/2"}


def test_a_nested_run_without_its_parent_is_shown_all_the_same() -> None:
    told = Telling()
    starts(told, "gone/1", parentToolCallId="gone")
    starts(told, "self", parentToolCallId="self")
    assert told.chat == ["  bash running", "  bash running"]


def test_the_message_of_a_result_fills_only_what_the_end_of_the_run_did_not_give() -> None:
    told = Telling()
    told.ends(content=[call("live"), call("old")], stopReason="toolUse")
    starts(told, "live")
    finishes(told, "live", "from the run", durationMs=5)
    for id_ in ("live", "old"):
        told.message(
            "toolResult", [text("from the message")], toolCallId=id_, toolName="bash", isError=True, durationMs=70
        )
    assert told.chat == ["bash done: from the run", "bash failed: from the message"]
    assert (told.tool("live").duration, told.tool("old").duration) == (0.005, 0.07)


def test_a_call_that_the_end_of_the_message_does_not_hold_is_gone() -> None:
    told = Telling()
    told.begins()
    told.delta("toolcall_start", 0, id="a", toolName="bash")
    told.delta("toolcall_start", 1, id="b", toolName="bash")
    told.ends(content=[call("a")])
    assert list(told.session.tools) == ["a"]
    assert told.chat == ["bash waiting"]


def test_an_id_that_is_told_only_at_the_end_of_the_call_is_taken() -> None:
    told = Telling()
    told.begins()
    told.delta("toolcall_start", 0)
    told.delta("toolcall_start", 1)
    told.delta("toolcall_end", 0, toolCall=call("a", "read"))
    told.delta("toolcall_end", 1, toolCall=call("b", "write"))
    assert set(told.session.tools) == {"a", "b"}
    assert told.chat == ["read waiting", "write waiting"]


def test_writing_a_very_long_call_costs_the_same_for_every_piece() -> None:
    told = Telling()
    told.begins()
    told.delta("toolcall_start", 0, id="a", toolName="write")
    for _ in range(1000):
        told.delta("toolcall_delta", 0, delta="xy")
    assert told.tool("a").argument_text == "xy" * 1000
