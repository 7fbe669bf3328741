"""What is asked to draw itself when something changes on the screen."""

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Static

from pitui.ui.screens.compositor import FrontCompositor


class Counted(Static):
    """Counts how often it was asked for its rows."""

    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.asked += 1
        return super().render_lines(crop)


class Box(Vertical):
    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.asked += 1
        return super().render_lines(crop)


class Stage(Screen[None]):
    """Two texts one below the other in a box that reaches further, and a note over the end of the lower one."""

    CSS = """
    Stage { layers: base over; }
    Counted { height: 4; }
    #note { layer: over; dock: right; width: 6; height: 1; offset: 0 5; }
    """

    def __init__(self, *, front: bool) -> None:
        super().__init__()
        if front:
            self._compositor = FrontCompositor()

    def compose(self) -> ComposeResult:
        with Box():
            yield Counted("upper\nmore", id="upper")
            yield Counted("lower\nunder the note", id="lower")
        yield Counted("note", id="note")

    def asked(self) -> dict[str, int]:
        """How often each was asked since this was asked last."""
        widgets = [*self.query(Counted), *self.query(Box)]
        counts = {widget.id or "box": widget.asked for widget in widgets}
        for widget in widgets:
            widget.asked = 0
        return counts

    def rows(self) -> list[str]:
        return [strip.text for strip in self._compositor.render_strips()]


async def test_only_what_is_seen_where_something_changed_is_drawn() -> None:
    stage = Stage(front=True)
    app = App[None]()
    async with app.run_test(size=(20, 10)) as pilot:
        await app.push_screen(stage)
        await pilot.pause()
        stage.asked()
        stage.query_one("#upper").refresh(Region(0, 1, 20, 1))
        await pilot.pause()
        assert stage.asked() == {"upper": 1, "lower": 0, "note": 0, "box": 0}


async def test_what_lies_over_a_change_is_drawn_with_it() -> None:
    stage = Stage(front=True)
    app = App[None]()
    async with app.run_test(size=(20, 10)) as pilot:
        await app.push_screen(stage)
        await pilot.pause()
        stage.asked()
        stage.query_one("#lower").refresh(Region(0, 1, 20, 1))
        await pilot.pause()
        assert stage.asked() == {"upper": 0, "lower": 1, "note": 1, "box": 0}
        assert stage.rows()[5].endswith("note  ")


async def test_the_whole_screen_is_what_textual_makes_of_it() -> None:
    app = App[None]()
    async with app.run_test(size=(20, 10)) as pilot:
        stages = [Stage(front=True), Stage(front=False)]
        for stage in stages:
            await app.push_screen(stage)
            await pilot.pause()
        ours, own = (stage.rows() for stage in stages)
        assert ours == own
