"""Sessions: new ones, others, forks, names, facts."""

import os
from pathlib import Path

import anyio.to_thread

from pitui.agent import AgentError, Replacement
from pitui.quoting import brief
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.drafts import DraftIntents
from pitui.ui.screens.page import PageScreen, in_columns
from pitui.ui.screens.picker import Choice
from pitui.ui.theme import palette_of

CLONED = "Cloned: this is the copy."
FORKED = "A new session: change the prompt and send it. The old session is kept."
NO_WORDS = "(no words)"
NOTHING_SAID = "Nothing was said in this session yet."


class SessionIntents(DraftIntents):
    @intent
    async def action_session_new(self, argument: str = "") -> None:
        if await self.may_stop():
            self._replaced(await self.agent.new_session(), "A new session.")

    @intent
    async def action_session_clone(self, argument: str = "") -> None:
        if await self.may_stop():
            self._replaced(await self.agent.clone(), CLONED)

    def _path(self, typed: str) -> Path | None:
        return self.agent.cwd / Path(typed).expanduser() if typed else None

    @intent
    async def action_session_fork(self, argument: str = "") -> None:
        messages = await self.agent.fork_messages()
        choices = [
            Choice(message.entry_id, message.text if message.text.strip() else NO_WORDS)
            for message in reversed(messages)
        ]
        entry_id = await self.pick(
            "Fork: Enter starts a new session before this prompt, which you can change", choices, empty=NOTHING_SAID
        )
        if entry_id and await self.may_stop():
            self._replaced(await self.agent.fork(entry_id), FORKED)

    async def may_stop(self) -> bool:
        """Whether pi does nothing that would be stopped, or the person wants it stopped."""
        return not self.session.busy or bool(
            await self.ask("pi is working, and would be stopped.", ("Let it work", "Stop it, and go there"))
        )

    def _replaced(self, replacement: Replacement, done: str) -> None:
        """What was queued, and the forked prompt, go to the prompt."""
        prompt = self.main.prompt
        self.take_returned()
        if replacement.cancelled:
            self.say(replacement.reason, "warning")
            return
        if replacement.images or prompt.text != replacement.text:  # else it is there already, from a move before
            prompt.give_back([replacement.text], replacement.images)
        self.say(done)

    @intent
    async def action_session_name(self, argument: str = "") -> None:
        name = self.session.name
        if argument:
            await self.agent.rename(argument)
            self.say(f"This session is called {brief(argument)} now.")
        elif not name:
            self.say("This session has no name; /name NAME gives it one.")
        elif self.agent.companion.missing:
            self.say(f"This session is called {brief(name)}.")
        elif await self.ask(f"This session is called {brief(name)}.", ("Keep the name", "Take it away")):
            await self.agent.clear_name()
            self.say("This session has no name any more.")

    @intent
    async def action_pi_reload(self, argument: str = "") -> None:
        await self.agent.reload()
        self.say("Extensions, skills, prompt templates, context files and settings are loaded again.")

    @intent
    async def action_changes(self, argument: str = "") -> None:
        from pitui.ui.screens.changes import ChangesScreen

        if self.pane_screens:
            return
        palette, sides = palette_of(self.current_theme), self.main.transcript.viewport.sides
        screen = ChangesScreen(self.session, str(self.agent.cwd), palette, sides=sides, keys=self.pane_keys)
        if (block_id := await self.push_screen_wait(screen)) is not None:
            self.main.show_block(block_id)

    @intent
    async def action_context(self, argument: str = "") -> None:
        from pitui.ui.screens.context import ContextScreen

        reserve = await self._reserve() if self.agent.launch.command else None  # else pi's settings are not here
        if self.pane_screens:
            return
        if self.session.busy:
            self._look_at_tree()
        screen = ContextScreen(self.session, palette_of(self.current_theme), reserve=reserve, keys=self.pane_keys)
        if (block_id := await self.push_screen_wait(screen)) is not None:
            self.main.show_block(block_id)

    async def _reserve(self) -> int:
        from pitui.pi.reserve import reserve_tokens

        model, launch = self.session.model, self.agent.launch
        name = f"{model.provider}/{model.id}" if model else ""
        environ = launch.environment or os.environ
        return await anyio.to_thread.run_sync(reserve_tokens, name, self.agent.cwd, launch.argv, environ)

    @intent
    async def _look_at_tree(self) -> None:
        """Have what was said in a run that goes on, as far as it has ended."""
        await self.agent.look_at_tree()

    @intent
    async def action_session_facts(self, argument: str = "") -> None:
        from pitui.ui.screens.info import info_rows

        await self.agent.stats()
        missing, info = self.agent.companion.missing, None
        if not missing:
            try:
                info = await self.agent.info()
            except AgentError as error:
                missing = str(error)
        rows = info_rows(self.session, str(self.agent.cwd), info, missing)
        await self.push_screen_wait(PageScreen("This session", in_columns(rows)))
