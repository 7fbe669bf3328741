"""Getting pi a model: logging in and out with pi's own command, and what else there is."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple, cast

import anyio.to_thread
from rich.text import Text

from pitui.agent import AgentError
from pitui.pi.folders import agent_folder
from pitui.pi.logins import key_variables, known_providers, stored_logins
from pitui.quoting import quoted
from pitui.render.text import clean
from pitui.ui.intents.agent_app import NOT_LENT, intent
from pitui.ui.intents.model import ModelIntents
from pitui.ui.screens.page import PageScreen, in_columns
from pitui.ui.screens.picker import Choice
from pitui.ui.widgets.status import shortened

ELSEWHERE = "pi may run on another machine: log in there, with “pi auth login PROVIDER”."
BUILT_IN = "The demo needs no login: its models are built in."
TOO_OLD = "This pi cannot log in from outside; 1.5.1 and later can. Type /login in pi itself, then /restart here."
STDERR = 2
LEFT = b"Login cancelled"
"""What pi says of a login that was ended with Ctrl+C; its exit code is that of any other failure."""
API_KEY, NO_BROWSER = OPTIONS = ("--api-key", "--no-browser")
"""What pi's command takes beside the provider."""
KEYS, SERVER = "\\keys", "\\server"
"""No providers, but what else there is to choose."""
MODELS_FILE = """\
A server of your own is told of in {file}:

{{
  "providers": {{
    "ollama": {{
      "baseUrl": "http://localhost:11434/v1",
      "api": "openai-completions",
      "apiKey": "none",
      "models": [{{ "id": "qwen2.5-coder:7b" }}]
    }}
  }}
}}

Then /model lists its models. pi's documents tell more in models-configuration.md."""


class LoginIntents(ModelIntents):
    @intent
    async def action_login(self, argument: str = "") -> None:
        command = self._pi_command()
        if not command:
            return
        providers = await known_providers(command)
        if not providers:
            self.say(TOO_OLD, "warning")
            return
        words = argument.split()
        options = [word for word in words if word.startswith("-")]
        name = " ".join(word for word in words if word not in options)
        if unknown := [option for option in options if option not in OPTIONS]:
            self.say(f"/login takes {' or '.join(OPTIONS)}, and not {quoted(' '.join(unknown))}.", "warning")
            return
        if name and name not in providers:
            self.say(f"pi knows no provider {quoted(name)}; choose one.", "warning")
        chosen = name if name in providers else await self._pick_provider(providers)
        match chosen:
            case None:
                pass
            case str() if chosen == KEYS:
                await self._show_keys(command)
            case str() if chosen == SERVER:
                file = shortened(agent_folder() / "models.json")
                await self.push_screen_wait(PageScreen("A server of your own", Text(MODELS_FILE.format(file=file))))
            case _:
                way = options or await self._pick_way(chosen)
                if way is not None:
                    await self._run(command, "login", chosen, way)

    @intent
    async def action_logout(self, argument: str = "") -> None:
        command = self._pi_command()
        if not command:
            return
        stored = sorted(await anyio.to_thread.run_sync(stored_logins, agent_folder()))
        if argument and argument not in stored:
            self.say(f"Nothing is stored for {quoted(argument)}.", "warning")
        choices = [Choice(name, clean(name)) for name in stored]
        chosen = argument if argument in stored else await self.pick("Log out of", choices, empty="Nothing is stored.")
        if chosen:
            await self._run(command, "logout", chosen)

    def _pi_command(self) -> Sequence[str]:
        """How to run pi by itself; nothing, and that is said, where it cannot be."""
        command = self.agent.launch.command
        if not command:
            self.say(BUILT_IN if "pitui.demo" in self.agent.launch.argv else ELSEWHERE, "warning")
        elif not self.can_lend_terminal:
            self.say(NOT_LENT, "warning")
            return ()
        return command

    async def _pick_provider(self, providers: Sequence[str]) -> str | None:
        stored = await anyio.to_thread.run_sync(stored_logins, agent_folder())
        choices = [
            Choice(name, name, "logged in" if name in stored else "", current=name in stored) for name in providers
        ]
        more = (
            Choice(KEYS, "A key from the environment", "which variables pi looks into"),
            Choice(SERVER, "A server of your own", "such as ollama or llama.cpp"),
        )
        return await self.pick("Log in to", [*choices, *more], highlighted=0)

    async def _pick_way(self, provider: str) -> Sequence[str] | None:
        """The options of pi's command for the way that the person wants, where there are two; None for no way."""
        try:
            ways = await self.agent.login_ways(provider)
        except AgentError:
            return ()  # pi's own first way, then
        if not (ways.account and ways.api_key):
            return ()
        choices: list[Choice[Sequence[str]]] = [
            Choice((), "With an account", "in the browser"),
            Choice((API_KEY,), "With an API key"),
        ]
        return await self.pick(f"Log in to {provider}", choices)

    async def _show_keys(self, command: Sequence[str]) -> None:
        variables = await anyio.to_thread.run_sync(key_variables, command)
        rows = [("Set one of them before pitui is started.", ""), ("", ""), *((name, of) for of, name in variables)]
        await self.push_screen_wait(PageScreen("Keys from the environment", in_columns(rows)))

    async def _run(self, command: Sequence[str], what: str, provider: str, options: Sequence[str] = ()) -> None:
        ending = await self.lend_terminal(_in_terminal([*command, "auth", what, provider, *options]))
        self.clear_notifications()  # of what was missing before
        if ending.left:
            self.say(f"The {what} was left.")
        elif ending.code:
            self.say(f"The {what} {'to' if what == 'login' else 'of'} {provider} did not succeed.", "warning")
        elif self.agent.companion.missing:
            self.say("It holds when pi is started again: /restart")
        else:
            await self._take_up(what, provider)

    async def _take_up(self, what: str, provider: str) -> None:
        """Have the pi that runs see what has changed; one that had no model gets one."""
        await self.agent.refresh_models()
        models = await self.agent.models()
        if what == "login" and not any(model.provider == provider for model in models):
            again = f"/login {provider} asks again."
            self.say(f"No model of {provider} can be used yet: was the key empty? {again}", "warning")
        elif models and self.session.has_no_model:
            await self._get_model()
        else:
            can = f"{len(models)} model{'' if len(models) == 1 else 's'} can be used now."
            self.say(f"{can} /model chooses one." if models else can)

    async def _get_model(self) -> None:
        """The one that pi takes at its start. Where it would forget something, the person chooses."""
        if not self.session.blocks:
            await self.agent.restart()
            await self.agent.until_loaded()
        model = self.session.model
        if model is None or self.session.has_no_model:
            self.action_model_pick()
        else:
            self.say(f"Model: {model.provider}/{model.id}. /model chooses another.")


class Ending(NamedTuple):
    """How a command of pi ended: its exit code, and whether the person has left it."""

    code: int
    left: bool


async def _in_terminal(command: Sequence[str]) -> Ending:
    """When it failed by itself, what it said stays to be read until Enter."""
    process = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
    errors = await _pass_on(cast(asyncio.StreamReader, process.stderr))
    code = await process.wait()
    left = LEFT in errors or code == -signal.SIGINT
    if code and not left:
        sys.__stdout__.write("\nEnter goes back to pitui. ") if sys.__stdout__ else None
        await anyio.to_thread.run_sync(sys.stdin.readline)
    return Ending(code, left)


async def _pass_on(errors: asyncio.StreamReader) -> bytes:
    """All of it, written where it would be seen without us."""
    heard = b""
    while said := await errors.read(4096):
        heard += said
        os.write(STDERR, said)
    return heard
