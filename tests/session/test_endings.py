"""How an answer ended is said in words."""

import pytest

from pitui.session.blocks import NoticeBlock

from .telling import Telling, call, text, thinking


def notice(told: Telling) -> NoticeBlock:
    (found,) = [block for block in told.session.blocks if isinstance(block, NoticeBlock)]
    return found


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("length", "cut off at the output limit"),
        ("aborted", "stopped"),
        ("deferred", "put the answer off"),
        ("paused_by_policy", "paused_by_policy"),
    ],
)
def test_an_answer_that_did_not_end_well_says_so_below_it(reason: str, words: str) -> None:
    told = Telling()
    told.begins()
    told.ends(content=[text("cut off in the mid")], stopReason=reason)
    assert told.chat[0] == "cut off in the mid"
    assert told.session.blocks[-1] is notice(told)
    assert words in notice(told).text


def test_the_error_of_the_provider_is_shown_as_it_is() -> None:
    told = Telling()
    told.begins()
    told.ends(stopReason="error", errorMessage="529 overloaded [/] \x1b[31m")
    assert notice(told).text == "529 overloaded [/] \x1b[31m"
    assert notice(told).level == "error"


def test_an_error_without_words_is_still_an_error() -> None:
    told = Telling()
    told.ends(content=[text("so far")], stopReason="error")
    assert told.chat[0] == "so far"
    assert notice(told).level == "error"


@pytest.mark.parametrize("content", [[], [text("")], [thinking("")], [text(""), thinking("")]])
def test_an_answer_of_nothing_says_so(content: list[object]) -> None:
    told = Telling()
    told.begins()
    told.delta("text_start", 0)
    told.ends(content=content)
    assert told.chat == ["! The model said nothing."]


def test_an_answer_that_ended_well_needs_no_words() -> None:
    told = Telling()
    told.ends(content=[text("Done.")], stopReason="stop")
    told.ends(content=[call("c")], stopReason="toolUse")
    assert told.chat == ["Done.", "bash waiting"]


def test_hidden_thinking_is_there_and_says_that_it_is_hidden() -> None:
    told = Telling()
    told.ends(content=[{"type": "thinking", "thinking": "", "redacted": True}])
    assert told.chat == ["(hidden thinking)"]


def failed(told: Telling, timestamp: int, reason: str = "529 overloaded") -> None:
    told.begins(timestamp=timestamp)
    told.ends(timestamp=timestamp, stopReason="error", errorMessage=reason)


def retried(told: Telling, attempt: int, reason: str = "529 overloaded") -> None:
    told.pi("agent_end", messages=[], willRetry=True)
    told.pi("auto_retry_start", attempt=attempt, maxAttempts=3, delayMs=2000, errorMessage=reason)
    entry = {"type": "context_edit", "id": f"x{attempt}", "parentId": "e", "targetId": "e", "replacement": None}
    told.pi("entry_appended", entry=entry)
    told.pi("agent_start")


def test_a_failure_that_is_tried_again_stays_as_one_plain_line() -> None:
    told = Telling()
    told.pi("agent_start")
    failed(told, 1)
    assert notice(told).level == "error"
    retried(told, 1)
    told.ends(content=[text("Recovered.")], timestamp=2)
    told.pi("auto_retry_end", success=True, attempt=1)
    assert told.chat == ["! 529 overloaded", "Recovered."]
    assert notice(told).level == "info"


def test_the_last_failure_tells_how_often_it_was_tried() -> None:
    told = Telling()
    told.pi("agent_start")
    for attempt in (1, 2, 3):
        failed(told, attempt)
        retried(told, attempt)
    failed(told, 4)
    told.pi("auto_retry_end", success=False, attempt=3, finalError="529 overloaded")
    told.pi("agent_end", messages=[], willRetry=False)
    told.pi("agent_settled")
    assert told.chat == ["! Gave up after 3 attempts: 529 overloaded"]
    assert [block.level for block in told.said if isinstance(block, NoticeBlock)] == ["error"]


def test_the_same_failure_twice_before_escape_is_one_line_with_a_count() -> None:
    told = Telling()
    told.pi("agent_start")
    for attempt in (1, 2):
        failed(told, attempt)
        retried(told, attempt)
    told.pi("auto_retry_end", success=False, attempt=2, finalError="Retry cancelled")
    assert told.chat == ["! 529 overloaded (2 attempts)"]
    assert [block.level for block in told.said if isinstance(block, NoticeBlock)] == ["error"]


def test_failures_that_differ_and_answers_that_said_something_keep_their_lines() -> None:
    told = Telling()
    told.pi("agent_start")
    for attempt, reason in enumerate(("529 overloaded", "503 unavailable")):
        failed(told, attempt + 1, reason)
        retried(told, attempt + 1, reason)
    told.ends(content=[text("half")], timestamp=9, stopReason="error", errorMessage="503 unavailable")
    retried(told, 3, "503 unavailable")
    assert told.chat == ["! 529 overloaded", "! 503 unavailable", "half", "! 503 unavailable"]


def test_a_failure_whose_retry_is_stopped_is_an_error_again() -> None:
    told = Telling()
    failed(told, 1)
    told.pi("agent_end", messages=[], willRetry=True)
    told.pi("auto_retry_start", attempt=1, maxAttempts=3, delayMs=2000, errorMessage="529 overloaded")
    told.pi("auto_retry_end", success=False, attempt=1, finalError="Retry cancelled")
    assert told.chat == ["! 529 overloaded"]
    assert notice(told).level == "error"


def test_a_new_prompt_begins_to_count_anew() -> None:
    told = Telling()
    failed(told, 1)
    retried(told, 1)
    told.message("user", "again", timestamp=2)
    failed(told, 3, "400 bad request")
    assert told.chat == ["! 529 overloaded", "> again", "! 400 bad request"]


def test_the_end_of_retries_is_told_though_the_failure_was_never_seen() -> None:
    told = Telling()
    told.pi("auto_retry_end", success=False, attempt=3, finalError="503")
    assert told.chat == ["! 503"]
