"""The companion in older versions of pi, the oldest that pitui takes among them: one story for each."""

from pathlib import Path

import anyio
import pytest

from pitui.agent import Replacement
from pitui.session.model import Phase
from pitui.session.tree import labels
from tests.conftest import installed
from tests.e2e.test_companion import entry_of, say, shown, stop, talking, until


@pytest.mark.parametrize("version", ["1.3.0", "0.84.4"])
@pytest.mark.timeout(400)
async def test_a_person_moves_in_the_tree_of_an_older_pi(version: str, tmp_path: Path) -> None:
    can_stop = version != "0.84.4"
    async with (
        talking(installed(version), tmp_path, version=version, LAB_TPS="50") as agent,
        anyio.create_task_group() as tasks,
    ):
        assert (await agent.info()).version == version
        await say(agent, "#say One.", "#say Two.")
        answer = entry_of(agent, "assistant", 0)
        await agent.label(answer, "good")
        moved = await agent.navigate(entry_of(agent, "user", 1))
        assert (moved.text, shown(agent)) == ("#say Two.", ["#say One.", "One."])
        await say(agent, "#say Other.")
        await agent.reload()
        outcome: list[Replacement] = []

        async def move() -> None:
            told = "write at length" if can_stop else ""
            outcome.append(await agent.navigate(answer, summary=True, instructions=told))

        tasks.start_soon(move)
        await until(lambda: agent.session.phase is Phase.SUMMARIZING)
        await stop(agent, lambda: outcome)
        assert outcome[0].cancelled == can_stop
        told = [notice.text for notice in agent.session.notices]
        assert ("pi 0.84.4 cannot stop a summary; pi 0.85.0 and later can." in told) != can_stop
        await agent.fork_at(answer)
        assert shown(agent) == ["#say One.", "One."]
        assert labels(agent.session.entry_list) == {answer: "good"}
