"""The lines of extensions around the prompt."""

import pytest

from pitui.session import facts
from tests.ui.sidebar.side import side, widget


async def test_lines_come_above_and_below_the_prompt_and_go_again() -> None:
    async with side() as scene:
        assert not scene.app.above.display and not scene.app.below.display
        await scene.happens(widget("a", ["one", "two"]), widget("b", ["three"], below=True))
        prompt = scene.app.query_one("#prompt").region
        assert scene.rows(scene.app.above) == ["one", "two"] and scene.app.above.region.bottom == prompt.y
        assert scene.rows(scene.app.below) == ["three"] and scene.app.below.region.y == prompt.bottom
        await scene.happens(widget("a", None), widget("b", []))
        assert not scene.app.above.display and not scene.app.below.display


async def test_they_keep_the_order_in_which_they_came() -> None:
    async with side() as scene:
        await scene.happens(widget("z", ["first"]), widget("a", ["second"]), widget("z", ["first, again"]))
        assert scene.rows(scene.app.above) == ["first, again", "second"]


async def test_of_many_lines_ten_are_shown() -> None:
    async with side() as scene:
        await scene.happens(widget("a", [f"line {number}" for number in range(13)]), widget("b", ["other"]))
        rows = scene.rows(scene.app.above)
        assert rows == [*(f"line {number}" for number in range(10)), "… 3 more", "other"]


async def test_they_keep_their_colours_and_nothing_else_reaches_the_terminal() -> None:
    async with side() as scene:
        await scene.happens(widget("a", ["\x1b[31mred\x1b[0m [b]\x1b]0;x\x07 \u202eback", "one\ntwo"]))
        assert scene.rows(scene.app.above) == ["red [b] <U+202E>back", "one⏎two"]
        strip = scene.app.above.render_line(0)
        assert [
            segment.text
            for segment in strip
            if segment.style and segment.style.color and segment.style.color.number == 1
        ] == ["red"]


@pytest.mark.parametrize("key", ["my ext/1.0", "12 [x]", "", "#", "\ud800"])
async def test_an_extension_may_call_its_lines_anything(key: str) -> None:
    async with side() as scene:
        await scene.happens(widget(key, ["x"]))
        assert scene.rows(scene.app.above) == ["x"]
        await scene.happens(widget(key, None))
        assert scene.rows(scene.app.above) == []


async def test_a_long_line_is_cut_and_many_extensions_leave_room() -> None:
    async with side((80, 24)) as scene:
        await scene.happens(*[widget(str(number), ["long " * 50] * 12) for number in range(20)])
        assert scene.rows(scene.app.above)[0].endswith("…")
        assert scene.app.query_one("#chat").size.height >= 10


async def test_another_session_takes_them_away() -> None:
    async with side() as scene:
        await scene.happens(widget("a", ["one"]), widget("b", ["two"], below=True))
        await scene.happens(facts.Replaced())
        assert scene.rows(scene.app.above) == scene.rows(scene.app.below) == []


async def test_no_size_breaks_the_side_bar() -> None:
    async with side() as scene:
        await scene.happens(widget("a", ["日本語 " * 30] * 20), widget("b", ["x"], below=True))
        for width, height in [(40, 10), (20, 5), (4, 3), (1, 1), (200, 60), (39, 2), (120, 40)]:
            await scene.pilot.resize_terminal(width, height)
        assert scene.app.above.display
