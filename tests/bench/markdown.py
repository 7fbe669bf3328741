"""A program to compare with: a chat of one Textual ``Markdown``, fed as Textual's documentation says.

``python -m tests.bench.markdown FILE``: the file is a JSON list of ``[second, text]``. The title of the window says
``START`` and ``DONE``.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Markdown


class Line(Input):
    """One that does not blink."""

    def on_mount(self) -> None:
        self.cursor_blink = False


class Chat(App[None]):
    def __init__(self, deltas: list[tuple[float, str]]) -> None:
        super().__init__()
        self.deltas = deltas

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown()
        yield Line()

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.call_after_refresh(lambda: self.run_worker(self.feed()))

    async def feed(self) -> None:
        await asyncio.sleep(1)
        self.say("START")
        self.query_one(VerticalScroll).anchor()
        stream = Markdown.get_stream(self.query_one(Markdown))
        start = time.perf_counter()
        for second, text in self.deltas:
            if (wait := start + second - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            await stream.write(text)
        await stream.stop()
        self.say("DONE")

    def say(self, word: str) -> None:
        """Tell the one who measures."""
        driver = self._driver
        assert driver is not None
        driver.write(f"\x1b]0;{word}\x07")
        driver.flush()


if __name__ == "__main__":
    Chat(json.loads(Path(sys.argv[1]).read_text("utf-8"))).run()
