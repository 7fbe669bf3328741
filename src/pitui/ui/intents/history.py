"""Earlier prompts: kept for the folder, and searched."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from textual import on

from pitui.agent import Agent
from pitui.config import Settings
from pitui.paths import state_folder
from pitui.ui.intents.agent_app import AgentApp, intent
from pitui.ui.recall import Past, restored, stored
from pitui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from pitui.store.history import History

LEAVING_SECONDS = 1.0
"""So long a slow disk can keep pitui from ending."""


class HistoryIntents(AgentApp):
    """The prompt has what was written in this run; the store has what was before, and what others write."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        super().__init__(agent, settings)
        self._history: History | None = None
        """Opened beside the screen, for the first frame does without a database."""
        self._history_folder = agent.cwd
        self._history_lock = anyio.Lock()
        self._history_problem = ""

    def follow_folder(self) -> None:
        """Have the earlier prompts of the folder in which pi is now."""
        if self.agent.cwd != self._history_folder:
            self.keep_history()

    def keep_history(self) -> None:
        """Write down what has left the editor, and read what others have written in this folder."""
        self.run_worker(self._keep_history(), name="history", group="history")

    @on(Prompt.Kept)
    def _keep_prompt(self, event: Prompt.Kept) -> None:
        event.stop()
        self.keep_history()

    async def _keep_history(self) -> None:
        recall = self.main.prompt.recall
        async with self._history_lock:
            if self._history is None:
                self._history = await anyio.to_thread.run_sync(_open)
            history, left = self._history, recall.take_unwritten()
            if left:
                await anyio.to_thread.run_sync(_add, history, self._history_folder, left)
            self._history_folder = self.agent.cwd
            past = await anyio.to_thread.run_sync(_recall, history, self._history_folder)
            if past is not None:
                recall.load(past)
        if history.problem not in ("", self._history_problem):
            self._history_problem = history.problem
            self.say(history.problem, "warning")

    async def close_history(self) -> None:
        """Write down what is not written yet."""
        left = self.main.prompt.recall.take_unwritten()
        with anyio.move_on_after(LEAVING_SECONDS):
            if left and self._history:
                write = partial(_add, self._history, self._history_folder, left)
                await anyio.to_thread.run_sync(write, abandon_on_cancel=True)

    @intent
    async def action_history_search(self, argument: str = "") -> None:
        from pitui.ui.screens.history import HistoryScreen

        prompt = self.main.prompt
        if chosen := await self.push_screen_wait(HistoryScreen(prompt.recall.all(prompt.said()))):
            prompt.bring_back(chosen)


def _open() -> "History":
    from pitui.store.history import History

    return History(state_folder() / "history.sqlite3")


def _add(history: "History", folder: Path, left: Iterable[Past]) -> None:
    history.add(folder, [stored(past) for past in left])


def _recall(history: "History", folder: Path) -> list[Past] | None:
    prompts = history.recall(folder)
    return None if prompts is None else [restored(prompt) for prompt in prompts]
