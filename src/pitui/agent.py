"""`Agent`: one pi and what a person can want of it. Intents go in, frames of changes come out; no screen is here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from pitui import rpc
from pitui.connection import PATIENCE, Connection
from pitui.launch import Launch
from pitui.outbox import Written
from pitui.pi import export
from pitui.pi.install import Version
from pitui.rpc.errors import PiGone, RequestError
from pitui.session import facts
from pitui.session.model import OpenDialog, Phase, Returned

if TYPE_CHECKING:
    from pitui.rpc import results
    from pitui.rpc.messages import ImagePart

__all__ = ["Agent", "AgentError", "Replacement", "Written"]

R = TypeVar("R")

AgentError = RequestError
"""What every intent raises when it could not be done; its text is for the person."""

REFUSED = "An extension refused it."
SUMMARY_CAN_BE_STOPPED = Version(0, 85, 0)


@dataclass(frozen=True, slots=True)
class Replacement:
    """How a change of session, or of the place in it, went.

    When it is `cancelled`, `reason` says why in a sentence. `text` and `images` are those of the prompt that was
    chosen, and belong into the editor; what was still queued has come back, for `Agent.rescue`.
    """

    cancelled: bool
    text: str = ""
    images: Sequence[ImagePart] = ()
    reason: str = ""


class Agent(Connection):
    """A connection that carries out what the person wants.

    Every intent raises AgentError, in words for the person, when it cannot be done.
    """

    # Prompts and the queue -----------------------------------------------------------------------------------------

    async def submit(
        self,
        text: str,
        images: Sequence[ImagePart] = (),
        *,
        follow_up: bool = False,
        written: Written | None = None,
    ) -> bool:
        """Send a prompt: at once when pi is idle, else as steering or as a follow-up.

        True when pi has taken it; False when it was given back meanwhile. When this raises, pi has not taken it, and
        it has come back too, for `rescue`. What was `written` is forgotten when this is on disk: by default whatever
        came back before.
        """
        try:
            self._require_sendable()
        except AgentError:
            self._outbox.hand_back(text, images, written)
            raise
        return await self._outbox.submit(text, images, follow_up=follow_up, written=written)

    async def take_queue_back(self) -> Sequence[Returned]:
        """Everything that is queued, in pi's order: steering, follow-ups, then what was not sent yet. pi goes on."""
        await self._empty_queue()
        return self.rescue()

    def rescue(self) -> Sequence[Returned]:
        """What has come back, each prompt once: it belongs into the editor.

        It is what the person took back, what pi had not said when it ended, and what an earlier pitui sent in vain. On
        disk it stays in the outbox until it is sent again, or is somewhere else: see `with_person`.
        """
        returned = list(self.session.returned)
        if returned:
            self._outbox.ledger.with_person.update(prompt.key for prompt in returned)
            self._apply(facts.Rescued())
        return returned

    @property
    def with_person(self) -> Collection[int]:
        """The keys of prompts that came back, and are on disk nowhere but in the outbox."""
        return tuple(self._outbox.ledger.with_person)

    @property
    def undelivered(self) -> Mapping[str, int]:
        """How many prompts wait in which files of other sessions of the folder, since their pitui has ended."""
        return self._outbox.elsewhere

    def is_elsewhere(self, prompts: Collection[int]) -> None:
        """These are on disk elsewhere, or were thrown away by the person."""
        self._outbox.ledger.with_person.difference_update(prompts)

    async def interrupt(self) -> Sequence[Returned]:
        """What Esc does: stop a bash command of the person, else clear the queue and then stop pi.

        Gives what was queued as soon as pi has handed it over; that pi is idle is told by the session. What the person
        holds back stays where it is.
        """
        if self.session.bashes:
            await self._request(rpc.requests.AbortBash())
            return []
        if not self.session.busy and not self.session.sending:
            return []
        version = Version.parse(self.session.version) or SUMMARY_CAN_BE_STOPPED
        if self.session.phase is Phase.SUMMARIZING and version < SUMMARY_CAN_BE_STOPPED:
            self.notice("warning", f"pi {version} cannot stop a summary; pi {SUMMARY_CAN_BE_STOPPED} and later can.")
        stopping = False

        def stop() -> None:
            nonlocal stopping
            if not stopping:
                stopping = True
                self._tasks.start_soon(self._abort)

        try:
            await self.queue.take_back(then=stop, held=False)
        finally:
            stop()
        return self.rescue()

    async def _abort(self) -> None:
        try:
            await self._request(rpc.requests.Abort(), PATIENCE)
        except PiGone:
            return  # its end is shown by itself
        except AgentError as error:
            self.notice("error", f"pi did not stop: {error}")

    async def bash(self, command: str, *, excluded: bool = False) -> None:
        """Run a command of the person's; the session shows its output. Returns when it has ended."""
        self._require_writable()
        client = self._ready_client()
        request_id = client.next_id()
        self._apply(facts.BashStarted(request_id, command, excluded))
        try:
            result = await client.request(rpc.requests.Bash(command, excluded), timeout=None, id_=request_id)
        except AgentError as error:
            self._apply(facts.BashEnded(request_id, None, str(error)))
            raise
        self._apply(facts.BashEnded(request_id, result))
        self._refresh.set()

    # Dialogs -------------------------------------------------------------------------------------------------------

    async def answer(self, dialog: OpenDialog, answer: rpc.requests.Answer) -> None:
        """Answer an extension's question. One that is over already is left alone."""
        if dialog not in self.session.dialogs or self._client is None:
            return
        self._apply(facts.DialogClosed(dialog.request.id, _in_words(answer)))
        await self._client.answer(dialog.request.id, answer)

    # Sessions ------------------------------------------------------------------------------------------------------

    async def new_session(self) -> Replacement:
        return await self._replace(self._asking(rpc.requests.NewSession()))

    async def switch_session(self, path: Path) -> Replacement:
        """Open the session in `path`. One that does not exist is refused: pi would make it."""
        if not await anyio.Path(path).is_file():
            raise AgentError(f"there is no session file {path}")
        try:
            return await self._replace(self._asking(rpc.requests.SwitchSession(str(path))))
        except rpc.errors.RequestRefused as error:
            await self.restart()  # pi has left its session by then, takes prompts as ever, and answers none
            raise AgentError(f"{error}. pi was started again on the session before.") from error

    async def open_with(self, launch: Launch, path: Path) -> Replacement:
        """Open the session in `path` by another pi, that is started as `launch` says; the one that runs is stopped."""
        with self._outbox.paused():
            await self._dismiss_dialogs()
            await self._empty_queue()
            await self.restart(launch, path)
        return Replacement(False)

    async def fork(self, entry_id: str) -> Replacement:
        """A new session of what came before the user message `entry_id`, which is given back."""
        images = self._prompt_at(entry_id).images
        replacement = await self._replace(self._asking(rpc.requests.Fork(entry_id)))
        return replacement if replacement.cancelled else replace(replacement, images=images)

    async def fork_at(self, entry_id: str) -> Replacement:
        """A new session of what was said up to and with the entry, whatever it is. Takes the companion."""
        self.companion.require()
        fork = partial(self.companion.ask, "fork_at", rpc.results.Cancelled, PATIENCE, entry_id=entry_id)
        return await self._replace(fork)

    async def clone(self) -> Replacement:
        return await self._replace(self._asking(rpc.requests.Clone()))

    async def reopen(self) -> Replacement:
        """Open the session anew: pi reads its file again, with what others have written into it."""
        return await self.switch_session(Path(self.session.file))

    async def save_anew(self) -> Replacement:
        """Go on in a new file with all that pi knows of this session, whatever became of its own file."""
        found = await self._request(rpc.requests.GetRawEntries())
        file = Path(self.session.file)
        session = export.Exported(self.session.id, self.cwd, found.entries, found.leaf_id)
        return await self.switch_session(await self._in_thread(partial(export.save_anew, file, session)))

    async def _in_thread(self, write: Callable[[], R]) -> R:
        try:
            return await anyio.to_thread.run_sync(write)
        except export.ExportError as error:
            raise AgentError(str(error)) from error

    def _asking(self, request: rpc.requests.Request[R]) -> Callable[[], Awaitable[R]]:
        return partial(self._request, request, PATIENCE)

    async def _replace(self, ask: Callable[[], Awaitable[results.Cancelled]]) -> Replacement:
        """pi keeps the open dialogs and the queue of a session it leaves, and says nothing when it has left."""
        with self._outbox.paused():
            return await self._replace_now(ask)

    async def _replace_now(self, ask: Callable[[], Awaitable[results.Cancelled]]) -> Replacement:
        await self._dismiss_dialogs()
        await self._empty_queue()
        self._replacing, self._unloaded = True, False
        try:
            with self._awaited():
                answer = await ask()
        finally:
            self._replacing = False
        if answer.cancelled:
            return Replacement(True, reason=REFUSED)
        self._apply(facts.Replaced(extensions_loaded=self._unloaded))
        await self._load(self._loads_again())
        text = answer.text if isinstance(answer, rpc.results.Forked) else ""
        return Replacement(False, text)

    async def _empty_queue(self) -> None:
        if self.session.phase is not Phase.ENDED:
            await self.queue.take_back()

    async def _dismiss_dialogs(self) -> None:
        for dialog in list(self.session.dialogs):
            await self.answer(dialog, rpc.requests.Dismissed())

    def _prompt_at(self, entry_id: str) -> Returned:
        """What the person, or an extension for them, said in an entry; nothing when it is another kind of entry."""
        match self.session.entries.get(entry_id):
            case rpc.messages.MessageEntry(message=rpc.messages.UserMessage(content=content)):
                pass
            case rpc.messages.CustomMessageEntry(content=content):
                pass
            case _:
                return Returned("")
        images = tuple(part for part in content if isinstance(part, rpc.messages.ImagePart))
        return Returned(rpc.messages.text_of(content), images)

    # The tree and what else the companion does: without it these raise AgentError, which says why --------------------

    async def look_at_tree(self) -> None:
        """Have the entries that pi has written since it began to work; else they come when it is done."""
        await self._load_entries(whole=False)

    async def navigate(self, entry_id: str, *, summary: bool = False, instructions: str = "") -> Replacement:
        """Go on from another entry in this session; a run is stopped first. Esc cancels a `summary` of what is left.

        At a prompt pi goes to the place before it: the prompt is given back, to be changed and sent again.
        """
        self.companion.require()
        if summary:
            self._require_writable()
        with self._outbox.paused():
            return await self._navigate(entry_id, summary, instructions)

    async def _navigate(self, entry_id: str, summary: bool, instructions: str) -> Replacement:
        prompt = self._prompt_at(entry_id)
        if self.session.busy or self.session.sending:
            await self._empty_queue()
            await self._request(rpc.requests.Abort(), PATIENCE)
        await self._load_entries(whole=False)  # so that it is known which branch each block is on
        with self._awaited():
            moved = await self._move(entry_id, summary, instructions)
        if moved.cancelled:
            return Replacement(True, reason="Cancelled: nothing has moved." if moved.aborted else REFUSED)
        return Replacement(False, prompt.text, prompt.images)

    async def _move(self, entry_id: str, summary: bool, instructions: str) -> results.Moved:
        how = {"entry_id": entry_id, "summarize": summary, "instructions": instructions or None}
        if summary:
            self._apply(facts.BranchSummaryStarted())
        try:
            moved = await self.companion.ask("navigate", rpc.results.Moved, PATIENCE, **how)
        finally:
            if summary:
                self._apply(facts.BranchSummaryEnded())
        await self._load_entries(whole=False)
        self._refresh.set()
        return moved

    async def label(self, entry_id: str, label: str) -> None:
        """Put a label on an entry; an empty one takes it off."""
        self._require_writable()
        await self.companion.ask("label", rpc.results.Nothing, entry_id=entry_id, label=label)
        await self._load_entries(whole=False)

    async def clear_name(self) -> None:
        """Take the session's name away."""
        self._require_writable()
        await self.companion.ask("clear_name", rpc.results.Nothing)
        await self._load_entries(whole=False)

    async def info(self) -> results.Info:
        """The folder, trust, context files, skills, tools and models in scope of pi as it is now."""
        return await self.companion.ask("info", rpc.results.Info)

    async def reload(self) -> None:
        """Load extensions, skills, prompt templates, context files and settings again; refused while pi is busy."""
        self.companion.require()
        await self._dismiss_dialogs()
        await self.companion.ask("reload", rpc.results.Nothing, PATIENCE)
        await self._load(self._loads_again())

    async def refresh_models(self) -> results.ModelsRefreshed:
        """Look again which models can be used, as after a login; nothing is asked of the network."""
        return await self.companion.ask("refresh_models", rpc.results.ModelsRefreshed)

    async def login_ways(self, provider: str) -> results.LoginWays:
        return await self.companion.ask("login_ways", rpc.results.LoginWays, provider=provider)

    async def set_tools(self, names: Sequence[str]) -> Sequence[str]:
        """Declare just these tools to the model; those that are declared then. An unknown one is refused."""
        self._require_writable()
        return (await self.companion.ask("set_tools", rpc.results.ActiveTools, tools=list(names))).active

    # Facts and files ------------------------------------------------------------------------------------------------

    async def fork_messages(self) -> Sequence[results.ForkMessage]:
        return (await self._request(rpc.requests.GetForkMessages())).messages

    async def rename(self, name: str) -> None:
        """Name the session; an empty name is refused by pi."""
        self._require_writable()
        await self._request(rpc.requests.SetSessionName(name))
        self._refresh.set()

    async def export_html(self, path: Path | None = None) -> Path:
        """Where pi wrote the session as HTML."""
        found = await self._request(rpc.requests.ExportHtml(str(self.cwd / path) if path else None), PATIENCE)
        return self.launch.cwd / found.path  # where pi was started, if it chose the name

    async def export_jsonl(self, path: Path, *, replace: bool = False) -> None:
        """Write the active branch as a session file, as pi's own ``/export x.jsonl`` does."""
        found = await self._request(rpc.requests.GetRawEntries())
        session = export.Exported(self.session.id, self.cwd, found.entries, found.leaf_id)
        await self._in_thread(partial(export.export_branch, path, session, replace=replace))

    async def last_answer(self) -> str | None:
        """The text of the last answer; None when there is none."""
        return (await self._request(rpc.requests.GetLastAssistantText())).text

    async def stats(self) -> results.Stats:
        stats = await self._request(rpc.requests.GetSessionStats())
        self._apply(stats)
        return stats

    # Model, thinking, modes ----------------------------------------------------------------------------------------

    async def models(self) -> Sequence[results.Model]:
        found = await self._request(rpc.requests.GetAvailableModels())
        self._apply(found)
        return found.models

    async def set_model(self, provider: str, model_id: str) -> results.Model:
        """Use this model in this session."""
        self._require_writable()
        model = await self._request(rpc.requests.SetModel(provider, model_id))
        await self._model_changed(model)
        return model

    async def cycle_model(self, *, backward: bool = False) -> results.Model | None:
        """The next or the previous model; None when there is only one. pi knows forward alone."""
        self._require_writable()
        if backward:
            models = list(await self.models())
            now = self.session.model
            at = next((i for i, m in enumerate(models) if now and (m.provider, m.id) == (now.provider, now.id)), 0)
            if len(models) < 2:
                return None
            return await self.set_model(models[at - 1].provider, models[at - 1].id)
        choice = await self._request(rpc.requests.CycleModel())
        if choice is None:
            return None
        await self._model_changed(choice.model)
        return choice.model

    async def _model_changed(self, model: results.Model) -> None:
        self._apply(model)
        self._apply(await self._request(rpc.requests.GetState()))

    async def thinking_levels(self) -> Sequence[str]:
        return (await self._request(rpc.requests.GetAvailableThinkingLevels())).levels

    async def set_thinking_level(self, level: str) -> None:
        """Refused when the model does not have it: pi would turn thinking off without a word."""
        self._require_writable()
        levels = await self.thinking_levels()
        if level not in levels:
            raise AgentError(f"this model thinks at: {', '.join(levels)}; not at {level!r}")
        await self._request(rpc.requests.SetThinkingLevel(level))
        self._apply(rpc.records.ThinkingLevelChanged(level=level))

    async def cycle_thinking_level(self) -> str | None:
        """The next level; None when the model does not think."""
        self._require_writable()
        choice = await self._request(rpc.requests.CycleThinkingLevel())
        if choice is not None:
            self._apply(rpc.records.ThinkingLevelChanged(level=choice.level))
        return choice.level if choice else None

    async def set_steering_mode(self, mode: rpc.requests.QueueMode) -> None:
        """Writes the person's settings of pi."""
        await self._request(rpc.requests.SetSteeringMode(mode))
        self._apply(await self._request(rpc.requests.GetState()))

    async def set_follow_up_mode(self, mode: rpc.requests.QueueMode) -> None:
        """Writes the person's settings of pi."""
        await self._request(rpc.requests.SetFollowUpMode(mode))
        self._apply(await self._request(rpc.requests.GetState()))

    async def set_auto_compaction(self, enabled: bool) -> None:
        """Writes the person's settings of pi."""
        await self._request(rpc.requests.SetAutoCompaction(enabled))
        self._apply(await self._request(rpc.requests.GetState()))

    async def set_auto_retry(self, enabled: bool) -> None:
        """Writes the person's settings of pi, which has no way to ask how it stands."""
        await self._request(rpc.requests.SetAutoRetry(enabled))

    async def compact(self, instructions: str = "") -> None:
        """Replace the older part of the conversation, as the model sees it, by a summary. Esc cancels it."""
        self._require_writable()
        await self._request(rpc.requests.Compact(instructions or None), PATIENCE)


def _in_words(answer: rpc.requests.Answer) -> str:
    match answer:
        case rpc.requests.Value(value):
            return value
        case rpc.requests.Confirmed(confirmed):
            return "yes" if confirmed else "no"
        case rpc.requests.Dismissed():
            return "dismissed"
