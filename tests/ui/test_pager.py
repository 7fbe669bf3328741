"""A text of any length is read line by line."""

from collections.abc import Callable

import anyio
from textual.app import App
from textual.widgets import Static

from pitui.ui.screens.page import OutputScreen
from pitui.ui.widgets.pager import Pager

SIZE = (60, 20)


class Desk(App[None]):
    def __init__(self, line: Callable[[int], bytes], count: int, left_out: int = 0) -> None:
        super().__init__()
        self.output = OutputScreen("out", line, count, left_out)

    def on_mount(self) -> None:
        self.push_screen(self.output)

    @property
    def rows(self) -> list[str]:
        pager = self.screen.query_one(Pager)
        return [pager.render_line(y).text.rstrip() for y in range(pager.size.height)]

    @property
    def told(self) -> str:
        return str(self.screen.query_one(".panel-note").render())


async def test_only_what_is_seen_is_drawn_and_every_line_can_be_reached() -> None:
    asked: set[int] = set()

    def line(number: int) -> bytes:
        asked.add(number)
        return f"line {number}".encode()

    desk = Desk(line, 50_000)
    async with desk.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert desk.rows[:2] == ["line 0", "line 1"]
        await pilot.press("end")
        assert desk.rows[-1] == "line 49999"
        assert "to 50,000 of 50,000" in desk.told
        await pilot.press("up")
        assert desk.rows[-1] == "line 49998"
        await pilot.press("home", "pagedown")
        assert desk.rows[0] == f"line {len(desk.rows) - 1}"
        assert len(asked) < 200
        await pilot.press("escape")
        assert desk.screen is not desk.output


async def test_a_long_line_is_wrapped_and_can_be_read_to_its_end() -> None:
    desk = Desk(lambda number: [b"first", b"0123456789" * 1000, b"last"][number], 3)
    async with desk.run_test(size=SIZE) as pilot:
        await pilot.press("end")
        assert desk.rows[-1] == "last"
        await pilot.press("home")
        assert desk.rows[0] == "first"
        assert len(desk.rows) > 10
        assert all(set(row) <= set("0123456789") for row in desk.rows[1:])


async def test_what_a_file_holds_is_only_text() -> None:
    hostile = b"\x1b]0;PWNED\x07a\x1b[2Jb \xff\xfe [bold]c[/] \x9b5md\r"
    desk = Desk(lambda _: hostile, 1)
    async with desk.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert not set("\x1b\x07\r\x9b") & set(desk.rows[0])
        assert "[bold]c[/]" in desk.rows[0]


async def test_an_empty_file_and_one_that_is_cut_say_so() -> None:
    for count, left_out, told in ((0, 0, "It is empty"), (1, 68_000_000, "the first 68.0 MB are left out")):
        desk = Desk(lambda _: b"x", count, left_out)
        async with desk.run_test(size=SIZE) as pilot:
            await pilot.pause()
            assert told in desk.told


async def test_words_are_found_from_where_one_reads_and_escape_goes_back() -> None:
    desk = Desk(lambda number: f"line {number}{' Zebra' if number % 1000 == 7 else ''}".encode(), 5000)
    async with desk.run_test(size=SIZE) as pilot:
        pager = desk.screen.query_one(Pager)
        await pilot.press("pagedown", "f3", *"zebra")
        await until(lambda: "2 of 5" in bar(desk))
        assert "line 1007 Zebra" in desk.rows
        await pilot.press("enter")
        assert "line 2007 Zebra" in desk.rows
        await pilot.press("up", "up")
        assert "line 7 Zebra" in desk.rows
        await pilot.press("up")
        assert "line 4007 Zebra" in desk.rows
        assert "from the end: 5 of 5" in bar(desk)
        await pilot.press("escape")
        assert desk.rows[0] == f"line {len(desk.rows) - 1}"
        assert desk.screen is desk.output and pager.has_focus


async def test_what_is_selected_is_copied_and_else_all_of_it() -> None:
    desk = Desk(lambda number: [b"one\tand", b"two " * 30, b"three"][number], 3)
    async with desk.run_test(size=SIZE) as pilot:
        pager = desk.screen.query_one(Pager)
        await pilot.mouse_down(pager, offset=(0, 0))
        await pilot.hover(pager, offset=(2, 1))
        await pilot.mouse_up(pager, offset=(2, 1))
        assert desk.screen.get_selected_text() == "one\tand\ntwo"
        await pilot.press("ctrl+c")
        assert desk.clipboard == "one\tand\ntwo"
        desk.screen.clear_selection()
        await pilot.press("ctrl+c")
        await until(lambda: desk.clipboard.startswith("one\tand"))
        assert desk.clipboard == "one\tand\n" + "two " * 30 + "\nthree"


def bar(desk: Desk) -> str:
    return str(desk.screen.query_one("#search-found", Static).render())


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not condition():  # noqa: ASYNC110
            await anyio.sleep(0.01)
