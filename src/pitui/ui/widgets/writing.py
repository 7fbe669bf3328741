"""Fields to write in, where keys do what they do in the order in which they were pressed.

What a person sees as one character is one for the cursor, the mouse and every deed, however many it is made of.
"""

import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import BindingsMap
from textual.document._document import EditResult, Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset, Region
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.widgets.input import Selection as LineSelection

from pitui.draft import Draft
from pitui.render.text import column_at, grapheme_around
from pitui.ui.dialogs.wording import pasted

Span: TypeAlias = tuple[int, int]
"""From where to where in a line."""
JOINER = "\u200d"


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


class _Typing:
    """Emoji as a terminal sends them, part by part: Textual takes those that are not printable for no letters."""

    _joined: object = None
    """Where a joiner was typed: it is written with what it joins, or not at all."""

    def _typed(self, event: events.Key, place: object) -> str:
        """What is to be written for this key, if that is not just what Textual would write; it is seen to then."""
        character, joined = event.character or "", self._joined == place
        self._joined = place if character == JOINER else None
        text = JOINER + character if joined and event.is_printable else character if _is_part(character) else ""
        if text or self._joined:
            event.stop()
            event.prevent_default()
        return text


def _is_part(character: str) -> bool:
    """Whether it is part of a letter of some scripts, or of a flag, and not printable."""
    return character == "\u200c" or "\U000e0020" <= character <= "\U000e007f"


def _beside(one: Span | None, column: int, came: int) -> int:
    """Out of what is one thing: on through it, when the cursor came from beside it, else where it is nearer."""
    if one is None:
        return column
    first, after = one
    if not first < came < after:
        return first if came >= after else after
    return first if column - first < after - column else after


def _word_around(line: str, column: int, around: Callable[[int], Span | None]) -> Span:
    """The word at a place in a line, or the spaces, or what else is one thing there."""
    column = min(column, len(line) - 1)
    if column < 0:
        return 0, 0
    kind = _kind(line[column])
    if kind == "other":
        return around(column) or around(column + 1) or (column, column + 1)
    first, after = column, column + 1
    while first > 0 and _kind(line[first - 1]) == kind:
        first -= 1
    while after < len(line) and _kind(line[after]) == kind:
        after += 1
    return first, after


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    is_word = character in "_\u200c\u200d" or unicodedata.category(character)[0] in "LMN"
    return "word" if is_word else "other"


class ShownLine(Text):
    """A line in which no style begins or ends within what is one thing, which is what is `around` a place."""

    def __init__(self, line: str, around: Callable[[int], Span | None]) -> None:
        super().__init__(line, end="", no_wrap=True)
        self._around = around

    def stylize(self, style: str | Style, start: int = 0, end: int | None = None) -> None:
        if one := self._around(start):
            start = one[0]
        if end is not None and (one := self._around(end)):
            end = one[1]
        super().stylize(style, start, end)


class LineInput(_Typing, Input):
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
        if text := self._typed(event, self.selection):
            self.replace(text, *self.selection)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        line = " ".join(pasted(event.text).expandtabs(1).split("\n"))
        self.replace(line, *sorted(self.selection))

    # one thing

    def _around(self, column: int) -> Span | None:
        return grapheme_around(self.value, column)

    def validate_selection(self, selection: LineSelection) -> LineSelection:
        start, end = super().validate_selection(selection)
        came = self.selection.end
        return LineSelection(_beside(self._around(start), start, came), _beside(self._around(end), end, came))

    def replace(self, text: str, start: int, end: int) -> None:
        start, end = sorted((start, end))
        if start < end:
            start, end = (self._around(start) or (start,))[0], (self._around(end) or (end,))[-1]
        super().replace(text, start, end)

    @property
    def _value(self) -> Text:
        line = ShownLine(self.value, self._around)
        line.overflow = "ignore"
        return line

    async def _on_click(self, event: events.Click) -> None:
        if event.chain > 1:
            event.prevent_default()  # Textual selects the whole widget, as something to read
            place = self._cell_offset_to_index(event.get_content_offset_capture(self).x)
            word = _word_around(self.value, place, self._around)
            self.selection = LineSelection(*word) if event.chain == 2 else LineSelection(0, len(self.value))

    def _cell_offset_to_index(self, offset: int) -> int:
        return column_at(self.value, offset + self.scroll_offset.x)


class WritingArea(_Typing, TextArea):
    """Several lines."""

    def _set_document(self, text: str, language: str | None) -> None:
        super()._set_document(text, language)
        self.wrapped_document = _Rows(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._rewrap_and_refresh_virtual_size()

    def _refresh_size(self) -> None:
        """When what was longer than the view is undone Textual looks for the cursor where no line is any more."""
        self.selection = self._validate_selection(self.selection)
        super()._refresh_size()

    @property
    def draft(self) -> Draft:
        """What is written."""
        return Draft.of(self.text)

    def show(self, draft: Draft) -> None:
        """Write this instead of everything; undoing brings the old back."""
        self._show(pasted(draft.text))

    def _show(self, text: str) -> None:
        self.replace(text, (0, 0), self.document.end, maintain_selection_offset=False)

    async def _on_key(self, event: events.Key) -> None:
        if text := self._typed(event, self.selection):
            self._replace_via_keyboard(text, *self.selection)

    # one thing

    def around(self, line: str, column: int) -> Span | None:
        """What is one thing in a line and has this place within."""
        return grapheme_around(line, column)

    def _around(self, location: Location) -> Span | None:
        return self.around(self.document[location[0]], location[1])

    def _validate_selection(self, selection: Selection) -> Selection:
        start, end = super()._validate_selection(selection)
        return Selection(self._beside(start), self._beside(end))

    def _beside(self, location: Location) -> Location:
        row, column = location
        came = self.selection.end if self.is_mounted else location
        return row, _beside(self._around(location), column, came[1] if came[0] == row else column)

    def edit(self, edit: Edit) -> EditResult:
        """It begins and ends beside what is one thing."""
        top, bottom = edit.top, edit.bottom
        if first := self._around(top):
            top = top[0], first[top == bottom]
        if last := self._around(bottom):
            bottom = bottom[0], last[1]
        edit.from_location, edit.to_location = top, bottom
        return super().edit(edit)

    async def _on_click(self, event: events.Click) -> None:
        if event.chain > 1:
            event.prevent_default()  # Textual selects the whole widget, as something to read
            row, column = self.get_target_document_location(event)
            line = self.document[row]
            word = _word_around(line, column, partial(self.around, line))
            first, after = word if event.chain == 2 else (0, len(line))
            self.selection = Selection((row, first), (row, after))

    def get_line(self, line_index: int) -> ShownLine:
        line = self.document.get_line(line_index)
        return ShownLine(line, partial(self.around, line))


class _Rows(WrappedDocument):
    """Finds the character that a cell shows; Textual's counts every part of it by itself."""

    def offset_to_location(self, offset: Offset) -> Location:
        if self._width:
            return super().offset_to_location(offset)
        row = min(max(0, offset.y), len(self._wrap_offsets) - 1)
        return row, column_at(self.document.get_line(row), max(0, offset.x), self._tab_width)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        sections = self.get_sections(line_index)
        y_offset %= len(sections)
        start = sum(map(len, sections[:y_offset]))
        column = column_at(sections[y_offset], x_offset, self._tab_width)
        is_last = y_offset == len(sections) - 1
        return start + (column if is_last else min(column, len(sections[y_offset]) - 1))


class LinesInput(WritingArea):
    """Several lines; a paste brings no escape sequences in."""

    async def _on_key(self, event: events.Key) -> None:
        await press(self, self._bindings, event)

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        result = self.replace(pasted(event.text), *self.selection)
        self.move_cursor(result.end_location)
