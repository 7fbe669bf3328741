"""What a person does in the tree of a session that goes on."""

import json
from pathlib import Path

import anyio
import pytest
from textual import events

from pitui.companion import COMPANION
from pitui.rpc.messages import ImagePart
from pitui.session.blocks import PromptBlock
from pitui.session.model import Phase
from pitui.ui.screens.compare import CompareScreen
from pitui.ui.screens.entry_menu import EntryMenu
from pitui.ui.screens.picker import PickerScreen
from pitui.ui.screens.tree import TreeScreen
from pitui.ui.widgets.transcript import Transcript
from tests.pi.stored import Store, said
from tests.ui.person import SLOW, Person, Told, at_a_told_pi, at_the_demo
from tests.ui.tree.grove import garden

PICTURE = ImagePart(data="iVBORw0KGgo=", mime_type="image/png")
WITH_COMPANION = ("-e", str(COMPANION))


async def has_said(person: Person, *texts: str) -> None:
    """Have each of them answered; the entries are known then."""
    for text in texts:
        known = len(person.agent.session.entries)
        await person.sends(text)
        await person.until(lambda known=known: len(person.agent.session.entries) > known + 1 and person.is_idle())


async def opens_the_tree(person: Person) -> TreeScreen:
    await person.sends("/tree")
    await person.until(lambda: isinstance(person.app.screen, TreeScreen))
    assert isinstance(person.app.screen, TreeScreen)
    return person.app.screen


async def opens_the_menu(person: Person, words: str) -> None:
    """At the entry that has these words."""
    await person.types(words)
    await person.press("enter")
    await person.until(lambda: isinstance(person.app.screen, EntryMenu))


async def chooses(person: Person, title: str) -> None:
    """The row of the menu that begins so."""
    menu = person.app.screen
    assert isinstance(menu, EntryMenu)
    rows = [offer.title for offer in menu.offers]
    await person.press(*["home"], *["down"] * rows.index(title), "enter")


async def test_escape_twice_in_an_empty_prompt_opens_the_tree(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.")
        now = person.agent.clock()
        person.agent.clock = lambda: now
        person.prompt.insert("a draft")
        await person.press("escape", "escape")
        person.prompt.empty()
        await person.press("escape")
        now += 1
        await person.press("escape")
        assert person.app.screen is person.app.main
        await person.press("escape")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        await person.press("escape")
        assert person.app.screen is person.app.main
        assert person.prompt.has_focus


async def test_what_is_answered_meanwhile_comes_into_the_tree(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.")
        screen = await opens_the_tree(person)
        await person.agent.submit("#say Two.")
        await person.sees("Two.")
        assert screen.tree_view.selected is person.agent.session.entry_list[-3]


async def test_a_fork_before_a_prompt_brings_it_into_the_editor(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.", "#say Two.")
        file = person.agent.session.file
        await opens_the_tree(person)
        await opens_the_menu(person, "#say two")
        await chooses(person, "Fork to a new session")
        await person.until(lambda: person.app.screen is person.app.main and person.prompt.text == "#say Two.")
        assert person.asked() == ["#say One."]
        assert person.agent.session.file != file


async def test_pictures_of_a_forked_prompt_come_back_and_are_sent_again(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.agent.submit("#say One.", [PICTURE])
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        await opens_the_tree(person)
        await opens_the_menu(person, "#say one")
        await chooses(person, "Fork to a new session")
        await person.until(lambda: person.app.screen is person.app.main and person.prompt.draft.images)
        assert person.asked() == []
        await person.press("enter")
        await person.until(lambda: person.said() and person.is_idle())
        [block] = [block for block in person.agent.session.blocks if isinstance(block, PromptBlock)]
        assert [image.data for image in block.images] == [PICTURE.data]


async def test_a_fork_at_an_answer_and_a_clone_from_the_menu_leave_the_session_as_it_is(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "plan the beds", "plan the pond")
        file = anyio.Path(person.agent.session.file)
        before = await file.read_bytes()
        await opens_the_tree(person)
        await opens_the_menu(person, "you said plan the beds")
        await chooses(person, "Fork to a new session")
        await person.sees("A new session that ends with this.")
        assert person.asked() == ["plan the beds"]
        fork = person.agent.session.file
        await opens_the_tree(person)
        await opens_the_menu(person, "you said")
        await chooses(person, "Clone the session")
        await person.sees("Cloned: this is the copy.")
        assert person.asked() == ["plan the beds"]
        assert len({str(file), fork, person.agent.session.file}) == 3
        assert await file.read_bytes() == before


async def test_what_an_extension_refuses_is_said_and_the_session_stays() -> None:
    async with at_a_told_pi({name: {"cancelled": True} for name in ("new_session", "clone")}) as (person, told):
        for word, request in (("new", "new_session"), ("clone", "clone")):
            await person.sends(f"/{word}")
            await person.until(lambda request=request: told.sent(request))
            await person.sees("An extension refused it.")
            person.app.clear_notifications()
        assert person.agent.session.id == "s"


async def test_a_block_of_the_preview_is_not_taken_for_the_one_of_the_chat_with_its_number(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(140, 30)) as person:
        await has_said(person, "#say One.", "#say Two.")
        screen = await opens_the_tree(person)
        await person.press("tab")
        await person.until(lambda: screen.preview.has_focus and screen.preview.cursor.block())
        for block in screen.preview.session.blocks:
            screen.preview.post_message(Transcript.MenuRequested(block.id))
            screen.preview.post_message(Transcript.OutputRequested(block.id))
        await person.press("up")
        await person.until(lambda: not any(worker.name == "_open_menu" for worker in person.app.workers))
        assert person.app.screen is screen


async def refuses_to_move(person: Person, told: Told) -> None:
    """What the companion says of it."""
    await person.until(lambda: told.sent("prompt"))
    [asked] = told.sent("prompt")
    id_ = json.loads(asked["message"].removeprefix("/pitui "))["id"]
    answer = json.dumps({"ok": True, "data": {"cancelled": True, "aborted": False}})
    status = {"statusKey": f"pitui:res:{id_}", "statusText": answer}
    told.says(type="extension_ui_request", id="ui", method="setStatus", **status)
    told.pi.answers(asked, {"disposition": "handled"})


@pytest.mark.parametrize("deed", ["Continue here", "Fork to a new session"])
async def test_a_move_or_a_fork_from_the_tree_that_an_extension_refuses_leaves_everything_as_it_was(deed: str) -> None:
    grove = garden()
    answers = {
        "get_entries": {"entries": grove.told, "leafId": grove.leaf},
        "get_commands": {"commands": [{"name": "pitui", "source": "extension"}]},
        "fork": {"cancelled": True, "text": "No, use format()."},
    }
    async with at_a_told_pi(answers) as (person, told):
        await person.until(lambda: person.agent.session.leaf_id == "stopped" and person.agent.session.commands)
        await opens_the_tree(person)
        await opens_the_menu(person, "no, use format")
        await chooses(person, deed)
        if deed == "Continue here":
            await refuses_to_move(person, told)
        await person.sees("An extension refused it.")
        assert (person.agent.session.id, person.agent.session.leaf_id) == ("s", "stopped")
        assert person.prompt.text == ""
        if deed == "Continue here":
            await person.press("alt+z")
            await person.sees("There was no move in this session to go back from.")


async def test_a_session_that_an_extension_does_not_let_be_opened_leaves_no_copy_behind(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.cwd.mkdir()
    path = store.write("one", said("user", "hi", id="a", parentId=None), folder=tmp_path / "elsewhere")
    open_file = tmp_path / "sessions" / "open.jsonl"
    state = {"isStreaming": False, "sessionId": "s", "sessionFile": str(open_file)}
    async with at_a_told_pi({"get_state": state, "switch_session": {"cancelled": True}}) as (person, told):
        for number, word in enumerate(("resume", "import"), 1):
            await person.sends(f"/{word} {path}")
            await person.until(lambda number=number: len(told.sent("switch_session")) == number)
            await person.sees("An extension refused it.")
            person.app.clear_notifications()
        await person.until(lambda: not list(open_file.parent.glob("*")))
        assert told.sent("switch_session")[1]["sessionPath"].startswith(str(open_file.parent))
        assert person.agent.session.id == "s"
        assert path.exists()


async def test_continuing_before_a_prompt_brings_it_into_the_editor_and_one_key_goes_back(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        await opens_the_tree(person)
        await opens_the_menu(person, "#say two")
        await chooses(person, "Continue here")
        await person.until(lambda: person.app.screen is person.app.main and person.prompt.text == "#say Two.")
        assert person.asked() == ["#say One."]
        await person.press("alt+z")
        await person.until(lambda: person.asked() == ["#say One.", "#say Two."])
        await person.press("alt+z")
        await person.until(lambda: person.asked() == ["#say One."])


async def test_going_back_leaves_the_draft_as_it_was(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        person.prompt.insert("my draft")
        await person.app.perform("session.tree")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        await opens_the_menu(person, "#say two")
        await chooses(person, "Continue here")
        await person.until(lambda: person.prompt.text == "#say Two.\n\nmy draft")
        await person.press("alt+z")
        await person.until(lambda: person.prompt.text == "my draft")
        assert person.said() == ["One.", "Two."]


async def test_going_back_often_and_fast_leads_to_and_fro(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        await opens_the_tree(person)
        await opens_the_menu(person, "#say two")
        await chooses(person, "Continue here")
        await person.until(lambda: person.said() == ["One."])
        for _ in range(3):
            person.app.post_message(events.Key("alt+z", None))
        await person.until(lambda: person.said() == ["One.", "Two."])
        await person.press("alt+z")
        await person.until(lambda: person.said() == ["One."])
        await person.press("alt+z")
        await person.until(lambda: person.said() == ["One.", "Two."])


async def test_going_back_takes_nothing_away_that_was_written_since(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        await opens_the_tree(person)
        await opens_the_menu(person, "#say two")
        await chooses(person, "Continue here")
        await person.until(lambda: person.prompt.text == "#say Two.")
        await person.types("!")
        await person.press("alt+z")
        await person.sees("Back where it was.")
        assert person.prompt.text == "#say Two.!"


async def test_the_prompt_that_pi_works_on_is_in_the_tree(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.")
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        shown = await opens_the_tree(person)
        await person.until(lambda: any("sleep 30" in row for row in person.screen().split("\n")))
        assert shown is person.app.screen
        await person.press("escape", "escape")
        await person.until(person.is_idle)
        assert person.asked() == ["#say One.", SLOW]


async def test_a_move_to_before_the_first_entry_is_undone_and_done_again(tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    message = {"role": "user", "content": "The very first prompt"}
    spent = {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2, "cost": {"total": 0}}
    text = [{"type": "text", "text": "An answer."}]
    answer = {"role": "assistant", "content": text, "stopReason": "stop", "usage": spent}
    entries = (
        {"type": "session", "version": 3, "id": "s", "timestamp": "2026-11-30T12:00:00Z", "cwd": str(tmp_path)},
        {"type": "message", "id": "first", "parentId": None, "timestamp": "2026-11-30T12:00:00Z", "message": message},
        {"type": "message", "id": "then", "parentId": "first", "timestamp": "2026-11-30T12:00:01Z", "message": answer},
    )
    session.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    async with at_the_demo(tmp_path, *WITH_COMPANION, "--session", str(session)) as person:
        state = person.agent.session
        await person.until(lambda: state.leaf_id)
        last = state.leaf_id
        await opens_the_tree(person)
        await opens_the_menu(person, "the very first")
        await chooses(person, "Continue here")
        await person.until(lambda: state.leaf_id is None and person.prompt.text == "The very first prompt")
        await person.press("alt+z")
        await person.until(lambda: state.leaf_id == last)
        await person.press("alt+z")
        await person.until(lambda: state.leaf_id is None)
        assert person.prompt.text == "The very first prompt"


async def test_a_summary_of_what_is_left_can_be_stopped_and_nothing_has_moved(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION, environment={"LAB_TPS": "20"}) as person:
        await has_said(person, "#say One.", "#say Two.")
        await opens_the_tree(person)
        await opens_the_menu(person, "#say one")
        await chooses(person, "Continue here, with a summary you direct")
        await person.types("briefly")
        await person.press("enter")
        await person.until(lambda: person.agent.session.phase is Phase.SUMMARIZING)
        assert person.app.screen is person.app.main
        await person.press("escape")
        await person.sees("Cancelled: nothing has moved.")
        assert person.said() == ["One.", "Two."]


async def test_a_run_is_stopped_only_when_the_person_wants_that(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.")
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        await person.sends("/tree")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        for answer in ("Let it work", "Stop it, and go there"):
            await opens_the_menu(person, "#say one")
            await chooses(person, "Continue here")
            await person.sees("pi is working, and would be stopped.")
            await person.types(answer)
            await person.press("enter")
            await person.until(lambda: not isinstance(person.app.screen, PickerScreen))
            if answer == "Let it work":
                assert person.runs_a_tool()
                await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main and person.prompt.text == "#say One.")
        assert person.is_idle()
        assert person.asked() == []


async def test_a_label_is_given_kept_and_found(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        screen = await opens_the_tree(person)
        await person.press("up", "up", "ctrl+e")
        await person.until(lambda: person.app.screen is not screen)
        await person.types("here")
        await person.press("enter")
        await person.sees("One.  [here · now]")
        await person.press("ctrl+l")
        assert len(screen.tree_view.branches.rows) == 1


async def test_two_branches_are_compared_with_one_key(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, *WITH_COMPANION) as person:
        await has_said(person, "#say One.", "#say Two.")
        await person.agent.navigate(person.agent.session.entry_list[2].id)
        await has_said(person, "#say Three.")
        await opens_the_tree(person)
        await person.press("end", "ctrl+k")
        await person.until(lambda: isinstance(person.app.screen, CompareScreen))
        await person.sees("1 prompt, 1 answer")
        assert "Two." in person.screen()
        assert "Three." in person.screen()
        await person.press("escape")
        assert isinstance(person.app.screen, TreeScreen)


async def test_without_the_companion_the_menu_says_what_is_missing(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.")
        screen = await opens_the_tree(person)
        await person.press("up", "ctrl+e")
        await person.sees("This needs pitui's companion")
        assert person.app.screen is screen


async def test_marking_an_entry_says_what_comes_next(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await has_said(person, "#say One.")
        await opens_the_tree(person)
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, EntryMenu))
        [row] = [line for line in person.screen().split("\n") if "Mark to compare" in line]
        assert "Ctrl+K" in row
        await person.press("escape", "ctrl+k")
        await person.sees("Ctrl+K at an entry of another branch compares both.")
        await person.press("ctrl+k")
        await person.sees("The mark is taken away.")
