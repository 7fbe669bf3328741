"""Opening another session: from the list of all, or by its path."""

import os
from pathlib import Path

import anyio
import anyio.to_thread

from pitui.agent import AgentError
from pitui.paths import session_index, state_folder
from pitui.pi.sessions import SessionFile, read_session, session_dir_of, session_files, session_folders
from pitui.pi.words import Words, fold
from pitui.quoting import quoted
from pitui.store.claims import is_claimed
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.session import SessionIntents
from pitui.ui.intents.trust import TrustIntents
from pitui.ui.theme import palette_of

OPENED = "Another session."
IMPORTED = "Imported: this is the copy."


class ResumeIntents(SessionIntents, TrustIntents):
    @intent
    async def action_session_resume(self, argument: str = "") -> None:
        path = self._path(argument)
        if path is None:
            await self._choose_session()
        elif await anyio.Path(path).is_file():
            await self._open_session(await anyio.to_thread.run_sync(read_session, path))
        elif len(named := await anyio.to_thread.run_sync(self._named, argument)) == 1:
            await self._open_session(named[0])
        elif os.sep in argument or path.suffix == ".jsonl":
            raise AgentError(f"there is no session file {path}")
        else:
            await self._choose_session(argument)

    @intent
    async def action_session_import(self, argument: str = "") -> None:
        """As pi does it: a copy in its folder of sessions is opened, and taken away again when that was refused."""
        from pitui.pi import upkeep

        path = self._path(argument)
        if path is None:
            self.say("/import PATH opens a copy of a session file.", "warning")
            return
        folder = Path(self.session.file).parent if self.session.file else self._session_folders()[0]
        try:
            copy = await anyio.to_thread.run_sync(upkeep.copy_into, path, folder)
        except upkeep.UpkeepError as error:
            raise AgentError(str(error)) from error
        opened = False
        try:
            opened = await self._open_session(await anyio.to_thread.run_sync(read_session, copy), IMPORTED)
        finally:
            if not opened and copy != path:
                with anyio.CancelScope(shield=True):
                    await anyio.Path(copy).unlink(missing_ok=True)

    def _named(self, name: str) -> list[SessionFile]:
        """The sessions of all folders with this name."""
        sessions = map(read_session, session_files(self._session_folders()))
        return [file for file in sessions if file.name and fold(file.name) == fold(name)]

    async def _choose_session(self, query: str = "") -> None:
        """From the list, in which `query` is looked for."""
        from pitui.pi.index import SessionIndex
        from pitui.stars import Stars
        from pitui.ui.screens.listing import Listing
        from pitui.ui.screens.sessions import SessionsScreen

        index = SessionIndex(session_index())
        listing = Listing(self.agent.cwd, self.session.file, waiting=await self.waiting_elsewhere())
        stars = Stars(state_folder() / "stars.json")
        screen = SessionsScreen(
            index,
            self._session_folders(),
            listing,
            stars=stars,
            ours=self.agent.ours,
            is_open_elsewhere=self._is_open_elsewhere,
            palette=palette_of(self.current_theme),
            name_open=self._name_open,
            ask=self.ask,
            keys=self.pane_keys,
            query=query,
        )
        try:
            chosen = await self.push_screen_wait(screen)
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(index.close)
        if chosen is None or not (listing.is_open(chosen.file) or await self._open_session(chosen.file)):
            return
        if chosen.place:
            await self._show_place(chosen.place.entry_id, chosen.term, listing.query)

    async def _name_open(self, name: str) -> None:
        await (self.agent.rename(name) if name else self.agent.clear_name())

    def _is_open_elsewhere(self, path: Path) -> bool:
        claims = self.agent.launch.claims
        return claims is not None and is_claimed(claims, path)

    async def _show_place(self, entry_id: str, term: str, query: str) -> None:
        """Go to where `query` was said, and mark what `term` is of it."""
        from pitui.ui.widgets.excerpt import block_of

        block_id = block_of(self.session, entry_id)
        if block_id is None:
            self.say("It was said on another branch of this session: /tree shows it.")
            return
        self.show_changes()  # the chat may still be that of the session before
        self.main.show_block(block_id)
        if term:
            if len(Words(query)) > Words(query).count_in(term):
                self.say(f"The words stand apart in it; {quoted(term)} is marked.")
            await self.main.open_search(term)
            self.main.prompt.focus()  # what is written next is said to pi

    def _session_folders(self) -> list[Path]:
        launch = self.agent.launch
        return session_folders(self.session.file, session_dir_of(launch.argv, launch.cwd))

    async def _open_session(self, file: SessionFile, done: str = OPENED) -> bool:
        """Whether it is open now. One whose folder is gone is no session that pi opens: the person is asked before."""
        if file.cwd and not await anyio.Path(file.cwd).is_dir():
            return await self._open_elsewhere(file)
        return await self._switch(file.path, Path(file.cwd) if file.cwd else self.agent.cwd, done)

    async def _open_elsewhere(self, file: SessionFile) -> bool:
        from pitui.pi import upkeep

        here = self.agent.cwd
        told = f"The folder of this session is gone: {file.cwd}. A fork goes on in {here}, and this session is kept."
        answer = await self.ask(told, ("Cancel", "Fork it", "Make that folder again, empty"))
        if answer == 0:
            return False
        try:
            if answer == 1:
                folder = Path(self.session.file).parent if self.session.file else file.path.parent
                path = await anyio.to_thread.run_sync(upkeep.fork_into, file.path, here, folder)
            else:
                path = file.path
                await anyio.to_thread.run_sync(os.makedirs, file.cwd)
        except upkeep.UpkeepError as error:
            raise AgentError(str(error)) from error
        except OSError as error:
            raise AgentError(f"{file.cwd} cannot be made: {error.strerror}") from error
        opened = await self._switch(path, here if answer == 1 else Path(file.cwd), OPENED)
        if not opened and answer == 1:
            await anyio.Path(path).unlink(missing_ok=True)
        return opened

    async def _switch(self, path: Path, folder: Path, done: str) -> bool:
        if not await self.may_stop():
            return False
        with self.holding_back():
            left = self.draft_left()
            replacement = await self.open_file(path, folder)
            if not replacement.cancelled:
                await self.change_drafts(*left)
        self._replaced(replacement, done)
        return not replacement.cancelled
