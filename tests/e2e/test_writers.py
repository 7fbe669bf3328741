"""Two programs write to one session: what pitui says, what comes of it in the file, and that it is never said falsely.

On the demo agent and on the real pi.
"""

import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from pitui import watch
from pitui.agent import Agent, AgentError
from pitui.pi.tail import Damage
from pitui.session.tree import Tree, said
from pitui.watch import Others, Stance
from tests.e2e.conversation import MODEL, Conversation, Place
from tests.e2e.test_companion import command, entry_of, say, shown, talking, until
from tests.queued import held

__all__ = ["command"]


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.02)


@asynccontextmanager
async def another(command: Sequence[str], folder: Path, file: str) -> AsyncIterator[Conversation]:
    """Another agent on the session in `file`."""
    place = Place(folder / "home", folder / "project")
    words = [*command, "--mode", "rpc", "-e", str(MODEL), "--model", "lab/script", "--session", file]
    conversation = Conversation(words, place, place.environment())
    try:
        yield conversation
    finally:
        await anyio.to_thread.run_sync(conversation.close)


def content(agent: Agent) -> bytes:
    return Path(agent.session.file).read_bytes()


def prompts(file: str) -> list[str]:
    lines = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
    messages = [line.get("message", {}) for line in lines]
    return [message["content"][0]["text"] for message in messages if message.get("role") == "user"]


async def test_another_writer_is_told_of_and_both_go_on_as_branches(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        async with another(command, tmp_path, agent.session.file) as other:
            await anyio.to_thread.run_sync(other.run, "#say Theirs.")
            await until(lambda: agent.watch.others.count == 2)
            assert agent.watch.unanswered
            assert agent.watch.others.words == "#say Theirs."
            with pytest.raises(AgentError, match="say first"):
                await agent.rename("a name")
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(agent.submit, "#say Held.")
                await until(lambda: agent.session.notices and "It waits here" in agent.session.notices[-1].text)
                await until(lambda: held(agent))
                await anyio.wait_all_tasks_blocked()
                assert [prompt.text for prompt in held(agent)] == ["#say Held."]
                assert prompts(agent.session.file) == ["#say One.", "#say Theirs."]
                agent.watch.decide(Stance.GO_ON)
            await until(lambda: not agent.session.busy and "Held." in shown(agent))
            await say(agent, "#say Ours.")
            await anyio.to_thread.run_sync(other.run, "#say Theirs again.")
            await until(lambda: agent.watch.others.count == 4)
            assert not agent.watch.unanswered
        written = ["#say One.", "#say Theirs.", "#say Held.", "#say Ours.", "#say Theirs again."]
        assert prompts(agent.session.file) == written
        assert [text for text in shown(agent) if "say" not in text] == ["One.", "Held.", "Ours."]

        await agent.reopen()
        await until(lambda: len(shown(agent)) == 6)
        assert not agent.watch.others
        assert shown(agent)[2:] == ["#say Theirs.", "Theirs.", "#say Theirs again.", "Theirs again."]
        tree = Tree.of(agent.session.entry_list, agent.session.leaf_id)
        assert "#say Ours." in [said(entry) for entry in tree.entries]


async def test_read_only_sends_nothing_until_it_is_changed(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        agent.watch.decide(Stance.READ_ONLY)
        before = content(agent)
        for refused in (
            agent.submit("#say No."),
            agent.bash("ls"),
            agent.compact(),
            agent.rename("a name"),
            agent.cycle_thinking_level(),
            agent.label(entry_of(agent, "user", 0), "a label"),
        ):
            with pytest.raises(AgentError, match="read only here"):
                await refused
        assert content(agent) == before
        agent.watch.decide(Stance.GO_ON)
        await say(agent, "#say Yes.")
        assert shown(agent)[-1] == "Yes."


async def test_a_fork_leaves_the_session_to_the_other(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        file = agent.session.file
        async with another(command, tmp_path, file) as other:
            await anyio.to_thread.run_sync(other.run, "#say Theirs.")
            await until(lambda: agent.watch.others)
            await agent.clone()
            assert not agent.watch.others
            await say(agent, "#say Ours.")
            await anyio.to_thread.run_sync(other.run, "#say Theirs again.")
        assert prompts(file) == ["#say One.", "#say Theirs.", "#say Theirs again."]
        assert prompts(agent.session.file) == ["#say One.", "#say Ours."]


async def test_a_session_whose_file_was_deleted_is_saved_anew(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        file = Path(agent.session.file)
        await until(lambda: agent.watch.others or agent.watch.watches(file))
        os.unlink(file)
        await until(lambda: agent.watch.others.damage is Damage.DELETED)
        assert agent.watch.unanswered
        agent.watch.decide(Stance.GO_ON)
        await say(agent, "#say Two.")
        await agent.save_anew()
        await say(agent, "#say Three.")
        assert prompts(agent.session.file) == ["#say One.", "#say Two.", "#say Three."]
        assert shown(agent) == ["#say One.", "One.", "#say Two.", "Two.", "#say Three.", "Three."]


async def test_who_opens_what_another_pitui_has_open_is_told_before_anything_is_written(
    command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    claims = tmp_path / "open"
    async with talking(command, tmp_path / "a", claims=claims) as first:
        await say(first, "#say One.")
        await until(lambda: first.watch.watches(Path(first.session.file)))
        assert not first.watch.others
        (tmp_path / "b").mkdir()
        async with talking(command, tmp_path / "b", claims=claims) as second:
            await second.switch_session(Path(first.session.file))
            await until(lambda: second.watch.others)
            assert second.watch.others == Others(present=True)
            assert second.watch.unanswered
            second.watch.accept_company()
            await second.reopen()
            await until(lambda: not second.watch.undecided)
            assert not second.watch.others
        sent_before = len(prompts(first.session.file))
        async with (
            Agent(second.launch.on_session(first.session.file)) as third,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(third.submit, "#say At once.")
            await until(lambda: third.watch.unanswered and held(third) and third.session.commands)
            await anyio.wait_all_tasks_blocked()
            assert len(prompts(first.session.file)) == sent_before
            third.watch.decide(Stance.GO_ON)
            await until(lambda: "At once." in shown(third))


@pytest.mark.timeout(240)
async def test_nobody_is_accused_whatever_our_pi_does(command: list[str], tmp_path: Path) -> None:
    accused: list[Others] = []

    async def look(agent: Agent) -> None:
        while True:
            if agent.watch.others:
                accused.append(agent.watch.others)
            await anyio.sleep(0.005)

    quick = {"LAB_TPS": "0", "LAB_CHUNK": "2000", "LAB_FAILS": "1"}
    async with talking(command, tmp_path, **quick) as agent, anyio.create_task_group() as tasks:
        tasks.start_soon(look, agent)
        await say(agent, "#say One.", '#tool bash {"command":"echo one; sleep 0.3; echo two"}\n#then\n#say Two.')
        await agent.bash("echo by hand")
        await agent.rename("A name")
        await agent.cycle_thinking_level()
        await agent.label(entry_of(agent, "user", 0), "a label")
        await agent.navigate(entry_of(agent, "assistant", 0), summary=True)
        await say(agent, "#fail 529 overloaded_error", *(f"#md {size}" for size in range(40_000, 40_003)))
        await agent.compact()
        await say(agent, "#say Four.")
        first = Path(agent.session.file)
        await agent.clone()
        await say(agent, "#say In the clone.")
        await agent.fork(entry_of(agent, "user", 1))
        await say(agent, "#say In the fork.")
        await agent.new_session()
        await say(agent, "#say In a new one.")
        await agent.switch_session(first)
        await agent.reload()
        await say(agent, "#say Five.")
        await agent.restart()
        await until(lambda: agent.session.commands and not agent.session.preview and not agent.session.busy)
        await say(agent, "#say Six.")
        await until(lambda: agent.watch.watches(first))
        await anyio.sleep(0.2)
        tasks.cancel_scope.cancel()
    assert accused == []
