"""What a person sends goes to pi, or comes back to them."""

import os
import signal
from pathlib import Path

import pytest

from tests.ui.person import SLOW, at_a_told_pi, at_the_demo, child_of_this

RETRY = {"type": "auto_retry_start", "attempt": 1, "maxAttempts": 3, "delayMs": 60_000, "errorMessage": "529"}


async def test_an_answer_is_seen_and_the_prompt_is_empty_again(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("hello")
        await person.press("enter")
        await person.sees("You said: hello")
        assert person.prompt.text == ""
        assert person.prompt.has_focus


async def test_words_typed_before_pi_is_ready_are_kept_and_sent() -> None:
    async with at_a_told_pi({"get_state": ..., "prompt": {"disposition": "started"}}, ready=False) as (person, told):
        await person.sees("starting pi")
        await person.types("early bird")
        assert person.prompt.text == "early bird"
        await person.press("enter")
        assert not told.sent("prompt")
        told.pi.answers(told.sent("get_state")[0], {"isStreaming": False, "sessionId": "s"})
        await person.until(lambda: told.sent("prompt"))
        assert told.sent("prompt")[0]["message"] == "early bird"


async def test_a_pi_that_does_not_start_is_told_of_with_what_can_be_done() -> None:
    now = 100.0
    async with at_a_told_pi({"get_state": ...}, ready=False, clock=lambda: now) as (person, _):
        await person.sees("starting pi…")
        now += 20
        await person.sees("pi has said nothing for 20s: /stderr, Ctrl+Q")


async def test_a_refused_prompt_comes_back_above_what_was_typed_meanwhile() -> None:
    async with at_a_told_pi() as (person, told):
        await person.sends("first\nwords")
        await person.until(lambda: told.sent("prompt"))
        await person.types("more")
        told.pi.answers(told.sent("prompt")[0], success=False, error="No API key found")
        await person.sees("No API key found")
        assert person.prompt.text == "first\nwords\n\nmore"
        await person.types("!")
        assert person.prompt.text == "first\nwords\n\nmore!"


async def test_enter_steers_while_pi_works_and_alt_enter_waits_for_its_end(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.sends("turn left")
        await person.sends("then stop", key="alt+enter")
        session = person.agent.session
        await person.until(lambda: session.steering and session.follow_up)
        assert (session.steering, session.follow_up) == (("turn left",), ("then stop",))
        await person.press("escape")
        await person.until(person.is_idle)


async def test_escape_brings_queued_words_back_above_the_draft_in_order(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.sends("at the end", key="alt+enter")
        await person.until(lambda: person.agent.session.follow_up)
        await person.sends("turn left\nnow")
        await person.until(lambda: person.agent.session.steering)
        await person.types("draft")
        await person.press("escape", "escape")
        await person.until(person.is_idle)
        assert person.prompt.text == "turn left\nnow\n\nat the end\n\ndraft"
        assert not person.runs_a_tool()


async def test_the_state_changes_when_pi_has_stopped_and_not_when_the_key_is_pressed() -> None:
    async with at_a_told_pi() as (person, told):
        told.says(type="agent_start")
        await person.sees("working")
        del told.answers["abort"]
        await person.press("escape")
        await person.sees("stopping…")
        assert person.agent.session.busy
        told.says(type="agent_settled", aborted=True)
        await person.until(lambda: "stopping…" not in person.screen())
        assert [line["type"] for line in told.pi.sent if line["type"] in ("clear_queue", "abort")][:2] == [
            "clear_queue",
            "abort",
        ]


@pytest.mark.parametrize(
    ("begins", "seen", "ends"),
    [
        pytest.param(
            [{"type": "agent_start"}, RETRY],
            "retrying",
            [
                {"type": "auto_retry_end", "success": False, "attempt": 1, "finalError": "Retry cancelled"},
                {"type": "agent_end", "messages": [], "willRetry": False},
                {"type": "agent_settled", "aborted": True},
            ],
            id="retry",
        ),
        pytest.param(
            [{"type": "compaction_start", "reason": "manual"}],
            "compacting…",
            [{"type": "compaction_end", "reason": "manual", "aborted": True, "willRetry": False}],
            id="compaction",
        ),
    ],
)
async def test_escape_stops_what_pi_does_by_itself_and_pi_is_busy_until_it_says_otherwise(
    begins: list[dict[str, object]], seen: str, ends: list[dict[str, object]]
) -> None:
    async with at_a_told_pi() as (person, told):
        for record in begins:
            told.says(**record)
        await person.sees(seen)
        await person.press("escape")
        await person.until(lambda: told.sent("abort"))
        assert person.agent.session.busy
        assert "stopping…" in person.screen()
        for record in ends:
            told.says(**record)
        await person.until(person.is_idle)
        await person.until(lambda: "stopping…" not in person.screen())


async def test_ctrl_c_stops_no_run_and_leaves_only_when_it_is_pressed_again_at_once() -> None:
    now = 1000.0
    async with at_a_told_pi(clock=lambda: now) as (person, told):
        told.says(type="agent_start")
        await person.sees("working")
        await person.types("draft")
        for _ in range(3):
            await person.press("ctrl+c")
            await person.sees("Ctrl+C again leaves")
            now += 2
        assert person.app.is_running
        assert person.agent.session.busy
        assert not told.sent("abort")
        await person.press("up")
        assert person.prompt.text == "draft"


async def test_alt_up_takes_the_queue_back_and_pi_goes_on(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.sends("turn left")
        await person.until(lambda: person.agent.session.steering)
        await person.press("alt+up")
        await person.until(lambda: person.prompt.text == "turn left")
        assert person.runs_a_tool()
        await person.press("escape")
        await person.until(person.is_idle)


async def test_escape_right_after_enter_loses_nothing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#md 4000 long important text")
        await person.press("escape")
        await person.until(person.is_idle)
        assert "#md 4000 long important text" in [*person.asked(), person.prompt.text]
        await person.press("up")
        assert person.prompt.text == "#md 4000 long important text"


async def test_a_shell_command_runs_and_its_output_is_seen(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("!")
        assert person.prompt.has_class("-bash")
        await person.types("echo hi")
        await person.press("enter")
        await person.sees("$ echo hi")
        await person.until(lambda: not person.agent.session.bashes)
        assert not person.prompt.has_class("-bash")
        assert person.said() == []


async def test_escape_stops_a_shell_command(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("!!sleep 30")
        await person.sees("running")
        assert next(iter(person.agent.session.bashes.values())).excluded
        await person.press("escape")
        await person.until(lambda: not person.agent.session.bashes)


async def test_an_unknown_command_is_not_sent_without_asking(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/frobnicate now")
        await person.sees("pi has no command /frobnicate")
        await person.press("enter")
        await person.until(lambda: person.prompt.text == "/frobnicate now")
        assert person.asked() == []
        assert person.prompt.has_focus


async def test_an_unknown_command_is_sent_as_text_when_the_person_says_so(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/frobnicate now")
        await person.sees("Send as text")
        await person.press("right", "enter")
        await person.sees("You said: /frobnicate now")
        assert person.prompt.text == ""
        assert person.prompt.has_focus


async def test_typing_on_is_no_answer_and_not_a_letter_is_lost(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/frobnicate")
        await person.sees("Send as text")
        await person.types("abc")
        await person.until(lambda: person.prompt.text == "/frobnicateabc")
        assert person.asked() == []


async def test_a_path_and_several_lines_are_no_commands(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/etc/hosts is a file")
        await person.sees("You said: /etc/hosts is a file")


async def test_a_pi_that_does_not_read_leaves_the_prompt_usable(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        child = child_of_this()
        os.kill(child, signal.SIGSTOP)
        try:
            await person.sends("#say " + "x" * 1_000_000)
            await person.types("abc")
            assert person.prompt.text == "abc"
            await person.sees("waiting for pi: it does not answer")
        finally:
            os.kill(child, signal.SIGCONT)
        await person.until(lambda: person.agent.session.busy)
        assert person.asked() == ["#say " + "x" * 1_000_000]


@pytest.mark.parametrize("words", ["hello", "!echo hello"])
async def test_what_a_person_sends_is_seen_wherever_they_read(tmp_path: Path, words: str) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#md 6000")
        await person.until(lambda: person.said() and person.is_idle())
        await person.press("ctrl+home")
        assert not person.app.main.transcript.following
        await person.sends(words)
        await person.until(lambda: person.app.main.transcript.following)


NO_KEY = "No API key found for {}.\n\nUse /login to log into a provider. See:\n" + "\n".join(
    f"  /lib/pi/docs/page-{number}.md" for number in range(12)
)
"""As pi refuses a prompt, with advice for its own screen."""


async def test_a_prompt_without_a_model_is_refused_once_and_in_a_few_words() -> None:
    unknown = {"model": {"id": "unknown", "provider": "unknown"}, "sessionId": "s"}
    async with at_a_told_pi({"get_state": unknown, "prompt": NO_KEY.format("the selected model")}) as (person, _):
        await person.sends("hello")
        await person.sees("✗ pi has no model to ask. F4 and “login” get one; your words stay here.")
        await person.until(lambda: person.prompt.text == "hello")
        assert "No API key" not in person.screen()
        assert person.screen().count("/login gets one") == 1, "the hint in the chat"


async def test_a_prompt_that_is_refused_for_want_of_a_key_says_which() -> None:
    known = {"model": {"id": "fake-1", "provider": "fake"}, "sessionId": "s"}
    async with at_a_told_pi({"get_state": known, "prompt": NO_KEY.format("fake")}, size=(120, 30)) as (person, _):
        await person.sends("hello")
        await person.sees("✗ No API key found for fake. /login asks for it, /model takes another model.")


async def test_a_refusal_that_has_no_room_beside_the_prompt_is_told_once_too() -> None:
    known = {"model": {"id": "fake-1", "provider": "fake"}, "sessionId": "s"}
    async with at_a_told_pi({"get_state": known, "prompt": NO_KEY.format("fake")}, size=(60, 30)) as (person, _):
        await person.sends("hello")
        await person.sees("✗ No API key found for fake.")
        await person.until(lambda: person.prompt.text == "hello")
        await person.until(lambda: not [worker for worker in person.app.workers if worker.group == "intents"])
        assert person.screen().count("No API key") == 1


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_however_much_is_said_of_a_refusal_the_prompt_stays_in_sight(size: tuple[int, int]) -> None:
    reason = "\n".join(f"reason {number}" for number in range(60))
    async with at_a_told_pi({"prompt": reason}, size=size) as (person, _):
        for _ in range(3):
            await person.sends("hello")
            await person.until(lambda: person.prompt.text == "hello")
            await person.press("ctrl+u")
        await person.sees("reason 0")
        await person.types("still here")
        await person.sees("still here")
        rows = person.screen().split("\n")
        assert not any("reason" in row for row in rows[size[1] // 2 :])
        assert any(row.strip() == "▌ …" for row in rows)
