"""Talking to pi: prompts, shell commands, the queue, stopping, compaction."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

from textual import on

from pitui.actions import BY_SLASH
from pitui.agent import AgentError, Written
from pitui.quoting import brief
from pitui.session.blocks import CompactionBlock
from pitui.session.model import Phase
from pitui.ui.commands import is_known, read_command
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.writing import WritingIntents
from pitui.ui.screens.picker import Choice
from pitui.ui.widgets.prompt import Prompt
from pitui.ui.widgets.queue import MODES

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart

TWICE = 0.5
"""Seconds within which a second Esc in an empty prompt opens the tree: what pi takes for twice."""
WRITES_SETTINGS = "This is kept in pi's settings."


class RunIntents(WritingIntents):
    _escaped_at = float("-inf")

    async def perform(self, action_id: str, argument: str = "") -> None:
        """Do an action of the table, if it makes sense now."""
        raise NotImplementedError

    # what the person sends

    @on(Prompt.Submitted)
    def _take(self, event: Prompt.Submitted) -> None:
        text = event.text.strip()
        typed = read_command(text)
        written = self.send_draft(event.draft)
        if typed and typed.name in BY_SLASH:
            self._run_action(typed.name, typed.argument, event)
            self.let_go(written)
        elif self.session.phase is Phase.ENDED:
            self.main.prompt.give_back([event.text], event.images)
            self.let_go(written)
            self._restart()
        elif text.startswith("!") and text.strip("!"):
            self._run_shell(event.text, written)
        elif typed:
            self._send_command(typed.name, event, written)
        elif text or event.images:
            self._send(event.text, event.images, event.follow_up, written)
        else:
            self.let_go(written)

    @intent
    async def _send(self, text: str, images: "Sequence[ImagePart]", follow_up: bool, written: Written) -> None:
        self.main.transcript.end()  # a person wants to see what they have said
        if images and self.warn_if_blind():
            self.main.prompt.give_back([text], images)
            self.let_go(written)
            return
        known = self.session.last_notice
        try:
            await self.agent.submit(text, images, follow_up=follow_up, written=written)
        except AgentError:
            if not any(notice.number > known and notice.level == "error" for notice in self.session.notices):
                raise  # else the session tells of it
        finally:
            self.let_go(written)

    @intent
    async def _run_shell(self, text: str, written: Written) -> None:
        self.main.transcript.end()
        self.let_go(written)  # or it would come back after it has run
        typed = text.strip()
        try:
            await self.agent.bash(typed.lstrip("!").strip(), excluded=typed.startswith("!!"))
        except AgentError:
            self.main.prompt.give_back([text])
            raise

    @intent
    async def _run_action(self, name: str, argument: str, event: Prompt.Submitted) -> None:
        self.main.prompt.give_back([], event.images)
        await self.perform(BY_SLASH[name].id, argument)

    @intent
    async def _send_command(self, name: str, event: Prompt.Submitted, written: Written) -> None:
        """One of pi's own; what pi does not know the model gets only if the person wants it."""
        await self.agent.until_loaded()
        if not is_known(self.session, name):
            prompt = self.main.prompt
            prompt.give_back([event.text], event.images)
            self.let_go(written)
            question = f"pi has no command /{brief(name)}. Should the model get it as text?"
            if not await self.main.ask(question, ("Go on editing", "Send as text")) or prompt.draft != event.draft:
                return
            prompt.empty()
            written = self.send_draft(event.draft)
        self._send(event.text, event.images, event.follow_up, written)

    def action_prompt_follow_up(self, argument: str = "") -> None:
        self.main.prompt.submit(follow_up=True)

    # stopping

    def action_interrupt(self, argument: str = "") -> None:
        if self.main.close_something():
            return
        if self.session.busy or self.session.bashes or self.session.sending:
            self._interrupt()
        elif not self.main.prompt.text:
            self._escaped_from_nothing()

    def _escaped_from_nothing(self) -> None:
        """Esc had nothing to close and nothing to stop: a second one opens the tree, as in pi."""
        now = self.agent.clock()
        again, self._escaped_at = now - self._escaped_at < TWICE, now
        if again:
            self._escaped_at = float("-inf")
            self.main.call_later(self.perform, "session.tree")

    @intent
    async def _interrupt(self) -> None:
        if self.session.busy or self.session.bashes:
            self.main.activity.stopping()
        for returned in reversed(await self.agent.interrupt()):
            self.main.prompt.give_back([returned.text], returned.images)

    @intent
    async def action_queue_take_back(self, argument: str = "") -> None:
        queued = any(self.agent.queue)
        for returned in reversed(await self.agent.take_queue_back()):
            self.main.prompt.give_back([returned.text], returned.images)
        if not queued:
            self.say("Nothing is queued.")

    # how pi runs

    @intent
    async def action_compact(self, argument: str = "") -> None:
        known = {block.id for block in self.session.blocks}
        try:
            await self.agent.compact(argument)
        except AgentError:
            if not any(isinstance(block, CompactionBlock) and block.id not in known for block in self.session.blocks):
                raise  # else the chat tells of it

    @intent
    async def action_steering(self, argument: str = "") -> None:
        mode = await self._mode(argument, "How steering is delivered", self.session.steering_mode)
        if mode:
            await self.agent.set_steering_mode(mode)
            self.say(f"Steering is delivered {MODES[mode]}. {WRITES_SETTINGS}")

    @intent
    async def action_follow_up_mode(self, argument: str = "") -> None:
        mode = await self._mode(argument, "How follow-ups are delivered", self.session.follow_up_mode)
        if mode:
            await self.agent.set_follow_up_mode(mode)
            self.say(f"Follow-ups are delivered {MODES[mode]}. {WRITES_SETTINGS}")

    async def _mode(self, argument: str, title: str, now: str) -> Literal["all", "one-at-a-time"] | None:
        chosen: str | None = argument
        if argument not in MODES:
            self.say_unknown(argument, MODES)
            choices = [Choice(mode, mode, said, current=mode == now) for mode, said in MODES.items()]
            chosen = await self.pick(f"{title} (kept in pi's settings)", choices)
        return cast("Literal['all', 'one-at-a-time'] | None", chosen)

    @intent
    async def action_auto_compact(self, argument: str = "") -> None:
        on = await self._on_or_off(argument, "Compact by itself when nearly full", self.session.auto_compaction)
        if on is not None:
            await self.agent.set_auto_compaction(on)
            self.say(f"pi compacts by itself{'' if on else ' no more'}. {WRITES_SETTINGS}")

    @intent
    async def action_auto_retry(self, argument: str = "") -> None:
        on = await self._on_or_off(argument, "Retry by itself after an error", None)
        if on is not None:
            await self.agent.set_auto_retry(on)
            self.say(f"pi retries by itself{'' if on else ' no more'}. {WRITES_SETTINGS}")

    async def _on_or_off(self, argument: str, title: str, now: bool | None) -> bool | None:
        if argument in ("on", "off"):
            return argument == "on"
        self.say_unknown(argument, ("on", "off"))
        choices = [Choice(True, "on", current=now is True), Choice(False, "off", current=now is False)]
        return await self.pick(f"{title} (kept in pi's settings)", choices)

    # starting again

    @intent
    async def action_pi_restart(self, argument: str = "") -> None:
        if self.session.phase is Phase.ENDED or await self.main.ask(
            "pi is running.", ("Let it run", "Stop it and start it again")
        ):
            self._restart()

    @intent
    async def _restart(self) -> None:
        await self.agent.restart()
