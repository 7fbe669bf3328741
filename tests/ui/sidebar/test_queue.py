"""The pane with what waits to be said to pi."""

from pitui.rpc.results import State
from pitui.ui.widgets.queue import Deed
from tests.ui.sidebar.side import Scene, queue, side

RUN = {"type": "agent_start"}
HINT = "Alt+Up takes it back"
EMPTY = "What waits for pi is shown here."
SAID = {"type": "message_start", "message": {"role": "user", "content": "a", "timestamp": 1}}


def rows(scene: Scene) -> list[str]:
    """What the pane shows, without where the prompts came from: none of these was sent from here."""
    return [row.removesuffix("extension").rstrip() for row in scene.rows(scene.app.queue)]


async def test_an_empty_queue_says_what_will_wait_there() -> None:
    async with side() as scene:
        assert rows(scene) == [EMPTY]
        scene.app.queue.focus()
        await scene.pilot.press("down", "enter", "delete")
        assert not scene.app.wanted


async def test_the_queue_is_shown_exactly_as_pi_last_told_it() -> None:
    async with side() as scene:
        await scene.happens(RUN, queue(["", "a"], ["x" * 5000]))
        assert rows(scene) == ["Steering", " 1 (image)", " 2 a", "Follow-up", " 1 " + "x" * 22 + "…", HINT]
        assert "Queue 3" in scene.text()
        await scene.happens(queue(["a", "a"]))
        assert rows(scene) == ["Steering", " 1 a", " 2 a", HINT]
        await scene.happens(SAID, SAID | {"type": "message_end"}, queue(["a"]))
        assert rows(scene) == ["Steering", " 1 a", HINT]
        await scene.happens(queue([]))
        assert rows(scene) == [EMPTY]
        assert "Queue 3" not in scene.text()


async def test_a_prompt_of_several_lines_with_brackets_and_controls_is_one_harmless_row() -> None:
    async with side() as scene:
        long = "  \n日本語の文章を書く" + "長" * 40
        await scene.happens(RUN, queue(["[b]one[/]\x1b]0;x\x07 \u202e\ntwo", "[/", long]))
        assert rows(scene) == ["Steering", " 1 [b]one[/] <U+2… +1 line", " 2 [/", " 3 日本語の文章を書く長長…", HINT]


async def test_the_modes_stand_beside_the_lanes_and_a_click_asks_for_another() -> None:
    async with side() as scene:
        await scene.happens(RUN, State(steeringMode="all", followUpMode="one-at-a-time"), queue(["a"], ["b"]))
        assert rows(scene)[::2] == ["Steering · all at once", "Follow-up · one after another", HINT]
        await scene.pilot.click(scene.app.queue, offset=(3, 3))
        assert scene.app.wanted == [("Follow-up", None)]


async def test_two_hundred_prompts_scroll_under_what_the_pane_says_and_leave_room_for_the_tools() -> None:
    async with side((80, 24)) as scene:
        await scene.happens(RUN, queue([f"say {number}" for number in range(200)]))
        assert scene.app.tools.size.height >= 10
        scene.app.queue.focus()
        await scene.pilot.press("end")
        await scene.until(lambda: "200 say 199" in scene.text())
        assert rows(scene)[-1] == HINT
        await scene.pilot.press("home")
        await scene.until(lambda: "Steering" in scene.text())


async def test_keys_and_the_mouse_say_what_is_wanted_of_the_highlighted_prompt() -> None:
    async with side() as scene:
        await scene.happens(RUN, queue(["a", "b"], ["c"]))
        scene.app.queue.focus()
        await scene.pilot.press("down", "shift+up", "ctrl+e", "down", "space", "down", "enter")
        assert scene.app.wanted == [("b", Deed.UP), ("b", Deed.EDIT), ("c", Deed.HOLD), ("c", None)]
        await scene.pilot.click(scene.app.queue, offset=(5, 2))
        assert scene.app.queue.highlighted is scene.app.queue.prompts[0]
        await scene.pilot.click(scene.app.queue, offset=(5, 3), button=3)
        assert scene.app.wanted[4:] == [("b", None)]


async def test_the_highlight_goes_along_with_its_prompt_and_stays_at_its_place_when_pi_takes_that() -> None:
    async with side() as scene:
        await scene.happens(RUN, queue(["a", "b", "c"]))
        scene.app.queue.focus()
        await scene.pilot.press("down")
        await scene.happens(queue(["b", "c"]))
        assert scene.app.queue.highlighted is scene.app.queue.prompts[0]
        assert HINT in scene.text()
        await scene.happens(queue(["c"]))
        assert scene.app.queue.highlighted is scene.app.queue.prompts[0]
        assert rows(scene)[-1] == "pi has taken “b”."
        await scene.pilot.press("up")
        assert rows(scene)[-1] == HINT
        await scene.happens(queue([]))
        assert rows(scene) == ["pi has taken “c”.", EMPTY]


async def test_while_something_is_done_the_pane_says_so_and_takes_nothing_else() -> None:
    async with side() as scene:
        await scene.happens(RUN, queue(["a", "b"]))
        scene.app.queue.focus()
        scene.app.queue.doing = "Moving it…"
        await scene.happens(queue([]))
        await scene.pilot.press("delete", "down")
        assert rows(scene) == ["Steering", " 1 a", " 2 b", "Moving it…"]
        assert not scene.app.wanted
        scene.app.queue.doing = ""
        await scene.happens(queue(["b"]))
        assert rows(scene)[:2] == ["Steering", " 1 b"]
