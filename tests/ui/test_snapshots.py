"""How the main screen looks, at three sizes, with everything on it that can change by itself pinned."""

from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from pitui.session.model import Phase
from tests.ui.person import Person, Told, at_a_told_pi

SIZES = [(120, 40), (80, 24), (40, 12)]
MODEL = {"id": "fake-1", "provider": "fake", "reasoning": True, "contextWindow": 200_000}
ANSWERS = {
    "get_state": {"model": MODEL, "thinkingLevel": "high", "sessionName": "tea garden", "sessionId": "s"},
    "get_session_stats": {
        "tokens": {"input": 12_345, "output": 678},
        "cost": 0.123,
        "contextUsage": {"tokens": 150_000, "contextWindow": 200_000, "percent": 75},
    },
    "get_commands": {"commands": [{"name": "review", "description": "Look at the changes", "source": "prompt"}]},
    "prompt": {"disposition": "started"},
}
EDIT = {"path": "hello.py", "edits": [{"oldText": "print('hello', name)", "newText": "print(f'hello {name}')"}]}
DIFF = " 1 def hello(name):\n-2     print('hello', name)\n+2     print(f'hello {name}')"


class Picture(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    _file_extension = "svg"


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


def assistant(*content: dict[str, Any], stop: str) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content), "stopReason": stop}


async def tells_a_turn(person: Person, told: Told) -> None:
    """A turn with thinking, a tool, an edit and an answer; then another one that goes on, with two words queued."""
    await person.sends("Greet by name, please.")
    await person.until(lambda: told.sent("prompt"))
    thought = {"type": "thinking", "thinking": "An f-string would read better."}
    read = {"type": "toolCall", "id": "a", "name": "read", "arguments": {"path": "hello.py"}}
    edit = {"type": "toolCall", "id": "b", "name": "edit", "arguments": EDIT}
    told.says(type="agent_start")
    told.says(type="message_end", message={"role": "user", "content": "Greet by name, please."})
    told.says(type="message_end", message=assistant(thought, read, edit, stop="toolUse"))
    for call, details in ((read, None), (edit, {"diff": DIFF, "patch": DIFF})):
        told.says(type="tool_execution_start", toolCallId=call["id"], toolName=call["name"], args=call["arguments"])
        result = {"content": [{"type": "text", "text": "done"}], "details": details}
        told.says(
            type="tool_execution_end",
            toolCallId=call["id"],
            toolName=call["name"],
            result=result,
            isError=False,
            durationMs=400,
        )
    text = {"type": "text", "text": "I changed **one line** of `hello.py`.\n\n```python\nprint(f'hello {name}')\n```"}
    told.says(type="message_end", message=assistant(text, stop="stop"))
    told.says(type="queue_update", steering=["Keep the comma."], followUp=["Then run the tests."])
    await person.until(lambda: person.said() and person.agent.session.steering)


async def has_started(person: Person, told: Told) -> None:
    await person.until(lambda: person.agent.session.stats and person.agent.session.commands)


async def works(person: Person, told: Told) -> None:
    await has_started(person, told)
    await tells_a_turn(person, told)


async def offers_commands(person: Person, told: Told) -> None:
    await has_started(person, told)
    await person.types("/re")
    await person.sees("/review")


async def has_ended(person: Person, told: Told) -> None:
    await works(person, told)
    person.prompt.insert("What I was about to say\nin two lines")
    told.pi.exits(-9, "Killed\n")
    await person.until(lambda: person.agent.session.phase is Phase.ENDED and "Keep the comma." in person.prompt.text)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("state", [has_started, works, offers_commands, has_ended], ids=lambda state: state.__name__)
async def test_the_main_screen(
    picture: SnapshotAssertion, state: Callable[[Person, Told], Any], size: tuple[int, int]
) -> None:
    async with at_a_told_pi(ANSWERS, size=size, clock=lambda: 100.0) as (person, told):
        await state(person, told)
        await person.pilot.pause()
        assert await person.picture() == picture


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("key", ["f1", "f2", "f4"])
async def test_what_a_key_brings_up(picture: SnapshotAssertion, key: str, size: tuple[int, int]) -> None:
    async with at_a_told_pi(ANSWERS, size=size, clock=lambda: 100.0) as (person, told):
        await works(person, told)
        await person.press(key)
        await person.pilot.pause()
        assert await person.picture() == picture


async def ends_with_times(person: Person, told: Told) -> None:
    await works(person, told)
    await person.press("f7")
    text = {"type": "text", "text": "The tests pass."}
    usage = {"input": 12_345, "output": 678, "cost": {"total": 0.042}}
    ended = {**assistant(text, stop="stop"), "usage": usage, "timestamp": 0}
    told.says(type="message_end", message=ended)
    told.says(type="agent_settled")
    await person.sees("12.3k↑ 678↓ · $0.042")
    person.app.clear_notifications()


async def opens_a_menu(person: Person, told: Told) -> None:
    await works(person, told)
    await person.sees("I changed one line")
    person.app.main.transcript.focus()
    await person.pilot.pause()
    await person.press("tab")
    await person.sees("Copy the code")


async def goes_to_the_queue(person: Person, told: Told) -> None:
    await works(person, told)
    if not person.app.main.sidebar.display:
        await person.press("f2")
    person.app.main.queue.focus()
    await person.pilot.pause()


async def asks_what_to_do_with_a_prompt(person: Person, told: Told) -> None:
    await goes_to_the_queue(person, told)
    await person.press("enter")
    await person.sees("It comes into an editor")


async def edits_a_prompt_that_waits(person: Person, told: Told) -> None:
    await goes_to_the_queue(person, told)
    await person.press("ctrl+e")
    await person.sees("Edit what waits")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize(
    "state",
    [goes_to_the_queue, asks_what_to_do_with_a_prompt, edits_a_prompt_that_waits],
    ids=lambda state: state.__name__,
)
async def test_the_queue(
    picture: SnapshotAssertion, state: Callable[[Person, Told], Any], size: tuple[int, int]
) -> None:
    async with at_a_told_pi(ANSWERS, size=size, clock=lambda: 100.0) as (person, told):
        await state(person, told)
        await person.pilot.pause()
        assert await person.picture() == picture


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("state", [ends_with_times, opens_a_menu], ids=lambda state: state.__name__)
async def test_what_is_said_of_blocks(
    picture: SnapshotAssertion, state: Callable[[Person, Told], Any], size: tuple[int, int]
) -> None:
    async with at_a_told_pi(ANSWERS, size=size, clock=lambda: 100.0) as (person, told):
        await state(person, told)
        await person.pilot.pause()
        assert await person.picture() == picture
