"""A person changes what waits for pi."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from textual import events

from pitui.draft import Draft, Pasted
from pitui.paths import state_folder
from pitui.rpc.messages import ImagePart
from pitui.session.model import Phase
from pitui.store.journal import Journal
from pitui.ui.screens.queue_editor import QueueEditor, Writing
from tests.ui.person import SLOW, Person, Told, at_a_told_pi, at_the_demo

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PASTE = "\n".join(f"line {number}" for number in range(12))


@asynccontextmanager
async def in_the_queue(folder: Path, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Person]:
    """The pane has the focus; two steering messages and a follow-up wait behind a tool, and something is written."""
    async with at_the_demo(folder, size=size) as person:
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        picture = ImagePart(data=PIXEL, mime_type="image/png")
        for text, images in (("turn left", [picture]), ("turn right", []), ("then rest", [])):
            await person.agent.submit(text, images, follow_up=text.startswith("then"))
        await person.until(lambda: listed(person) == ["turn left", "turn right", "then rest"])
        await person.until(lambda: len(person.app.main.queue.prompts) == len(listed(person)))
        person.prompt.insert("a draft")
        if not person.app.main.sidebar.display:
            await person.press("f2")
        person.app.main.queue.focus()
        await person.pilot.pause()
        yield person
        assert person.prompt.text == "a draft"


def listed(person: Person) -> list[str]:
    return [message.text for message in person.agent.session.in_pi]


async def test_keys_move_a_prompt_to_another_place_and_lane_and_hold_it(tmp_path: Path) -> None:
    async with in_the_queue(tmp_path) as person:
        await person.press("shift+down")
        await person.until(lambda: listed(person) == ["turn right", "turn left", "then rest"])
        await person.press("shift+right")
        await person.until(lambda: listed(person) == ["turn right", "then rest", "turn left"])
        assert person.app.main.queue.highlighted is person.app.main.queue.prompts[2]
        await person.press("up", "space")
        await person.until(lambda: listed(person) == ["turn right", "turn left"])
        await person.sees("held")
        await person.press("space")
        await person.until(lambda: listed(person) == ["turn right", "then rest", "turn left"])
        assert [len(prompt.images) for prompt in person.agent.queue] == [0, 0, 1]


async def test_the_menu_says_what_each_does_and_sends_one_before_the_others(tmp_path: Path) -> None:
    async with in_the_queue(tmp_path) as person:
        await person.press("down", "down", "enter")
        await person.sees("It comes into an editor of its own")
        await person.press("down")
        await person.sees("It is the first.")
        await person.press("down", "down", "down", "down")
        await person.sees("pi takes it first, after the tools that run now.")
        await person.press("enter")
        await person.until(lambda: listed(person) == ["then rest", "turn left", "turn right"])


async def test_an_edit_has_an_editor_of_its_own_and_keeps_place_and_picture(tmp_path: Path) -> None:
    async with in_the_queue(tmp_path) as person:
        await person.press("ctrl+e")
        await person.sees("Edit what waits · Steering")
        for key in ("exclamation_mark", "question_mark", "enter"):  # faster than they are taken
            person.app.post_message(events.Key(key, {"enter": None, "question_mark": "?"}.get(key, "!")))
        await person.until(lambda: any("!?" in text for text in listed(person)))
        assert [text[:9] for text in listed(person)] == ["turn left", "turn righ", "then rest"]
        assert [len(prompt.images) for prompt in person.agent.queue] == [1, 0, 0]


async def test_escape_leaves_a_prompt_as_it_was_and_what_was_written_can_be_recalled(tmp_path: Path) -> None:
    async with in_the_queue(tmp_path) as person:
        await person.press("down", "ctrl+e")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        await person.press("exclamation_mark", "escape")
        await person.sees("It waits as it was")
        assert listed(person)[1] == "turn right"
        assert person.prompt.recall.all([])[-1].draft.text == "turn right!"


async def test_a_deleted_prompt_is_gone_from_pi_and_can_be_recalled_with_its_picture(tmp_path: Path) -> None:
    async with in_the_queue(tmp_path) as person:
        await person.press("delete")
        await person.until(lambda: listed(person) == ["turn right", "then rest"])
        assert person.prompt.recall.all([])[-1].draft.images


async def test_at_40_columns_the_queue_lies_over_the_chat_and_can_be_changed(tmp_path: Path) -> None:
    async with in_the_queue(tmp_path, (40, 12)) as person:
        await person.press("down", "delete")
        await person.until(lambda: listed(person) == ["turn left", "then rest"])
        await person.press("ctrl+e")
        await person.sees("Enter puts it back")
        await person.press("escape")


# What pi does meanwhile

USER = {"role": "user", "content": "one", "timestamp": 1}


@asynccontextmanager
async def two_that_wait(journal: Journal | None = None, **answers: object) -> AsyncIterator[tuple[Person, Told]]:
    queued = {"prompt": {"disposition": "queued"}, **answers}
    async with at_a_told_pi(queued, size=(120, 40), journal=journal) as (person, told):
        told.says(type="agent_start")
        await person.until(lambda: person.agent.session.phase is Phase.WORKING)
        for text in ("one", "two"):
            await person.sends(text)
            await person.until(
                lambda text=text: told.sent("prompt")[-1:] and told.sent("prompt")[-1]["message"] == text
            )
        told.says(type="queue_update", steering=["one", "two"], followUp=[])
        await person.until(lambda: len(person.app.main.queue.prompts) == 2)
        person.app.main.queue.focus()
        await person.pilot.pause()
        yield person, told


def takes_one(told: Told) -> None:
    told.says(type="queue_update", steering=["two"], followUp=[])
    told.says(type="message_start", message=USER)
    told.says(type="message_end", message=USER)


async def test_what_pi_takes_while_it_is_edited_is_said_and_the_new_words_come_into_the_prompt() -> None:
    async with two_that_wait() as (person, told):
        await person.press("ctrl+e")
        await person.sees("Edit what waits")
        await person.press("exclamation_mark")
        takes_one(told)
        await person.sees("It has left the queue. Enter puts")
        await person.press("enter")
        await person.until(lambda: person.prompt.text == "one!")
        assert [line["message"] for line in told.sent("prompt")] == ["one", "two"]
        assert not told.sent("clear_queue")


async def test_what_pi_takes_while_it_is_highlighted_is_said_there() -> None:
    async with two_that_wait() as (person, told):
        takes_one(told)
        await person.sees("pi has taken “one”.")
        assert [prompt.text for prompt in person.app.main.queue.prompts] == ["two"]


async def test_words_of_an_edit_that_pi_does_not_let_happen_come_back() -> None:
    async with two_that_wait(clear_queue="not now") as (person, _):
        await person.press("ctrl+e")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        await person.press("exclamation_mark", "enter")
        await person.sees("The queue is as it was: ")
        await person.until(lambda: person.prompt.text == "one!")
        assert [prompt.text for prompt in person.app.main.queue.prompts] == ["one", "two"]


async def test_words_of_an_edit_outlive_pitui_until_they_are_in_the_queue() -> None:
    async with two_that_wait(Journal(state_folder()), clear_queue=...) as (person, told):
        told.says(type="message_start", message={"role": "assistant", "content": [], "timestamp": 2})
        await person.press("ctrl+e")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        await person.press("exclamation_mark")
        await person.until(lambda: drafts_on_disk() == ['["one!"]'])
        await person.press("enter")
        await person.until(lambda: told.sent("clear_queue"))
        told.says(type="queue_update", steering=[], followUp=[])
        told.pi.answers(told.sent("clear_queue")[0], {"steering": ["one", "two"], "followUp": []})
        await person.until(lambda: any(line["message"] == "one!" for line in told.sent("prompt")))
        told.says(type="queue_update", steering=["one!", "two"], followUp=[])
        await person.until(lambda: not drafts_on_disk() and len(person.app.main.queue.prompts) == 2)
        await person.sees("one!")
        await person.press("down", "ctrl+e")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        await person.press("exclamation_mark")
        await person.until(lambda: drafts_on_disk() == ['["two!"]'])
        await person.press("escape")
        await person.until(lambda: not drafts_on_disk())


async def test_a_paste_in_what_waits_is_changed_there_and_not_in_the_prompt() -> None:
    async with two_that_wait() as (person, _):
        await person.press("ctrl+e")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        await person.pastes(PASTE)
        await person.pilot.click(Writing, offset=(5, 0))
        await person.sees("Alt+O writes it out")
        await person.types("new")
        await person.press("escape")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        editor = person.app.screen.query_one(Writing)
        assert editor.draft == Draft.of("one", Pasted("new" + PASTE))
        assert person.prompt.text == ""


async def test_words_of_an_edit_stay_on_disk_when_pitui_has_to_end() -> None:
    async with two_that_wait(Journal(state_folder())) as (person, _):
        await person.press("ctrl+e")
        await person.until(lambda: isinstance(person.app.screen, QueueEditor))
        await person.press("exclamation_mark")
        await person.until(lambda: drafts_on_disk() == ['["one!"]'])
        person.app.exit()
    assert drafts_on_disk() == ['["one!"]']


def drafts_on_disk() -> list[str]:
    with closing(sqlite3.connect(state_folder() / "prompts.db")) as database:
        return [words for (words,) in database.execute("SELECT words FROM draft")]


async def test_that_pi_keeps_its_queue_is_said_and_nothing_is_changed() -> None:
    async with two_that_wait(clear_queue="not now") as (person, _):
        await person.press("shift+down")
        await person.sees("The queue is as it was: ")
        await person.sees("not now")
        assert [prompt.text for prompt in person.app.main.queue.prompts] == ["one", "two"]
        assert not person.app.main.queue.doing


async def test_a_change_that_takes_its_time_is_said_and_no_other_is_begun() -> None:
    async with two_that_wait(clear_queue=...) as (person, told):
        await person.press("shift+down", "delete")
        await person.sees("Moving it…")
        assert len(told.sent("clear_queue")) == 1
        assert len(person.app.main.queue.prompts) == 2


async def test_while_pi_compacts_by_hand_what_is_sent_waits_and_that_is_said() -> None:
    async with at_a_told_pi({"prompt": {"disposition": "started"}}) as (person, told):
        told.says(type="compaction_start", reason="manual")
        await person.until(lambda: person.agent.session.phase is Phase.COMPACTING)
        await person.sends("and then this")
        await person.sees("(Esc cancels) · 1 waits")
        await person.sees("not sent yet")
        assert not told.sent("prompt")
        told.says(type="compaction_end", reason="manual", aborted=False, willRetry=False)
        await person.until(lambda: told.sent("prompt"))
        await person.until(lambda: "1 waits" not in person.screen())


async def test_a_picture_alone_leaves_the_queue_when_pi_takes_it() -> None:
    async with at_a_told_pi({"prompt": {"disposition": "queued"}}, size=(120, 40)) as (person, told):
        told.says(type="agent_start")
        await person.until(lambda: person.agent.session.phase is Phase.WORKING)
        picture = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
        told.says(type="queue_update", steering=[""], followUp=[])
        await person.agent.submit("", [ImagePart(data=PIXEL, mime_type="image/png")])
        await person.sees("1 (image)")
        told.says(type="queue_update", steering=[], followUp=[])
        for type_ in ("message_start", "message_end"):
            told.says(type=type_, message={"role": "user", "content": [picture], "timestamp": 1})
        await person.sees("What waits for pi is shown here.")
        assert not person.agent.session.sending


async def test_escape_right_after_enter_keeps_the_words_and_stops_the_run_that_begins_late() -> None:
    async with at_a_told_pi({"prompt": ...}) as (person, told):
        await person.sends("long important text")
        await person.press("escape")
        await person.until(lambda: told.sent("abort"))
        told.pi.answers(told.sent("prompt")[0], {"disposition": "started"})
        told.says(type="agent_start")
        told.says(type="message_end", message={"role": "assistant", "content": [], "stopReason": "aborted"})
        told.says(type="agent_end", messages=[], willRetry=False)
        told.says(type="agent_settled", aborted=True)
        await person.until(person.is_idle)
        assert [line["type"] for line in told.pi.sent if line["type"] in ("prompt", "abort")] == ["prompt", "abort"]
        assert "long important text" in [*person.asked(), person.prompt.text]
        await person.until(lambda: "working" not in person.screen())
