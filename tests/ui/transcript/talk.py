"""A conversation written by hand, and a program that shows nothing else."""

from typing import Any

import anyio
from textual.app import App, ComposeResult
from textual.theme import Theme

from pitui.rpc.messages import TextPart
from pitui.session.blocks import Block, NoticeBlock, PromptBlock, TextBlock, ThinkingBlock, ToolBlock, ToolState
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.theme import DARK, THEMES, palette_of
from pitui.ui.widgets.transcript import Transcript
from pitui.ui.widgets.transcript.painting import MARGIN, NARROW


class Talk:
    """Puts blocks into a session, and keeps what changed until it is taken."""

    def __init__(self) -> None:
        self.session = Session()
        self.changes = Changes()

    def add(self, block: Block) -> Block:
        self.session.blocks.append(block)
        self.changes.aspects |= Aspect.BLOCKS
        return block

    @property
    def next_id(self) -> int:
        self.session.last_block_id += 1
        return self.session.last_block_id

    def prompt(self, text: str) -> PromptBlock:
        block = PromptBlock(id=self.next_id, text=text, finished=True)
        self.add(block)
        return block

    def answer(self, text: str = "", *, finished: bool = True) -> TextBlock:
        block = TextBlock(id=self.next_id, finished=finished)
        block.append(text)
        self.add(block)
        return block

    def thinking(self, text: str) -> ThinkingBlock:
        block = ThinkingBlock(id=self.next_id, finished=True)
        block.append(text)
        self.add(block)
        return block

    def error(self, text: str) -> NoticeBlock:
        block = NoticeBlock(id=self.next_id, level="error", text=text, finished=True)
        self.add(block)
        return block

    def tool(self, name: str = "read", output: str = "", **arguments: Any) -> ToolBlock:
        block = ToolBlock(
            id=self.next_id,
            name=name,
            arguments=arguments or {"path": "notes.txt"},
            state=ToolState.DONE,
            output=[TextPart(text=output)],
            duration=0.2,
            finished=True,
        )
        self.add(block)
        return block

    def says(self, block: TextBlock, piece: str) -> None:
        """More of an open answer comes."""
        block.append(piece)
        self.changes.blocks.add(block.id)

    def changed(self, block: Block) -> None:
        block.touch()
        self.changes.blocks.add(block.id)

    def take(self) -> Changes:
        changes, self.changes = self.changes, Changes()
        return changes


class Chat(App[None]):
    """Only a transcript, on the whole screen."""

    AUTO_FOCUS = None

    def __init__(self, talk: Talk, theme: Theme = DARK, empty: str = "") -> None:
        super().__init__()
        self.talk = talk
        self.copied: list[str] = []
        self.copied_names: list[str] = []
        self.opened: list[int] = []
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme.name
        talk.take()
        self.transcript = Transcript(talk.session, palette_of(theme), empty=empty, clock=lambda: 100.0)

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_transcript_copy_requested(self, message: Transcript.CopyRequested) -> None:
        self.copied.append(message.text)
        self.copied_names.append(message.name)

    def on_transcript_opened(self, message: Transcript.Opened) -> None:
        self.opened.append(message.block_id)

    def sync(self) -> None:
        self.transcript.sync(self.talk.take())

    @property
    def rows(self) -> list[str]:
        """What each row shows, without the ruler and the scroll bar."""
        width, height = self.transcript.size
        margin = MARGIN if width >= NARROW else 0
        return [self.transcript.render_line(y).text[: width - margin].rstrip() for y in range(height)]

    def row_of(self, text: str) -> int:
        """The row that shows `text`."""
        return next(y for y, row in enumerate(self.rows) if text in row)


def long_talk(turns: int = 40) -> Talk:
    """Prompts and answers, each of its own words."""
    talk = Talk()
    for turn in range(turns):
        talk.prompt(f"question {turn}")
        talk.tool(output=f"found {turn}\n" * 4)
        talk.answer(f"answer {turn} begins\n\nand goes on for a while, so that it takes some rows " + "of words " * 20)
    return talk


async def search(transcript: Transcript, query: str) -> int:
    """How many hits there are, when everything has been searched."""
    transcript.search(query)
    with anyio.fail_after(30):
        while transcript.searching:  # noqa: ASYNC110
            await anyio.sleep(0.005)
    return transcript.hits.total
