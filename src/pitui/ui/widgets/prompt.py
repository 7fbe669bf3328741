"""The editor in which the person writes to pi."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widgets import TextArea

from pitui.session.blocks import PromptBlock
from pitui.session.model import Session
from pitui.ui.dialogs.wording import pasted
from pitui.ui.widgets.completion import Completion
from pitui.ui.widgets.writing import press, run_action

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart

PLACEHOLDERS = (
    "Write to pi; / for commands, ! for the shell",
    "Write to pi; / for commands",
    "Write to pi",
)
"""The longest for which there is room is shown."""


class Prompt(TextArea):
    """What is sent leaves it at once, in `Submitted`; what was not taken comes back above the rest.

    `claimed` are the keys that mean something to the app, and so nothing here, each with the action of the app;
    `follow_up` those that send what is written as a follow-up.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+underscore,ctrl+minus", "undo", "Undo", show=False),
    ]

    @dataclass
    class Submitted(Message):
        """The person sends this; it has left the editor."""

        text: str
        images: "Sequence[ImagePart]"
        follow_up: bool

    class Typed(Message):
        """The person is writing."""

    def __init__(
        self,
        session: Session,
        completion: Completion,
        *,
        claimed: Mapping[str, str] = MappingProxyType({}),
        follow_up: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(compact=True, highlight_cursor_line=False, placeholder=PLACEHOLDERS[0])
        self.cursor_blink = False
        self.images: list[ImagePart] = []
        self._session = session
        self._completion = completion
        self._claimed = claimed
        self._follow_up = follow_up
        self._left: list[str] = []
        """What was sent or cleared, the oldest first."""
        self._past: list[str] = []
        self._recalled: int | None = None
        self._draft = ""
        for key in claimed:
            self._bindings.key_to_bindings.pop(key, None)

    # what the app does with it

    def give_back(self, texts: Sequence[str], images: "Sequence[ImagePart]" = ()) -> None:
        """Put these above what is being written, one blank line between; the cursor stays where it is in that."""
        returned = pasted("\n\n".join(text for text in texts if text))
        self.images[:0] = images
        if not returned:
            return
        self._stop_recalling()
        if self.text.strip():
            self.insert(returned + "\n\n", (0, 0))
        else:
            self._fill(returned)

    def keep(self, text: str) -> None:
        """Remember a text that is not in the editor any more, for the up key."""
        if text.strip() and text not in self._left[-1:]:
            self._left.append(text)

    def empty(self) -> None:
        """Clear the editor; what was in it can be recalled."""
        self.keep(self.text)
        self._fill("")
        self.images.clear()

    def fill(self, text: str) -> None:
        """Write `text` instead of what is there, which can be recalled."""
        self.keep(self.text)
        self._fill(text)

    def submit(self, *, follow_up: bool = False) -> None:
        """Send what is written."""
        text, images = self.text, tuple(self.images)
        self.empty()
        self._stop_recalling()
        self.post_message(self.Submitted(text, images, follow_up))

    def on_resize(self) -> None:
        room = self.scrollable_content_region.width
        self.placeholder = next((text for text in PLACEHOLDERS if len(text) <= room), "")

    # keys

    async def _on_key(self, event: events.Key) -> None:
        self.post_message(self.Typed())
        if self._pressed(event.key) or await self._performed(event.key):
            event.stop()
            event.prevent_default()
        else:
            await press(self, self._bindings, event)

    async def _performed(self, key: str) -> bool:
        """Whether the key was for the app: it is told at once, so that what is typed next comes after that."""
        action = self._claimed.get(key)
        return action is not None and await run_action(self, action)

    def _pressed(self, key: str) -> bool:
        """Whether the key was for us and not for the plain editor."""
        completion = self._completion
        completion.suggest(self._slash_word())  # what was typed fast is not told of by `Changed` yet
        match key:
            case "up" | "down" if completion.is_open:
                completion.move(-1 if key == "up" else 1)
            case "tab":
                self._complete()
            case "enter" if completion.word_to_run:
                self._run_completed()
            case "enter":
                self._break_line_or_submit()
            case "shift+enter" | "ctrl+j":
                self._replace_via_keyboard("\n", *self.selection)
            case "up" if self._at_edge(0):
                self._recall(-1)
            case "down" if self._recalled is not None and self._at_edge(self.wrapped_document.height - 1):
                self._recall(1)
            case _ if key in self._follow_up:
                self.submit(follow_up=True)
            case _:
                return False
        return True

    def _break_line_or_submit(self) -> None:
        row, column = self.cursor_location
        if column and self.selection.is_empty and self.document[row][column - 1] == "\\":
            self.replace("\n", (row, column - 1), (row, column), maintain_selection_offset=False)
        else:
            self.submit()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.post_message(self.Typed())
        if result := self._replace_via_keyboard(pasted(event.text), *self.selection):
            self.move_cursor(result.end_location)

    def render_line(self, y: int) -> Strip:
        return super().render_line(y) if self.size.width > 0 else Strip.blank(0)  # a placeholder cannot be wrapped to 0

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing is written, Home and End are for the chat."""
        return action not in ("cursor_line_start", "cursor_line_end") or bool(self.text)

    # slash words

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.set_class(self.text.startswith("!"), "-bash")
        self._completion.suggest(self._slash_word())

    def _slash_word(self) -> str | None:
        if not self.text.startswith("/") or self._recalled is not None:
            return None
        word = self.text[1:]
        return None if any(character.isspace() or character == "/" for character in word) else word

    def _complete(self) -> None:
        if word := self._completion.word:
            self._fill(f"/{word.name} ")

    def _run_completed(self) -> None:
        word = self._completion.word_to_run
        if word is None:
            return
        self._fill(f"/{word.name}" + (" " if word.argument.startswith("<") else ""))
        if not word.argument.startswith("<"):
            self.submit()

    # the past

    def _at_edge(self, row: int) -> bool:
        return self.selection.is_empty and self.wrapped_document.location_to_offset(self.cursor_location).y == row

    def _recall(self, by: int) -> None:
        """Show an earlier prompt of this session, or a later one, and after the last what was being written."""
        if self._recalled is None:
            said = [block.text for block in self._session.blocks if isinstance(block, PromptBlock) and block.text]
            self._past = list(dict.fromkeys(reversed([*said, *self._left])))[::-1]
            self._draft = self.text
            self._recalled = len(self._past)
        self._recalled = max(0, self._recalled + by)
        if self._recalled >= len(self._past):
            self._stop_recalling()
            self._fill(self._draft)
            return
        self._fill(self._past[self._recalled])
        if by < 0:
            self.move_cursor((0, 0))

    def _stop_recalling(self) -> None:
        self._recalled = None

    def _fill(self, text: str) -> None:
        self.replace(pasted(text), (0, 0), self.document.end, maintain_selection_offset=False)
