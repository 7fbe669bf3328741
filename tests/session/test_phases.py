"""What pi is doing, and how it ends."""

import pytest
from pydantic import TypeAdapter

from pitui.rpc.reading import read
from pitui.rpc.results import Commands, Model, State, Stats
from pitui.session.blocks import CompactionBlock, Delivery, PromptBlock
from pitui.session.facts import (
    Accepted,
    BashStarted,
    BranchSummaryEnded,
    BranchSummaryStarted,
    Exited,
    Noticed,
    Refused,
    Replaced,
    Sent,
    Started,
)
from pitui.session.model import Aspect, Phase

from .telling import Telling, text


def idle() -> Telling:
    told = Telling()
    told.take(Started("1.6.0"), State())
    return told


def test_pi_is_ready_when_it_has_told_its_state() -> None:
    told = Telling()
    told.take(Started("1.6.0"))
    assert (told.session.phase, told.session.version) == (Phase.STARTING, "1.6.0")
    told.session.take_changes()
    told.take(State(session_name="a name", thinking_level="high", model=Model(id="m")))
    assert told.session.phase is Phase.IDLE
    assert Aspect.PROCESS in told.session.take_changes().aspects
    assert (told.session.name, told.session.thinking_level, told.session.model) == ("a name", "high", Model(id="m"))


def test_pi_that_streams_already_is_working() -> None:
    told = Telling()
    told.take(Started(""), State(is_streaming=True))
    assert told.session.phase is Phase.WORKING


def test_a_state_that_comes_late_does_not_undo_what_events_told() -> None:
    told = idle()
    told.pi("agent_start")
    told.take(State(is_streaming=False))
    assert told.session.phase is Phase.WORKING
    told.pi("agent_settled")
    told.take(State(is_streaming=True))
    assert told.session.phase is Phase.IDLE


def test_a_run_lasts_until_it_has_settled() -> None:
    told = idle()
    told.pi("agent_start")
    told.pi("turn_start")
    told.pi("turn_end")
    told.pi("agent_end", messages=[], willRetry=False)
    assert told.session.phase is Phase.WORKING
    told.pi("agent_settled", aborted=False)
    assert told.session.phase is Phase.IDLE


def test_a_retry_is_a_countdown_and_then_work() -> None:
    told = idle()
    told.pi("agent_start")
    told.pi("auto_retry_start", attempt=1, maxAttempts=3, delayMs=2000, errorMessage="529")
    assert told.session.phase is Phase.RETRYING
    assert told.session.retry is not None
    assert (told.session.retry.until, told.session.retry.reason) == (102.0, "529")
    told.pi("agent_start")
    assert (told.session.phase, told.session.retry) == (Phase.WORKING, None)


def test_a_retry_that_is_stopped_leaves_pi_idle() -> None:
    told = idle()
    told.pi("auto_retry_start", attempt=1, maxAttempts=3, delayMs=2000, errorMessage="529")
    told.pi("auto_retry_end", success=False, attempt=1, finalError="Retry cancelled")
    told.pi("agent_settled", aborted=True)
    assert (told.session.phase, told.session.retry) == (Phase.IDLE, None)


def test_compaction_in_a_run_goes_back_to_work() -> None:
    told = idle()
    told.pi("agent_start")
    told.pi("compaction_start", reason="threshold")
    assert (told.session.phase, told.chat) == (Phase.COMPACTING, ["compaction running"])
    summary = {"summary": "what was said", "tokensBefore": 1000, "estimatedTokensAfter": 100}
    told.pi("compaction_end", reason="threshold", result=summary, aborted=False, willRetry=False)
    assert (told.session.phase, told.chat) == (Phase.WORKING, ["compaction done: what was said"])
    block = told.session.blocks[0]
    assert isinstance(block, CompactionBlock)
    assert (block.tokens_before, block.tokens_after, block.finished) == (1000, 100, True)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"aborted": True}, "cancelled"),
        ({"errorMessage": "Compaction failed: Already compacted"}, "failed"),
        ({"result": None}, "failed"),
        ({"result": {"summary": None, "tokensBefore": None}}, "done"),
    ],
)
def test_every_end_of_a_compaction_is_told(fields: dict[str, object], state: str) -> None:
    told = idle()
    told.pi("compaction_start", reason="manual")
    told.pi("compaction_end", reason="manual", **fields)
    assert (told.session.phase, told.chat) == (Phase.IDLE, [f"compaction {state}"])


def test_compaction_by_hand_outlives_the_run_it_stops() -> None:
    told = idle()
    told.pi("agent_start")
    told.pi("compaction_start", reason="manual")
    told.pi("agent_settled", aborted=True)
    assert told.session.phase is Phase.COMPACTING


def test_the_end_of_a_compaction_without_its_start_is_shown() -> None:
    told = idle()
    told.pi("compaction_end", reason="overflow", result={"summary": "short"})
    assert told.chat == ["compaction done: short"]


def test_the_summary_of_a_branch_is_a_state_of_its_own() -> None:
    told = idle()
    told.take(BranchSummaryStarted())
    assert told.session.phase is Phase.SUMMARIZING
    told.pi("summarization_retry_scheduled", attempt=1, maxAttempts=3, delayMs=1000, errorMessage="503")
    assert told.session.phase is Phase.RETRYING
    told.pi("summarization_retry_attempt_start", source="branchSummary", reason="")
    assert told.session.phase is Phase.SUMMARIZING
    told.pi("summarization_retry_finished")
    told.take(BranchSummaryEnded())
    assert told.session.phase is Phase.IDLE


def test_a_retry_of_a_compaction_summary_is_still_a_compaction() -> None:
    told = idle()
    told.pi("compaction_start", reason="manual")
    told.pi("summarization_retry_scheduled", attempt=1, maxAttempts=3, delayMs=1000, errorMessage="503")
    told.pi("summarization_retry_attempt_start", source="compaction", reason="manual")
    assert told.session.phase is Phase.COMPACTING


def test_when_pi_ends_everything_is_over_and_the_chat_says_so() -> None:
    told = idle()
    told.take(Sent(1, "hello"), Accepted(1, "started"), Sent(2, "and?"))
    told.pi("agent_start")
    told.begins()
    told.delta("text_delta", 0, delta="half an ans")
    told.pi("tool_execution_start", toolCallId="a", toolName="bash", args={})
    told.pi("compaction_start", reason="threshold")
    told.pi("extension_ui_request", id="d", method="input", title="?")
    told.take(BashStarted("r", "sleep 9", False), Exited(-9, "boom"))
    session = told.session
    assert session.phase is Phase.ENDED
    assert session.ending is not None
    assert (session.ending.code, session.ending.stderr) == (-9, "boom")
    assert all(block.finished for block in session.blocks)
    assert not session.dialogs
    assert not session.bashes
    assert told.chat[-1] == "! pi ended (signal 9, SIGKILL). The answer is not complete."
    assert [block.delivery for block in session.blocks if isinstance(block, PromptBlock)] == [Delivery.FAILED] * 2
    told.take(Refused(2, "pi is gone"))
    assert "> and?" not in told.chat


def test_what_pi_said_before_it_ended_and_was_heard_after_changes_nothing() -> None:
    told = idle()
    told.take(Exited(1, ""))
    before = told.chat
    told.pi("agent_start")
    told.begins(content=[text("late")])
    told.take(Exited(0, ""))
    assert (told.session.phase, told.chat) == (Phase.ENDED, before)
    assert before == ["! pi ended (exit code 1)."]


@pytest.mark.parametrize(
    ("code", "words"), [(0, "exit code 0"), (None, "exit code unknown"), (-15, "SIGTERM"), (-200, "signal 200")]
)
def test_the_exit_code_is_told_in_words(code: int | None, words: str) -> None:
    told = idle()
    told.take(Exited(code, ""))
    assert words in told.chat[-1]


def test_a_new_pi_takes_up_the_chat_that_was() -> None:
    told = idle()
    told.pi("extension_ui_request", id="s", method="setStatus", statusKey="k", statusText="t")
    told.pi("queue_update", steering=["lost"], followUp=[])
    told.ends(content=[text("said")])
    told.take(Exited(1, ""), Started("1.6.1"))
    assert (told.session.phase, told.session.ending) == (Phase.STARTING, None)
    assert told.chat == ["said", "! pi ended (exit code 1)."]
    assert not told.session.statuses
    assert not told.session.steering
    told.take(State())
    assert told.session.phase is Phase.IDLE


def test_another_session_leaves_nothing_of_the_one_before() -> None:
    told = idle()
    told.take(Sent(1, "hello"), State(session_name="old", session_file="/old"), Stats(cost=3))
    told.begins(content=[text("said")])
    told.pi("tool_execution_start", toolCallId="a", toolName="bash", args={})
    told.pi("queue_update", steering=["a"], followUp=["b"])
    told.pi("extension_ui_request", id="d", method="input", title="?")
    told.pi("extension_ui_request", id="t", method="setTitle", title="old title")
    told.pi("extension_ui_request", id="w", method="setWidget", widgetKey="k", widgetLines=["x"])
    last = told.session.last_block_id
    told.session.take_changes()
    told.take(Replaced())
    session = told.session
    assert Aspect.REPLACED in session.take_changes().aspects
    assert not (session.blocks or session.tools or session.sending or session.entries or session.dialogs)
    assert not (session.steering or session.follow_up or session.statuses or session.widgets or session.title)
    assert (session.name, session.file, session.stats, session.context, session.leaf_id) == ("", "", None, None, None)
    assert session.phase is Phase.IDLE
    assert [past.request.id for past in session.past_dialogs] == ["d"]
    told.ends(content=[text("new")])
    assert session.blocks[0].id > last


def test_what_the_status_line_shows_comes_from_answers_and_events() -> None:
    told = idle()
    nulls = b'{"cost": null, "tokens": null, "contextUsage": {"tokens": null, "percent": null}}'
    told.take(read(TypeAdapter(Stats), nulls))
    assert told.session.context is not None
    assert (told.session.context.tokens, told.session.stats and told.session.stats.cost) == (None, 0)
    told.take(Model(id="other"), Commands())
    told.pi("thinking_level_changed", level="max")
    told.pi("session_info_changed", name="named")
    assert (told.session.model, told.session.thinking_level, told.session.name) == (Model(id="other"), "max", "named")
    told.pi("session_info_changed", name=None)
    assert told.session.name == ""


def test_answers_nobody_waits_for_and_lines_that_are_no_records_are_told() -> None:
    told = idle()
    told.pi("response", command="parse", success=False, error="Failed to parse command")
    told.pi("response", command="abort", success=True)
    told.pi("response", success=False)
    told.take(Noticed("info", "by the way"), Noticed("warning", "look", in_chat=True))
    assert [notice.text for notice in told.session.notices] == [
        "Failed to parse command",
        "pi refused a request",
        "by the way",
        "look",
    ]
    assert told.chat == ["! look"]
