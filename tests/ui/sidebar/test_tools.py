"""The pane with the tool runs."""

from collections import Counter

import pytest
from textual.events import MouseScrollUp

from pitui.render import titles
from pitui.session import facts
from pitui.session.blocks import ToolBlock
from tests.ui.sidebar.side import Scene, ends, side, starts

RUN = {"type": "agent_start"}


async def many(scene: Scene, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        scene.app.happen(starts(f"c{number}", f"echo {number}"), ends(f"c{number}"))
    await scene.pilot.pause()


async def test_an_empty_pane_says_what_will_come() -> None:
    async with side() as scene:
        assert scene.rows(scene.app.tools) == ["The tools that pi runs come here."]


async def test_every_state_has_a_sign_and_every_run_says_what_it_does_and_how_long() -> None:
    async with side() as scene:
        await scene.happens(
            RUN,
            starts("a", "pytest -q"),
            ends("a", milliseconds=63_000),
            starts("b", "cat nothing"),
            ends("b", failed=True, milliseconds=20),
            starts("c", "sleep 30"),
        )
        assert scene.rows(scene.app.tools) == [
            "✓ $ pytest -q                1m 03s",
            "✗ $ cat nothing                0.0s",
            "● $ sleep 30                   0.0s",
        ]
        await scene.happens(facts.Exited(1, ""))
        assert [row[0] for row in scene.rows(scene.app.tools)] in (["✓", "✗", "⊘"], ["✓", "✗", "✗"])


async def test_the_time_of_a_run_goes_on_while_it_runs() -> None:
    async with side() as scene:
        await scene.happens(RUN, starts("c", "sleep 30"))
        scene.app.now += 72
        await scene.until(lambda: "1m 12s" in scene.text())
        await scene.happens(ends("c", milliseconds=72_400))
        assert "✓ $ sleep 30" in scene.text() and "1m 12s" in scene.text()


async def test_runs_that_other_runs_started_are_indented() -> None:
    async with side() as scene:
        await scene.happens(RUN, starts("a", "outer"), starts("b", "inner", "a"), starts("c", "innermost", "b"))
        assert [len(row) - len(row.lstrip()) for row in scene.rows(scene.app.tools)] == [0, 2, 4]


@pytest.mark.parametrize(
    "call_id",
    ["call_abc|fc_def", "1abc", "toolu.01/x", "functions.bash:0", "", "é", "a b", "#.[x]", "\ud800", "x" * 5000],
)
async def test_a_run_may_have_any_id(call_id: str) -> None:
    async with side() as scene:
        await scene.happens(RUN, starts(call_id), ends(call_id), starts("other"), ends("other"))
        assert len(scene.rows(scene.app.tools)) == 2
        await scene.pilot.press("home", "enter")
        assert scene.app.chosen == [next(iter(scene.app.session.tools.values())).id]


async def test_nothing_that_a_run_says_is_hidden_or_reaches_the_terminal() -> None:
    async with side((200, 20)) as scene:
        scene.app.query_one("#side").styles.width = 160
        await scene.happens(
            RUN,
            starts("a", "echo safe \u202e; mr- fr ~/x\u202c # \u2066ok\u2069"),
            starts("b", "printf '\x1b]0;PWNED\x07\x9b5m' [ OK ] [/ \u200b"),
            starts("c", "echo שלום"),
        )
        first, second, third = scene.rows(scene.app.tools)
        assert "echo safe <U+202E>; mr- fr ~/x<U+202C> # <U+2066>ok<U+2069>" in first
        assert "[ OK ] [/ <U+200B>" in second and not set("\x1b\x07\x9b") & set(second)
        assert "echo שלום" in third


async def test_the_pane_stays_at_the_newest_run_until_the_person_moves_away() -> None:
    async with side((80, 24)) as scene:
        await scene.happens(RUN)
        await many(scene, 60)
        assert "$ echo 59" in scene.rows(scene.app.tools)[-1]
        scene.app.tools.focus()
        await scene.pilot.press("up", "up")
        await many(scene, 5, first=60)
        assert "$ echo 59" in scene.rows(scene.app.tools)[-1]
        await scene.pilot.press("end")
        await many(scene, 5, first=65)
        assert "$ echo 69" in scene.rows(scene.app.tools)[-1]


async def test_the_wheel_moves_away_too() -> None:
    async with side((80, 24)) as scene:
        await scene.happens(RUN)
        await many(scene, 60)
        await scene.pilot._post_mouse_events([MouseScrollUp], scene.app.tools, offset=(2, 2))
        await scene.until(lambda: not scene.app.tools.following)
        before = scene.rows(scene.app.tools)
        await many(scene, 5, first=60)
        assert scene.rows(scene.app.tools) == before


async def test_enter_and_a_click_choose_a_run() -> None:
    async with side() as scene:
        await scene.happens(RUN)
        await many(scene, 4)
        ids = [block.id for block in scene.app.session.blocks if isinstance(block, ToolBlock)]
        scene.app.tools.focus()
        await scene.pilot.press("home", "down", "enter")
        await scene.pilot.click(scene.app.tools, offset=(4, 4))
        await scene.pilot.click(scene.app.tools, offset=(4, 15))
        assert scene.app.chosen == [ids[1], ids[3]]


async def test_of_two_thousand_runs_only_what_changes_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with side() as scene:
        await scene.happens(RUN)
        await many(scene, 2000)
        await scene.happens(starts("last", "sleep 30"))
        drawn: Counter[str] = Counter()

        def counted(block: ToolBlock) -> tuple[str, str]:
            drawn[block.call_id] += 1
            return original(block)

        original = titles.tool_title
        monkeypatch.setattr(titles, "tool_title", counted)
        for _ in range(20):
            await scene.happens(
                {"type": "tool_execution_update", "toolCallId": "last", "toolName": "bash", "partialResult": {}}
            )
        assert set(drawn) <= {"last"}


async def test_another_session_starts_an_empty_pane() -> None:
    async with side() as scene:
        await scene.happens(RUN)
        await many(scene, 50)
        await scene.happens(facts.Replaced())
        assert scene.rows(scene.app.tools) == ["The tools that pi runs come here."]
        scene.app.tools.focus()
        await scene.pilot.press("up", "end", "pagedown", "enter")
        assert scene.app.chosen == []
