"""Writing the session to a file: HTML by pi, Markdown and JSONL by pitui."""

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from pitui.agent import AgentError
from pitui.pi import export
from pitui.quoting import brief
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.session import NOTHING_SAID, SessionIntents
from pitui.ui.screens.picker import Choice
from pitui.ui.system.browser import open_address

if TYPE_CHECKING:
    from pitui.rpc.messages import Entry

FORMATS = {
    ".html": ("HTML", "A page for a browser, with the whole tree; pi makes it"),
    ".md": ("Markdown", "A text to read and paste: this branch with its tools"),
    ".jsonl": ("JSONL", "A session that pi opens again: this branch, as pi keeps it"),
}
SUFFIXES = {".htm": ".html", ".markdown": ".md"}


class ExportIntents(SessionIntents):
    @intent
    async def action_session_export(self, argument: str = "") -> None:
        if not self.session.entries:
            self.say(NOTHING_SAID)
            return
        path = self._path(argument) or await self._choose_format()
        if path is None:
            return
        suffix = path.suffix.lower()
        kind = SUFFIXES.get(suffix, suffix)
        if kind not in FORMATS:
            self.say(f"{brief(path.name)}: its end says what it becomes: {', '.join(FORMATS)}.", "warning")
            return
        if not await anyio.Path(path.parent).is_dir():
            raise AgentError(f"There is no folder {path.parent}.")
        there = await anyio.Path(path).exists()
        if there and not await self.ask(f"{path} is there already.", ("Keep it", "Replace it")):
            return
        await self._export(path, kind, replace=there)
        match await self.ask(f"Exported to {path}", ("Fine", "Copy its path", "Open it")):
            case 1:
                self.copy_to_clipboard(str(path))
            case 2 if not await open_address(path.as_uri()):
                self.say("There is nothing here to open it with.", "warning")
            case _:
                pass

    async def _choose_format(self) -> Path | None:
        choices = [Choice(suffix, name, told) for suffix, (name, told) in FORMATS.items()]
        suffix = await self.pick("Export this session as", choices)
        return self.agent.cwd / f"pi-session-{self.session.id}{suffix}" if suffix else None

    async def _export(self, path: Path, kind: str, *, replace: bool) -> None:
        if kind == ".html":
            await self.agent.export_html(path)
        elif kind == ".jsonl":
            await self.agent.export_jsonl(path, replace=replace)
        else:
            from pitui.session.tree import branch  # late, as below: it takes long to load

            entries = branch(self.session.entry_list, self.session.leaf_id)
            title = self.session.name or "Session"
            facts = [("Session", self.session.id), ("Folder", str(self.agent.cwd))]
            try:
                await anyio.to_thread.run_sync(write_markdown, path, entries, title, facts, replace)
            except export.ExportError as error:
                raise AgentError(str(error)) from error


def write_markdown(
    path: Path, entries: "Sequence[Entry]", title: str, facts: Sequence[tuple[str, str]], replace: bool
) -> None:
    """The document, and its images in a folder beside it. Raises ExportError."""
    from pitui.render import document

    folder = path.with_name(f"{path.stem}-images")
    pieces = document.pieces(entries, title, facts, folder.name)
    export.write(path, (piece.encode("utf-8", "replace") for piece in pieces), replace=replace)
    for image in document.images_of(entries):
        try:
            folder.mkdir(exist_ok=True)
            data = base64.b64decode(image.data)
        except (OSError, binascii.Error, ValueError):
            continue  # the document names what is missing
        made = folder / document.image_name(image)
        if not made.exists():
            export.write(made, [data])
