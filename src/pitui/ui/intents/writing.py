"""What goes into the prompt in other ways than by typing: pictures, the clipboard, another editor."""

from pathlib import Path
from typing import TypeVar

import anyio.to_thread
from textual import events, on

from pitui.draft import Draft, Picture, folded
from pitui.editor_keys import NEW_LINE
from pitui.paths import state_folder
from pitui.pi.folders import agent_folder
from pitui.render.amounts import size
from pitui.render.text import clean_line
from pitui.ui.intents.agent_app import NOT_LENT, intent
from pitui.ui.intents.drafts import DraftIntents
from pitui.ui.system.keyboard import EntersAreAlike
from pitui.ui.system.terminal import enter_advice
from pitui.ui.widgets.editor import Editor
from pitui.ui.widgets.prompt import Prompt
from pitui.ui.widgets.writing import WritingArea

T = TypeVar("T")

NO_READER = "Nothing here reads the clipboard; wl-paste, xclip or pngpaste would. Paste with the key of the terminal."
NOTHING_TO_OPEN = "There is no paste and no picture beside the cursor."
CHIP_GONE = "The paste is not there any more. What you made of it is above what is written."
FIELD_GONE = "What that was written for is gone; ↑ in the prompt brings it back."
SAVED = " What was saved in it comes with ↑."


class WritingIntents(DraftIntents):
    # pictures

    @on(Editor.PicturesNamed)
    def _pictures_named(self, event: Editor.PicturesNamed) -> None:
        event.stop()
        self._attach_pictures(event.editor, event.paths)

    @intent
    async def _attach_pictures(self, editor: Editor, paths: list[str]) -> None:
        """Make pictures of what was written, where it still stands."""
        from pitui.ui.system.pictures import PictureError, read_picture

        for written in paths:
            try:
                picture = await read_picture(written, self.agent.cwd)
            except PictureError as error:
                self.say(str(error), "warning")
                continue
            if picture is not None and editor.put_instead(written, picture):
                self.warn_if_blind()

    def warn_if_blind(self) -> bool:
        """Whether the model takes no pictures, which is said then."""
        model = self.session.model
        blind = model is not None and model.known and bool(model.input) and "image" not in model.input
        if blind and model is not None:
            name = clean_line(model.name or model.id, 100)
            self.say(f"{name} takes no pictures. Take them out, or choose another model: /model.", "warning")
        return blind

    @intent
    async def action_prompt_paste(self, argument: str = "") -> None:
        from pitui.ui.system.pictures import PictureError, from_clipboard

        try:
            found = await from_clipboard()
        except PictureError as error:
            self.say(str(error), "warning")
            return
        if isinstance(found, Picture):
            self.main.prompt.write(found)
            self.warn_if_blind()
        elif text := found or self.clipboard:
            self.main.prompt.paste(text)
        else:
            self.say(NO_READER if found is None else "The clipboard is empty.", "warning")

    # opening what is one thing

    def action_prompt_open(self, argument: str = "") -> None:
        if not self.main.prompt.open_chip():
            self.say(NOTHING_TO_OPEN)

    @on(Prompt.ChipOpened)
    def _chip_opened(self, event: Prompt.ChipOpened) -> None:
        event.stop()
        self._open_chip(event)

    @intent
    async def _open_chip(self, event: Prompt.ChipOpened) -> None:
        chip = event.chip
        if isinstance(chip, Picture):
            from pitui.ui.screens.page import PageScreen, in_columns

            facts = [
                ("Name", clean_line(chip.name)),
                ("File", clean_line(chip.path) or "from the clipboard"),
                ("Kind", clean_line(chip.image.mime_type)),
                ("Size", size(len(chip.image.data) * 3 // 4)),
            ]
            await self.push_screen_wait(PageScreen("A picture", in_columns(facts)))
            return
        from pitui.ui.screens.paste import PasteScreen

        with self.another_draft(lambda: Draft.of(screen.changed or chip)) as (_, keep):
            screen = PasteScreen(event.label, chip, keep)
            changed = await self.push_screen_wait(screen)
            if changed is not None and not event.editor.put_for(event, changed):
                self.main.prompt.put_above(Draft.of(changed))
                self.say(CHIP_GONE)

    # another editor

    def action_prompt_editor(self, argument: str = "") -> None:
        self._write_elsewhere(self.main.prompt)

    def on_key(self, event: events.Key) -> None:
        """A field over the chat had no use for it."""
        field = self.focused
        if self.screen is not self.main and isinstance(field, WritingArea) and event.key in self.keys["prompt.editor"]:
            event.stop()
            self._write_elsewhere(field)

    @intent
    async def _write_elsewhere(self, field: WritingArea) -> None:
        """pi goes on meanwhile, and what it says is shown afterwards."""
        from pitui.ui.system.editor import EditorError, edit, editor_command

        draft = shown = field.draft

        def show(text: str) -> None:
            """It is in the field, and so on disk, as soon as the editor has saved it."""
            nonlocal shown
            if field.draft != shown:
                self._put_away(field)  # an extension has written there meanwhile
            field.show(folded(text, draft.images, draft.chips))
            shown = field.draft

        with self.holding_back():
            try:
                command = await anyio.to_thread.run_sync(editor_command, agent_folder() / "settings.json")
                if not self.can_lend_terminal:
                    raise EditorError(NOT_LENT)
                text = await self.lend_terminal(edit(command, draft.text, show, self.file_to_edit))
            except EditorError as error:
                if shown != draft:
                    self._put_away(field)
                    field.show(draft)
                self.say(f"{error}{SAVED if shown != draft else ''}", "warning")
            else:
                if text != shown.text:
                    show(text)
        if not field.is_attached and not field.draft.is_blank:
            self._put_away(field)
            self.say(FIELD_GONE)

    def _put_away(self, field: WritingArea) -> None:
        """Have what is written there in the history."""
        if field is self.main.prompt:
            self.main.prompt.empty()
        else:
            self.main.prompt.keep(field.draft.text, field.draft.images)

    # keys

    @on(EntersAreAlike)
    def _enters_are_alike(self) -> None:
        self.run_worker(self._advise(state_folder() / "told-of-enter"), name="keyboard", group="keyboard")

    async def _advise(self, told: Path) -> None:
        """Say once what there is for a new line."""
        if not {"shift+enter", "ctrl+j"}.issubset(self.editor_keys[NEW_LINE]):
            return  # the person has keys of their own
        advice = await enter_advice()
        if advice and not await anyio.Path(told).exists():
            self.say(advice, "warning")
            try:
                await anyio.Path(told).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                await anyio.Path(told).touch(mode=0o600)
            except OSError:
                return  # it is said again next time
