"""All sessions: to find one by its name or by what was said in it, look into it, and open it."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from pitui.agent import AgentError
from pitui.pane_actions import PANE_KEYS, SESSIONS_PANE, Keys
from pitui.pi import upkeep
from pitui.pi.entries import Said
from pitui.pi.excerpt import find_place
from pitui.pi.index import Progress, SessionIndex
from pitui.pi.ours import Ours
from pitui.pi.sessions import SessionFile
from pitui.pi.words import Words
from pitui.render.amounts import number, size
from pitui.render.palette import Palette
from pitui.render.text import cells, clean_line, truncate
from pitui.stars import Stars
from pitui.ui.keys import fitting, has_key, sentences
from pitui.ui.screens.listing import Listing, short, term_of
from pitui.ui.screens.pane import PaneScreen
from pitui.ui.widgets.activity import Notice
from pitui.ui.widgets.excerpt import Excerpt
from pitui.ui.widgets.sessions import SessionList
from pitui.ui.widgets.writing import LineInput

WIDE = 120
"""Columns from which on the selected session is shown beside the list; else it is under it, where there is room."""
TALL = 24
"""Rows from which on there is room for that, and for two of hints."""
SAID_SECONDS = 8.0
RELOAD_SECONDS = 1.0
"""How often at most the list is made anew while the files are read."""
LOOK_SECONDS = 0.06
"""How long the highlight rests before its session is looked into."""
HINTS = (
    "Enter opens · [sessions.scope] {folders} · [sessions.order] {order} · [sessions.rename] rename"
    " · [sessions.star] star to the top · [sessions.delete] delete · [sessions.leave] closes",
    "Enter opens · [sessions.scope] {folders} · [sessions.order] {order} · [sessions.rename] rename"
    " · [sessions.star] star · [sessions.delete] delete · [sessions.leave] closes",
    "Enter opens · [sessions.scope] {folders} · [sessions.order] {order} · [sessions.rename] rename"
    " · [sessions.delete] delete",
    "Enter opens · [sessions.scope] {folders} · [sessions.order] {order} · [sessions.rename] rename · [sessions.leave]",
    "Enter opens · [sessions.scope] {folders} · [sessions.leave]",
)
RENAMING = (
    "Enter gives it this name, an empty one takes it away · [sessions.leave] leaves it as it was",
    "Enter names it, an empty name goes · [sessions.leave] leaves it",
    "Enter names it · [sessions.leave]",
)
SEARCH, NAME = "Type a name, or words that were said", "A name"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A session to open, and the place in it that was found, with the words that are to be marked there."""

    file: SessionFile
    place: Said | None = None
    term: str = ""


class SessionsScreen(PaneScreen[Chosen | None]):
    """Gives what was chosen, or None.

    `name_open` names the session that is open, which only pi can do, and takes an empty name for none. `ours` are the
    files that were written to from here, and `ask` gives the number of an answer.
    """

    PANE = SESSIONS_PANE
    ACTIONS = SESSIONS_PANE.actions
    CSS_PATH = "sessions.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]

    def __init__(
        self,
        index: SessionIndex,
        folders: Sequence[Path],
        listing: Listing,
        *,
        stars: Stars,
        ours: Ours,
        is_open_elsewhere: Callable[[Path], bool],
        palette: Palette,
        name_open: Callable[[str], Awaitable[None]],
        ask: Callable[[str, Sequence[str]], Awaitable[int]],
        keys: Keys = PANE_KEYS,
        query: str = "",
    ) -> None:
        """`query` is looked for to begin with."""
        super().__init__(keys)
        self._query = query
        self._index = index
        self._folders = folders
        self._listing = listing
        self._stars = stars
        self._ours = ours
        self._is_open_elsewhere = is_open_elsewhere
        self._deleting = False
        self._name_open = name_open
        self._ask = ask
        self._loaded = self._choosing = False
        self._settled = False
        """Whether a session is highlighted that the person has seen so, or moved to: it stays, wherever it goes."""
        self._going: Path | None = None
        """The one that is about to be deleted."""
        self._searching = False
        self._places: dict[str, Said | None] = {}
        self._renaming: SessionFile | None = None
        self._kept_query = ""
        self._progress: Progress | None = None
        self._reloaded = float("-inf")
        self._stop = threading.Event()
        self._title = Static("", id="sessions-title", markup=False)
        self._input = _SearchInput(placeholder=SEARCH, compact=True)
        self._input.cursor_blink = False
        self._list = SessionList(lambda ranked: listing.row(ranked, time.time()))
        self._excerpt = Excerpt(palette)
        self._note = Static("", id="sessions-note", markup=False)

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._input
        with Horizontal():
            yield self._list
            yield self._excerpt
        yield self._note
        yield self.foot

    def on_mount(self) -> None:
        self._input.focus()
        self._input.write(self._query)
        self._tell()
        self._keep_indexed()

    def on_unmount(self) -> None:
        self._stop.set()

    def on_resize(self) -> None:
        self._tell()

    # the sessions

    @work(group="index")
    async def _keep_indexed(self) -> None:
        """Show what is known, and then read what is new."""
        loop = asyncio.get_running_loop()

        def tell(progress: Progress) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._progressed, progress)

        await self._load()
        await anyio.to_thread.run_sync(
            partial(self._index.refresh, self._folders, self._stop, tell), abandon_on_cancel=True
        )
        problem = self._progress.problem if self._progress else ""
        self._progress = Progress(0, 0, problem=problem) if problem else None
        await self._load()

    def _progressed(self, progress: Progress) -> None:
        self._progress = progress
        self._tell()
        if time.monotonic() - self._reloaded > RELOAD_SECONDS and not self._stop.is_set():
            self._load_meanwhile()

    @work(group="load", exclusive=True)
    async def _load_meanwhile(self) -> None:
        await self._load()

    async def _load(self) -> None:
        """The list anew; the same session stays highlighted."""
        self._reloaded = time.monotonic()
        await anyio.to_thread.run_sync(lambda: self._listing.take(self._index.sessions(self._folders)))
        self._listing.starred = await anyio.to_thread.run_sync(self._stars.read)
        self._loaded = True
        if query := self._listing.query:
            found = await anyio.to_thread.run_sync(self._index.search, query)
            if query == self._listing.query:
                self._listing.found = found
        self._show()

    def _show(self) -> None:
        """List what fits; the same session stays highlighted, or else the one next to it, or the first one."""
        shown = self._list.file if self._settled else None
        ranked = self._listing.ranked()
        at = 0
        if shown is not None:
            same = (number for number, (_, file) in enumerate(ranked) if file.path == shown.path)
            at = next(same, self._list.highlighted)
        self._list.words = Words(self._listing.query)
        self._list.excerpts = self._texts() if self._list.words else None
        self._list.show(ranked, at)
        self._settled = self._settled or bool(ranked and not self._searching)
        self._tell()

    def _texts(self) -> dict[str, str]:
        return {path: place.text for path, place in self._places.items() if place}

    # to search

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        if self._renaming is None and event.value != self._listing.query:
            self._listing.query = event.value
            self._search()

    @work(group="search", exclusive=True)
    async def _search(self) -> None:
        """Names at once, and what was said as soon as it is found."""
        self._searching = True
        self._settled, self._places = False, {}
        query, self._listing.found = self._listing.query, {}
        self._show()
        self._listing.found = await anyio.to_thread.run_sync(self._index.search, query)
        self._searching = False
        self._show()
        if self._choosing:
            self._choose()

    @on(SessionList.Moved)
    @work(group="look", exclusive=True)
    async def _look(self) -> None:
        """Read what stands beside and under the rows that are seen."""
        await anyio.sleep(LOOK_SECONDS)
        words = self._list.words
        highlighted = self._list.file
        if highlighted is None:
            self._excerpt.clear()
            return
        for rank, file in enumerate([highlighted, *self._list.seen]):
            path = str(file.path)
            if words and path not in self._places and path in self._listing.found:
                offset = self._listing.found[path]
                self._places[path] = await anyio.to_thread.run_sync(find_place, file.path, offset, words)
                self._list.excerpts = self._texts()
                self._list.refresh()
            if rank == 0 and self._excerpt.display:
                place = self._places.get(path)
                term = term_of(self._listing.query, place.text) if place else ""
                await self._excerpt.show(file, self._facts(file), place, term)

    def _facts(self, file: SessionFile) -> list[str]:
        path = [short(str(file.path))] if self._listing.paths else []
        facts = [file.title or file.path.name, short(file.cwd) if file.cwd else str(file.path.parent), *path]
        if file.problem:
            return [*facts, f"{file.problem[:1].upper()}{file.problem[1:]}. It is left as it is."]
        counts = [size(file.size)]
        if file.messages is not None:
            counts = [number(file.messages, "message"), f"{file.tokens:,} tokens", *counts]
        unread = [f"{number(file.unread, 'line')} of it cannot be read."] if file.unread else []
        waits = self._listing.waiting.get(str(file.path), "")
        waiting = [f"{waits[:1].upper()}{waits[1:]} until it is opened."] if waits else []
        return [*facts, " · ".join(counts), *waiting, *unread]

    # what is said around the list

    def _tell(self) -> None:
        listing, renaming = self._listing, self._renaming
        scope = "all folders" if listing.everywhere else "this folder"
        order = "as forks" if listing.as_tree and not listing.query else "latest first"
        kind = "Sessions with a name" if listing.named_only else "Sessions"
        title = f"{kind} of {scope}, {order}"
        if renaming is not None:
            title = f"Rename “{truncate(clean_line(renaming.title, 60), max(10, self.size.width - 18))}”"
        count = f"{len(self._list.ranked):,} of {listing.total:,}" if listing.query else f"{listing.total:,}"
        width = self.size.width - 2
        gap = max(2, width - cells(title) - cells(count))
        self._title.update(Content(f"{title}{' ' * gap}{count}"))
        note = self._said_of_list()
        self._note.update(Content(note))
        self._note.display = bool(note)
        folders = "this folder" if listing.everywhere else "all folders"
        other_order = "latest first" if listing.as_tree else "as forks"
        hints = [hint.format(folders=folders, order=other_order) for hint in (HINTS if renaming is None else RENAMING)]
        self.foot.hint(fitting(hints, self.keys, width, 2 if self.size.height >= TALL else 1))

    def _said_of_list(self) -> str:
        if not self._loaded:
            return "Looking for sessions…"
        progress = self._progress
        if not self._list.ranked:
            return self._said_of_nothing()
        if progress and progress.problem:
            return f"What is new cannot be read now ({progress.problem})."
        if progress and progress.total and progress.done < progress.total:
            return f"Reading what was said: {progress.done * 100 // progress.total} % of {size(progress.total)}…"
        if self._listing.query and not self._index.full_text:
            return "Only names are searched: the SQLite of this Python has no full-text search."
        return ""

    def _said_of_nothing(self) -> str:
        listing = self._listing
        if not listing.query:
            if listing.named_only:
                return sentences("None has a name. · [sessions.named] shows all.", self.keys)
            if listing.everywhere:
                return "No session was saved yet."
            return sentences("No session of this folder. · [sessions.scope] shows those of all.", self.keys)
        if self._searching:
            return "Searching…"
        elsewhere = "" if listing.everywhere else " · [sessions.scope] looks in all folders."
        limits = "Of long outputs only the beginning and the end are searched."
        return sentences(f"Nothing fits.{elsewhere} · {limits}", self.keys)

    # keys

    def action_leave(self) -> None:
        if self._renaming is not None:
            self._end_renaming()
        elif self._input.value:
            self._input.value = ""
        else:
            self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a name is written, or something lies over the list, only that has keys."""
        if not self.is_current or (self._renaming is not None and action != "leave"):
            return False
        return action != "delete_unsearched" or not self._input.value  # else it is for the words

    def action_move(self, by: int) -> None:
        self._settled = True
        self._list.move(by)

    def action_page(self, by: int) -> None:
        self._settled = True
        self._list.move(by, pages=True)

    def action_toggle_scope(self) -> None:
        self._listing.everywhere = not self._listing.everywhere
        self._show()

    def action_toggle_order(self) -> None:
        self._listing.as_tree = not self._listing.as_tree
        self._show()

    def action_toggle_named(self) -> None:
        self._listing.named_only = not self._listing.named_only
        self._show()

    def action_toggle_paths(self) -> None:
        self._listing.paths = not self._listing.paths
        self._show()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if self._renaming is not None:
            self._rename(self._renaming, event.value)
            self._end_renaming()
        elif self._searching and self._list.file is None:
            self._choosing = True  # as soon as it is known what was found
        else:
            self._choose()

    @on(SessionList.Chosen)
    def _choose(self) -> None:
        self._choosing = False
        file = self._list.file
        if file is None:
            return
        if file.path == self._going:
            self._say("It is being deleted.")
        elif file.problem:
            self._say(f"It cannot be opened: {file.problem}.")
        else:
            self._open(file)

    @work(group="open", exclusive=True)
    async def _open(self, file: SessionFile) -> None:
        place, words = self._places.get(str(file.path)), self._list.words
        if place is None and str(file.path) in self._listing.found:
            place = await anyio.to_thread.run_sync(find_place, file.path, self._listing.found[str(file.path)], words)
        self.dismiss(Chosen(file, place, term_of(self._listing.query, place.text) if place else ""))

    # what can be done to a session

    def action_star(self) -> None:
        if self._list.file is not None and self._list.file.id:
            self._star(self._list.file.id)

    @work(group="upkeep")
    async def _star(self, id_: str) -> None:
        try:
            await anyio.to_thread.run_sync(self._stars.toggle, id_)
        except OSError as error:
            self._say(f"The star cannot be kept: {error.strerror}.")
        self._listing.starred = await anyio.to_thread.run_sync(self._stars.read)
        self._show()

    def action_rename(self) -> None:
        if self._list.file is not None and not self._list.file.problem:
            self._renaming, self._kept_query = self._list.file, self._input.value
            self._input.placeholder = NAME
            self._input.write(self._renaming.name)
            self._tell()

    def _end_renaming(self) -> None:
        self._renaming = None
        self._input.placeholder = SEARCH
        self._input.write(self._kept_query)
        self._tell()

    @work(group="upkeep")
    async def _rename(self, file: SessionFile, name: str) -> None:
        if name.strip() == file.name:
            return
        try:
            if self._listing.is_open(file):
                await self._name_open(name.strip())
            else:
                await anyio.to_thread.run_sync(upkeep.rename, file.path, name, self._ours)
        except (upkeep.UpkeepError, AgentError) as error:
            self._say(str(error))
        self._keep_indexed()

    def action_delete(self) -> None:
        file = self._list.file
        if file is not None and self._listing.is_open(file):
            self._say("This session is open. Open another one first, or a new one.")
        elif file is not None and not self._deleting:
            self._deleting = True
            self._delete(file)

    def action_delete_unsearched(self) -> None:
        self.action_delete()

    @work(group="upkeep")
    async def _delete(self, file: SessionFile) -> None:
        try:
            await self._check_unused(file)
            await self._delete_if_wanted(file)
        except upkeep.UpkeepError as error:
            self._say(str(error))
        finally:
            self._deleting = False
        await self._load()
        self._going = None

    async def _check_unused(self, file: SessionFile) -> None:
        await anyio.to_thread.run_sync(upkeep.check_unused, file.path, file.size, self._ours)
        if await anyio.to_thread.run_sync(self._is_open_elsewhere, file.path):
            raise upkeep.UpkeepError("It is open in another pitui. It is kept.")

    async def _delete_if_wanted(self, file: SessionFile) -> None:
        title = clean_line(file.title or file.path.name, 60)
        if not await self._ask(f"Delete “{title}”?", ("Keep it", "Move it to the trash")):
            return
        self._going = file.path
        await self._check_unused(file)
        try:
            await anyio.to_thread.run_sync(upkeep.move_to_trash, file.path)
        except upkeep.UpkeepError as error:
            if await self._ask(f"{error} Delete “{title}” for good?", ("Keep it", "Delete it for good")):
                await anyio.to_thread.run_sync(upkeep.delete, file.path)

    def _say(self, text: str) -> None:
        self.foot.tell(Notice(clean_line(text, 500), "warning", True), SAID_SECONDS)


class _SearchInput(LineInput):
    """Leaves to the list what the person has made its key, even a letter."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return super().check_consume_key(key, character) and not has_key(self.screen, key)
