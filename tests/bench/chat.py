"""Programs to measure: a chat of pitui's transcript or of Textual's Markdown, with a line to type in.

``python -m tests.bench.chat transcript|markdown BLOCKS CHARACTERS RATE``: so many finished blocks, then an answer of so
many characters comes at so many tokens a second. It writes ``READY``, ``START`` and ``DONE`` as titles of the window.
"""

import asyncio
import sys
import time

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Markdown

from pitui.session.blocks import PromptBlock, TextBlock, ToolBlock, ToolState
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.theme import DARK, palette_of
from pitui.ui.widgets.transcript import Transcript
from tests.bench.words import answer, tokens

FRAMES_PER_SECOND = 30


class Line(Input):
    """One that does not blink, which would cost more than all else while nothing happens."""

    def on_mount(self) -> None:
        self.cursor_blink = False


class Chat(App[None]):
    def __init__(self, blocks: int, characters: int, rate: float) -> None:
        super().__init__()
        self.blocks, self.characters, self.rate = blocks, characters, rate
        self.register_theme(DARK)
        self.theme = DARK.name

    def say(self, word: str) -> None:
        """Tell the one who measures."""
        driver = self._driver
        assert driver is not None
        driver.write(f"\x1b]0;{word}\x07")
        driver.flush()

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.call_after_refresh(lambda: self.run_worker(self.feed()))

    async def feed(self) -> None:
        self.say("READY")
        if self.characters:
            await asyncio.sleep(1)
            self.say("START")
            await self.stream()
            self.say("DONE")

    async def stream(self) -> None:
        raise NotImplementedError


class OfTranscript(Chat):
    def __init__(self, blocks: int, characters: int, rate: float) -> None:
        super().__init__(blocks, characters, rate)
        self.session = Session()
        for number in range(blocks):
            self.session.blocks.append(block(number + 1))
        self.transcript = Transcript(self.session, palette_of(DARK))

    def compose(self) -> ComposeResult:
        yield self.transcript
        yield Line()

    async def stream(self) -> None:
        growing = TextBlock(id=self.blocks + 1)
        self.session.blocks.append(growing)
        self.transcript.sync(Changes(aspects=Aspect.BLOCKS))
        pieces = tokens(self.characters)
        start, said = time.perf_counter(), 0
        while said < len(pieces):
            await asyncio.sleep(1 / FRAMES_PER_SECOND)
            due = min(len(pieces), int((time.perf_counter() - start) * self.rate))
            for piece in pieces[said:due]:
                growing.append(piece)
            said = due
            self.transcript.sync(Changes(blocks={growing.id}))


class OfMarkdown(Chat):
    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown()
        yield Line()

    async def stream(self) -> None:
        self.query_one(VerticalScroll).anchor()
        stream = Markdown.get_stream(self.query_one(Markdown))
        start = time.perf_counter()
        for number, piece in enumerate(tokens(self.characters)):
            if (wait := start + number / self.rate - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            await stream.write(piece)
        await stream.stop()


def block(number: int) -> PromptBlock | TextBlock | ToolBlock:
    """One of a long conversation, of 500 bytes on average."""
    match number % 3:
        case 0:
            return PromptBlock(id=number, text=f"question {number}", finished=True)
        case 1:
            path = {"path": f"{number}.py"}
            return ToolBlock(id=number, name="read", arguments=path, state=ToolState.DONE, duration=1, finished=True)
        case _:
            text = TextBlock(id=number, finished=True)
            text.append(answer(1450))
            return text


def main() -> None:
    kind, blocks, characters, rate = sys.argv[1:]
    chat = {"transcript": OfTranscript, "markdown": OfMarkdown}[kind](int(blocks), int(characters), float(rate))
    chat.run()


if __name__ == "__main__":
    main()
