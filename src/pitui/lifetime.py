"""One run of pitui: pi, the screen inside it, what may end them, and what is said afterwards."""

import asyncio
import gc
import importlib
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pitui import rpc
from pitui.agent import Agent
from pitui.launch import Launch
from pitui.operating_system import LEAVING, on_signal
from pitui.paths import session_index
from pitui.pi.ending import explain_ending
from pitui.pi.indexing import keep_indexed
from pitui.pi.install import too_old
from pitui.pi.probe import ask_version
from pitui.pi.problem import Problem
from pitui.pi.sessions import session_dir_of
from pitui.pi.trust import Trust
from pitui.preferences import long_name, read_preferences
from pitui.session.blocks import BashBlock

if TYPE_CHECKING:
    from pitui.rpc.process import Transport
    from pitui.ui.app import PituiApp

NOT_KEPT = "The session was not kept: pi keeps one from the first answer of a model on."
LEFT, FAILED, WRONG_USE, SIGNALLED = 0, 1, 2, 128
MOUSE_IN_CELLS = "\x1b[?1016l"
"""Textual 8.2 asks for the mouse in pixels where the terminal has them, and does not take it back."""
WIRE, DRAWING = ("pitui.rpc.client", "pitui.session.apply"), ("pitui.render.blocks", "pitui.render.streaming")
"""What the first frame does without: first what it takes to hear pi, then what it takes to show what it says."""
GARBAGE = (10_000, 10, 100)
"""How rarely garbage is looked for: with a long session in memory the whole of it takes longer than a frame."""
OPENED_WITHIN = 60.0
"""Seconds after which garbage is collected though pi has not told all: it may hang, or ask something first."""
ENDS_SLOWLY = 1.0
"""Seconds after which the person is told that pi takes long to end."""
EXIT_CODES = {number: SIGNALLED + number for number in (signal.SIGINT, *LEAVING)}
"""The exit code for each signal that ends pitui in order."""


class Outcome(NamedTuple):
    """The exit code, and what to write on the normal screen."""

    code: int
    text: str = ""


def taking_over(process: subprocess.Popen[bytes] | None) -> "Callable[[Launch], Awaitable[Transport]]":
    """How an agent comes to its pi: the first is `process`, if there is one; later ones are started."""
    running = [process] if process else []

    async def connect(launch: Launch) -> "Transport":
        pi = rpc.process.PiProcess
        return pi(running.pop()) if running else await pi.spawn(launch.argv, launch.cwd, launch.environment)

    return connect


class Lifetime:
    """One agent and its screen.

    `give_back` puts the terminal back as it was before the start, for the screen to take it. `ask_command` is what
    to ask for the version of pi when no file tells it. With `resume` the sessions come first. `theme` goes before
    the one of the settings. While `trust` is undecided no pi runs: it is asked about first. `note` is told on the first
    screen. `way_back` is how to start pitui again on a session file.
    """

    def __init__(
        self,
        agent: Agent,
        give_back: Callable[[], None],
        *,
        ask_command: Sequence[str] = (),
        resume: bool = False,
        theme: str = "",
        trust: Trust | None = None,
        note: str = "",
        way_back: Callable[[str], str] | None = None,
    ) -> None:
        self._agent = agent
        self._give_back = give_back
        self._ask_command = ask_command
        self._resume = resume
        self._theme = long_name(theme)
        self._trust = trust
        self._asks_first = trust is not None and trust.trusted is None
        self._note = note
        self._way_back = way_back
        self._app: PituiApp
        self._over = asyncio.Event()
        self._code = LEFT
        self._failed = False
        """pi ended by itself, before it had told of a session."""
        self._problem: Problem | None = None
        self._ends_slowly = False
        """The person has been told so: they may want it ended at once."""

    async def run(self) -> Outcome:
        """From the first frame to the end of pi; there is no child left when this returns."""
        for number, code in EXIT_CODES.items():
            on_signal(asyncio.get_running_loop(), number, self._leave, code)
        mouse = self._make_app()
        if self._theme and self._theme not in self._app.available_themes:
            names = ", ".join(("dark", "light", *sorted(self._app.available_themes)))
            if not self._asks_first:
                async with self._agent:
                    pass  # its pi runs already, and is ended
            return Outcome(WRONG_USE, f"There is no theme {self._theme}. There are {names}.")
        async with asyncio.TaskGroup() as tasks:
            beside = (self._watch_version, self._collect, self._keep_indexed)
            watchers = [tasks.create_task(watch()) for watch in beside]
            owner = tasks.create_task(self._keep_agent())
            try:
                await self._app.run_async(mouse=mouse)
            finally:
                self._failed = self._agent.session.ending is not None and not self._app.has_told
                self._app.drawn.set()
                self._app.decided.set()
                self._over.set()
            _write_now(MOUSE_IN_CELLS)
            telling = tasks.create_task(self._tell_of_ending())
            await owner
            for task in (telling, *watchers):
                task.cancel()
        self._code = self._code or self._app.return_code or LEFT
        outcome = self._outcome()
        return outcome._replace(text="\n".join(filter(None, [*self._app.left_to_say, outcome.text])))

    def _make_app(self) -> bool:
        """The screen, not yet shown; whether the mouse is for it."""
        from pitui.ui.app import PituiApp

        settings, editor_keys, *problems = read_preferences()
        if self._theme:
            settings = replace(settings, theme=self._theme)
        self._app = PituiApp(
            self._agent,
            settings,
            problems=[*chain(*problems), *filter(None, [self._note])],
            editor_keys=editor_keys,
            resume=self._resume,
            trust=self._trust,
            before_drawing=self._give_back,
        )
        return settings.mouse

    async def _keep_agent(self) -> None:
        """Has the agent from the first frame on. What it takes is loaded beside the screen, which has keys to take."""
        await self._app.drawn.wait()
        await _load(WIRE)
        await self._app.decided.wait()
        if self._over.is_set() and self._asks_first:
            return  # the person has left instead of answering
        async with self._agent:
            await _load(DRAWING)
            await self._over.wait()

    async def _collect(self) -> None:
        """Collect garbage from when pi has told all: what is there then stays, and need not be looked through."""
        await self._app.drawn.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(OPENED_WITHIN):
                await self._agent.until_loaded()
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        gc.enable()

    def _leave(self, code: int) -> None:
        """Ends it in order, from outside; saying it twice does no harm, until it is known that pi takes long."""
        if code == EXIT_CODES[signal.SIGINT] and self._app.terminal_is_lent:
            return  # Ctrl+C is for the program that has the terminal
        if self._ends_slowly:
            self._agent.kill()
            return
        self._code = code
        self._app.exit()

    async def _tell_of_ending(self) -> None:
        """Say on the normal screen that pi takes long to end, for as long as it does."""
        await asyncio.sleep(ENDS_SLOWLY)
        self._ends_slowly = True
        try:
            _write_now("Ending pi… Ctrl+C ends it at once.")
            await asyncio.sleep(OPENED_WITHIN)
        finally:
            _write_now("\r\x1b[K")

    async def _watch_version(self) -> None:
        if self._ask_command:
            self._problem = too_old(await ask_version(self._ask_command), self._ask_command)
            if self._problem:
                self._leave(FAILED)

    async def _keep_indexed(self) -> None:
        """Keep the sessions found that pi has on this machine; those of the demo are for a look alone."""
        if self._agent.launch.command:
            await keep_indexed(session_index(), self._where_sessions_are)

    def _where_sessions_are(self) -> tuple[str, Path | None]:
        launch = self._agent.launch
        return self._agent.session.file, session_dir_of(launch.argv, launch.cwd)

    def _outcome(self) -> Outcome:
        session = self._agent.session
        if self._problem:
            return Outcome(FAILED, str(self._problem))
        if session.ending and self._failed and not self._agent.replays:
            command = self._agent.launch.command
            return Outcome(FAILED, str(explain_ending(session.ending.code, session.ending.stderr, command)))
        if self._code == LEFT and self._way_back and session.file and Path(session.file).is_file():
            return Outcome(LEFT, f"To come back: {self._way_back(session.file)}")
        if self._code == LEFT and any(isinstance(block, BashBlock) for block in session.blocks):
            return Outcome(LEFT, NOT_KEPT)
        return Outcome(self._code)


def _write_now(text: str) -> None:
    with suppress(OSError):  # the terminal may be gone
        sys.stdout.write(text)
        sys.stdout.flush()


async def _load(modules: Sequence[str]) -> None:
    """Import them beside the screen."""
    for module in modules:
        await asyncio.to_thread(importlib.import_module, module)
