"""Entries of the tree become the same chat as what was seen live."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import TypeAdapter

from pitui.rpc.messages import Entry
from pitui.rpc.reading import read
from pitui.rpc.results import BashResult
from pitui.session.blocks import NoticeBlock, PromptBlock
from pitui.session.facts import Accepted, BashEnded, BashStarted, EndRead, EntriesLoaded, Exited, Sent, Started
from pitui.session.history import drafting
from pitui.session.model import Phase

from .invariants import assert_sound
from .telling import Telling, call, result, text
from .test_endings import failed, retried

ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


def entry(id_: str, parent: str | None, type_: str = "message", **fields: Any) -> Entry:
    return read(ENTRY, json.dumps({"type": type_, "id": id_, "parentId": parent, **fields}).encode())


def said(id_: str, parent: str | None, role: str, content: Any, timestamp: float = 0, **fields: Any) -> Entry:
    if role == "assistant":
        fields = {"stopReason": "stop", **fields}
    return entry(id_, parent, message={"role": role, "content": content, "timestamp": timestamp, **fields})


def question_and_answer(number: int, parent: str | None = None) -> list[Entry]:
    """``q<number>`` and ``a<number>``, one after the other."""
    return [
        said(f"q{number}", parent, "user", f"question {number}", number * 10),
        said(f"a{number}", f"q{number}", "assistant", [text(f"answer {number}")], number * 10 + 1),
    ]


def live(told: Telling, number: int) -> None:
    told.pi("agent_start")
    told.message("user", f"question {number}", timestamp=number * 10)
    told.begins(timestamp=number * 10 + 1)
    told.delta("text_delta", 0, delta=f"answer {number}")
    told.ends(content=[text(f"answer {number}")], timestamp=number * 10 + 1)
    told.pi("agent_settled")


def load(told: Telling, entries: list[Entry], leaf: str | None, *, whole: bool = False) -> None:
    told.take(EntriesLoaded(entries, leaf, whole))
    assert_sound(told.session)


def drafted(told: Telling, entries: list[Entry], leaf: str | None, *, meanwhile: Callable[[int], None]) -> None:
    """Load entries as a long session is loaded: bit by bit, with `meanwhile` after each of the bits."""
    steps = drafting(told.session, EntriesLoaded(entries, leaf, True))
    step = 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            told.take(end.value)
            assert_sound(told.session)
            return
        meanwhile(step)
        step += 1


def ids(told: Telling) -> list[int]:
    return [block.id for block in told.said]


def test_a_session_that_is_opened_reads_like_one_that_was_seen() -> None:
    told = Telling()
    entries = [
        entry("m", None, "model_change", provider="p", modelId="m"),
        said("s", "m", "system", "you are"),
        said("q", "s", "user", [text("do it")], 1),
        said("a", "q", "assistant", [text("I will."), call("c1"), call("c2")], 2, stopReason="toolUse"),
        said("r1", "a", "toolResult", [text("out")], 3, toolCallId="c1", toolName="bash", durationMs=1500),
        said("r2", "r1", "toolResult", [text("no")], 4, toolCallId="c2", toolName="bash", isError=True),
        entry("l", "r2", "label", targetId="q", label="start"),
        said("b", "l", "assistant", [text("half")], 5, stopReason="aborted"),
        entry("k", "b", "compaction", summary="the story so far", tokensBefore=1000),
        said("x", "k", "bashExecution", "", 6, command="ls", output="a", exitCode=0),
        entry("y", "x", "branch_summary", summary="the other way", fromId="q"),
        entry("z", "y", "custom_message", customType="eye", content="seen", display=True),
        entry("zz", "z", "custom_message", customType="eye", content="hidden", display=False),
        entry("u", "zz", "hologram", z=1),
    ]
    load(told, entries, "u", whole=True)
    assert told.chat == [
        "> do it",
        "I will.",
        "bash done: out",
        "bash failed: no",
        "half",
        "! The answer was stopped before it was complete.",
        "compaction done: the story so far",
        "$ ls: a",
        "branch: the other way",
        "[eye] seen",
        "? entry hologram",
    ]
    assert all(block.finished for block in told.session.blocks)
    assert told.tool("c1").duration == 1.5
    assert (told.session.leaf_id, len(told.session.entries)) == ("u", len(entries))


def test_of_calls_that_history_has_no_result_for_nobody_knows_whether_they_ran() -> None:
    told = Telling()
    load(told, [said("a", None, "assistant", [call("c")], 1)], "a", whole=True)
    assert told.chat == ["bash lost"]


def gave_up() -> list[Entry]:
    entries: list[Entry] = []
    parent = None
    for number in (1, 2, 3):
        entries += [
            said(f"f{number}", parent, "assistant", [], number, stopReason="error", errorMessage="529"),
            entry(f"x{number}", f"f{number}", "context_edit", targetId=f"f{number}", replacement=None),
        ]
        parent = f"x{number}"
    return [*entries, said("f4", parent, "assistant", [], 4, stopReason="error", errorMessage="529")]


def test_a_failure_that_was_tried_again_reads_as_it_did_live() -> None:
    told = Telling()
    load(told, gave_up(), "f4", whole=True)
    assert told.chat == ["! Gave up after 3 attempts: 529"]


def test_what_pi_gave_up_is_an_error_also_when_its_entries_are_told_afterwards() -> None:
    told = Telling()
    told.pi("agent_start")
    for attempt in (1, 2, 3):
        failed(told, attempt, "529")
        retried(told, attempt, "529")
    failed(told, 4, "529")
    told.pi("auto_retry_end", success=False, attempt=3, finalError="529")
    told.pi("agent_settled")
    load(told, gave_up(), "f4")
    assert told.chat == ["! Gave up after 3 attempts: 529"]
    assert [block.level for block in told.said if isinstance(block, NoticeBlock)] == ["error"]


def test_what_was_seen_live_is_told_its_entries_and_nothing_is_doubled() -> None:
    told = Telling()
    live(told, 1)
    before = ids(told)
    entries = question_and_answer(1)
    load(told, entries, "a1")
    assert [block.entry_id for block in told.said] == ["q1", "a1"]
    for whole in (False, True, True, False):
        load(told, entries, "a1", whole=whole)
        assert ids(told) == before
    live(told, 2)
    load(told, question_and_answer(2, "a1"), "a2")
    assert told.chat == ["> question 1", "answer 1", "> question 2", "answer 2"]
    assert ids(told)[:2] == before


def test_what_was_not_seen_live_is_added_where_the_entries_have_it() -> None:
    told = Telling()
    load(told, question_and_answer(1), "a1", whole=True)
    live(told, 3)
    load(told, [*question_and_answer(2, "a1"), *question_and_answer(3, "a2")], "a3")
    assert told.chat == [f"{words} {number}" for number in (1, 2, 3) for words in ("> question", "answer")]


def test_what_comes_alone_is_added_at_the_end() -> None:
    told = Telling()
    load(told, question_and_answer(1), "a1", whole=True)
    before = ids(told)
    load(told, [entry("y", "a1", "branch_summary", summary="the other way")], "y")
    assert told.chat[-1] == "branch: the other way"
    assert ids(told)[:-1] == before


def test_entries_that_come_while_a_new_run_is_on_stand_before_it() -> None:
    told = Telling()
    told.pi("agent_start")
    told.message("user", "question 2", timestamp=20)
    told.begins(timestamp=21)
    told.delta("text_delta", 0, delta="answer")
    told.pi("tool_execution_start", toolCallId="t", toolName="bash", args={})
    told.take(Sent(1, "wait"))
    before = ids(told)
    load(told, question_and_answer(1), "a1", whole=True)
    assert told.chat == ["> question 1", "answer 1", "> question 2", "answer", "bash running", "> wait"]
    told.delta("text_delta", 0, delta=" 2")
    assert told.chat[3] == "answer 2"
    assert ids(told)[2:] == before
    load(told, [question_and_answer(2, "a1")[0]], "q2")
    assert ids(told)[2:] == before


def test_another_branch_is_drawn_anew_around_what_both_have() -> None:
    told = Telling()
    first = question_and_answer(1)
    load(told, [*first, *question_and_answer(2, "a1")], "a2", whole=True)
    shared = ids(told)[:2]
    load(told, question_and_answer(3, "a1"), "a3")
    assert told.chat == ["> question 1", "answer 1", "> question 3", "answer 3"]
    assert ids(told)[:2] == shared
    load(told, [], "a1")
    assert ids(told) == shared
    load(told, [], "a2")
    assert told.chat == ["> question 1", "answer 1", "> question 2", "answer 2"]
    load(told, [], None)
    assert told.chat == []


def test_what_still_waits_or_runs_survives_the_change_of_branch() -> None:
    told = Telling()
    load(told, [*question_and_answer(1), *question_and_answer(2, "a1")], "a2", whole=True)
    told.take(BashStarted("r", "sleep 9", False), Sent(1, "wait"), Accepted(1, "started"))
    told.message("user", "wait", timestamp=50)
    told.take(Sent(2, "and this"))
    load(told, [], "a1")
    assert told.chat == ["> question 1", "answer 1", "$ sleep 9: ", "> wait", "> and this"]


def test_notices_stay_where_they_were_said() -> None:
    told = Telling()
    live(told, 1)
    told.pi("extension_error", extensionPath="x", event="e", error="oops")
    live(told, 2)
    told.take(Exited(-9, ""), Started(""))
    load(
        told, [*question_and_answer(1), *question_and_answer(2, "a1"), *question_and_answer(3, "a2")], "a3", whole=True
    )
    assert told.chat == [
        "> question 1",
        "answer 1",
        "! The extension x failed (e): oops",
        "> question 2",
        "answer 2",
        "> question 3",
        "answer 3",
        "! pi ended (signal 9, SIGKILL).",
    ]


def test_commands_of_the_person_find_their_entries_in_order() -> None:
    told = Telling()
    for number in (1, 2):
        told.take(BashStarted(f"r{number}", "ls", False), BashEnded(f"r{number}", BashResult(output=str(number))))
    before = ids(told)
    entries = [
        said("b1", None, "bashExecution", "", 1, command="ls", output="1"),
        said("b2", "b1", "bashExecution", "", 2, command="ls", output="2"),
    ]
    load(told, entries, "b2")
    assert (told.chat, ids(told)) == (["$ ls: 1", "$ ls: 2"], before)
    assert [block.entry_id for block in told.said] == ["b1", "b2"]


def test_a_command_that_runs_again_is_not_taken_for_the_entry_of_the_first() -> None:
    told = Telling()
    first = said("b1", None, "bashExecution", "", 1, command="ls", output="1")
    told.take(BashStarted("r1", "ls", False), BashEnded("r1", BashResult(output="1")))
    load(told, [first], "b1")
    told.take(BashStarted("r2", "ls", False), BashEnded("r2", BashResult(output="2")))
    load(told, [first], "b1", whole=True)
    assert [(block.entry_id, words) for block, words in zip(told.said, told.chat, strict=True)] == [
        ("b1", "$ ls: 1"),
        ("", "$ ls: 2"),
    ]


def test_a_live_compaction_is_the_one_in_the_entries() -> None:
    told = Telling()
    told.pi("compaction_start", reason="manual")
    told.pi("compaction_end", reason="manual", result={"summary": "short", "tokensBefore": 9})
    load(told, [entry("k", None, "compaction", summary="short", tokensBefore=9)], "k")
    assert told.chat == ["compaction done: short"]


def test_a_message_whose_end_was_lost_is_made_whole_by_its_entry() -> None:
    told = Telling()
    told.pi("agent_start")
    told.begins(timestamp=11)
    told.delta("text_delta", 0, delta="ans")
    told.pi("agent_settled")
    before = ids(told)
    load(told, [said("a", None, "assistant", [text("answer")], 11)], "a")
    assert (told.chat, ids(told)) == (["answer"], before)


def test_nested_runs_stay_under_their_parent_when_the_chat_is_drawn_anew() -> None:
    told = Telling()
    told.message("user", "go", timestamp=1)
    told.ends(content=[call("c", "codemode")], timestamp=2, stopReason="toolUse")
    for id_, parent in (("c", None), ("c/1", "c")):
        told.pi("tool_execution_start", toolCallId=id_, toolName="codemode", args={}, parentToolCallId=parent)
        told.pi("tool_execution_end", toolCallId=id_, toolName="codemode", result=result(id_), isError=False)
    entries = [
        said("q", None, "user", "go", 1),
        said("a", "q", "assistant", [call("c", "codemode")], 2),
        said("r", "a", "toolResult", [text("c")], 3, toolCallId="c", toolName="codemode"),
        said("b", "r", "assistant", [text("not seen")], 4),
    ]
    load(told, entries, "b", whole=True)
    assert told.chat == ["> go", "codemode done: c", "  codemode done: c/1", "not seen"]


def test_an_entry_told_by_itself_is_kept_only_when_nothing_is_missing_before_it() -> None:
    told = Telling()
    load(told, question_and_answer(1), "a1", whole=True)
    custom = {"type": "custom", "customType": "state"}
    told.pi("entry_appended", entry={**custom, "id": "c", "parentId": "a1"})
    told.pi("entry_appended", entry={**custom, "id": "far", "parentId": "not known yet"})
    assert (told.session.leaf_id, list(told.session.entries)) == ("c", ["q1", "a1", "c"])
    load(told, question_and_answer(2, "c"), "a2")
    assert told.chat[-1] == "answer 2"


def test_damaged_trees_hang_nothing() -> None:
    for entries in (
        [said("a", "a", "user", "own parent", 1)],
        [said("a", "b", "user", "one", 1), said("b", "a", "user", "two", 2)],
        [said("a", "gone", "user", "orphan", 1)],
        [said("a", None, "user", "first", 1), said("a", None, "user", "second", 2)],
        [said("", "", "user", "no id", 1)],
    ):
        for leaf in ("a", "b", "gone", "", None):
            for whole in (True, False):
                told = Telling()
                load(told, entries, leaf, whole=whole)
                load(told, entries, leaf, whole=False)
                load(told, entries, "a", whole=True)


def test_results_and_ids_that_repeat_in_history_go_to_the_nearest_call() -> None:
    told = Telling()
    entries = [
        said("a", None, "assistant", [call("same")], 1),
        said("ar", "a", "toolResult", [text("1")], 2, toolCallId="same", toolName="bash"),
        said("b", "ar", "assistant", [call("same")], 3),
        said("br", "b", "toolResult", [text("2")], 4, toolCallId="same", toolName="bash"),
        said("o", "br", "toolResult", [text("3")], 5, toolCallId="nobody's", toolName="read"),
    ]
    load(told, entries, "o", whole=True)
    assert told.chat == ["bash done: 1", "bash done: 2", "read done: 3"]
    load(told, entries, "o", whole=True)
    assert told.chat == ["bash done: 1", "bash done: 2", "read done: 3"]


def test_history_does_not_take_what_the_person_has_just_sent() -> None:
    told = Telling()
    told.take(Sent(1, "question 1"))
    load(told, question_and_answer(1), "a1", whole=True)
    assert told.chat == ["> question 1", "answer 1", "> question 1"]
    waiting = told.session.blocks[-1]
    assert isinstance(waiting, PromptBlock)
    assert waiting is told.session.sending[1]


def test_a_long_session_is_loaded_whole() -> None:
    told = Telling()
    entries: list[Entry] = []
    for number in range(2500):
        entries += question_and_answer(number, f"a{number - 1}" if number else None)
    load(told, entries, "a2499", whole=True)
    assert len(told.said) == 5000
    assert told.session.phase is not Phase.WORKING


def opened() -> list[Entry]:
    """Two turns with a tool each."""
    entries: list[Entry] = []
    for n in (1, 2):
        parent = entries[-1].id if entries else None
        entries += [
            said(f"q{n}", parent, "user", f"question {n}", n * 10),
            said(f"c{n}", f"q{n}", "assistant", [call(f"t{n}", "read")], n * 10 + 1, stopReason="toolUse"),
            said(f"r{n}", f"c{n}", "toolResult", [text("out")], n * 10 + 2, toolCallId=f"t{n}", toolName="read"),
            said(f"a{n}", f"r{n}", "assistant", [text(f"answer {n}")], n * 10 + 3),
        ]
    return entries


def test_the_end_of_a_session_is_shown_before_pi_has_read_it() -> None:
    told, entries = Telling(), opened()
    told.take(Started("1.6.0"), EndRead(entries[2:]))  # the call of the first result is not in it
    assert_sound(told.session)
    assert told.chat == ["> question 2", "read done: out", "answer 2"]
    assert told.session.preview


def test_what_pi_tells_then_goes_in_front_and_moves_nothing() -> None:
    told, fresh, entries = Telling(), Telling(), opened()
    told.take(Started("1.6.0"), EndRead(entries[2:]))
    before = ids(told)
    load(told, entries, "a2", whole=True)
    load(fresh, entries, "a2", whole=True)
    assert told.chat == fresh.chat and len(told.turns) == len(fresh.turns)
    assert ids(told)[-len(before) :] == before
    assert not told.session.preview


def test_pi_may_have_opened_something_else_than_the_file_that_was_shown() -> None:
    told, entries = Telling(), opened()
    told.take(Started("1.6.0"), EndRead(entries))
    load(told, question_and_answer(7), "a7", whole=True)
    assert told.chat == ["> question 7", "answer 7"]


def test_an_end_that_comes_late_changes_nothing() -> None:
    told = Telling()
    told.take(Started("1.6.0"))
    load(told, question_and_answer(1), "a1", whole=True)
    told.take(EndRead(opened()))
    assert told.chat == ["> question 1", "answer 1"]


def long_session() -> list[Entry]:
    """Three questions, of which the first took a tool, and a command of the person."""
    return [
        said("q0", None, "user", "question 0", 1),
        said("t0", "q0", "assistant", [call("t", "read")], 2, stopReason="toolUse"),
        entry("r0", "t0", message={"role": "toolResult", "toolCallId": "t", "content": [text("it says")]}),
        said("a0", "r0", "assistant", [text("answer 0")], 3),
        *question_and_answer(1, "a0"),
        *question_and_answer(2, "a1"),
    ]


def test_a_session_that_is_read_bit_by_bit_is_the_same() -> None:
    at_once, slowly = Telling(), Telling()
    load(at_once, long_session(), "a2", whole=True)
    drafted(slowly, long_session(), "a2", meanwhile=lambda step: None)
    assert slowly.chat == at_once.chat
    assert [turn.tools for turn in slowly.turns] == [turn.tools for turn in at_once.turns] == [{"read": 1}, {}, {}]
    assert list(slowly.session.tools) == list(at_once.session.tools)
    assert ids(slowly) == ids(at_once)


def test_nothing_is_in_the_chat_before_all_of_it_is_read() -> None:
    told = Telling()
    seen: list[int] = []
    drafted(told, long_session(), "a2", meanwhile=lambda step: seen.append(len(told.session.blocks)))
    assert len(seen) >= len(long_session())
    assert set(seen) == {0}


@pytest.mark.parametrize("moment", range(10))
def test_a_run_that_begins_while_a_session_is_read_comes_after_it(moment: int) -> None:
    told, expected = Telling(), Telling()
    drafted(told, long_session(), "a2", meanwhile=lambda step: live(told, 3) if step == moment else None)
    load(expected, long_session(), "a2", whole=True)
    live(expected, 3)
    assert told.chat == expected.chat
    everything = [block.id for block in told.session.blocks]
    assert len(everything) == len(set(everything))
    assert max(everything) <= told.session.last_block_id


def test_an_answer_that_streams_while_a_session_is_read_goes_on_in_its_block() -> None:
    told = Telling()
    told.pi("agent_start")
    told.message("user", "question 3", timestamp=30)
    told.begins(timestamp=31)
    drafted(
        told,
        long_session(),
        "a2",
        meanwhile=lambda step: told.delta("text_delta", 0, delta=f"{step} "),
    )
    told.delta("text_delta", 0, delta="end")
    assert told.chat[-1].startswith("0 1 2 3 ") and told.chat[-1].endswith(" end")
    assert [words for words in told.chat if "question" in words][-1].endswith("question 3")


def test_a_prompt_that_is_sent_while_a_session_is_read_stays_last() -> None:
    told = Telling()
    drafted(told, long_session(), "a2", meanwhile=lambda step: told.take(Sent(1, "and now?")) if step == 4 else None)
    assert told.chat[-1].endswith("and now?")
    assert len([block for block in told.said if isinstance(block, PromptBlock)]) == 4


def test_what_was_seen_of_the_end_keeps_its_blocks_when_the_rest_is_read() -> None:
    told = Telling()
    told.take(EndRead(long_session()[-2:]))
    end = ids(told)
    drafted(told, long_session(), "a2", meanwhile=lambda step: None)
    assert ids(told)[-2:] == end


def test_pi_may_end_while_a_session_is_read() -> None:
    told, expected = Telling(), Telling()
    drafted(told, long_session(), "a2", meanwhile=lambda step: told.take(Exited(-9, "")) if step == 4 else None)
    load(expected, long_session(), "a2", whole=True)
    expected.take(Exited(-9, ""))
    assert told.session.phase is Phase.ENDED
    assert sorted(told.chat) == sorted(expected.chat)
