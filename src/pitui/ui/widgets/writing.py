"""Fields to write in, where keys do what they do in the order in which they were pressed."""

from typing import Any, cast

from textual import events
from textual.app import App
from textual.binding import BindingsMap
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Input, TextArea

from pitui.ui.dialogs.wording import pasted


async def press(widget: Widget, bindings: BindingsMap, event: events.Key) -> None:
    """Do at once what a key is bound to in `widget`.

    Textual does it when the key has come up from the widget to the app, and what was typed after that key is written
    before: a Backspace and a letter that come in one piece would change places.
    """
    for binding in bindings.key_to_bindings.get(event.key, ()):
        if await run_action(widget, binding.action):
            event.stop()
            event.prevent_default()
            return


async def run_action(widget: Widget, action: str) -> bool:
    """Whether there was such an action, and it could be done now."""
    app = cast("App[Any]", widget.app)  # pyright: ignore[reportUnknownMemberType] - whatever it returns in the end
    return await app.run_action(action, widget)


class LineInput(Input):
    """One line: several that are pasted become one, and a paste brings no escape sequences in."""

    def write(self, line: str) -> None:
        """Have this instead, to be written on at its end."""
        self.value = line
        self.cursor_position = len(line)

    def watch_value(self) -> None:
        self._show_cursor()

    def on_resize(self) -> None:
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Textual does it when the cursor moves, but not for what is written into an empty line."""
        self.scroll_to_region(Region(self._cursor_offset, 0, 1, 1), force=True, animate=False)

    async def _on_key(self, event: events.Key) -> None:
        await press(self, self._bindings, event)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        line = " ".join(pasted(event.text).expandtabs(1).split("\n"))
        self.replace(line, *sorted(self.selection))


class WritingArea(TextArea):
    """Textual's, but for undoing what was longer than the view: it looked for the cursor where no line was any more."""

    def _refresh_size(self) -> None:
        self.selection = self._validate_selection(self.selection)
        super()._refresh_size()


class LinesInput(WritingArea):
    """Several lines; a paste brings no escape sequences in."""

    async def _on_key(self, event: events.Key) -> None:
        await press(self, self._bindings, event)

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        result = self.replace(pasted(event.text), *self.selection)
        self.move_cursor(result.end_location)
