"""The window: panes, help, themes, leaving."""

from collections.abc import Iterator
from inspect import isawaitable
from textwrap import indent

from rich.text import Text

from pitui.actions import ACTIONS, BY_ID, Action
from pitui.editor_keys import NEW_LINE, SUBMIT
from pitui.operating_system import has_job_control
from pitui.pane_actions import PANE_KEYS, PANES, Keys
from pitui.quoting import quoted
from pitui.render.text import clean
from pitui.session.model import Phase
from pitui.ui.intents.agent_app import AgentApp, intent
from pitui.ui.keys import key_in_words, keys_in_words, listed_keys, pane_keys
from pitui.ui.screens.page import PageScreen, in_columns
from pitui.ui.screens.pane import PaneScreen
from pitui.ui.screens.picker import Choice
from pitui.ui.widgets.queue import QueuePanel
from pitui.ui.widgets.tools import ToolsPanel
from pitui.ui.widgets.transcript import Transcript

TWICE = 2.0
"""Seconds within which a second Ctrl+C leaves."""
NOT_SENT = "What is written is not sent."
NOT_SENT_OR_KEPT = "What is written is not sent, and cannot be kept on disk. Leaving writes it on the terminal."


class WindowIntents(AgentApp):
    _cleared_at = float("-inf")

    async def perform(self, action_id: str, argument: str = "") -> None:
        """Do an action of the table, if it makes sense now; else say why not."""
        action = BY_ID[action_id]
        if refusal := self._refusal(action):
            self.say(refusal, "warning")
        else:
            done = getattr(self, action.method)(argument)
            if isawaitable(done):
                await done

    async def action_perform(self, action_id: str, argument: str = "") -> None:
        """What every key of the table is bound to."""
        await self.perform(action_id, argument)

    def _refusal(self, action: Action) -> str:
        if action.when != "always" and self.session.phase is Phase.ENDED:
            return "pi is not running: /restart starts it again."
        if action.when == "ready" and (self.session.busy or self.session.phase is Phase.STARTING):
            return f"{action.title}: when pi is done. Esc stops it."
        return ""

    def action_sidebar(self, argument: str = "") -> None:
        self.main.toggle_sidebar()

    def action_pane_next(self, argument: str = "") -> None:
        self.main.focus_next_pane()

    @intent
    async def action_palette(self, argument: str = "") -> None:
        choices = [
            Choice(action.id, action.title, f"/{action.slash}" if action.slash else "", self._key_of(action))
            for action in ACTIONS
            if action.id != "palette"
        ]
        if action_id := await self.pick("All commands", choices):
            await self.perform(action_id)

    def _key_of(self, action: Action) -> str:
        keys = self.keys[action.id]
        return key_in_words(keys[0]) if keys else ""

    @intent
    async def action_help(self, argument: str = "") -> None:
        """All keys, or those of the screen that hides the chat."""
        if isinstance(self.screen, PaneScreen):
            pane = self.screen.PANE
            page = PageScreen(pane.heading, in_columns(listed_keys(pane, self.pane_keys)))
        else:
            page = PageScreen("Keys and commands", in_columns(self._help()))
        await self.push_screen_wait(page)

    def _help(self) -> Iterator[tuple[str, str]]:
        for group in dict.fromkeys(action.group for action in ACTIONS):
            yield group, ""
            for action in (action for action in ACTIONS if action.group == group):
                keys = [keys_in_words(self.keys[action.id][:2])] if self.keys[action.id] else []
                slash = [f"/{action.slash} {action.argument}".rstrip()] if action.slash else []
                yield "  " + ", ".join(keys + slash), action.title
            yield "", ""
        yield "The chat", ""
        yield f"  {MARKS[0]}", MARKS[1]
        yield "", ""
        for heading, rows in (*panes(self.pane_keys, 2), ("Writing", self._keys_of_writing())):
            yield heading, ""
            for keys, title in rows:
                yield f"  {keys}", title
            yield "", ""

    def _keys_of_writing(self) -> list[tuple[str, str]]:
        new_line = self.editor_keys[NEW_LINE]
        new_line_keys = [keys_in_words(new_line), f"\\ {self.send_key}" if self.send_key else ""]
        rows = (
            (keys_in_words(self.editor_keys[SUBMIT]), "Send; steers while pi works"),
            (keys_in_words(self.keys["prompt.follow_up"]), "Send for when pi is done"),
            (
                ", ".join(filter(None, new_line_keys)),
                "A new line; Ctrl+J works in every terminal" if "ctrl+j" in new_line else "A new line",
            ),
        )
        return [*(row for row in rows if row[0]), *WRITING]

    @intent
    async def action_stderr(self, argument: str = "") -> None:
        written = clean(self.agent.stderr).strip() or "pi has written nothing there."
        await self.push_screen_wait(PageScreen("What pi wrote to stderr", Text(written), at_end=True))

    @intent
    async def action_dialog_list(self, argument: str = "") -> None:
        from pitui.ui.dialogs.past import asked_and_answered  # late: it takes the records of the wire

        text = Text()
        for question, outcome in asked_and_answered(self.session):
            text.append(f"{question}\n", "bold")
            text.append(f"{indent(outcome, '  ')}\n\n")
        text.rstrip()
        nothing = Text("No extension has asked anything since pitui was started.")
        await self.push_screen_wait(PageScreen("What was asked, and answered", text or nothing, at_end=True))

    @intent
    async def action_theme(self, argument: str = "") -> None:
        names = sorted(self.available_themes, key=lambda name: (not name.startswith("pitui"), name))
        named = (name for name in (argument, f"pitui-{argument}") if name in names)
        chosen = next(named, None)
        if chosen is None:
            if argument:
                self.say(f"There is no theme {quoted(argument)}; choose one.", "warning")
            choices = [Choice(name, name, current=name == self.theme) for name in names]
            chosen = await self.pick("Theme", choices)
        if chosen:
            self.theme = chosen

    # leaving

    def action_clear(self, argument: str = "") -> None:
        prompt, transcript = self.main.prompt, self.main.transcript
        if selected := prompt.selected_text or transcript.selected_source():
            transcript.select(None)
            self.copy_to_clipboard(selected)
            return
        if self.main.search.has_focus_within:
            self.main.search.action_leave(False)
            return
        now = self.agent.clock()
        written = not prompt.draft.is_blank
        if not written and now - self._cleared_at < TWICE:
            self.exit()
            return
        self._cleared_at = now
        prompt.empty()
        self.main.activity.hint(
            "Cleared; ↑ brings it back. Ctrl+C again leaves" if written else "Ctrl+C again leaves pitui", TWICE
        )

    def action_leave(self, argument: str = "") -> None:
        if self.main.prompt.text:
            self.main.prompt.action_delete_right()
        else:
            self.exit()

    def action_suspend(self, argument: str = "") -> None:
        if self._driver is None or not self._driver.can_suspend or not has_job_control():
            self.say("There is no shell around pitui that could bring it back.", "warning")
            return
        self.action_suspend_process()

    async def action_quit(self, argument: str = "") -> None:
        self.main.prompt.call_later(self._quit)  # after the keys that are on their way to it

    def _quit(self) -> None:
        self.run_worker(self._quit_if_wanted(), name="quit", group="intents")  # no pi needs to be there

    async def _quit_if_wanted(self) -> None:
        told = NOT_SENT_OR_KEPT if self.drafts_fail else NOT_SENT
        if self.main.prompt.written.is_blank or await self.ask(told, ("Stay", "Leave")):
            self.exit()


BACK = ("Esc", "Back to the prompt")


def panes(keys: Keys = PANE_KEYS, at_most: int | None = None) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """What the keys of each pane do, and so many keys of each that is in the table."""
    yield "In the chat, once it has the focus", [*pane_keys(Transcript.BINDINGS), BACK]
    yield "In the list of tools", [*pane_keys(ToolsPanel.BINDINGS), BACK]
    yield "In the queue", [*pane_keys(QueuePanel.BINDINGS), BACK]
    for pane in PANES:
        yield pane.heading, list(listed_keys(pane, keys, at_most))


MARKS = ("At its right edge", "· a prompt, ± an edit, ! an error, • what is searched for")
WRITING = (
    ("!command", "Run it in the shell; the model sees the output"),
    ("!!command", "Run it in the shell; the model does not see it"),
    ("/", "Commands; Tab completes"),
    ("@", "Files, by a few letters"),
    ("Tab", "How the word goes on as a path"),
    ("↑, ↓", "Earlier prompts of the folder, at the first and last line"),
    ("Home, End", "In an empty prompt: to the top of the chat, and to its end"),
    ("Ctrl+W, Ctrl+U, Ctrl+K, Alt+D", "Cut a word or the line; Ctrl+Y puts it in again, Alt+Y what was cut before"),
    ("Ctrl+], Ctrl+Alt+]", "To the next place of the character typed then, or the one before"),
    ("Ctrl+_, Ctrl+Shift+Z", "Undo, and redo"),
    ("A path and a space", "A picture, when it is the file of one; so is one that is dropped"),
)
