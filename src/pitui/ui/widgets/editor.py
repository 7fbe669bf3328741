"""An editor with the keys of pi's, in which a paste or a picture is one thing among the words."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingsMap
from textual.document._document import EditResult, Location
from textual.document._edit import Edit
from textual.message import Message
from textual.strip import Strip

from pitui.draft import Chip, Draft, Part, Pasted, are_glued, is_long
from pitui.editor_keys import EDITOR_KEYS, editor_keys_in_force
from pitui.ui.dialogs.wording import pasted
from pitui.ui.system.pictures import is_dropped, picture_paths
from pitui.ui.widgets.chips import GAP, MARK, Chips, label
from pitui.ui.widgets.killring import KillRing
from pitui.ui.widgets.writing import ShownLine, Span, WritingArea, press

OTHER_KEYS = (
    *(("ctrl+shift+left", "cursor_word_left(True)"), ("ctrl+shift+right", "cursor_word_right(True)")),
    *(("shift+home", "cursor_line_start(True)"), ("shift+end", "cursor_line_end(True)")),
    *(("shift+up", "cursor_up(True)"), ("shift+down", "cursor_down(True)")),
    *(("shift+left", "cursor_left(True)"), ("shift+right", "cursor_right(True)")),
    *(("ctrl+shift+a", "select_all"), ("ctrl+shift+z,alt+underscore", "redo")),
)
"""What pi's editor does not do: select, and redo."""


class Editor(WritingArea, inherit_bindings=False):
    """`draft` is what is written. `keys` are other keys than pi's own, by pi's names of what they do.

    The text of the document is not what is written: in it stand the marks and labels of chips.
    """

    @dataclass
    class ChipOpened(Message):
        """The person wants to see what is in it; `behind` it the same stands so many times again."""

        editor: "Editor"
        chip: Chip
        label: str
        behind: int

    @dataclass
    class PicturesNamed(Message):
        """Paths that look like those of pictures have been written."""

        editor: "Editor"
        paths: list[str]

    COMPONENT_CLASSES: ClassVar[set[str]] = {"editor--chip"}

    def __init__(
        self,
        *,
        keys: Mapping[str, Sequence[str]] = MappingProxyType({}),
        placeholder: str = "",
        compact: bool = True,
    ) -> None:
        self.keys = editor_keys_in_force(keys)
        """By pi's names of what they do."""
        self._chips = Chips()
        self._ring = KillRing()
        self._before = self._done = ""
        """What the key before this one did, if it did kill or yank, and what this one does."""
        self._removed = ""
        self._yanked: tuple[Location, Location] | None = None
        """Where what was yanked stands, until anything else is changed."""
        self._jump = 0
        """Whether the next character that is typed is to be found, after the cursor or before it."""
        super().__init__(compact=compact, highlight_cursor_line=False, placeholder=placeholder)
        self.cursor_blink = False
        self._bindings = BindingsMap(
            [
                *(
                    Binding(",".join(self.keys[name]), action, show=False)
                    for name, (_, action) in EDITOR_KEYS.items()
                    if action and self.keys[name]
                ),
                *(Binding(key, action, show=False) for key, action in OTHER_KEYS),
            ]
        )

    # what is written

    @property
    def draft(self) -> Draft:
        return self._chips.draft(self.text)

    def write(self, *parts: Part) -> None:
        """Put this where the cursor is, instead of what is selected, and go behind it."""
        result = self.replace(self._chips.shown(Draft.of(*parts)), *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)

    def paste(self, text: str) -> None:
        """Put in text from elsewhere; a long one as one thing."""
        cleaned = pasted(text)
        row, column = min(self.selection)
        paths = picture_paths(cleaned)
        if all(map(is_dropped, paths)) and are_glued(self.document[row][:column], "".join(paths)):
            cleaned = f" {cleaned}"
        self.write(Pasted(cleaned) if is_long(cleaned) or MARK.search(cleaned) else cleaned)

    def show(self, draft: Draft) -> None:
        self._show(self._chips.shown(draft))

    @property
    def selected_text(self) -> str:
        """What is selected, written out."""
        return self._chips.draft(super().selected_text).text

    # chips are one thing

    def open_chip(self, at: Location | None = None) -> bool:
        """Open the chip beside the cursor, or the one `at` a place; whether there is one."""
        row, column = at or self.cursor_location
        line = self.document[row]
        for first, after in self._chips.spans(line):
            if first <= column < after + (at is None):
                chip = self._chips.chip(line[first])
                behind = self._places(chip).index(((row, first), (row, after)))
                self.post_message(self.ChipOpened(self, chip, label(chip).strip("[]"), behind))
                return True
        return False

    def _places(self, chip: Chip) -> list[tuple[Location, Location]]:
        """From where to where it stands, the last first."""
        return [
            ((row, first), (row, after))
            for row in reversed(range(self.document.line_count))
            for first, after in reversed(list(self._chips.spans(self.document[row])))
            if self._chips.chip(self.document[row][first]) is chip
        ]

    async def _on_mouse_up(self, event: events.MouseUp) -> None:
        if self.selection.is_empty:
            self.open_chip(self.get_target_document_location(event))

    def put_for(self, opened: ChipOpened, part: Part) -> bool:
        """Put this where the chip stands that was opened, and go behind it; whether it does still stand anywhere.

        Something may have come above it meanwhile.
        """
        places = self._places(opened.chip)[: opened.behind + 1]
        if places:
            self.replace(self._chips.shown(Draft.of(part)), *places[-1], maintain_selection_offset=False)
        return bool(places)

    def put_instead(self, words: str, chip: Chip) -> bool:
        """Put a chip where these words stand last; whether they do. The cursor stays where it is in the rest."""
        for row in range(self.document.line_count - 1, -1, -1):
            column = self._chips.blanked(self.document[row]).rfind(words)
            if column >= 0:
                self.replace(self._chips.shown(Draft.of(chip)), (row, column), (row, column + len(words)))
                return True
        return False

    def around(self, line: str, column: int) -> Span | None:
        return self._chips.around(line, column)

    def edit(self, edit: Edit) -> EditResult:
        result = super().edit(edit)
        self._yanked = None
        self._removed = result.replaced_text
        return result

    def get_line(self, line_index: int) -> ShownLine:
        line = self.document.get_line(line_index)
        spans = list(self._chips.spans(line))
        shown = list(line)
        for first, after in spans:
            shown[first:after] = "[" + line[first + 1 : after].replace(GAP, " ")
        text = ShownLine("".join(shown), partial(self._chips.around, line))
        for first, after in spans:
            text.stylize(self._chip_style, first, after)
        return text

    @property
    def _chip_style(self) -> Style:
        return self.get_component_rich_style("editor--chip", partial=True)

    def render_line(self, y: int) -> Strip:
        return super().render_line(y) if self.size.width > 0 else Strip.blank(0)  # a placeholder cannot be wrapped to 0

    # keys

    async def _on_key(self, event: events.Key) -> None:
        self._before, self._done = self._done, ""
        if self._jump:
            self._jump_with(event)
        elif not (event.character and MARK.match(event.character)):
            if event.key == "space":
                self._name_typed_picture()
            await press(self, self._bindings, event)
            return
        event.stop()
        event.prevent_default()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.paste(event.text)
        self._name_pictures(event.text)

    def _name_pictures(self, text: str) -> None:
        if paths := picture_paths(text):
            self.post_message(self.PicturesNamed(self, paths))

    def _name_typed_picture(self) -> None:
        """A word that is a path was ended by a space."""
        row, column = self.cursor_location
        word = re.split(r"(?<!\\) ", self.document[row][:column])[-1]
        if word.startswith(("/", "~", "./", "../", "file://")):
            self._name_pictures(word)

    def action_new_line(self) -> None:
        self._replace_via_keyboard("\n", *self.selection)

    def get_cursor_line_start_location(self, smart_home: bool = False) -> Location:
        return self.cursor_location[0], 0  # of the whole line, as in pi, and not of the row

    def get_cursor_line_end_location(self) -> Location:
        row, _ = self.cursor_location
        return row, len(self.document[row])

    # cutting and putting in again

    def action_kill_word_left(self) -> None:
        self._kill(self.action_delete_word_left, before=True)

    def action_kill_word_right(self) -> None:
        self._kill(self.action_delete_word_right, before=False)

    def action_kill_to_start(self) -> None:
        self._kill(self.action_delete_to_start_of_line, before=True)

    def action_kill_to_end(self) -> None:
        at_end = self.selection.is_empty and self.cursor_at_end_of_line
        self._kill(self.action_delete_right if at_end else self.action_delete_to_end_of_line, before=False)

    def _kill(self, delete: Callable[[], None], *, before: bool) -> None:
        self._removed = ""
        delete()
        self._ring.kill(self._removed, joined=self._before == "kill", before=before)
        self._done = "kill"

    def action_yank(self) -> None:
        self._yank(self._ring.newest(), *sorted(self.selection))

    def action_yank_pop(self) -> None:
        if self._before == "yank" and self._yanked:
            self._yank(self._ring.older(), *self._yanked)

    def _yank(self, text: str, start: Location, end: Location) -> None:
        result = self.replace(text, start, end, maintain_selection_offset=False)
        self.move_cursor(result.end_location)
        self._yanked = (start, result.end_location)
        self._done = "yank"

    # jumping to a character

    def action_jump(self, step: int) -> None:
        """Go to the next place where the character stands that is typed next; or back, to the one before."""
        self._jump = step

    @property
    def is_jumping(self) -> bool:
        return self._jump != 0

    def _jump_with(self, event: events.Key) -> None:
        step, self._jump = self._jump, 0
        if not event.is_printable or event.character is None:
            return
        text = self._chips.blanked(self.text)
        row, column = self.cursor_location
        here = sum(len(line) + 1 for line in self.document.lines[:row]) + column
        found = text.find(event.character, here + 1) if step > 0 else text.rfind(event.character, 0, here)
        if found >= 0:
            self.move_cursor((text.count("\n", 0, found), found - text.rfind("\n", 0, found) - 1))
