"""Drafts: what is written and not sent is on disk within a moment, and comes back where it was written."""

import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from textual import on

from pitui.agent import Agent, Written
from pitui.config import Settings
from pitui.draft import Draft, folded
from pitui.paths import state_folder
from pitui.pi.sessions import read_session
from pitui.quoting import LIMIT, quoted
from pitui.ui.intents.agent_app import AgentApp
from pitui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from pitui.store.drafts import Drafts, Left, Place

KEPT_EVERY = 0.2
"""Seconds in which more keys are waited for where a draft is written beside the event loop."""
LEAVING_SECONDS = 1.0
"""So long a slow disk can keep pitui from ending."""
RESTORED_SECONDS = 5.0
RESTORED = "Your draft is back in the prompt."
NOT_KEPT = "This was written and not sent, and could not be kept on disk:"
ELSEWHERE_SECONDS = 10.0
ONE_ELSEWHERE = "A draft waits in {title}: {words} · {way} opens it"
MANY_ELSEWHERE = "Drafts wait in {count} sessions, the last in {title}: {words} · {way}"
NO_WORDS = "a paste or a picture"
LONGEST_NAME, SHORTEST = 20, 14
"""Characters of a name that is worth typing, and of what is quoted where there is little room."""


@dataclass(frozen=True, slots=True)
class _Writing:
    """What brings disk and prompt together: `write` does it."""

    write: "partial[bool]"
    number: int | None
    kept: "tuple[Place, Draft]"
    drafts: Collection[int]
    prompts: Collection[int]


class DraftIntents(AgentApp):
    """The draft of a session is kept with its file; as long as there is none, with the folder."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        super().__init__(agent, settings)
        self._drafts: Drafts | None = agent.journal.drafts if agent.journal else None
        """Opened beside the screen, for the first frame does without a database."""
        self._draft_lock = anyio.Lock()
        self._draft_number: int | None = None
        """Where what is in the editor is on disk."""
        self._draft_kept: tuple[Place, Draft] | None = None
        """What is there."""
        self._drafts_leaving: set[int] = set()
        """Where what is being sent is on disk until it is in the outbox."""
        self._drafts_gone: set[int] = set()
        self._prompts_gone: set[int] = set()
        """What of the drafts and of the outbox is to be forgotten when what is in the editor is on disk."""
        self._draft_due = False
        self._draft_written_at = float("-inf")
        self._draft_looked_for = False
        self._draft_problem = ""
        self._holds_back = False

    @on(Prompt.Edited)
    def _edited(self, event: Prompt.Edited) -> None:
        event.stop()
        self._keep_draft_soon()

    def _keep_draft_soon(self) -> None:
        """Write it with every key; where the disk has to be waited for, only now and then."""
        if self._draft_due or not self.is_running or self._is_written_at_once():
            return
        self._draft_due = True
        wait = self._draft_written_at + KEPT_EVERY - time.monotonic()
        if wait > 0:
            self.set_timer(wait, self._keep_draft_now)
        else:
            self._keep_draft_now()

    def _keep_draft_now(self) -> None:
        self._draft_due = False
        if not self._is_written_at_once():
            self._draft_written_at = time.monotonic()
            self.run_worker(self._keep_draft(), name="draft", group="drafts")

    def _is_written_at_once(self) -> bool:
        return self._drafts is not None and not self._draft_lock.locked() and self._write_at_once(self._drafts)

    def _write_at_once(self, drafts: "Drafts") -> bool:
        writing = self._writing(drafts)
        if writing is None or writing.write(waits=False):
            self._is_written(writing)
            return True
        return False

    async def _keep_draft(self) -> None:
        async with self._draft_lock:
            await self._write_draft()

    async def _write_draft(self, instead_of: Collection[int] = ()) -> None:
        drafts = await self._open_drafts()
        self._drafts_gone.update(instead_of)
        writing = self._writing(drafts)
        if writing is None or await anyio.to_thread.run_sync(writing.write):
            self._is_written(writing)
        self._tell_problem(drafts)

    def _tell_problem(self, drafts: "Drafts") -> None:
        if drafts.problem not in ("", self._draft_problem):
            self._draft_problem = drafts.problem
            self.say(drafts.problem, "warning")

    def _writing(self, drafts: "Drafts") -> _Writing | None:
        """What has to be written; None when all is on disk as it is in the editor."""
        draft, place = self.main.prompt.unsent, self._draft_place()
        gone = tuple(self._drafts_gone)
        prompts = (*self.agent.with_person, *self._prompts_gone)
        if draft.is_blank:
            gone = gone if self._draft_number is None else (*gone, self._draft_number)
            write = partial(drafts.forget, gone, prompts)
            return _Writing(write, None, (place, draft), gone, prompts) if gone or prompts else None
        if self._draft_number is None:
            self._draft_number, self._draft_kept = drafts.new_number(), None
        elif self._draft_kept == (place, draft) and not gone and not prompts:
            return None
        write = partial(drafts.keep, self._draft_number, place, draft.to_json(), instead_of=gone, prompts=prompts)
        return _Writing(write, self._draft_number, (place, draft), gone, prompts)

    def _is_written(self, writing: _Writing | None) -> None:
        if writing is None:
            return
        if writing.number is None and self._draft_number in writing.drafts:
            self._draft_number = self._draft_kept = None
        elif writing.number == self._draft_number:
            self._draft_kept = writing.kept
        self._drafts_gone.difference_update(writing.drafts)
        self._prompts_gone.difference_update(writing.prompts)
        self.agent.is_elsewhere(writing.prompts)

    async def _open_drafts(self) -> "Drafts":
        if self._drafts is None:
            self._drafts = await anyio.to_thread.run_sync(_open)
        return self._drafts

    def _draft_place(self) -> "Place":
        from pitui.store.drafts import Place

        return Place(self.session.file, str(self.agent.cwd))

    # coming back

    def look_for_draft(self) -> None:
        """Bring back what was written in this session and never sent, once it is known which session that is."""
        if self.session.id and not self._draft_looked_for:
            self._draft_looked_for = True
            self.run_worker(self._look_for_draft(), name="draft", group="drafts")
        elif self._draft_kept:
            self._keep_draft_soon()  # the session may be another one

    async def _look_for_draft(self) -> None:
        async with self._draft_lock:
            await self._restore()
            drafts = await self._open_drafts()
            place = self._draft_place()
            left = await anyio.to_thread.run_sync(drafts.elsewhere, place)
        if here := [draft for draft in left if draft.place.folder == place.folder]:
            await self._tell_of(here)

    async def _tell_of(self, left: "Sequence[Left]") -> None:
        """Say in one line that drafts wait in other sessions of the folder."""
        file = await anyio.to_thread.run_sync(read_session, Path(left[0].place.session_file))
        count = len({draft.place for draft in left})
        way = f"/resume {file.name}" if file.name and len(file.name) <= LONGEST_NAME else "/resume"
        told = partial((MANY_ELSEWHERE if count > 1 else ONE_ELSEWHERE).format, count=count, way=way)
        room = self.size.width - len(told(title="“”", words="“”")) - 4
        title = quoted(file.title, max(SHORTEST, min(room // 2, LIMIT)))
        words = quoted(left[0].words, max(SHORTEST, room - len(title) + 2)) if left[0].words.strip() else NO_WORDS
        self.say(told(title=title, words=words), lasting=True, seconds=ELSEWHERE_SECONDS)

    async def waiting_elsewhere(self) -> Mapping[str, str]:
        """What waits in which other session files, in words."""
        drafts, place = await self._open_drafts(), self._draft_place()
        left = await anyio.to_thread.run_sync(drafts.elsewhere, place)
        written = {draft.place.session_file for draft in left}
        sent = self.agent.undelivered
        return {
            str(await anyio.Path(file).resolve()): _waiting(file in written, sent.get(file, 0))
            for file in {*written, *sent}
        }

    async def _restore(self) -> None:
        """Write the drafts of this place above what is in the editor, and keep all of it as one."""
        drafts, prompt = await self._open_drafts(), self.main.prompt
        found = await anyio.to_thread.run_sync(drafts.take, self._draft_place())
        self._tell_problem(drafts)
        at_hand = {*self._drafts_leaving, *self._drafts_gone, *filter(None, [self._draft_number])}  # as it is by now
        back: list[Draft] = []
        numbers: list[int] = []
        for kept in (kept for kept in found if kept.number not in at_hand):
            with suppress(ValueError):
                draft = Draft.from_json(kept.parts)
                if kept.edited is not None:
                    edited = folded(kept.edited, draft.images, draft.chips)
                    draft = edited if draft.text in edited.text else Draft.of(*draft.parts, "\n\n", *edited.parts)
                numbers.append(kept.number)
                if draft.text.strip() not in ("", prompt.written.text.strip()) or draft.images:
                    back.append(draft)
        for draft in reversed(back):
            prompt.put_above(draft)
        if numbers:
            await self._write_draft(numbers)
            if not drafts.fails:
                await anyio.to_thread.run_sync(drafts.forget_edited)
        if back:
            self.main.activity.hint(RESTORED, RESTORED_SECONDS)

    def take_returned(self) -> None:
        """Write what has come back from the outbox above what is in the editor."""
        if not self._holds_back:
            for returned in reversed(self.agent.rescue()):
                self.main.prompt.give_back([returned.text], returned.images)

    # leaving

    @contextmanager
    def holding_back(self) -> Generator[None, None, None]:
        """What comes back from the outbox waits: all that is in the prompt is about to be replaced."""
        self._holds_back = True
        try:
            yield
        finally:
            self._holds_back = False
            self.take_returned()

    async def change_drafts(self, place: "Place", left: Draft) -> None:
        """Another session is open: what was `left` in the one before stays there, and what was left here comes back.

        What was written meanwhile is for this one.
        """
        async with self._draft_lock:
            prompt, drafts = self.main.prompt, await self._open_drafts()
            if prompt.written == left and not left.is_blank:
                number = self._draft_number or drafts.new_number()
                prompts = self.agent.with_person
                self._draft_number = self._draft_kept = None
                prompt.go_on_writing()
                prompt.show(Draft())
                keep = partial(drafts.keep, number, place, left.to_json(), prompts=prompts)
                await anyio.to_thread.run_sync(keep)
                self.agent.is_elsewhere(prompts)
            await self._restore()

    def draft_left(self) -> "tuple[Place, Draft]":
        """What `change_drafts` is to be told after another session was opened."""
        return self._draft_place(), self.main.prompt.written

    def send_draft(self, draft: Draft) -> Written:
        """This has left the editor and is about to be sent. It is on disk from now on, until it is let go."""
        self.main.prompt.is_taken(draft)
        prompts = self.agent.with_person
        self.agent.is_elsewhere(prompts)
        number, kept = self._draft_number, self._draft_kept
        self._draft_number = self._draft_kept = None
        if self._drafts is not None and not draft.is_blank:
            number = number or self._drafts.new_number()
            self._drafts_leaving.add(number)
            if kept != (self._draft_place(), draft):
                self._keep_beside(number, lambda: draft)
        self._keep_draft_now()  # what was written since
        return Written([number] if number else [], prompts)

    def let_go(self, written: Written) -> None:
        """It is in the outbox, or in the editor again, or done with."""
        self._drafts_leaving.difference_update(written.drafts)
        self._drafts_gone.update(written.drafts)
        self._prompts_gone.update(written.prompts)
        self._keep_draft_soon()

    @property
    def file_to_edit(self) -> Path | None:
        """Where another editor may have what is written, for the next pitui to find."""
        return self._drafts.file_to_edit if self._drafts is not None else None

    @contextmanager
    def another_draft(
        self, read: Callable[[], Draft]
    ) -> Generator[tuple[Sequence[int], Callable[[], None]], None, None]:
        """Something else that is written, which `read` gives: gives its number, and what to call when it has changed.

        It comes back into the prompt if pitui ends before this is left.
        """
        if self._drafts is None:
            yield [], lambda: None
            return
        number = self._drafts.new_number()
        self._drafts_leaving.add(number)
        try:
            yield [number], lambda: self._keep_beside(number, read)
        except Exception:
            self.let_go(Written([number]))
            raise
        self.let_go(Written([number]))

    def _keep_beside(self, number: int, read: Callable[[], Draft]) -> None:
        """Have what `read` gives on disk, beside what is in the prompt."""
        keep = partial(self._drafts.keep, number, self._draft_place()) if self._drafts else None
        if keep and not keep(read().to_json(), waits=False):

            async def keep_in_turn() -> None:
                async with self._draft_lock:
                    await anyio.to_thread.run_sync(keep, read().to_json())

            self.run_worker(keep_in_turn(), name="draft", group="drafts")

    @property
    def drafts_fail(self) -> bool:
        """Whether nothing that is written can be kept now."""
        return self._drafts is not None and self._drafts.fails

    async def close_drafts(self) -> None:
        """Write down what is not written yet, and leave it to the next pitui; where that cannot be, to the terminal."""
        with anyio.move_on_after(LEAVING_SECONDS) as leaving:
            async with self._draft_lock:
                if self._drafts is not None or not self.main.prompt.unsent.is_blank:
                    await self._write_draft()
                if self._drafts is not None and self.agent.journal is None:
                    await anyio.to_thread.run_sync(self._drafts.close)
        if leaving.cancelled_caught or self.drafts_fail:
            texts = [*(prompt.text for prompt in self.agent.queue), self.main.prompt.unsent.text]
            if words := "\n\n".join(text for text in texts if text.strip()):
                self.say(f"{NOT_KEPT}\n\n{words}\n")


def _waiting(has_draft: bool, prompts: int) -> str:
    sent = f"{prompts} prompts" if prompts > 1 else "a prompt"
    if has_draft:
        return f"a draft waits with {sent}" if prompts else "a draft waits"
    return f"{sent} wait" if prompts > 1 else f"{sent} waits"


def _open() -> "Drafts":
    from pitui.store.drafts import Drafts
    from pitui.store.shelf import Shelf

    return Drafts(Shelf(state_folder()))
