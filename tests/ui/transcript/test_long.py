"""Something very long is drawn while the person goes on reading: what is seen first, the rest below it."""

from collections.abc import Callable

import pytest

from pitui import render
from pitui.render.palette import Palette
from pitui.rpc.messages import TextPart
from pitui.session.blocks import BashBlock, Block, PromptBlock, TextBlock, ToolBlock, ToolState
from pitui.ui.widgets.transcript.search import Search
from pitui.ui.widgets.transcript.selection import Selection, Spot
from pitui.ui.widgets.transcript.viewport import Viewport
from tests.render.samples import copied
from tests.ui.transcript.talk import Chat, long_talk

LINES = [f"line {number} of many" for number in range(20_000)]
PATCH = "@@ -1,9 +1,9 @@\n" + "".join(f"-old {number}\n+new {number}\n same\n" for number in range(1000))
MARKDOWN = "".join(f"## Part {number}\n\nWords of **part** {number}.\n\n- one\n- two\n\n" for number in range(300))


def output(text: str) -> ToolBlock:
    block = ToolBlock(id=1, name="read", arguments={"path": "x"}, state=ToolState.DONE, finished=True)
    block.output = (TextPart(text=text),)
    return block


def diff(patch: str) -> ToolBlock:
    block = ToolBlock(id=1, name="edit", arguments={"path": "x"}, state=ToolState.DONE, finished=True)
    block.details = {"patch": patch}
    return block


def written(text: str) -> ToolBlock:
    arguments = {"path": "x.py", "content": text}
    return ToolBlock(id=1, name="write", arguments=arguments, state=ToolState.DONE, finished=True)


def answer(text: str, finished: bool = True) -> TextBlock:
    block = TextBlock(id=1, finished=finished)
    block.append(text)
    return block


LONG: dict[str, Callable[[], Block]] = {
    "output": lambda: output("\n".join(LINES)),
    "coloured output": lambda: output("\n".join(f"\x1b[31m{line}\x1b[0m 漢字" for line in LINES[:3000])),
    "a line": lambda: output("word " * 20_000),
    "a wide line": lambda: output("漢字e\u0301" * 20_000),
    "diff": lambda: diff(PATCH),
    "a diff of new lines": lambda: diff("@@ -0,0 +1,9 @@\n" + "+new\n" * 5000),
    "code": lambda: written("x = 1\n" * 10_000),
    "Markdown": lambda: answer(MARKDOWN),
    "Markdown that grows": lambda: answer(MARKDOWN, finished=False),
}


def opened(block: Block, *others: Block, width: int = 60) -> Viewport:
    """A view of it from its first line, all of it open."""
    viewport = Viewport(Palette.plain(), lambda: 0.0)
    viewport.resize(width, 20)
    viewport.folds.set(block, False)
    viewport.folds.set_whole(block, True)
    viewport.set_blocks([PromptBlock(id=0, text="hello", finished=True), block, *others])
    viewport.show(block.id)
    return viewport


def rows(viewport: Viewport) -> list[str]:
    strips = [row.drawn.lines[row.line].strip.text if row.line >= 0 else "" for row in viewport.fill()]
    return [text.removeprefix("  ") for text in strips]


def draw_all(viewport: Viewport) -> None:
    while viewport.unfinished:
        viewport.draw_on(0)
        viewport.fill()


@pytest.mark.parametrize("name", LONG)
def test_it_is_in_the_end_as_if_drawn_at_once(name: str) -> None:
    block = LONG[name]()
    viewport = opened(block)
    before = rows(viewport)
    assert viewport.unfinished
    draw_all(viewport)
    assert rows(viewport) == before
    assert viewport.drawn(1).lines == render.blocks.draw(block, viewport.look(block))


@pytest.mark.parametrize(
    "text", ["word " * 20_000, "漢字" * 30_000, "\x1b[31mred\x1b[0m and 漢字 " * 4000, "a\rb" * 20_000]
)
def test_one_line_is_copied_as_one(text: str) -> None:
    viewport = opened(output(text))
    lines = render.blocks.draw(viewport.blocks[1], viewport.look(viewport.blocks[1]))
    assert copied(lines[1:]).strip() == render.blocks.source(viewport.blocks[1]).split("\n", 1)[1].strip()


def test_the_reader_goes_on_while_it_is_drawn() -> None:
    viewport = opened(output("\n".join(LINES)))
    seen = rows(viewport)
    while len(seen) < 5000:
        viewport.move(viewport.height)
        seen += rows(viewport)
        viewport.draw_on(0)
    assert seen[1:5000] == LINES[:4999]
    assert not viewport.following


def test_the_end_is_followed_until_it_is_drawn() -> None:
    viewport = opened(output("\n".join(LINES)))
    viewport.show_end()
    assert "drawing" in rows(viewport)[-1]
    draw_all(viewport)
    assert rows(viewport) == LINES[-20:]
    assert viewport.following


def test_who_comes_from_below_waits_at_its_end() -> None:
    below = answer("below\n\n" * 30)
    below.id = 2
    viewport = opened(output("\n".join(LINES)), below)
    viewport.show(below.id)
    viewport.move(-5)
    assert "drawing" in rows(viewport)[0]
    viewport.draw_on(0)
    viewport.move(-5)
    assert "drawing" in rows(viewport)[0]
    draw_all(viewport)
    assert rows(viewport)[0] == LINES[-1]
    viewport.move(-3)
    assert rows(viewport)[:4] == LINES[-4:]


def test_a_line_far_down_is_shown_at_once() -> None:
    viewport = opened(output("\n".join(LINES)))
    viewport.show(1, 9001)
    assert rows(viewport)[0] == LINES[9000]


@pytest.mark.parametrize("width", [20, 45, 100])
def test_the_line_that_is_read_stays_when_the_width_changes(width: int) -> None:
    lines = [f"{line} and enough words to be wrapped where there is little room" for line in LINES[:6000]]
    viewport = opened(output("\n".join(lines)), width=100)
    viewport.show(1, 3001)
    viewport.resize(width, 20)
    assert rows(viewport)[0] == lines[3000][: width - 2]


def test_folding_ends_the_drawing() -> None:
    viewport = opened(output("\n".join(LINES)))
    viewport.fold(viewport.blocks[1], True)
    assert not viewport.unfinished
    assert len(rows(viewport)) == 3


def test_all_of_it_is_copied_before_it_is_drawn() -> None:
    below = answer("below")
    below.id = 2
    viewport = opened(output("\n".join(LINES)), below)
    text = Selection(viewport, Spot(1, 1, 0), Spot(2, 0, 10)).source()
    assert text.split("\n") == [*LINES, "", "below"]


def test_a_hit_far_down_is_shown() -> None:
    viewport = opened(output("\n".join(LINES)))
    search = Search(viewport)
    search.start("line 15000 of")
    search.go_on(10)
    assert any("line 15000 of" in row for row in rows(viewport))


def test_a_hit_far_down_is_drawn_up_to_in_pieces_with_keys_between_them() -> None:
    viewport = opened(output("\n".join(f"漢 {line}" for line in LINES)))
    search = Search(viewport)
    search.start("line 15000 of")
    search.go_on(0.001)
    assert search.busy
    while search.busy:
        before = len(viewport.drawn(1).lines)
        search.go_on(0.001)
        assert len(viewport.drawn(1).lines) - before < 6000
    assert any("line 15000 of" in row for row in rows(viewport))
    search.start("line 15001 of")
    search.clear(back=True)
    assert not search.busy


def test_what_still_grows_shows_its_last_lines_until_it_has_ended() -> None:
    block = BashBlock(id=1, command="ls", running=True)
    block.append("\n".join(LINES))
    viewport = opened(block)
    viewport.show_end()
    assert rows(viewport)[-1] == LINES[-1]
    viewport.show(1)
    assert "when it has ended" in rows(viewport)[1]
    block.running, block.finished = False, True
    block.touch()
    viewport.touch({1})
    assert rows(viewport)[1] == LINES[0]


async def test_the_transcript_draws_it_by_itself() -> None:
    talk = long_talk(2)
    block = talk.tool(output="\n".join(LINES))
    chat = Chat(talk)
    async with chat.run_test(size=(60, 20)) as pilot:
        chat.transcript.show_whole(block.id)
        chat.transcript.end()
        while chat.transcript.viewport.unfinished:
            await pilot.pause()
        assert chat.rows == [f"  {line}" for line in LINES[-20:]]
