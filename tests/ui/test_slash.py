"""Slash words: the menu over the prompt, and what each of them does."""

from pathlib import Path

import pytest

from pitui.companion import COMPANION
from pitui.config import Settings
from pitui.ui.screens.page import PageScreen
from pitui.ui.screens.picker import PickerScreen
from tests.queued import held
from tests.ui.person import SLOW, Person, at_a_told_pi, at_the_demo


async def chooses(person: Person, title: str, words: str) -> None:
    """Filter the list with that title, and take the first of what is left."""
    await person.until(lambda: isinstance(person.app.screen, PickerScreen))
    assert title in person.screen()
    await person.types(words)
    await person.press("enter")
    await person.until(lambda: person.app.screen is person.app.main)


async def test_the_menu_shows_what_fits_and_tab_completes(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/mod")
        await person.sees("Choose a model")
        assert "/compact" not in person.screen()
        await person.press("tab")
        assert person.prompt.text == "/model "
        await person.until(lambda: "Choose a model" not in person.screen())


async def test_the_menu_has_commands_of_extensions_but_not_pis_own(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/ask")
        await person.sees("/ask-select")
        await person.press("ctrl+c")
        await person.types("/mcp")
        assert "MCP servers" not in person.screen()


async def test_escape_closes_the_menu_and_keeps_the_words(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/na")
        await person.sees("Name this session")
        await person.press("escape")
        await person.until(lambda: "Name this session" not in person.screen())
        assert person.prompt.text == "/na"
        await person.types("m")
        await person.sees("Name this session")


async def test_enter_runs_what_is_highlighted(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/hotk")
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))
        assert person.prompt.text == ""


async def test_enter_never_runs_a_word_that_was_not_begun(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/qt")
        await person.sees("/quit")
        await person.press("enter")
        await person.sees("pi has no command /qt")


async def test_the_arrows_move_in_the_menu_and_enter_runs_that(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/ho")
        await person.press("up", "down", "enter")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))


async def test_a_command_of_an_extension_runs(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/show-all")
        await person.sees("everything was shown")
        await person.sees("Turn 3 running")
        await person.sees("--- below ---")


async def test_what_was_asked_and_answered_is_listed() -> None:
    async with at_a_told_pi() as (person, told):
        await person.app.perform("dialog.list")
        await person.sees("No extension has asked anything")
        await person.press("escape")
        for id_, method in (("a", "confirm"), ("b", "input")):
            told.says(type="extension_ui_request", id=id_, method=method, title=f"{id_}[b]?", message="rm -rf build")
        await person.is_asked()
        await person.press("y")
        await person.until(lambda: len(person.agent.session.past_dialogs) == 1)
        await person.press("f8")
        await person.sends("/questions")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))
        assert [row.strip(" │") for row in person.screen().split("\n") if "│" in row][1:7] == [
            "a[b]?",
            "rm -rf build",
            "yes",
            "",
            "b[b]?",
            "waits for an answer",
        ]


async def test_a_model_is_chosen_from_a_list_or_named(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("ctrl+l")
        await chooses(person, "Model", "plain")
        await person.until(lambda: person.agent.session.model and person.agent.session.model.id == "plain")
        await person.sends("/model lab/script")
        await person.until(lambda: person.agent.session.model and person.agent.session.model.id == "script")
        await person.press("ctrl+p")
        await person.sees("Model: lab/plain")


async def test_thinking_levels_are_chosen_cycled_and_named(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/thinking")
        await chooses(person, "How much it thinks", "high")
        await person.until(lambda: person.agent.session.thinking_level == "high")
        await person.sends("/thinking low")
        await person.until(lambda: person.agent.session.thinking_level == "low")
        await person.press("shift+tab")
        await person.until(lambda: person.agent.session.thinking_level == "medium")
        await person.sends("/thinking enormous")
        await person.sees("“enormous” is none of")


async def test_a_session_is_named_copied_and_found_again(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("remember me")
        await person.until(lambda: person.asked() and person.is_idle())
        await person.sends("/name garden plan")
        await person.sees("This session is called garden plan now.")
        first = person.agent.session.file
        await person.sends("/clone")
        await person.until(lambda: person.agent.session.file != first)
        await person.sees("Cloned: this is the copy.")
        assert person.asked() == ["remember me"]
        await person.sends("/new")
        await person.until(lambda: not person.agent.session.blocks)
        await person.sees("A new session.")
        await person.sends(f"/resume {first}")
        await person.until(lambda: person.asked() == ["remember me"])
        await person.sees("Another session.")
        assert person.agent.session.file == first


async def test_sessions_are_cloned_and_begun_with_a_key_and_from_the_palette(tmp_path: Path) -> None:
    settings = Settings(keys={"session.clone": ("f12",)})
    async with at_the_demo(tmp_path, settings=settings) as person:
        await person.sends("remember me")
        await person.until(lambda: person.asked() and person.is_idle())
        first = person.agent.session.file
        await person.press("f12")
        await person.sees("Cloned: this is the copy.")
        assert (person.agent.session.file != first, person.asked()) == (True, ["remember me"])
        await person.press("f4")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        await person.types("new session")
        await person.press("enter")
        await person.sees("A new session.")
        assert person.asked() == []


async def test_a_name_is_taken_away_when_that_is_wanted(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, "-e", str(COMPANION)) as person:
        await person.sends("/name garden plan")
        await person.until(lambda: person.agent.session.name)
        await person.sends("/name")
        await person.sees("This session is called garden plan.")
        await person.press("right", "enter")
        await person.sees("This session has no name any more.")
        assert not person.agent.session.name


async def test_loading_again_takes_the_companion(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, "-e", str(COMPANION)) as person:
        await person.sends("/reload")
        await person.sees("are loaded again")
    async with at_the_demo(tmp_path) as person:
        await person.sends("/reload")
        await person.sees("This needs pitui's companion")


async def test_a_missing_session_file_is_refused(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/resume nowhere.jsonl")
        await person.sees("there is no session file")
        assert not (tmp_path / "project" / "nowhere.jsonl").exists()


async def test_a_fork_puts_its_prompt_into_the_editor_above_the_draft(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        for number, text in enumerate(("first", "second"), 1):
            await person.sends(text)
            await person.until(lambda number=number: len(person.asked()) == number and person.is_idle())
        await person.sends("/fork")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        await person.types("sec")
        person.prompt.insert("draft")
        await person.press("enter")
        await person.until(lambda: person.prompt.text == "second\n\ndraft")
        assert person.asked() == ["first"]


async def test_facts_of_the_session_are_shown(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(100, 50)) as person:
        await person.sends("/session")
        await person.sees("Tokens out")
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main)
        assert person.prompt.has_focus


async def test_switches_of_pi_are_set_with_a_word_or_from_a_list(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        session = person.agent.session
        await person.sends("/steering all")
        await person.until(lambda: session.steering_mode == "all")
        await person.sends("/followup")
        await chooses(person, "How follow-ups are delivered", "all")
        await person.until(lambda: session.follow_up_mode == "all")
        await person.sends("/autocompact off")
        await person.until(lambda: session.auto_compaction is False)
        await person.sends("/autoretry off")
        await person.sees("pi retries by itself no more")


async def test_an_export_tells_where_it_went(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("hello")
        await person.until(lambda: person.said() and person.is_idle())
        await person.sends("/export out.html")
        await person.until((tmp_path / "project" / "out.html").exists)
        await person.sees("Exported to")


async def test_the_last_answer_is_copied(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/copy")
        await person.sees("There is no answer to copy yet.")
        await person.sends("#say Hello **you**.")
        await person.until(lambda: person.said() and person.is_idle())
        await person.press("ctrl+x")
        await person.until(lambda: person.app.clipboard.strip() == "Hello **you**.")
        await person.sees("Copied 14 characters")


async def test_compaction_is_seen_and_a_prompt_waits_for_its_end() -> None:
    async with at_a_told_pi({"compact": ..., "prompt": {"disposition": "started"}}) as (person, told):
        await person.sends("/compact keep the names")
        await person.until(lambda: told.sent("compact"))
        assert told.sent("compact")[0]["customInstructions"] == "keep the names"
        told.says(type="compaction_start", reason="manual")
        await person.sees("compacting…")
        await person.sends("afterwards")
        await person.until(lambda: held(person.agent))
        assert not told.sent("prompt")
        told.says(type="compaction_end", reason="manual", aborted=False, willRetry=False, result={"summary": "s"})
        await person.until(lambda: told.sent("prompt"))


async def test_a_theme_is_chosen(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/theme pitui-light")
        await person.until(lambda: person.app.theme == "pitui-light")
        await person.sends("/theme")
        await chooses(person, "Theme", "pitui-dark")
        await person.until(lambda: person.app.theme == "pitui-dark")


async def test_every_command_can_be_found_in_the_palette(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.press("f4")
        await person.sees("All commands")
        await person.types("keys and")
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))


async def test_quit_leaves(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/quit")
        await person.until(lambda: not person.app.is_running)


async def test_leaving_asks_first_when_something_is_written(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("a draft")
        await person.press("ctrl+q")
        await person.sees("What is written is not sent.")
        await person.press("enter")
        await person.until(lambda: person.prompt.has_focus)
        assert person.app.is_running
        assert person.prompt.text == "a draft"
        await person.press("ctrl+q")
        await person.sees("What is written is not sent.")
        await person.press("right", "enter")
        await person.until(lambda: not person.app.is_running)


async def test_what_is_pasted_instead_of_an_answer_is_for_the_prompt(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("a draft")
        await person.press("ctrl+q")
        await person.sees("What is written is not sent.")
        await person.pastes(" and more")
        await person.until(lambda: person.prompt.text == "a draft and more")
        assert not person.app.main.question.is_open


@pytest.mark.parametrize("way", ["/new", "/clone", "/fork", "/resume"])
async def test_another_session_stops_pi_only_when_the_person_wants_that(tmp_path: Path, way: str) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say One.")
        await person.until(lambda: person.said() == ["One."] and person.is_idle())
        file = person.agent.session.file
        if way == "/resume":
            await person.sends("/new")
            await person.sees("A new session.")
        await person.sends(SLOW)
        await person.until(person.runs_a_tool)
        now = person.agent.session.id
        for answer in ("enter", "right"):
            await person.sends(f"/resume {file}" if way == "/resume" else way)
            if way == "/fork":
                await person.sees("Enter starts a new session")
                await person.press("enter")
            await person.sees("pi is working, and would be stopped.")
            await person.press(*(["right"] if answer == "right" else []), "enter")
            if answer == "enter":
                await person.until(lambda: not person.app.main.question.is_open)
                assert person.runs_a_tool() and person.agent.session.id == now
        await person.until(lambda: person.agent.session.id not in ("", now) and person.is_idle())


async def test_leaving_asks_first_over_a_page_too(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("a draft")
        await person.press("f1")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))
        await person.press("ctrl+q")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        assert "What is written is not sent." in person.screen()
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, PageScreen))
        await person.press("ctrl+q")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        await person.press("down", "enter")
        await person.until(lambda: not person.app.is_running)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("/theme nope", "There is no theme “nope”"),
        ("/steering foo", "“foo” is none of: all, one-at-a-time"),
        ("/followup x", "“x” is none of: all, one-at-a-time"),
        ("/autoretry maybe", "“maybe” is none of: on, off"),
        ("/autocompact x", "“x” is none of: on, off"),
        ("/thinking enormous", "“enormous” is none of: off"),
        ("/model nope", "There is no model nope"),
    ],
)
async def test_a_word_that_a_command_does_not_know_is_told_beside_the_list(
    tmp_path: Path, command: str, told: str
) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends(command)
        await person.sees(told)
        assert isinstance(person.app.screen, PickerScreen)


async def test_light_and_dark_are_themes_of_pitui(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("/theme light")
        await person.until(lambda: person.app.theme == "pitui-light")
        await person.sends("/theme dark")
        await person.until(lambda: person.app.theme == "pitui-dark")


async def test_a_compaction_that_fails_is_told_of_once() -> None:
    async with at_a_told_pi({"compact": ...}) as (person, told):
        await person.sends("/compact")
        await person.until(lambda: told.sent("compact"))
        told.says(type="compaction_start", reason="manual")
        reason = "Compaction failed: Nothing to compact"
        told.says(type="compaction_end", reason="manual", aborted=False, willRetry=False, errorMessage=reason)
        told.pi.answers(told.sent("compact")[0], success=False, error="Nothing to compact")
        await person.sees(reason)
        await person.until(lambda: not [worker for worker in person.app.workers if worker.group == "intents"])
        assert person.screen().count("Nothing to compact") == 1


async def test_a_compaction_that_is_refused_is_told_of() -> None:
    async with at_a_told_pi({"compact": "Already compacting"}) as (person, _):
        await person.sends("/compact")
        await person.sees("Already compacting")


async def test_a_prompt_without_words_can_be_chosen_to_fork_before() -> None:
    messages = [{"entryId": "first", "text": "see"}, {"entryId": "second", "text": ""}]
    async with at_a_told_pi({"get_fork_messages": {"messages": messages}}) as (person, told):
        await person.sends("/fork")
        await person.sees("(no words)")
        await person.press("enter")
        await person.until(lambda: told.sent("fork"))
        assert told.sent("fork")[0]["entryId"] == "second"
