"""What the companion does for a person, on the demo agent and on the real pi, and what is in the file afterwards."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from pitui.agent import Agent, AgentError
from pitui.companion import COMPANION
from pitui.launch import Launch
from pitui.rpc.messages import BranchSummaryEntry, ImagePart, MessageEntry
from pitui.session.blocks import BranchSummaryBlock, PromptBlock, TextBlock
from pitui.session.model import Phase, Returned
from pitui.session.tree import labels
from tests.e2e.conversation import ASKING, MODEL, Place, demo_command
from tests.pi.stored import Store, said

PICTURE = ImagePart(
    data="iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    mime_type="image/png",
)
EXTENSIONS = [word for path in (COMPANION, MODEL, ASKING) for word in ("-e", str(path))]


@pytest.fixture(params=["demo", pytest.param("pi", marks=pytest.mark.timeout(180))])
def command(request: pytest.FixtureRequest) -> list[str]:
    return demo_command() if request.param == "demo" else request.getfixturevalue("real_pi")


@asynccontextmanager
async def talking(
    command: Sequence[str],
    folder: Path,
    words: Sequence[str] = EXTENSIONS,
    version: str = "1.6.0",
    claims: Path | None = None,
    **more: str,
) -> AsyncIterator[Agent]:
    place = Place.make(folder)
    argv = [*command, "--mode", "rpc", *words, "--model", "lab/script"]
    launch = Launch(argv, place.project, version, environment=place.environment(**more), claims=claims)
    async with Agent(launch) as agent:
        await until(lambda: bool(agent.session.commands) and agent.session.phase is Phase.IDLE)
        yield agent


async def until(condition: Callable[[], object], seconds: float = 60) -> None:
    with anyio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for is the state of a session
            await anyio.sleep(0.01)


async def stop(agent: Agent, over: Callable[[], object]) -> None:
    """Press Esc until it is over: pi does not hear it before it has begun what is to be stopped."""
    with anyio.fail_after(60):
        while not over():
            await agent.interrupt()
            await anyio.sleep(0.05)


async def say(agent: Agent, *texts: str, images: Sequence[ImagePart] = ()) -> None:
    """Have each of them answered; the entries are known then."""
    for text in texts:
        known = len(agent.session.entries)
        await agent.submit(text, images)
        await until(lambda known=known: len(agent.session.entries) > known + 1 and agent.session.phase is Phase.IDLE)


def entry_of(agent: Agent, role: str, number: int) -> str:
    """The id of a message, counted in the order of the file."""
    found = [e.id for e in agent.session.entries.values() if isinstance(e, MessageEntry) and e.message.role == role]
    return found[number]


def shown(agent: Agent) -> list[str]:
    blocks = agent.session.blocks
    return [block.text.strip() for block in blocks if isinstance(block, PromptBlock | TextBlock)]


def on_disk(agent: Agent) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(agent.session.file).read_text("utf-8").splitlines()]


async def test_going_back_to_a_prompt_gives_it_back_and_the_conversation_goes_on_from_there(
    command: list[str], tmp_path: Path
) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        await say(agent, "#say Two.", images=[PICTURE])
        second = entry_of(agent, "user", 1)
        moved = await agent.navigate(second)
        assert (moved.cancelled, moved.text) == (False, "#say Two.")
        assert [image.mime_type for image in moved.images] == ["image/png"]
        assert shown(agent) == ["#say One.", "One."]
        await say(agent, "#say Other.")
        assert shown(agent) == ["#say One.", "One.", "#say Other.", "Other."]
        assert on_disk(agent)[-2]["parentId"] == entry_of(agent, "assistant", 0)
        await agent.navigate(entry_of(agent, "assistant", 1))
        assert shown(agent) == ["#say One.", "One.", "#say Two.", "Two."]


async def test_a_run_is_stopped_before_a_move_and_its_queue_comes_back(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        await agent.submit('#tool bash {"command":"echo begun; sleep 30"}')
        await until(lambda: agent.session.tools)
        await agent.submit("and then this")
        await until(lambda: agent.session.steering)
        await agent.navigate(entry_of(agent, "assistant", 0))
        assert agent.rescue() == [Returned("and then this")]
        assert agent.session.phase is Phase.IDLE
        assert shown(agent) == ["#say One.", "One."]


async def test_without_the_companion_the_reason_is_said_and_all_else_works(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path, ["-e", str(MODEL)]) as agent:
        await say(agent, "#say One.")
        with pytest.raises(AgentError, match="needs pitui's companion in pi, and there is none: pi did not load it"):
            await agent.navigate(entry_of(agent, "user", 0))
        assert shown(agent) == ["#say One.", "One."]


async def test_a_summary_stands_in_the_new_branch_unless_escape_cancels_it(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent, anyio.create_task_group() as tasks:
        await say(agent, "#say One.", "#say Two.")
        leaf, answer = agent.session.leaf_id, entry_of(agent, "assistant", 0)
        outcome: list[Any] = []

        async def move() -> None:
            outcome.append(await agent.navigate(answer, summary=True, instructions="write at length"))

        tasks.start_soon(move)
        await until(lambda: agent.session.phase is Phase.SUMMARIZING)
        await stop(agent, lambda: outcome)
        assert (outcome[0].cancelled, outcome[0].reason) == (True, "Cancelled: nothing has moved.")
        assert (agent.session.phase, agent.session.leaf_id) == (Phase.IDLE, leaf)
        assert shown(agent)[-1] == "Two."

        await agent.navigate(answer, summary=True, instructions="keep the names")
        (entry,) = [entry for entry in agent.session.entries.values() if isinstance(entry, BranchSummaryEntry)]
        assert (entry.from_id, entry.parent_id, agent.session.leaf_id) == (leaf, answer, entry.id)
        (block,) = [block for block in agent.session.blocks if isinstance(block, BranchSummaryBlock)]
        assert "## Goal" in block.summary
        assert on_disk(agent)[-1]["type"] == "branch_summary"


async def test_labels_and_the_name_can_be_given_and_taken_away(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        answer = entry_of(agent, "assistant", 0)
        await agent.label(answer, "good")
        assert labels(agent.session.entry_list) == {answer: "good"}
        await agent.label(answer, "")
        assert labels(agent.session.entry_list) == {}
        assert [line.get("label") for line in on_disk(agent) if line["type"] == "label"] == ["good", None]
        with pytest.raises(AgentError, match="Entry nowhere not found"):
            await agent.label("nowhere", "x")
        await agent.rename("a name")
        await until(lambda: agent.session.name == "a name")
        await agent.clear_name()
        assert (agent.session.name, on_disk(agent)[-1]["name"]) == ("", "")


async def test_a_fork_at_an_answer_ends_with_it_and_leaves_the_old_file_alone(
    command: list[str], tmp_path: Path
) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.", images=[PICTURE])
        await say(agent, "#say Two.")
        answer = entry_of(agent, "assistant", 0)
        await agent.label(answer, "good")
        old = anyio.Path(agent.session.file)
        before = await old.read_bytes()
        forked = await agent.fork_at(answer)
        assert (forked.cancelled, forked.text) == (False, "")
        assert shown(agent) == ["#say One.", "One."]
        assert labels(agent.session.entry_list) == {answer: "good"}
        assert on_disk(agent)[0]["parentSession"] == str(old)
        await say(agent, "#say Three.")
        assert on_disk(agent)[-1]["message"]["content"][0]["text"] == "Three."
        assert await old.read_bytes() == before
        with pytest.raises(AgentError, match="Invalid entry ID"):
            await agent.fork_at("nowhere")
        forked = await agent.fork(entry_of(agent, "user", 0))
        assert (forked.text, [image.mime_type for image in forked.images]) == ("#say One.", ["image/png"])


async def test_pi_tells_what_it_works_with_and_loads_it_again(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await agent.submit("/show-all")
        await until(lambda: agent.session.statuses)
        await agent.reload()
        assert agent.session.statuses == agent.session.widgets == {}
        info = await agent.info()
        assert (info.version, info.cwd) == ("1.6.0", str(agent.launch.cwd))
        assert {tool.name for tool in info.tools if tool.active} == {"read", "bash", "edit", "write"}
        assert await agent.set_tools(["read"]) == ["read"]
        assert {tool.name for tool in (await agent.info()).tools if tool.active} == {"read"}
        with pytest.raises(AgentError, match="no tool telepathy"):
            await agent.set_tools(["read", "telepathy"])
        assert (await agent.refresh_models()).available == 2


MEDDLING = """
export default function (pi) {
    pi.on("session_start", (_event, ctx) => ctx.ui.setStatus("meddling", ctx.sessionManager.getSessionId()));
    pi.registerCommand("start-over", { handler: async (_words, ctx) => { await ctx.newSession(); } });
    pi.registerCommand("ask-a-moment", {
        handler: async (_words, ctx) => { await ctx.ui.confirm("Sure?", "", { signal: AbortSignal.timeout(200) }); },
    });
}
"""


async def test_what_an_extension_does_by_itself_is_noticed(real_pi: list[str], tmp_path: Path) -> None:
    meddling = tmp_path / "meddling.ts"
    await anyio.Path(meddling).write_text(MEDDLING)
    async with talking(real_pi, tmp_path, [*EXTENSIONS, "-e", str(meddling)]) as agent:
        await say(agent, "#say One.")
        first = agent.session.id
        await agent.submit("/ask-a-moment")
        await until(lambda: agent.session.past_dialogs)
        assert [dialog.outcome for dialog in agent.session.past_dialogs] == ["taken back by the extension"]
        await agent.submit("/start-over")
        await until(lambda: agent.session.id not in ("", first))
        assert shown(agent) == []
        assert agent.session.statuses == {"meddling": agent.session.id}
        await agent.new_session()
        assert agent.session.statuses == {"meddling": agent.session.id}


@pytest.mark.timeout(180)
async def test_after_a_session_that_pi_cannot_open_it_goes_on_with_the_one_before(
    real_pi: list[str], tmp_path: Path
) -> None:
    async with talking(real_pi, tmp_path) as agent:
        await say(agent, "#say One.")
        entries = [said("user", "round", id="a", parentId="b"), said("assistant", "and round", id="b", parentId="a")]
        circle = Store(tmp_path).write("circle", *entries, cwd=agent.cwd)
        with pytest.raises(AgentError, match="pi was started again on the session before"):
            await agent.switch_session(circle)
        await until(lambda: agent.session.commands and agent.session.phase is Phase.IDLE)
        await say(agent, "#say Two.")
        assert shown(agent) == ["#say One.", "One.", "#say Two.", "Two."]
