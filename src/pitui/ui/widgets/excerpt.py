"""The last part of another session, or the place in it that was found, to read beside the list."""

from collections.abc import Sequence

import anyio.to_thread
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from pitui.pi.entries import Said
from pitui.pi.excerpt import read_excerpt
from pitui.pi.sessions import SessionFile
from pitui.render.palette import Palette
from pitui.render.text import clean_line
from pitui.rpc.results import read_entry
from pitui.session.apply import apply
from pitui.session.facts import EntriesLoaded
from pitui.session.model import Aspect, Changes, Session
from pitui.session.tree import branch
from pitui.ui.widgets.transcript import Transcript


class Excerpt(Vertical):
    """Facts of a session, and under them a part of its chat. It is only for reading."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.facts = Static("", markup=False)
        self.transcript = Transcript(Session(), palette)
        self.transcript.can_focus = False

    def compose(self) -> ComposeResult:
        yield self.facts
        yield self.transcript

    async def show(self, file: SessionFile, facts: Sequence[str], place: Said | None, term: str) -> None:
        """Show the end of the session, or `place` with `term` marked. May be cancelled for another."""
        self.facts.update(Content("\n".join(clean_line(fact, 300) for fact in facts)))
        try:
            session = Session() if file.problem else await anyio.to_thread.run_sync(_read, file, place)
            self.transcript.empty = "" if file.problem else "Nothing was said in it."
        except OSError as error:
            session = Session()
            self.transcript.empty = f"It cannot be read: {error.strerror}."
        self._show(session)
        block_id = block_of(session, place.entry_id) if place else None
        if block_id is not None:
            self.transcript.show_block(block_id)
            self.transcript.search(term)

    def clear(self) -> None:
        """Show nothing."""
        self.facts.update("")
        self.transcript.empty = ""
        self._show(Session())

    def _show(self, session: Session) -> None:
        self.transcript.clear_search()
        self.transcript.session = session
        self.transcript.sync(Changes(aspects=Aspect.REPLACED))
        self.transcript.end()


def block_of(session: Session, entry_id: str) -> int | None:
    """The block of an entry, or of the nearest one above it: what a tool put out stands with its call."""
    blocks = {block.entry_id: block.id for block in reversed(session.blocks)}
    shown = {entry.id: entry.parent_id for entry in branch(session.entry_list, session.leaf_id)}
    at: str | None = entry_id
    while at in shown:
        if at in blocks:
            return blocks[at]
        at = shown.pop(at)
    return None


def _read(file: SessionFile, place: Said | None) -> Session:
    session = Session()
    entries = [read_entry(entry) for entry in read_excerpt(file.path, place)]
    if entries:
        apply(session, EntriesLoaded(entries, entries[-1].id, whole=True))
    return session
