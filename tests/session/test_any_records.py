"""Whatever pi says and whatever happens here, in whatever order: nothing raises, and the session stays sound."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pitui.rpc.messages import Entry
from pitui.rpc.reading import read
from pitui.rpc.records import decode
from pitui.rpc.results import BashResult, Commands, ContextUsage, Model, State, Stats
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.model import Phase, Session
from pitui.session.outline import Outline
from pitui.session.tree import Tree

from .invariants import assert_sound, is_open

ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)

# few values each, so that things meet: the same id, the same index, the same time
IDS = st.sampled_from(["", "a", "b", "a/1"])
WORDS = st.sampled_from(["", "a", "word", "\x1b[31m[/]", "\ud800"])
NUMBERS = st.sampled_from([0, 1, -1, 2, 3, 999, 10**18, 1.5, -0.5])
ODD = st.sampled_from([None, 0, "x", [], {}, [None], {"type": 3}, True, 1e308])
FLAGS = st.booleans()


def record(type_: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A record of this type with any of its fields, some of them missing or odd."""
    optional = {name: st.one_of(value, value, value, ODD) for name, value in fields.items()}
    return st.fixed_dictionaries({"type": st.just(type_)}, optional=optional)


PARTS = st.one_of(
    record("text", text=WORDS),
    record("thinking", thinking=WORDS, redacted=FLAGS),
    record("image", data=WORDS, mimeType=WORDS),
    record("toolCall", id=IDS, name=WORDS, arguments=st.just({"command": "ls"})),
    record("hologram"),
)
CONTENT = st.one_of(WORDS, st.lists(PARTS, max_size=4))
ROLES = ["system", "user", "assistant", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "future"]
STOPS = ["pending", "stop", "length", "toolUse", "error", "aborted", "deferred", "odd"]
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from([*ROLES, "compactionSummary"])},
    optional={
        "content": st.one_of(CONTENT, ODD),
        "timestamp": st.sampled_from([0, 1, 2, None]),
        "stopReason": st.sampled_from(STOPS),
        "errorMessage": WORDS,
        "toolCallId": IDS,
        "toolName": WORDS,
        "isError": FLAGS,
        "durationMs": NUMBERS,
        "command": WORDS,
        "output": WORDS,
        "summary": WORDS,
        "customType": WORDS,
        "display": FLAGS,
    },
)
DELTAS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                *(f"{part}_{step}" for part in ("text", "thinking", "toolcall") for step in ("start", "delta", "end")),
                *("start", "done", "error", "audio_delta"),
            ]
        )
    },
    optional={
        "contentIndex": st.sampled_from([0, 0, 1, 2, 3, -1, 999]),
        "delta": WORDS,
        "content": WORDS,
        "id": IDS,
        "toolName": WORDS,
        "toolCall": PARTS,
        "message": MESSAGES,
        "error": MESSAGES,
    },
)
ENTRY_IDS = st.sampled_from(["", "1", "2", "3", "4", "5"])
ENTRIES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            "message message message compaction branch_summary custom custom_message context_edit label "
            "session_info model_change hologram".split()
        )
    },
    optional={
        "id": ENTRY_IDS,
        "parentId": st.one_of(st.none(), ENTRY_IDS),
        "timestamp": st.sampled_from(["", "2026-11-29T20:21:40.821Z", "0001-01-01T00:00:00Z", "x"]),
        "message": MESSAGES,
        "summary": WORDS,
        "customType": WORDS,
        "content": CONTENT,
        "display": FLAGS,
        "targetId": ENTRY_IDS,
        "label": WORDS,
    },
)
RESULTS = record("result", content=CONTENT, details=ODD)
RUN = {"toolCallId": IDS, "toolName": WORDS, "parentToolCallId": st.one_of(st.none(), IDS)}
RETRY = {"attempt": NUMBERS, "maxAttempts": NUMBERS, "delayMs": NUMBERS, "errorMessage": WORDS}
UPDATES = record("message_update", assistantMessageEvent=DELTAS)
STARTS = record("message_start", message=MESSAGES)
ENDS = record("message_end", message=MESSAGES)
RUNS = [
    record("tool_execution_start", **RUN, args=st.just({"a": 1})),
    record("tool_execution_update", **RUN, partialResult=RESULTS),
    record("tool_execution_end", **RUN, result=RESULTS, isError=FLAGS, durationMs=NUMBERS),
]
SAID = st.one_of(
    *[UPDATES] * 6,
    *[STARTS] * 3,
    *[ENDS] * 3,
    *RUNS,
    *RUNS,
    *map(
        record, ["agent_start", "agent_settled", "turn_start", "turn_end", "summarization_retry_finished", "hologram"]
    ),
    record("agent_end", willRetry=FLAGS),
    record("bash_execution_update", id=IDS, delta=WORDS),
    record("queue_update", steering=st.lists(WORDS, max_size=2), followUp=st.lists(WORDS, max_size=2)),
    record("entry_appended", entry=ENTRIES),
    record("session_info_changed", name=WORDS),
    record("thinking_level_changed", level=WORDS),
    record("compaction_start", reason=st.sampled_from(["manual", "threshold"])),
    record(
        "compaction_end",
        reason=WORDS,
        result=record("x", summary=WORDS, tokensBefore=NUMBERS),
        aborted=FLAGS,
        errorMessage=WORDS,
    ),
    record("auto_retry_start", **RETRY),
    record("auto_retry_end", success=FLAGS, attempt=NUMBERS, finalError=WORDS),
    record("summarization_retry_scheduled", **RETRY),
    record("summarization_retry_attempt_start", source=st.sampled_from(["compaction", "branchSummary"])),
    record("extension_error", extensionPath=WORDS, event=WORDS, error=WORDS),
    record(
        "extension_ui_request",
        id=IDS,
        method=st.sampled_from(
            "select confirm input editor notify setStatus setWidget setTitle set_editor_text showHologram".split()
        ),
        title=WORDS,
        options=st.lists(WORDS, max_size=2),
        timeout=NUMBERS,
        message=WORDS,
        statusKey=IDS,
        statusText=WORDS,
        widgetKey=IDS,
        widgetLines=st.lists(WORDS, max_size=2),
        text=WORDS,
    ),
    record("response", id=ODD, command=WORDS, success=FLAGS, error=WORDS),
).map(lambda said: decode(json.dumps(said).encode()))


def loaded(entries: list[dict[str, Any]], leaf: str | None, whole: bool) -> facts.EntriesLoaded:
    return facts.EntriesLoaded([read(ENTRY, json.dumps(entry).encode()) for entry in entries], leaf, whole)


KEYS = st.integers(1, 3)
DONE = st.one_of(
    st.builds(facts.Sent, KEYS, WORDS, queued=FLAGS),
    st.builds(facts.Sent, KEYS, WORDS, queued=FLAGS),
    st.builds(facts.Accepted, KEYS, st.sampled_from(["started", "queued", "handled"])),
    st.builds(facts.Accepted, KEYS, st.sampled_from(["started", "queued", "handled"])),
    st.builds(facts.Refused, KEYS, WORDS),
    st.builds(facts.BashStarted, IDS, WORDS, FLAGS),
    st.builds(facts.BashEnded, IDS, st.none() | st.builds(BashResult, output=WORDS), WORDS),
    st.builds(facts.DialogClosed, IDS, WORDS),
    st.builds(facts.Noticed, st.just("info"), WORDS, FLAGS),
    st.builds(loaded, st.lists(ENTRIES, max_size=6), st.one_of(st.none(), ENTRY_IDS), FLAGS),
    st.builds(loaded, st.lists(ENTRIES, max_size=6), st.one_of(st.none(), ENTRY_IDS), FLAGS),
    st.just(facts.BranchSummaryStarted()),
    st.just(facts.BranchSummaryEnded()),
    st.builds(State, is_streaming=FLAGS, is_compacting=FLAGS, session_name=WORDS),
    st.builds(Stats, context_usage=st.none() | st.builds(ContextUsage)),
    st.builds(Model, id=WORDS),
    st.just(Commands()),
)
ENDINGS = st.sampled_from([facts.Started("1.6.0"), facts.Exited(-9, ""), facts.Exited(None, "x"), facts.Replaced()])
STEPS = st.lists(st.one_of(*[SAID] * 6, DONE, DONE, ENDINGS), max_size=40)
MANY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(STEPS)
def test_nothing_raises_and_the_session_stays_sound(said: list[Any]) -> None:
    session = Session()
    last = 0
    for number, step in enumerate(said):
        known = {block.id for block in session.blocks}
        apply(session, step, float(number))
        assert_sound(session)
        fresh = {block.id for block in session.blocks} - known
        assert session.last_block_id >= last
        assert not fresh or min(fresh) > 0
        last = session.last_block_id
        Outline.of(Tree.of(session.entry_list, session.leaf_id), [True] * len(session.entries))


@MANY
@given(STEPS)
def test_after_the_end_of_pi_nothing_is_open(said: list[Any]) -> None:
    session = Session()
    for step in said:
        apply(session, step)
    apply(session, facts.Exited(1, ""))
    assert session.phase is Phase.ENDED
    assert not [block for block in session.blocks if is_open(block)]
    assert not session.dialogs
    assert not session.memory.unsettled
    assert not session.bashes


@MANY
@given(STEPS)
def test_after_a_run_has_settled_no_tool_is_open(said: list[Any]) -> None:
    session = Session()
    for step in said:
        apply(session, step)
    apply(session, decode(b'{"type": "agent_settled"}'))
    assert all(tool.state.over for tool in session.tools.values())


@MANY
@given(STEPS, st.lists(ENTRIES, max_size=8), ENTRY_IDS)
def test_the_same_entries_told_again_change_nothing(said: list[Any], entries: list[Any], leaf: str) -> None:
    session = Session()
    for step in said:
        apply(session, step)
    fact = loaded(entries, leaf, True)
    apply(session, fact)
    before = [block.id for block in session.blocks]
    apply(session, fact)
    assert [block.id for block in session.blocks] == before


@MANY
@given(st.lists(UPDATES.map(lambda said: decode(json.dumps(said).encode())), max_size=30), MESSAGES)
def test_the_end_of_an_answer_is_the_truth_whatever_was_streamed(said: list[Any], message: dict[str, Any]) -> None:
    message = {**message, "role": "assistant"}
    end = decode(json.dumps({"type": "message_end", "message": message}).encode())
    streamed, plain = Session(), Session()
    for step in said:
        apply(streamed, step)
    apply(streamed, end)
    apply(plain, end)
    assert shown(streamed) == shown(plain)


def shown(session: Session) -> list[tuple[str, Any]]:
    fields = ("text", "what", "call_id", "arguments", "state", "redacted")
    return [(block.kind, [getattr(block, name, None) for name in fields]) for block in session.blocks]
