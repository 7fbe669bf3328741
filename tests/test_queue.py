"""What a person can do with what waits for pi, on the demo agent. The real pi is asked the same in tests/e2e."""

from pathlib import Path

from pitui.agent import Agent
from pitui.session.model import Lane, Returned
from pitui.store.journal import Journal
from tests.test_agent import PICTURE, SLOW_TOOL, asked, demo, idle, tool_runs, until


async def with_queue(agent: Agent) -> dict[str, int]:
    """Two steering messages and two follow-ups behind a tool that runs long; their keys."""
    await agent.submit(SLOW_TOOL)
    await until(tool_runs(agent))
    await agent.submit("left", [PICTURE])
    await agent.submit("right")
    await agent.submit("then", follow_up=True)
    await agent.submit("last", follow_up=True)
    await until(lambda: len(agent.session.in_pi) == 4)
    return {prompt.text: prompt.key for prompt in agent.queue}


def listed(agent: Agent) -> list[str]:
    return [message.text for message in agent.session.in_pi]


async def test_the_queue_is_one_list_of_both_lanes_with_images(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        await with_queue(agent)
        found = [(prompt.lane, prompt.text, list(prompt.images), prompt.ours) for prompt in agent.queue]
        assert found == [
            (Lane.STEERING, "left", [PICTURE], True),
            (Lane.STEERING, "right", [], True),
            (Lane.FOLLOW_UP, "then", [], True),
            (Lane.FOLLOW_UP, "last", [], True),
        ]


async def test_a_message_moves_up_in_pi_and_keeps_its_image_and_its_key(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        keys = await with_queue(agent)
        assert await agent.queue.move(keys["right"], -1)
        await until(lambda: listed(agent) == ["right", "left", "then", "last"])
        assert {prompt.text: prompt.key for prompt in agent.queue} == keys
        assert await agent.interrupt() == [
            Returned("right"),
            Returned("left", (PICTURE,)),
            Returned("then"),
            Returned("last"),
        ]


async def test_a_message_is_changed_deleted_and_put_into_the_other_lane(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        keys = await with_queue(agent)
        assert await agent.queue.edit(keys["right"], "right now", [PICTURE])
        assert await agent.queue.delete(keys["last"])
        assert await agent.queue.change_lane(keys["left"])
        await until(lambda: listed(agent) == ["right now", "then", "left"])
        assert await agent.interrupt() == [
            Returned("right now", (PICTURE,)),
            Returned("then"),
            Returned("left", (PICTURE,)),
        ]


async def test_a_message_that_is_held_stays_here_until_it_is_released(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        keys = await with_queue(agent)
        assert await agent.queue.hold(keys["left"])
        await until(lambda: listed(agent) == ["right", "then", "last"])
        assert [prompt.text for prompt in agent.queue if prompt.held] == ["left"]
        assert await agent.interrupt() == [Returned("right"), Returned("then"), Returned("last")]
        await until(idle(agent))
        assert await agent.queue.release(keys["left"])
        await until(lambda: asked(agent)[-1] == "left")


async def test_what_is_sent_now_goes_before_everything(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        keys = await with_queue(agent)
        assert await agent.queue.send_now(keys["last"])
        await until(lambda: listed(agent) == ["last", "left", "right", "then"])
        assert await agent.take_queue_back() == [
            Returned("last"),
            Returned("left", (PICTURE,)),
            Returned("right"),
            Returned("then"),
        ]
        await agent.interrupt()


async def test_what_has_gone_cannot_be_changed_and_the_words_come_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as agent:
        keys = await with_queue(agent)
        await agent.interrupt()
        assert not await agent.queue.edit(keys["left"], "too late", [PICTURE])
        assert agent.rescue() == [Returned("too late", (PICTURE,))]


async def test_what_waited_when_pitui_was_killed_comes_back_at_the_next_start_and_is_not_sent(tmp_path: Path) -> None:
    killed, folder = Journal(tmp_path / "outbox"), tmp_path / "project"
    folder.mkdir()
    async with demo(folder, journal=killed) as agent:
        keys = await with_queue(agent)
        await agent.queue.move(keys["last"], -1)
        await until(lambda: listed(agent)[-1:] == ["then"])
        killed.close()  # as the system does it
        session = agent.session.file
    async with demo(folder, journal=Journal(tmp_path / "outbox")) as agent:
        await until(lambda: bool(agent.session.notices))
        assert "4 prompts in the session" in agent.session.notices[-1].text
        assert agent.rescue() == []
    async with demo(folder, journal=Journal(tmp_path / "outbox"), session=session) as agent:
        await until(lambda: bool(agent.session.returned))
        assert agent.rescue() == [
            Returned("left", (PICTURE,)),
            Returned("right"),
            Returned("last"),
            Returned("then"),
        ]
        assert agent.rescue() == []
        assert any("4 prompts were not delivered" in notice.text for notice in agent.session.notices)
        assert not list(agent.queue)


async def test_a_prompt_that_waits_in_a_session_begun_with_a_paste_is_told_of_on_one_line(tmp_path: Path) -> None:
    killed, folder = Journal(tmp_path / "outbox"), tmp_path / "project"
    folder.mkdir()
    async with demo(folder, journal=killed) as agent:
        await agent.submit("\n".join(f"line {number}" for number in range(11)))
        await until(idle(agent))
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        await agent.submit("left")
        killed.close()  # as the system does it
    async with demo(folder, journal=Journal(tmp_path / "outbox")) as agent:
        await until(lambda: bool(agent.session.notices))
        text = agent.session.notices[-1].text
        assert text.startswith("A prompt in the session “line 0 line 1")
        assert "\n" not in text


async def test_what_came_back_comes_back_until_it_is_sent_again(tmp_path: Path) -> None:
    async with demo(tmp_path, journal=Journal(tmp_path / "outbox")) as agent:
        await agent.submit(SLOW_TOOL)
        await until(tool_runs(agent))
        await agent.submit("left")
        assert await agent.interrupt() == [Returned("left")]
        session = agent.session.file
    for _ in range(2):
        async with demo(tmp_path, journal=Journal(tmp_path / "outbox"), session=session) as agent:
            await until(lambda agent=agent: bool(agent.session.returned))
            assert agent.rescue() == [Returned("left")]
    async with demo(tmp_path, journal=Journal(tmp_path / "outbox"), session=session) as agent:
        await until(lambda: bool(agent.session.returned))
        assert agent.rescue()
        await agent.submit("left, in other words")
        await until(lambda: idle(agent)() and asked(agent)[-1] == "left, in other words")
    async with demo(tmp_path, journal=Journal(tmp_path / "outbox"), session=session) as agent:
        await until(lambda: bool(agent.session.commands) and bool(agent.session.stats))
        assert agent.rescue() == []


async def test_words_of_an_edit_that_came_too_late_outlive_pitui(tmp_path: Path) -> None:
    async with demo(tmp_path, journal=Journal(tmp_path / "outbox")) as agent:
        keys = await with_queue(agent)
        await agent.interrupt()
        assert not await agent.queue.edit(keys["left"], "too late", [PICTURE])
        session = agent.session.file
    async with demo(tmp_path, journal=Journal(tmp_path / "outbox"), session=session) as agent:
        await until(lambda: bool(agent.session.returned))
        assert Returned("too late", (PICTURE,)) in agent.rescue()


async def test_beside_a_held_message_only_what_pi_did_not_say_comes_back_after_a_kill(tmp_path: Path) -> None:
    killed, folder = Journal(tmp_path / "outbox"), tmp_path / "project"
    folder.mkdir()
    async with demo(folder, journal=killed) as agent:
        await agent.submit('#tool bash {"command":"sleep 1"}\n#then\n#say Done.')
        await until(tool_runs(agent))
        for text in ("left", "right", "straight on"):
            await agent.submit(text)
        await until(lambda: len(agent.session.in_pi) == 3)
        keys = {prompt.text: prompt.key for prompt in agent.queue}
        assert await agent.queue.hold(keys["left"])
        await until(lambda: listed(agent) == ["right", "straight on"])
        killed.close()  # as the system does it
        await until(lambda: idle(agent)() and "straight on" in asked(agent))
        session = agent.session.file
    async with demo(folder, journal=Journal(tmp_path / "outbox"), session=session) as agent:
        await until(lambda: bool(agent.session.returned))
        assert agent.rescue() == [Returned("left")]
