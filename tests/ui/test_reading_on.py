"""A person reads and writes while twenty thousand pieces of answers come in."""

import json
import re
from typing import Any

from tests.ui.person import Person, Told, at_a_told_pi

PIECES, CHUNKS = 20_000, 25
WRITTEN = "not one letter gets lost."
WORD = re.compile(r"word\d{4}")
Json = dict[str, Any]


def update(event: str, **fields: Any) -> Json:
    return {"type": "message_update", "assistantMessageEvent": {"type": event, "contentIndex": 0, **fields}}


def tool(type_: str, id_: str, lines: int, **fields: Any) -> Json:
    """A record of a run; `lines` is how many it has printed."""
    printed = {"content": [{"type": "text", "text": f"{id_} prints\n" * lines}]}
    head = {
        "type": f"tool_execution_{type_}",
        "toolCallId": id_,
        "toolName": "bash",
        "args": {"command": f"make {id_}"},
    }
    return head | {"partialResult": printed, "result": printed, **fields}


def chunk(number: int) -> list[Json]:
    """Five hundred pieces: in turn of thinking, of an answer and of a call, and then a tool has run."""
    kind = ("thinking", "text", "text", "toolcall")[number % 4]
    opening = [{"type": "message_start", "message": {"role": "assistant", "content": []}}, update(f"{kind}_start")]
    each = PIECES // CHUNKS
    pieces = [f"piece{number * each + at}" + ("\n\n" if at % 9 == 0 else " ") for at in range(each)]
    said = "".join(pieces)
    parts: dict[str, Json] = {
        "thinking": {"type": "thinking", "thinking": said},
        "text": {"type": "text", "text": said},
        "toolcall": {"type": "toolCall", "id": f"call{number}", "name": "bash", "arguments": {"command": said}},
    }
    message = {"role": "assistant", "content": [parts[kind]], "stopReason": "stop"}
    records = [*opening, *(update(f"{kind}_delta", delta=piece) for piece in pieces)]
    if number % 4 == 1:
        return records  # it goes on in the next chunk, where its end was lost
    id_ = f"call{number}"
    return [*records, {"type": "message_end", "message": message}, tool("start", id_, 0), tool("end", id_, 20)]


async def all_is_heard(person: Person, told: Told) -> None:
    """Wait until the app has shown everything that was told until now."""
    heard = len(person.agent.session.notices)
    told.says(type="extension_ui_request", id="n", method="notify", message="heard")
    await person.until(lambda: len(person.agent.session.notices) > heard)


async def happens(person: Person, told: Told, number: int) -> None:
    """One of the things that other programs move the view by."""
    match number % 10:
        case 0:
            told.says(**tool("update", "first", number))  # above what is read
        case 1 | 6:
            await person.press("ctrl+o")
        case 2 | 7:
            await person.press("ctrl+t")
        case 3 | 8:
            await person.pilot.resize_terminal(*((70, 24), (130, 40), (100, 30), (44, 18))[number // 5 % 4])
        case 4:
            told.says(type="queue_update", steering=["and then"] * (number % 3), followUp=["at last"])
            told.says(
                type="extension_ui_request", id="w", method="setWidget", widgetKey="w", widgetLines=["a"] * number
            )
        case 5:
            told.says(type="extension_ui_request", id=f"d{number}", method="confirm", title="Go on?", message="?")
            await person.sees("F8 answer")
            await person.press("f8")
            await person.is_asked()
            await person.press("escape")
            await person.until(lambda: person.app.screen is person.app.main)
        case _:
            told.says(**tool("update", "last", number))  # below it


async def test_neither_the_text_at_the_top_moves_nor_is_a_letter_lost() -> None:
    text = " ".join(f"word{number:04}" for number in range(3000))
    async with at_a_told_pi() as (person, told):
        transcript = person.app.main.transcript
        told.says(type="agent_start")
        told.says(**tool("start", "first", 0))
        told.says(type="message_end", message={"role": "assistant", "content": [{"type": "text", "text": text}]})
        told.says(**tool("start", "last", 0))
        await person.sees("word2999")
        for _ in range(4):
            await person.press("pageup")
        found = WORD.search(person.row(0))
        assert found
        for number in range(CHUNKS):
            told.pi.says(*(json.dumps(record).encode() + b"\n" for record in chunk(number)))
            await person.types(WRITTEN[number])
            await happens(person, told, number)
            await all_is_heard(person, told)
            assert found.group() in person.row(0), f"after {number} chunks"
            assert not transcript.following
        assert person.prompt.text == WRITTEN
        assert "new lines" in person.screen()
        await person.press("ctrl+end")
        assert transcript.following
