"""The app: it hands changes down to the widgets and keys to the intents."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import anyio.to_thread
from textual import events, on
from textual.binding import Binding, BindingsMap, BindingType
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import Theme

from pitui.actions import ACTIONS, keys_in_force
from pitui.agent import Agent
from pitui.config import Settings
from pitui.editor_keys import before_actions, editor_keys_in_force
from pitui.pane_actions import pane_keys_in_force
from pitui.pi.trust import Trust
from pitui.session.model import Aspect, Changes, Ending, Phase
from pitui.ui.attention import Attention
from pitui.ui.dialogs.desk import DialogDesk
from pitui.ui.intents.agent_app import TOASTS
from pitui.ui.intents.blocks import BlockIntents
from pitui.ui.intents.export import ExportIntents
from pitui.ui.intents.history import HistoryIntents
from pitui.ui.intents.login import LoginIntents
from pitui.ui.intents.queue import QueueIntents
from pitui.ui.intents.resume import ResumeIntents
from pitui.ui.intents.window import WindowIntents
from pitui.ui.intents.writers import WriterIntents
from pitui.ui.screens.main import MainScreen
from pitui.ui.screens.pane import PaneScreen
from pitui.ui.system.repository import branch_of
from pitui.ui.theme import DARK, THEMES, palette_of
from pitui.ui.widgets.activity import ended_in_words
from pitui.ui.widgets.prompt import Prompt
from pitui.ui.widgets.search import SearchWords
from pitui.ui.widgets.tools import ToolsPanel
from pitui.ui.widgets.transcript import Transcript

ANSWER_KEPT = "The question is over; ↑ brings back what was written for it."


class PituiApp(
    WindowIntents,
    BlockIntents,
    LoginIntents,
    WriterIntents,
    ExportIntents,
    HistoryIntents,
    ResumeIntents,
    QueueIntents,
    inherit_bindings=False,
):
    """The screen around one agent, which may come to life when the first frame is drawn, and outlives it.

    `problems` is what is to be told of the settings; `editor_keys` are the person's own keys of pi, by pi's names;
    `resume` opens the list of sessions first. `trust` is how it stands with the folder that pi starts in, if it starts
    here: pi may be started when `decided` is set.
    `before_drawing` is called when the terminal is about to be taken.
    """

    CSS_PATH = ["pitui.tcss", "screens/main.tcss", "screens/tree.tcss", "screens/sides.tcss"]
    TITLE = "pitui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        agent: Agent,
        settings: Settings | None = None,
        *,
        problems: Sequence[str] = (),
        editor_keys: Mapping[str, Sequence[str]] = MappingProxyType({}),
        resume: bool = False,
        trust: Trust | None = None,
        before_drawing: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(agent, settings or Settings())
        self._resume = resume
        self.trust = trust
        self._before_drawing = before_drawing
        self._last_notice = 0
        self._ending: Ending | None = None
        """The end of pi that the person was told of."""
        self.drawn = asyncio.Event()
        """Set with the first frame."""
        self.has_told = False
        """Whether pi has ever told of a session."""
        self.decided = asyncio.Event()
        self._for_now = {}
        self._problems = problems
        self.keys = keys_in_force({}, self.settings.keys)
        self.pane_keys = pane_keys_in_force({}, self.settings.keys)
        self.editor_keys = editor_keys_in_force(editor_keys)
        for action, keys in self.keys.items():
            self.keys[action] = tuple(key for key in keys if key not in before_actions(editor_keys))
        self._bindings = BindingsMap(
            Binding(
                ",".join(self.keys[action.id]),
                f"perform('{action.id}')",
                action.title,
                id=action.id,
                priority=action.priority,
            )
            for action in ACTIONS
            if self.keys[action.id]
        )
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self.settings.theme if self.settings.theme in self.available_themes else DARK.name
        self.stylesheet.set_variables(self.get_css_variables())
        self.main = MainScreen(
            agent,
            palette_of(self.current_theme),
            self.keys,
            self.pane_keys,
            sidebar=self.settings.sidebar,
            editor_keys=self.editor_keys,
        )

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        if sys.platform == "win32":
            return chosen
        from pitui.ui.system.driver import TerminalDriver

        return TerminalDriver if issubclass(TerminalDriver, chosen) else chosen  # another one may be asked for

    def get_default_screen(self) -> Screen[None]:
        self.main.fit(self.size.width)  # or everything is styled once more when the size is told
        return self.main

    def refresh_css(self, animate: bool = True) -> None:
        """Parse all styles anew with the variables of another theme; those of the first theme are in force already."""
        if self.drawn.is_set():
            super().refresh_css(animate)

    def on_load(self) -> None:
        self._before_drawing()

    def on_mount(self) -> None:
        self.main.set_focus(self.main.prompt)  # before the first key is taken: what was typed meanwhile is not lost

    async def on_ready(self) -> None:
        self.drawn.set()
        self._desk = DialogDesk(
            self,
            self.agent,
            self.main.waiting,
            writes=self._writes,
            lost=self._keep_answer,
            elsewhere=self._tell_elsewhere,
            on_disk=self.another_draft,
        )
        self._attention = Attention(self.agent, self.settings, self.write, os.environ)
        self.watch(self, "app_focus", self._attention.focus)
        self.settle_trust()
        if self.settings.show_thinking:
            self.main.transcript.toggle_kind("thinking")
        self.main.transcript.set_times(self.settings.times)
        self.main.transcript.set_sides(self.settings.sides)
        if self.settings.sidebar_tree:
            await self.main.add_tree(palette_of(self.current_theme))
        for problem in self._problems:
            self.say(problem, "warning")
        self.keep_history()
        self.theme_changed_signal.subscribe(self, self._recolour)
        self.run_worker(self._show_changes(), name="frames")
        self.run_worker(self._show_branch(), name="branch", exclusive=True, group="branch")
        if self._resume:
            await self.perform("session.resume")

    @on(Driver.SignalResume)
    def _draw_again(self) -> None:
        self.refresh(layout=True)  # others have written to the terminal meanwhile

    def _recolour(self, theme: Theme) -> None:
        self.main.transcript.set_palette(palette_of(theme))
        if self.main.tree_pane is not None:
            self.main.tree_pane.set_palette(palette_of(theme))
        for pane in self.pane_screens:
            pane.set_palette(palette_of(theme))

    # from the agent to the screen

    async def _show_changes(self) -> None:
        async for changes in self.agent.frames():
            self.connected.set()
            self._sync(changes)

    def show_changes(self) -> None:
        self._sync(self.session.take_changes())

    def _sync(self, changes: Changes) -> None:
        aspects = changes.aspects
        self.has_told = self.has_told or bool(self.session.id)
        if self.session.ending and not self.has_told and not self.agent.replays:
            self.exit()  # it has never told anything of itself: there is nothing to come back to
            return
        if self.session.ending is not self._ending:
            self._ending = self.session.ending
            if self._ending and self.screen is not self.main:  # which says it itself
                self.say(f"{ended_in_words(self.session)}. In the chat, {self.send_key} starts it again.", "error")
        self.main.sync(changes)
        for pane in self.pane_screens:
            pane.sync(changes)
        if Aspect.RETURNED in aspects:
            self.take_returned()
        if aspects & (Aspect.QUEUE | Aspect.REPLACED):
            self.follow_queue()
        if aspects & (Aspect.DIALOGS | Aspect.REPLACED):
            self._desk.sync()
        if Aspect.STATE in aspects:
            self.follow_folder()
        if aspects & (Aspect.STATE | Aspect.REPLACED):
            self.look_for_draft()
        if Aspect.FILE in aspects:
            self._writers_changed()
        if Aspect.NOTICES in aspects:
            self._notify()
        if Aspect.EDITOR in aspects and self.session.editor_text is not None:
            self._set_editor_text(self.session.editor_text)
        self._attention.sync()
        if aspects & (Aspect.ENTRIES | Aspect.REPLACED) and self.session.phase is Phase.IDLE:
            self.run_worker(self._show_branch(), name="branch", exclusive=True, group="branch")

    def _notify(self) -> None:
        shown = [notice for notice in self.session.notices if notice.number > self._last_notice][1 - TOASTS :]
        left_out = self.session.last_notice - self._last_notice - len(shown)
        self._last_notice = self.session.last_notice
        if left_out > 0:
            self.say(f"{left_out:,} more notices came at once; these are the last.", "warning")
        for notice in shown:
            self.say(notice.text, notice.level, lasting=True)

    def _set_editor_text(self, text: str) -> None:
        """An extension writes into the prompt; what the person had there can be recalled."""
        prompt = self.main.prompt
        if not prompt.draft.is_blank and prompt.draft.text != text:
            self.say("An extension has written into the prompt; ↑ brings back what was there.")
        prompt.fill(text)

    async def on_unmount(self) -> None:
        if self.drawn.is_set():
            self._attention.close()
        await self.close_history()
        await self.close_drafts()

    async def _show_branch(self) -> None:
        folder: Path = self.agent.cwd
        self.main.status.show_branch(await anyio.to_thread.run_sync(branch_of, folder))

    # from the person

    async def on_event(self, event: events.Event) -> None:
        """What is written goes to the prompt from every pane; seen to here, before the next key finds its way."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self.app_focus = True  # a file can be dropped from another window, and Textual would drop it for good
            if self.screen is self.main:
                self.main.take_words(event)
        await super().on_event(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something lies over the main screen its keys are its own, but for leaving."""
        if action == "perform" and self.screen is not self.main:
            return parameters[0] in self._performed_elsewhere()
        return super().check_action(action, parameters)

    def _performed_elsewhere(self) -> set[str]:
        """The actions that make sense also on the screen that lies over the main one."""
        found = {action.id for action in ACTIONS if action.everywhere}
        if not isinstance(self.screen, PaneScreen):
            found.discard("help")  # it says nothing of dialogs
        if self.screen is self.tree_screen:
            found.add("tree.back")
        return found

    def action_dialog_open(self, argument: str = "") -> None:
        self._desk.toggle()

    def _writes(self) -> bool:
        return not self.main.prompt.draft.is_blank

    def _tell_elsewhere(self, words: str) -> None:
        for screen in self.pane_screens:
            screen.foot.stand(words)

    def _keep_answer(self, text: str) -> None:
        """It was written for a question that is not asked any more."""
        self.main.prompt.keep(text)
        self.main.activity.hint(ANSWER_KEPT, 5)

    @on(Prompt.Typed)
    @on(SearchWords.Typed)
    def _typed(self) -> None:
        if self.drawn.is_set():
            self._desk.typed()

    @on(ToolsPanel.Chosen)
    def _show_tool(self, event: ToolsPanel.Chosen) -> None:
        self.main.show_block(event.block_id)

    @on(Transcript.CopyRequested)
    def _copy_requested(self, event: Transcript.CopyRequested) -> None:
        self.copy_to_clipboard(event.text, event.name)
