"""The pane with what waits to be said to pi."""

from pitui.session.model import Returned
from tests.ui.sidebar.side import queue, side

RUN = {"type": "agent_start"}
HINT = "Alt+Up takes it back"


async def test_an_empty_queue_says_what_will_wait_there() -> None:
    async with side() as scene:
        assert scene.rows(scene.app.queue) == ["What waits for pi is shown here."]


async def test_the_queue_is_shown_exactly_as_pi_last_told_it() -> None:
    async with side() as scene:
        await scene.happens(RUN, queue(["", "a"], ["x" * 5000]))
        assert scene.rows(scene.app.queue) == [
            "Steering",
            " 1 (image)",
            " 2 a",
            "Follow-up",
            " 1 " + "x" * 32 + "…",
            HINT,
        ]
        assert "Queue 3" in scene.text()
        await scene.happens(queue(["a", "a"]))
        assert scene.rows(scene.app.queue) == ["Steering", " 1 a", " 2 a", HINT]
        await scene.happens(queue(["a"]))
        assert scene.rows(scene.app.queue) == ["Steering", " 1 a", HINT]
        await scene.happens(queue([]))
        assert scene.rows(scene.app.queue) == ["What waits for pi is shown here."]
        assert "Queue 3" not in scene.text()


async def test_what_is_not_sent_yet_is_shown_apart() -> None:
    async with side() as scene:
        scene.app.held = [Returned("while it compacts"), Returned("")]
        await scene.happens(RUN, queue(["a"]))
        assert scene.rows(scene.app.queue) == [
            "Steering",
            " 1 a",
            "Not sent yet",
            " 1 while it compacts",
            " 2 (image)",
            HINT,
        ]


async def test_several_lines_and_brackets_and_controls_stay_one_harmless_line() -> None:
    async with side() as scene:
        await scene.happens(RUN, queue(["[b]one[/]\ntwo\x1b]0;x\x07 \u202e", "[/"]))
        assert scene.rows(scene.app.queue) == ["Steering", " 1 [b]one[/]⏎two <U+202E>", " 2 [/", HINT]


async def test_a_long_queue_scrolls_and_leaves_room_for_the_tools() -> None:
    async with side((80, 24)) as scene:
        await scene.happens(RUN, queue([f"say {number}" for number in range(100)]))
        assert scene.app.tools.size.height >= 10
        scene.app.queue.focus()
        await scene.pilot.press("end")
        await scene.until(lambda: "say 99" in scene.text())
