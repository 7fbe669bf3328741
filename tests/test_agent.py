"""What a person can rely on, on the demo agent and with no screen. The real pi is asked the same in tests/e2e."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from pitui.agent import Agent, AgentError
from pitui.launch import Launch
from pitui.rpc.messages import ImagePart
from pitui.rpc.requests import Confirmed, Value
from pitui.session.blocks import BashBlock, PromptBlock, TextBlock, ToolBlock, ToolState
from pitui.session.model import Aspect, Phase, Returned
from pitui.store.journal import Journal
from tests.queued import held

SLOW_TOOL = '#tool bash {"command":"sleep 30"}\n#then\n#say Late.'
COMMAND = [sys.executable, "-m", "pitui.demo", "-e", "asking-extension.ts"]
PICTURE = ImagePart(
    data="iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    mime_type="image/png",
)


@asynccontextmanager
async def demo(
    folder: Path, tokens_per_second: int = 2000, journal: Journal | None = None, session: str = ""
) -> AsyncIterator[Agent]:
    launch = Launch(COMMAND, folder, "1.6.0", environment={**os.environ, "LAB_TPS": str(tokens_per_second)})
    async with Agent(launch.on_session(session), journal=journal) as agent:
        await until(lambda: bool(agent.session.commands) and agent.session.phase is Phase.IDLE)
        yield agent


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    with anyio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for is the state of a session
            await anyio.sleep(0.01)


def said(agent: Agent) -> list[str]:
    return [block.text.strip() for block in agent.session.blocks if isinstance(block, TextBlock)]


def asked(agent: Agent) -> list[str]:
    return [block.text for block in agent.session.blocks if isinstance(block, PromptBlock)]


def idle(agent: Agent) -> Callable[[], bool]:
    return lambda: agent.session.phase is Phase.IDLE


def tool_runs(agent: Agent) -> Callable[[], bool]:
    return lambda: any(
        isinstance(block, ToolBlock) and block.state is ToolState.RUNNING for block in agent.session.blocks
    )


def children_of_this() -> int | None:
    """How many there are; None where the system does not tell."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    return len(children.read_text().split()) if children.exists() else None


def child_of(agent: Agent) -> int:
    """The process id of the demo agent, as the system knows it."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("needs Linux, to find the child")
    return int(children.read_text().split()[-1])


async def test_an_answer_comes(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        assert await agent.submit("#say Hello **you**.")
        await until(idle(agent))
        assert said(agent) == ["Hello **you**."]
        assert asked(agent) == ["#say Hello **you**."]


async def test_escape_brings_queued_words_back_in_the_order_of_pi(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        await agent.submit("at the end", follow_up=True)
        await agent.submit("turn left", [PICTURE])
        await until(lambda: agent.session.steering == ("turn left",))
        returned = await agent.interrupt()
        assert returned == [Returned("turn left", (PICTURE,)), Returned("at the end")]
        await until(idle(agent))
        assert not tool_runs(agent)()
        assert agent.session.steering == agent.session.follow_up == ()


async def test_escape_twice_gives_the_words_once(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        await agent.submit("turn left")
        first, second = await agent.interrupt(), await agent.interrupt()
        assert [*first, *second] == [Returned("turn left")]
        await until(idle(agent))


async def test_escape_right_after_sending_gives_the_words_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.submit, "turn left")
            await until(lambda: bool(agent.session.sending))
            assert await agent.interrupt() == [Returned("turn left")]
        await until(idle(agent))
        assert "turn left" not in asked(agent)


async def test_escape_when_nothing_happens_does_nothing(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        assert await agent.interrupt() == []
        assert agent.session.phase is Phase.IDLE


async def test_the_queue_is_taken_back_without_stopping(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit('#tool bash {"command":"sleep 1"}\n#then\n#say Done.')
        await until(tool_runs(agent))
        await agent.submit("turn left")
        assert await agent.take_queue_back() == [Returned("turn left")]
        assert agent.session.busy
        await until(idle(agent))
        assert said(agent) == ["Done."]


async def test_two_prompts_at_once_are_both_answered(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.submit, "#say One.")
            tasks.start_soon(agent.submit, "#say Two.")
        await until(lambda: idle(agent)() and len(said(agent)) == 2)
        assert said(agent) == ["One.", "Two."]


async def test_a_prompt_waits_while_pi_compacts_by_hand(tmp_path: Path) -> None:
    async with demo(tmp_path, tokens_per_second=40) as agent:
        never_said = "\n#then\n" + "x" * 40_000
        for _ in range(3):
            await agent.submit("#say Yes." + never_said)
            await until(idle(agent))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.compact)
            await until(lambda: agent.session.phase is Phase.COMPACTING)
            tasks.start_soon(agent.submit, "#say After.")
            await until(lambda: bool(held(agent)))
            assert held(agent) == [Returned("#say After.")]
        await until(lambda: idle(agent)() and said(agent)[-1] == "After.")
        assert held(agent) == []


async def test_dialogs_are_answered_by_id_and_with_their_own_field(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent, anyio.create_task_group() as tasks:
        tasks.start_soon(agent.submit, "/ask-select")
        tasks.start_soon(agent.submit, "/ask-confirm")
        await until(lambda: len(agent.session.dialogs) == 2)
        first, second = agent.session.dialogs
        answers = {"select": Value("Blue"), "confirm": Confirmed(True)}
        await agent.answer(second, answers[second.request.method])
        await agent.answer(first, answers[first.request.method])
        await agent.answer(first, Value("Red"))
        await until(lambda: len(agent.session.notices) == 2)
        assert {notice.text for notice in agent.session.notices} == {'ask-select: "Blue"', "ask-confirm: true"}


async def test_a_question_whose_time_is_over_closes_by_itself(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit("/ask-timeout")
        await until(lambda: not agent.session.dialogs and bool(agent.session.past_dialogs))
        assert agent.session.past_dialogs[0].outcome == "timed out"


async def test_another_session_dismisses_questions_and_gives_the_queue_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent, anyio.create_task_group() as tasks:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        await agent.submit("turn left")
        tasks.start_soon(agent.submit, "/ask-input")
        await until(lambda: bool(agent.session.dialogs))
        await agent.new_session()
        assert agent.rescue() == [Returned("turn left")]
        assert agent.session.dialogs == []
        assert agent.session.blocks == []
        await until(idle(agent))


async def test_what_is_sent_while_another_session_is_opened_is_for_that_one(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent, anyio.create_task_group() as tasks:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        tasks.start_soon(agent.new_session)
        tasks.start_soon(agent.submit, "#say New.")
        await until(lambda: said(agent) == ["New."] and idle(agent)())
        assert asked(agent) == ["#say New."]


async def test_a_fork_gives_the_prompt_back_and_keeps_what_came_before(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        for text in ("#say One.", "#say Two."):
            await agent.submit(text)
            await until(idle(agent))
        second = (await agent.fork_messages())[1]
        replacement = await agent.fork(second.entry_id)
        assert replacement.text == "#say Two."
        assert said(agent) == ["One."]


async def test_a_session_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit("#say One.")
        await until(idle(agent))
        with pytest.raises(AgentError, match="no session file"):
            await agent.switch_session(tmp_path / "none.jsonl")
        assert said(agent) == ["One."]


async def test_another_pi_has_the_session_open_when_it_is_said_to_be(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit("#say One.")
        await until(idle(agent))
        first = agent.session.file
        await agent.new_session()
        replacement = await agent.open_with(agent.launch, Path(first))
        assert not replacement.cancelled
        assert agent.session.file == first and said(agent) == ["One."]


async def test_another_pi_that_ends_at_once_leaves_a_chat_to_start_again_from(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit("#say One.")
        await until(idle(agent))
        bad = replace(agent.launch, argv=[sys.executable, "-c", "raise SystemExit(3)"])
        good = agent.launch
        with anyio.fail_after(20):
            await agent.open_with(bad, Path(agent.session.file))
        assert agent.session.phase is Phase.ENDED
        await agent.restart(good)
        await until(idle(agent))


async def test_what_pi_knows_is_not_taken_from_the_one_before(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        without = replace(agent.launch, argv=[word for word in agent.launch.argv if word != "-e"][:-1])
        known = {command.name for command in agent.session.commands}
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.restart, without)
            await anyio.lowlevel.checkpoint()
            with anyio.fail_after(20):
                await agent.until_loaded()
            assert {command.name for command in agent.session.commands} < known


async def test_started_again_twice_at_once_there_is_one_pi(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.restart)
            tasks.start_soon(agent.restart)
        await until(idle(agent))
        assert children_of_this() in (None, 1)


async def test_one_waits_no_longer_for_a_pi_that_has_ended(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        bad = replace(agent.launch, argv=[sys.executable, "-c", "raise SystemExit(3)"])
        with anyio.fail_after(20):
            await agent.restart(bad)
            await agent.until_loaded()
        missing = replace(agent.launch, argv=[str(tmp_path / "nothing")])
        with pytest.raises(AgentError, match="could not be started"):
            await agent.restart(missing)
        assert agent.session.phase is Phase.ENDED
        with anyio.fail_after(20):
            await agent.until_loaded()


async def test_a_thinking_level_that_the_model_lacks_is_refused_in_words(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        with pytest.raises(AgentError, match="medium"):
            await agent.set_thinking_level("enormous")
        await agent.set_thinking_level("high")
        assert agent.session.thinking_level == "high"


async def test_the_previous_model_is_reached_too(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        models = await agent.models()
        now = agent.session.model
        assert now is not None
        chosen = await agent.cycle_model(backward=True)
        assert chosen is not None
        assert agent.session.model == chosen != now
        await agent.cycle_model()
        assert agent.session.model is not None
        assert agent.session.model.id == now.id
        assert len(models) > 1


async def test_a_command_of_the_person_streams_and_can_be_stopped(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.bash("echo hi; exit 3")
        assert isinstance(ran := agent.session.blocks[-1], BashBlock)
        assert (ran.text.strip(), ran.exit_code, ran.running) == ("hi", 3, False)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.bash, "sleep 30")
            await until(lambda: bool(agent.session.bashes))
            assert await agent.interrupt() == []
        assert isinstance(ran := agent.session.blocks[-1], BashBlock)
        assert ran.cancelled


async def test_when_pi_is_killed_the_chat_stays_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit("#say One.")
        await until(idle(agent))
        os.kill(child_of(agent), signal.SIGKILL)
        await until(lambda: agent.session.phase is Phase.ENDED, 2)
        assert agent.session.ending is not None
        assert agent.session.ending.code == -signal.SIGKILL
        with pytest.raises(AgentError):
            await agent.submit("#say Lost?")
        assert said(agent) == ["One."]
        await agent.restart()
        await until(idle(agent))
        await agent.submit("#say Two.")
        await until(lambda: said(agent) == ["One.", "Two."])


async def test_what_a_killed_pi_had_not_delivered_comes_back_once(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        await agent.submit("turn left", [PICTURE])
        await agent.submit("at the end", follow_up=True)
        await until(lambda: bool(agent.session.steering and agent.session.follow_up))
        os.kill(child_of(agent), signal.SIGKILL)
        await until(lambda: bool(agent.session.returned))
        assert agent.session.phase is Phase.ENDED
        assert agent.rescue() == [Returned("turn left", (PICTURE,)), Returned("at the end")]
        assert agent.session.steering == agent.session.follow_up == ()
        await agent.restart()
        assert agent.rescue() == []


async def test_what_an_extension_says_stands_below_its_command(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit("/throw")
        assert [block.kind for block in agent.session.blocks] == ["prompt", "notice"]


async def test_thousands_of_records_make_few_frames(tmp_path: Path) -> None:
    async with demo(tmp_path, tokens_per_second=0) as agent:
        frames = 0

        async def count() -> None:
            nonlocal frames
            async for changes in agent.frames(30):
                frames += 1
                if Aspect.STATE in changes.aspects and idle(agent)() and said(agent):
                    return

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(count)
            await agent.submit("#md 60000")
        assert len(said(agent)[0]) > 50_000
        assert frames < 60


async def test_a_pi_that_does_not_answer_is_awaited_visibly(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        os.kill(child_of(agent), signal.SIGSTOP)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(agent.interrupt)
                await until(lambda: agent.stalled)
                os.kill(child_of(agent), signal.SIGCONT)
            await until(lambda: not agent.stalled and idle(agent)())
        finally:
            os.kill(child_of(agent), signal.SIGCONT)


async def test_a_pi_that_does_not_answer_a_prompt_is_awaited_visibly(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        os.kill(child_of(agent), signal.SIGSTOP)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(agent.submit, "hello")
                await until(lambda: agent.stalled)
                os.kill(child_of(agent), signal.SIGCONT)
            await until(lambda: not agent.stalled and idle(agent)())
        finally:
            os.kill(child_of(agent), signal.SIGCONT)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
async def test_a_recording_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    async with Agent(Launch(COMMAND, tmp_path, "1.6.0", Path("/dev/full"))) as agent:
        await until(lambda: any("/dev/full" in notice.text for notice in agent.session.notices))
