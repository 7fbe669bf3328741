"""What pi, its model, its tools and its extensions say is only shown: in every place, and never obeyed."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pitui
from tests import foreign
from tests.foreign import CONTROLS, MARKUP, TURNS
from tests.render.samples import CONTROLS as OBEYED
from tests.ui.person import Person, Told, at_a_told_pi

KINDS = ("tool", "thinking", "bash", "compaction", "branch_summary", "unknown")
WIDE = (160, 50)
WORDS = ("/model", "/thinking", "/fork", "/tree", "/session", "/stderr", "/hotkeys")
"""What a person writes to be shown a list or a page."""


@asynccontextmanager
async def told_everything(text: str, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[Person, Told]]:
    async with at_a_told_pi(foreign.answers(text), size=size) as (person, told):
        told.pi.stderr_tail = f"stderr{text}"
        await person.until(lambda: person.agent.session.entries and person.agent.session.commands)
        for record in foreign.records(text):
            told.says(**record)
        await person.sees("retrying 1/2")
        yield person, told


async def everything_seen(text: str) -> str:
    """All that was on the screen while a person looked everywhere."""
    seen: list[str] = []
    async with told_everything(text) as (person, told):
        main = person.app.main
        transcript = main.transcript
        for kind in KINDS:
            if transcript.viewport.folds.any_folded(kind, transcript.viewport.blocks):
                transcript.toggle_kind(kind)
        seen.append(person.screen())
        transcript.top()
        while not transcript.following:
            await person.pilot.pause()
            seen.append(person.screen())
            transcript.page_down()
        main.prompt.clear()
        await person.types("/c")
        await person.sees("/command")
        seen.append(person.screen())
        for words in WORDS:
            main.prompt.clear()
            await person.sends(words)
            await person.until(lambda: person.app.screen is not main)
            seen.append(person.screen())
            await person.press("escape")
            await person.until(lambda: person.app.screen is main)
        for method in ("select", "confirm", "input", "editor"):
            told.says(**foreign.question(method, text))
            await person.is_asked()
            seen.append(person.screen())
            await person.press("escape")
            await person.until(lambda: person.app.screen is main)
    return "\n".join(seen)


def nowhere(seen: str, shown: str) -> list[str]:
    """The places where this did not stand after the name of the place."""
    return [place for place in foreign.PLACES if f"{place}{shown}" not in seen]


async def test_brackets_are_brackets_in_every_place() -> None:
    assert nowhere(await everything_seen(MARKUP), MARKUP) == []


async def test_what_turns_and_hides_is_named_in_every_place() -> None:
    seen = await everything_seen(TURNS)
    assert nowhere(seen, "<U+202E><U+2066>") == []
    assert "\u202e" not in seen and "\u2066" not in seen


async def test_controls_are_nowhere_and_what_stands_around_them_is_everywhere() -> None:
    seen = await everything_seen(CONTROLS)
    assert nowhere(seen, "") == []
    assert [control for control in OBEYED if control in seen] == []


def test_no_source_reads_markup_or_thinks_that_escaping_it_helps() -> None:
    sources = Path(pitui.__file__).parent.rglob("*.py")
    readers = re.compile(r"from_markup|markup=True|rich\.markup|textual\.markup|markup\.escape|\.render_markup")
    assert [source.name for source in sources if readers.search(source.read_text("utf-8"))] == []
