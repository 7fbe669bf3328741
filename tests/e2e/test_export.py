"""A session that was written to a file: the agent itself opens it, on the demo agent and on the real pi."""

import json
from pathlib import Path

import anyio
import pytest

from pitui.agent import AgentError
from tests.e2e.test_companion import command, entry_of, on_disk, say, shown, talking

__all__ = ["command"]


async def test_the_agent_opens_an_exported_branch_and_goes_on_in_it(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.", "#say Left.")
        await agent.navigate(entry_of(agent, "assistant", 0))
        await say(agent, '#tool bash {"command":"echo two"}\n#then\n#say Two.')
        path = tmp_path / "branch.jsonl"
        await agent.export_jsonl(path)
        header, *entries = map(json.loads, (await anyio.Path(path).read_text("utf-8")).splitlines())
        assert (header["id"], header["cwd"], header["version"]) == (agent.session.id, str(agent.cwd), 3)
        written = {entry["id"]: entry for entry in on_disk(agent)}
        assert entries == [written[entry["id"]] for entry in entries]
        assert "#say Left." not in json.dumps(entries)
        said = shown(agent)
        await agent.switch_session(path)
        assert shown(agent) == said
        await say(agent, "#say Three.")
        assert shown(agent)[-1] == "Three."


async def test_an_export_never_takes_the_place_of_a_file_unasked(command: list[str], tmp_path: Path) -> None:
    async with talking(command, tmp_path) as agent:
        await say(agent, "#say One.")
        path = tmp_path / "mine.jsonl"
        await anyio.Path(path).write_text("mine")
        with pytest.raises(AgentError, match="is there already"):
            await agent.export_jsonl(path)
        assert await anyio.Path(path).read_text() == "mine"
        await agent.export_jsonl(path, replace=True)
        assert (await anyio.Path(path).read_text()).startswith('{"type":"session"')
        with pytest.raises(AgentError, match="There is no folder"):
            await agent.export_jsonl(tmp_path / "gone" / "mine.jsonl")
