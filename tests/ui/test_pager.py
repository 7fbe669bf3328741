"""A text of any length is read line by line."""

from collections.abc import Callable

from textual.app import App

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
