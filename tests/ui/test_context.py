"""What fills the context of the model, on its screen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pitui.session.blocks import CompactionBlock, ToolBlock
from pitui.ui.screens.context import NOTHING, OF_REST, ContextScreen
from tests.ui.person import SLOW, Person, Told, at_a_told_pi, at_the_demo
from tests.ui.test_snapshots import MODEL
from tests.ui.tree.grove import Grove
from tests.ui.tree.test_acting import has_said

STATE = {"model": MODEL, "sessionId": "s", "autoCompactionEnabled": True}


def usage(tokens: int | None, window: int = 200_000) -> dict[str, Any]:
    percent = None if tokens is None else tokens * 100 / window
    return {"contextUsage": {"tokens": tokens, "contextWindow": window, "percent": percent}}


def talk() -> Grove:
    grove = Grove()
    grove.prompt("ask", "Make tea. " * 40)
    grove.tool("read", "read", path="tea.py")
    grove.answer("said", "It is ready. " * 80)
    return grove


@asynccontextmanager
async def at_the_context(
    grove: Grove, stats: dict[str, Any], state: dict[str, Any] = STATE, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[Person, ContextScreen, Told]]:
    entries = {"entries": grove.told, "leafId": grove.leaf}
    answers = {"get_state": state, "get_entries": entries, "get_session_stats": stats}
    async with at_a_told_pi(answers, size=size) as (person, told):
        await person.until(lambda: person.agent.session.stats)
        screen = await opens(person)
        yield person, screen, told


async def opens(person: Person) -> ContextScreen:
    await person.sends("/context")
    await person.until(lambda: isinstance(person.app.screen, ContextScreen))
    screen = person.app.screen
    assert isinstance(screen, ContextScreen)
    await person.until(lambda: screen.shares.items)
    return screen


def parts(screen: ContextScreen) -> list[tuple[str, str]]:
    return [(item.label, " ".join(item.note.split())) for item in screen.shares.items]


async def test_the_total_is_pis_and_the_parts_are_what_is_in_it() -> None:
    async with at_the_context(talk(), usage(2000)) as (person, screen, _):
        assert person.row(0).split()[:10] == "Context 2,000 of 200,000 tokens · 1 % · fake-1".split()
        assert "compacts by itself" in person.row(0)
        assert parts(screen) == [
            ("All of it", "2.0k 100 %"),
            ("What pi adds itself", "1.6k 82 %"),
            ("Answers", "260 13 %"),
            ("Prompts", "100 5 %"),
            ("Calls of tools", "6 <1 %"),
            ("Results of read", "3 <1 %"),
        ]
        biggest = [item.label.split(" · ")[0] for item in screen.pieces.items]
        assert biggest == ["answer", "prompt", "call of read tea.py", "read tea.py"]


async def test_what_pi_adds_is_never_less_than_nothing() -> None:
    async with at_the_context(talk(), usage(10)) as (_, screen, _told):
        assert parts(screen)[0] == ("All of it", "10 100 %")
        assert "What pi adds itself" not in dict(parts(screen))


async def test_a_part_that_is_looked_at_lists_what_is_in_it_alone() -> None:
    async with at_the_context(talk(), usage(2000)) as (person, screen, _):
        await person.press("down")
        await person.sees(OF_REST[:40])
        await person.press("down")
        assert [item.label.split(" · ")[0] for item in screen.pieces.items] == ["answer"]
        await person.press("end", "pageup", "home")
        assert len(screen.pieces.items) == 4


async def test_enter_shows_it_in_the_chat() -> None:
    async with at_the_context(talk(), usage(2000)) as (person, screen, _):
        await person.press("tab", "end")
        assert screen.pieces.highlighted == 3
        await person.press("enter")
        await person.until(lambda: person.app.screen is person.app.main)
        chat = person.app.main.transcript
        block = next(block for block in chat.viewport.blocks if block.id == chat.cursor.block_id)
        assert isinstance(block, ToolBlock)
        assert chat.has_focus


async def test_right_after_a_compaction_it_says_that_pi_does_not_know_and_goes_to_the_summary() -> None:
    grove = talk()
    grove.add("compaction", "compaction", summary="s" * 4000, firstKeptEntryId="said")
    async with at_the_context(grove, usage(None)) as (person, screen, _):
        await person.sees("about 1,260 of 200,000 tokens; the next answer tells how many")
        await person.sees("1 compaction put away about 109 tokens of 3 entries.")
        assert "What pi adds itself" not in dict(parts(screen))
        await person.press("tab", "enter")
        await person.until(lambda: person.app.screen is person.app.main)
        chat = person.app.main.transcript
        assert any(isinstance(block, CompactionBlock) for block in chat.cursor.blocks())


async def test_an_empty_session_without_a_model_says_so() -> None:
    state = {"model": {"provider": "unknown", "id": "unknown", "contextWindow": 0}, "sessionId": "s"}
    async with at_the_context(Grove(), {}, state) as (person, screen, _):
        await person.sees("about 0 tokens; pi has no model yet")
        await person.sees(NOTHING)
        await person.press("tab", "enter", "down", "tab", "enter", "end")
        assert person.app.screen is screen


async def test_it_goes_on_with_the_session(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_said(person, "#say One.")
        screen = await opens(person)
        before = len(screen.pieces.items)
        await person.agent.submit("#say Two.")
        await person.until(lambda: len(screen.pieces.items) == before + 2)
        told = person.agent.session.context
        assert told
        await person.until(lambda: f"{told.tokens:,} of" in person.row(0))
        await person.press("escape")
        await person.until(lambda: person.prompt.has_focus)


async def test_what_is_highlighted_stays_so_when_something_bigger_comes(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await has_said(person, "#say One.")
        screen = await opens(person)
        await person.press("tab", "end")
        was = screen.pieces.items[screen.pieces.highlighted]
        await person.agent.submit("#md 3000")
        await person.until(lambda: len(screen.pieces.items) == 4)
        assert screen.pieces.items[screen.pieces.highlighted] == was


async def test_what_was_said_in_a_run_that_goes_on_is_there_too(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await person.sends(f"#say Before.\n{SLOW}")
        await person.until(person.runs_a_tool)
        screen = await opens(person)
        await person.until(lambda: any("Before." in item.label for item in screen.pieces.items))


async def test_foreign_words_are_shown_and_never_obeyed() -> None:
    evil = "\x1b]0;owned\x07[bold]\u202egpj.\n" + "x" * 300
    grove = Grove()
    grove.prompt("ask", f"[red]{evil}")
    grove.tool("run", evil, command=evil)
    grove.answer("said", evil)
    async with at_the_context(grove, usage(2000)) as (person, _, _told):
        await person.sees("[red]")
        shown = person.screen()
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert {len(row) for row in shown.split("\n")} == {120}


async def test_a_narrow_and_low_screen_shows_one_side_after_the_other() -> None:
    async with at_the_context(talk(), usage(150_000)) as (person, _, _told):
        await person.pilot.resize_terminal(80, 24)
        await person.until(lambda: "Results of read" in person.screen() and "answer · " in person.screen())
        await person.pilot.resize_terminal(40, 12)
        await person.until(lambda: "Answers" in person.screen() and "answer · " not in person.screen())
        await person.press("tab")
        await person.until(lambda: "Answers" not in person.screen() and "answer · " in person.screen())
