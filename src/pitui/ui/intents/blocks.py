"""What a person does with the blocks of the chat: the menu of a block, its links, its full output, how it is shown."""

from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
from textual import on

from pitui import render
from pitui.pi.outputs import OutputError, read_output
from pitui.quoting import brief
from pitui.render.text import clean_line
from pitui.session.blocks import Block
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.reading import ReadingIntents
from pitui.ui.screens.page import OutputScreen
from pitui.ui.system.browser import open_address
from pitui.ui.theme import palette_of
from pitui.ui.widgets.transcript import Transcript
from pitui.ui.widgets.transcript.sources import can_be_opened
from pitui.ui.widgets.transcript.transcript import FOLDABLE

if TYPE_CHECKING:
    from pitui.ui.blockmenu import Deed


class BlockIntents(ReadingIntents):
    def action_times(self, argument: str = "") -> None:
        times = not self.main.transcript.viewport.times
        self.main.transcript.set_times(times)
        kept = f"“times = {str(times).lower()}” in pitui.toml keeps it so."
        self.say(f"Times and cost are shown. {kept}" if times else f"Times and cost are hidden. {kept}")

    def action_diff_sides(self, argument: str = "") -> None:
        transcript = self.main.transcript
        match transcript.toggle_sides():
            case None:
                self.say(f"Two sides need a chat of 80 columns; this one has {transcript.size.width}.", "warning")
            case True:
                self.say("Changes are shown side by side. “sides = true” in pitui.toml keeps it so.")
            case False:
                self.say("Changes are shown one below the other. “sides = false” in pitui.toml keeps it so.")

    def _block(self, block_id: int) -> Block | None:
        index = self.main.transcript.viewport.index_of(block_id)
        return None if index is None else self.main.transcript.viewport.blocks[index]

    @on(Transcript.MenuRequested)
    @intent
    async def _open_menu(self, event: Transcript.MenuRequested) -> None:
        transcript, block = self.main.transcript, self._block(event.block_id)
        if block is None:
            return
        from pitui.ui.blockmenu import block_menu  # late: the first screen draws no tools

        folds = transcript.viewport.folds
        rows = block_menu(
            block,
            foldable=block.kind in FOLDABLE,
            folded=folds(block),
            more=transcript.has_more(block.id),
            whole=folds.whole(block),
            selected=transcript.selected_source(),
        )
        if deed := await self.pick(render.blocks.title(block, 80), rows, empty="There is nothing to do with this."):
            await self._do(block, deed)

    async def _do(self, block: Block, deed: "Deed") -> None:
        transcript = self.main.transcript
        match deed.what:
            case "fold":
                transcript.toggle_block(block.id)
            case "whole" | "less":
                transcript.show_whole(block.id, deed.what == "whole")
            case "copy":
                transcript.select(None)
                self.copy_to_clipboard(deed.text, deed.name)
            case "read":
                await self._read_output(deed.text)
            case "open":
                await self._open_link(deed.text)
            case "tell":
                self.say(deed.text)

    @on(Transcript.LinkClicked)
    @intent
    async def _link_clicked(self, event: Transcript.LinkClicked) -> None:
        await self._open_link(event.address)

    async def _open_link(self, address: str) -> None:
        """Give it to the system; where that has no screen, to the person."""
        if not can_be_opened(address):
            self.say("Only links to the web and to mail are opened.", "warning")
        elif self.is_web:
            self.open_url(address)
        elif await open_address(address):
            self.say(f"Opened {brief(address)}")
        else:
            self.say(f"There is nothing here to open {brief(address)}", "warning")
            self.copy_to_clipboard(address)

    @on(Transcript.OutputRequested)
    @intent
    async def _output_requested(self, event: Transcript.OutputRequested) -> None:
        from pitui.render.tools import full_output_path

        if (block := self._block(event.block_id)) is not None and (path := full_output_path(block)):
            await self._read_output(path)

    async def _read_output(self, path: str) -> None:
        """Show a file of pi. A path is what pi says, and is only read."""
        try:
            output = await anyio.to_thread.run_sync(read_output, self.agent.cwd / Path(path))
        except OutputError as gone:
            self.say(str(gone), "warning")
            return
        palette = palette_of(self.current_theme)
        await self.push_screen_wait(
            OutputScreen(clean_line(path), output.line, output.count, output.left_out, palette=palette)
        )
