"""Drafts: what is written and not sent is on disk within a second, and comes back where it was written."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from textual import on

from pitui.agent import Agent
from pitui.config import Settings
from pitui.draft import Draft
from pitui.paths import state_folder
from pitui.ui.intents.agent_app import AgentApp
from pitui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from pitui.store.drafts import Drafts

KEPT_AFTER = 0.4
"""Seconds after a key in which more of them are waited for."""
LEAVING_SECONDS = 1.0
"""So long a slow disk can keep pitui from ending."""
RESTORED_SECONDS = 5.0
RESTORED = "Your draft is back in the prompt."


class DraftIntents(AgentApp):
    """The draft of a session is kept with its file; as long as there is none, with the folder."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        super().__init__(agent, settings)
        self._drafts: Drafts | None = None
        """Opened beside the screen, for the first frame does without a database."""
        self._draft_lock = anyio.Lock()
        self._draft_number: int | None = None
        """Where what is in the editor is on disk."""
        self._draft_kept = ("", Draft())
        """What is there, and for which place."""
        self._draft_due = False
        self._draft_looked_for = False
        self._draft_problem = ""

    @on(Prompt.Edited)
    def _edited(self, event: Prompt.Edited) -> None:
        event.stop()
        self._keep_draft_soon()

    def _keep_draft_soon(self) -> None:
        if not self._draft_due and self.is_running:
            self._draft_due = True
            self.set_timer(KEPT_AFTER, self._keep_draft_now)

    def _keep_draft_now(self) -> None:
        self._draft_due = False
        self.run_worker(self._keep_draft(), name="draft", group="drafts")

    async def _keep_draft(self) -> None:
        async with self._draft_lock:
            draft = self.main.prompt.draft
            if draft.is_blank and self._draft_number is not None and self._draft_kept[1].parts:
                self._draft_kept = ("", Draft())  # it may be sent, of which we are told in a moment
                self._keep_draft_soon()
            else:
                await self._write_draft(draft)

    async def _write_draft(self, draft: Draft, instead_of: Sequence[int] = ()) -> None:
        drafts, place = await self._open_drafts(), await self._draft_place()
        if draft.is_blank:
            gone = [*instead_of, *([] if self._draft_number is None else [self._draft_number])]
            self._draft_number = None
            if gone:
                await anyio.to_thread.run_sync(drafts.forget, gone)
        elif instead_of or self._draft_kept != (place, draft):
            keep = partial(drafts.keep, self._draft_number, place, draft.to_json(), instead_of)
            self._draft_number = await anyio.to_thread.run_sync(keep)
        self._draft_kept = (place, draft)
        if draft.is_blank or self._draft_number is not None:
            await self.agent.forget_returned()  # it is in the draft, or was thrown away
        if drafts.problem not in ("", self._draft_problem):
            self._draft_problem = drafts.problem
            self.say(drafts.problem, "warning")

    async def _open_drafts(self) -> "Drafts":
        if self._drafts is None:
            self._drafts = await anyio.to_thread.run_sync(_open)
        return self._drafts

    async def _draft_place(self) -> str:
        file = self.session.file
        if file and await anyio.to_thread.run_sync(Path(file).is_file):
            return file
        return f"folder:{self.agent.cwd}"

    # coming back

    def look_for_draft(self) -> None:
        """Bring back what was written in this session and never sent, once it is known which session that is."""
        if self.session.id and not self._draft_looked_for:
            self._draft_looked_for = True
            self.run_worker(self._look_for_draft(), name="draft", group="drafts")
        elif self._draft_kept[1].parts:
            self._keep_draft_soon()  # the session may be another one, or have got a file

    async def _look_for_draft(self) -> None:
        async with self._draft_lock:
            await self._restore()

    async def _restore(self) -> None:
        """Write the drafts of this place above what is in the editor, and keep all of it as one."""
        drafts, prompt = await self._open_drafts(), self.main.prompt
        found = await anyio.to_thread.run_sync(drafts.take, await self._draft_place())
        back: list[Draft] = []
        numbers: list[int] = []
        for kept in found:
            with suppress(ValueError):
                draft = Draft.from_json(kept.parts)
                numbers.append(kept.number)
                if draft.text.strip() not in ("", prompt.draft.text.strip()) or draft.images:
                    back.append(draft)
        for draft in reversed(back):
            prompt.put_above(draft)
        if numbers:
            await self._write_draft(prompt.draft, [number for number in numbers if number != self._draft_number])
        if back:
            self.main.activity.hint(RESTORED, RESTORED_SECONDS)

    # leaving

    async def change_drafts(self, place: str, left: Draft) -> None:
        """Another session is open: what was `left` in the one before stays there, and what was left here comes back.

        What was written meanwhile is for this one.
        """
        async with self._draft_lock:
            if self.main.prompt.draft == left and not left.is_blank:
                drafts = await self._open_drafts()
                await anyio.to_thread.run_sync(drafts.keep, self._draft_number, place, left.to_json())
                self._draft_number, self._draft_kept = None, ("", Draft())
                self.main.prompt.show(Draft())
            await self._restore()

    async def draft_left(self) -> tuple[str, Draft]:
        """What `change_drafts` is to be told after another session was opened."""
        return await self._draft_place(), self.main.prompt.draft

    def send_draft(self) -> int | None:
        """What was in the editor is being sent: it stays on disk until `sent_draft` is told this number."""
        number, self._draft_number = self._draft_number, None
        self._draft_kept = ("", Draft())
        return number

    async def sent_draft(self, number: int | None) -> None:
        """It is safe elsewhere, or in the editor again."""
        if number is None:
            return
        async with self._draft_lock:
            await self._write_draft(self.main.prompt.draft, [number])

    async def close_drafts(self) -> None:
        """Write down what is not written yet, and leave it to the next pitui."""
        with anyio.move_on_after(LEAVING_SECONDS):
            async with self._draft_lock:
                if self._drafts is not None or not self.main.prompt.draft.is_blank:
                    await self._write_draft(self.main.prompt.draft)
                if self._drafts is not None:
                    await anyio.to_thread.run_sync(self._drafts.close)


def _open() -> "Drafts":
    from pitui.store.drafts import Drafts

    return Drafts(state_folder())
