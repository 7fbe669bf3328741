"""One run of pitui: pi, the screen inside it, what may end them, and what is said afterwards."""

import asyncio
import importlib
import shlex
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio

from pitui.actions import clashes, keys_in_force
from pitui.agent import Agent, Launch
from pitui.config import load_settings, settings_file
from pitui.pi.ending import explain_ending
from pitui.pi.folders import agent_folder
from pitui.pi.install import too_old
from pitui.pi.keybindings import read_keybindings
from pitui.pi.probe import ask_version
from pitui.pi.problem import Problem
from pitui.rpc.process import PiProcess, Transport

if TYPE_CHECKING:
    from pitui.ui.app import PituiApp

LEFT, FAILED, SIGNALLED = 0, 1, 128
MOUSE_IN_CELLS = "\x1b[?1016l"
"""Textual 8.2 asks for the mouse in pixels where the terminal has them, and does not take it back."""


class Outcome(NamedTuple):
    """The exit code, and what to write on the normal screen."""

    code: int
    text: str = ""


def taking_over(process: subprocess.Popen[bytes]) -> Callable[[Launch], Awaitable[Transport]]:
    """How an agent comes to its pi: the first is `process`, which runs already; later ones are started."""
    running = [process]

    async def connect(launch: Launch) -> Transport:
        return (
            PiProcess(running.pop()) if running else await PiProcess.spawn(launch.argv, launch.cwd, launch.environment)
        )

    return connect


class Lifetime:
    """One agent and its screen.

    `ask_command` is what to ask for the version of pi when no file tells it. With `resume` the sessions come first.
    `theme` goes before the one of the settings.
    """

    def __init__(self, agent: Agent, *, ask_command: Sequence[str] = (), resume: bool = False, theme: str = "") -> None:
        self._agent = agent
        self._ask_command = ask_command
        self._resume = resume
        self._theme = theme
        self._app: PituiApp | None = None
        self._scope: anyio.CancelScope
        self._code = LEFT
        self._problem: Problem | None = None

    async def run(self) -> Outcome:
        """From starting pi to its end; there is no child left when this returns."""
        with anyio.CancelScope() as self._scope:
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self._leave, SIGNALLED + number)
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(self._agent)
                watchers = await stack.enter_async_context(anyio.create_task_group())
                watchers.start_soon(self._watch_version)
                await anyio.to_thread.run_sync(importlib.import_module, "pitui.ui.app")
                if not self._agent.session.ending:
                    await self._show()
                watchers.cancel_scope.cancel()
        return self._outcome()

    async def _show(self) -> None:
        from pitui.ui.app import PituiApp
        from pitui.ui.system.keyboard import teach_keyboard

        teach_keyboard()
        settings, problems = load_settings(settings_file())
        of_pi = read_keybindings(agent_folder() / "keybindings.json")
        keys = keys_in_force(of_pi.keys, settings.keys)
        problems += of_pi.problems
        problems += [f"{key} is a key of several actions: {', '.join(names)}." for key, names in clashes(keys).items()]
        settings = replace(settings, keys=keys, theme=self._theme or settings.theme)
        self._app = PituiApp(self._agent, settings, problems=problems, resume=self._resume)
        await self._app.run_async(mouse=settings.mouse)
        with suppress(OSError):  # the terminal may be gone
            sys.stdout.write(MOUSE_IN_CELLS)
            sys.stdout.flush()
        self._code = self._code or self._app.return_code or LEFT

    def _leave(self, code: int) -> None:
        """Ends it in order, from outside; saying it twice does no harm."""
        self._code = code
        if self._app:
            self._app.exit()
        else:
            self._scope.cancel()

    async def _watch_version(self) -> None:
        if self._ask_command:
            self._problem = too_old(await ask_version(self._ask_command), self._ask_command[0])
            if self._problem:
                self._leave(FAILED)

    def _outcome(self) -> Outcome:
        session = self._agent.session
        if self._problem:
            return Outcome(FAILED, str(self._problem))
        if session.ending and not session.id and self._agent.launch.argv:
            return Outcome(FAILED, str(explain_ending(session.ending.code, session.ending.stderr)))
        if self._code == LEFT and session.file and Path(session.file).is_file():
            return Outcome(LEFT, f"To come back: pitui --session {shlex.quote(session.file)}")
        return Outcome(self._code)
