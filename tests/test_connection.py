"""What is loaded of a session, while others are opened."""

import json
from pathlib import Path
from typing import Any

import anyio

from pitui.agent import Agent
from pitui.launch import Launch
from pitui.session.blocks import PromptBlock
from tests.rpc.memory import MemoryPi

OPENED = {
    "type": "extension_ui_request",
    "id": "1",
    "method": "setStatus",
    "statusKey": "pitui:event",
    "statusText": '{"type":"session_started","reason":"resume"}',
}
LONG = 2000


def prompts(name: str, count: int) -> dict[str, Any]:
    """What pi answers of a session with nothing but prompts."""
    entries = [
        {
            "type": "message",
            "id": f"{number:08x}",
            "parentId": f"{number - 1:08x}" if number else None,
            "message": {"role": "user", "content": f"{name} {number}", "timestamp": number},
        }
        for number in range(count)
    ]
    return {"entries": entries, "leafId": f"{count - 1:08x}"}


async def leave_while_it_is_read(pi: MemoryPi) -> None:
    """Answer what is asked; another session is opened right after the first answer with entries."""
    done, name, count = 0, "left", LONG
    while True:
        for line in await pi.more_than(done):
            done += 1
            if line["type"] != "get_entries":
                pi.answers(line, {})
                continue
            pi.answers(line, prompts(name, count))
            if name == "left":
                pi.says(json.dumps(OPENED).encode() + b"\n")
                name, count = "opened", 3


async def test_entries_of_a_session_that_was_left_while_they_were_read_are_not_shown() -> None:
    pi = MemoryPi()

    async def connect(_: Launch) -> MemoryPi:
        return pi

    async with Agent(Launch(["pi"], Path("/project"), "1.6.0"), connect) as agent, anyio.create_task_group() as tasks:
        tasks.start_soon(leave_while_it_is_read, pi)
        with anyio.fail_after(30):
            async for _ in agent.frames(1000):
                if agent.session.blocks:
                    break
        tasks.cancel_scope.cancel()
        said = [block.text for block in agent.session.blocks if isinstance(block, PromptBlock)]
        assert said == ["opened 0", "opened 1", "opened 2"]
