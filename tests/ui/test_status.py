"""The status line and the line of activity: numbers that keep their width, and no None anywhere."""

from pathlib import Path
from typing import Any

import pytest

from pitui.rpc.results import ContextUsage, Model, Stats
from pitui.session.model import Session
from pitui.ui.widgets.status import amounts_parts, context_part, model_in_words
from tests.ui.person import at_a_told_pi, at_the_demo

NO_MODEL = {
    "thinkingLevel": "off",
    "model": {"id": "unknown", "name": "unknown", "provider": "unknown", "contextWindow": 0, "reasoning": False},
}
MODEL = {"id": "fake-1", "provider": "fake", "reasoning": True, "contextWindow": 200_000}


@pytest.mark.parametrize(
    ("percent", "text", "style"),
    [
        (None, "    ?/200k", "plain"),
        (0, "   0%/200k", "success"),
        (69.4, "  69%/200k", "success"),
        (70, " !70%/200k", "warning"),
        (90.2, "!!90%/200k", "error"),
        (100, "!!100%/200k", "error"),
    ],
)
def test_the_context_says_how_full_it_is_with_a_sign(percent: float | None, text: str, style: str) -> None:
    session = Session(context=ContextUsage(tokens=None, context_window=200_000, percent=percent))
    assert context_part(session) == (text, style)


def test_what_is_not_known_is_a_dash() -> None:
    session = Session()
    assert model_in_words(session) == "–"  # noqa: RUF001
    assert "None" not in " ".join(part.text for part in [*amounts_parts(session), context_part(session)])
    session = Session(model=Model(id="unknown", provider="unknown"), stats=Stats())
    assert model_in_words(session) == "no model"
    assert context_part(session).text.strip() == "–"  # noqa: RUF001


@pytest.mark.parametrize("size", [(120, 20), (40, 12)])
async def test_nulls_are_placeholders_and_never_words_of_a_program(size: tuple[int, int]) -> None:
    stats = {"cost": None, "tokens": None, "contextUsage": {"tokens": None, "contextWindow": 200_000, "percent": None}}
    async with at_a_told_pi({"get_state": NO_MODEL, "get_session_stats": stats}, size=size) as (person, told):
        await person.sees("no model")
        await person.sees("?/200k")
        told.says(type="agent_start")
        told.says(type="message_start", message={"role": "assistant", "content": [], "stopReason": "pending"})
        told.says(type="message_end", message={"role": "assistant", "content": None, "stopReason": "stop"})
        told.says(type="message_end", message={"role": "user", "content": None})
        told.says(type="compaction_start", reason="threshold")
        told.says(
            type="compaction_end", reason="threshold", aborted=False, result={"summary": None, "tokensBefore": None}
        )
        told.says(type="agent_settled", aborted=False)
        await person.until(person.is_idle)
        assert not any(word in person.screen() for word in ("None", "NaN", "null", "undefined"))


async def test_where_there_are_models_and_none_is_chosen_the_hint_is_to_choose() -> None:
    answers = {"get_state": NO_MODEL, "get_available_models": {"models": [MODEL]}}
    async with at_a_told_pi(answers) as (person, _):
        await person.sees("pi has no model yet: /login gets one.")
        await person.sends("/model ")
        await person.sees("fake/fake-1")
        await person.press("escape")
        await person.sees("No model is chosen yet: /model lists them.")


async def test_statuses_of_extensions_are_one_line_in_order_with_ours_hidden() -> None:
    async with at_a_told_pi() as (person, told):
        for key, text in (("b", "second\nline"), ("a", "\x1b[32mfirst\x1b[0m"), ("pitui:x", "hidden")):
            told.says(type="extension_ui_request", id=key, method="setStatus", statusKey=key, statusText=text)
        await person.sees("first  second line")
        assert "hidden" not in person.screen()
        green = [
            segment
            for strip in person.app.screen._compositor.render_strips()
            for segment in strip
            if segment.text == "first" and segment.style and segment.style.color
        ]
        assert green and green[0].style and green[0].style.color and green[0].style.color.get_truecolor().green > 100
        for key in ("a", "b"):
            told.says(type="extension_ui_request", id=key, method="setStatus", statusKey=key)
        await person.until(lambda: not person.app.main.statuses.display)


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([{"type": "agent_start"}], "working"),
        (
            [
                {"type": "agent_start"},
                {
                    "type": "auto_retry_start",
                    "attempt": 2,
                    "maxAttempts": 3,
                    "delayMs": 60_000,
                    "errorMessage": "529 overloaded",
                },
            ],
            "retrying 2/3 in 60 s: 529 overloaded (Esc cancels)",
        ),
        ([{"type": "compaction_start", "reason": "manual"}], "compacting…"),
    ],
)
async def test_what_pi_does_is_said_above_the_prompt(records: list[dict[str, Any]], words: str) -> None:
    async with at_a_told_pi() as (person, told):
        for record in records:
            told.says(**record)
        await person.sees(words)


async def test_the_folder_and_its_branch_are_shown(tmp_path: Path) -> None:
    git = tmp_path / "project" / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/feature/tea\n")
    async with at_the_demo(tmp_path, size=(200, 20)) as person:
        await person.sees("project (feature/tea)")
