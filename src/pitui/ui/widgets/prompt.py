"""The editor in which the person writes to pi."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from pitui import editor_keys
from pitui.draft import Draft, Part, Pasted, folded
from pitui.session.blocks import PromptBlock
from pitui.session.model import Session
from pitui.ui.recall import Past, Recall
from pitui.ui.suggestions import Suggestion
from pitui.ui.wanted import Wanted, path_before, wanted
from pitui.ui.widgets.completion import Completion
from pitui.ui.widgets.editor import Editor
from pitui.ui.widgets.writing import run_action

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart

PLACEHOLDERS = (
    "Write to pi; / for commands, ! for the shell",
    "Write to pi; / for commands",
    "Write to pi",
)
"""The longest for which there is room is shown."""
OF_A_RECORDING = ("A recording: it is only shown, and takes no prompts", "A recording: takes no prompts", "A recording")

MOST_SENT = 100
"""Prompts that are known as they were written."""
SLOW = 20_000
"""Characters from which on a text that comes back is one thing: the editor would be slow with it."""


class Prompt(Editor):
    """What is sent leaves it at once, in `Submitted`; what was not taken comes back above the rest.

    `claimed` are the keys that mean something to the app, and so nothing here, each with the action of the app;
    `follow_up` those that send what is written as a follow-up.
    """

    @dataclass
    class Submitted(Message):
        """The person sends this; it has left the editor."""

        draft: Draft
        follow_up: bool

        @property
        def text(self) -> str:
            """All of it, written out."""
            return self.draft.text

        @property
        def images(self) -> "Sequence[ImagePart]":
            return self.draft.images

    class Edited(Message):
        """Something else is written than before."""

    class Typed(Message):
        """The person is writing."""

    class Kept(Message):
        """Something has left the editor and is to be remembered: `recall` has it."""

    def __init__(
        self,
        session: Session,
        completion: Completion,
        *,
        keys: Mapping[str, Sequence[str]] = MappingProxyType({}),
        claimed: Mapping[str, str] = MappingProxyType({}),
        follow_up: frozenset[str] = frozenset(),
        placeholders: Sequence[str] = PLACEHOLDERS,
    ) -> None:
        super().__init__(keys=keys, placeholder=placeholders[0])
        self._placeholders = placeholders
        self._session = session
        self._completion = completion
        self._claimed = claimed
        self._follow_up = follow_up
        self.recall = Recall()
        self._leaving: list[Draft] = []
        """What was sent and nobody has taken yet."""
        self._sent: deque[Draft] = deque(maxlen=MOST_SENT)
        """With pastes and pictures, as it was written: pi and the outbox have words, and images beside them."""
        self._path_at: tuple[int, int] | None = None
        """Where the word begins that the person wants completed as a path."""
        for key in claimed:
            self._bindings.key_to_bindings.pop(key, None)
        by_name = [(key, name) for name in editor_keys.EDITOR_KEYS for key in self.keys[name] if key not in claimed]
        self._meanings = dict(reversed(by_name))
        """What each key does, by pi's name of it; of several things the first, as in pi."""

    # what the app does with it

    def give_back(self, texts: Sequence[str], images: "Sequence[ImagePart]" = ()) -> None:
        """Put these above what is being written, one blank line between; the cursor stays where it is in that.

        What was written out of pastes and pictures that this editor has had is those again.
        """
        self.put_above(self.as_written("\n\n".join(text for text in texts if text), images))

    def as_written(self, text: str, images: "Sequence[ImagePart]") -> Draft:
        """A prompt as it was written here: with the pastes and pictures that this editor has had."""
        sent = (draft for draft in reversed(self._sent) if (draft.text, draft.images) == (text, tuple(images)))
        return next(sent, None) or folded(text, images, self._chips.known)

    def is_sent(self, draft: Draft) -> None:
        """When this comes back it is what it was."""
        if draft.chips:
            self._sent.append(draft)

    def put_above(self, draft: Draft) -> None:
        """The same with a draft."""
        if not draft.parts:
            return
        self.go_on_writing()
        shown = Draft.of(*(_light(part) for part in draft.parts))
        if self.draft.is_blank:
            self.show(shown)
        else:
            self.insert(self._chips.shown(Draft.of(*shown.parts, "\n\n")), (0, 0))

    def keep(self, text: str, images: "Sequence[ImagePart]" = ()) -> None:
        """Remember a prompt that is not in the editor, for the up key."""
        self._keep(self.as_written(text, images))

    def _keep(self, draft: Draft) -> None:
        self.recall.keep(draft)
        self.post_message(self.Kept())

    def empty(self) -> None:
        """Clear the editor; what was written can be recalled."""
        self.fill("")

    def fill(self, text: str) -> None:
        """Write `text` instead of what is written, which can be recalled."""
        self.go_on_writing()
        self._keep(self.draft)
        self.show(Draft.of(text))

    def go_on_writing(self) -> None:
        """Have in the editor what is being written, and not an earlier prompt that is only looked at."""
        if self.recall.is_shown(self.draft):
            self.show(self.recall.leave())
        elif self.recall.is_browsing:
            self.recall.stop()
            self.post_message(self.Kept())

    def bring_back(self, past: Past) -> None:
        """Write an earlier prompt instead of what is there, to which the down key leads back."""
        self.recall.go_to(past, self.draft, self.said())
        self._show_recalled(past.draft)

    @property
    def written(self) -> Draft:
        """What is being written: not an earlier prompt that is only looked at."""
        return self.recall.draft if self.recall.is_shown(self.draft) else self.draft

    @property
    def unsent(self) -> Draft:
        """What is written, and above it what was sent and nobody has taken yet.

        Also what was being written before an earlier prompt was made into something else.
        """
        drafts = [*self._leaving, self.recall.draft]
        if not self.recall.is_shown(self.draft):
            drafts.append(self.draft)
        first, *more = [draft for draft in drafts if not draft.is_blank] or [Draft()]
        return Draft.of(*first.parts, *(part for draft in more for part in ("\n\n", *draft.parts)))

    def is_taken(self, draft: Draft) -> None:
        """Somebody sees to this, which was sent."""
        with suppress(ValueError):
            self._leaving.remove(draft)

    def submit(self, *, follow_up: bool = False) -> None:
        """Send what is written."""
        draft = self.draft
        self._leaving.append(draft)
        self.is_sent(draft)
        self._keep(draft)
        self.recall.stop()
        self.show(Draft())
        self.post_message(self.Submitted(draft, follow_up))

    def on_resize(self) -> None:
        room = self.scrollable_content_region.width
        self.placeholder = next((text for text in self._placeholders if len(text) <= room), "")

    # keys

    async def _on_key(self, event: events.Key) -> None:
        self.post_message(self.Typed())
        if not self.is_jumping and (self._pressed(event) or await self._performed(event.key)):
            event.stop()
            event.prevent_default()

    async def _performed(self, key: str) -> bool:
        """Whether the key was for the app: it is told at once, so that what is typed next comes after that."""
        action = self._claimed.get(key)
        return action is not None and await run_action(self, action)

    def _pressed(self, event: events.Key) -> bool:
        """Whether the key was for us and not for the plain editor."""
        completion, key = self._completion, event.key
        completion.suggest(self._wanted())  # what was typed fast is not told of by `Changed` yet
        does = self._meanings.get(key, key)
        match does:
            case _ if completion.is_open and key in ("up", "down"):
                completion.move(-1 if key == "up" else 1)
            case editor_keys.SUBMIT | editor_keys.NEW_LINE | "enter":
                return self._entered(event, does)
            case editor_keys.TAB:
                self._complete(event.time)
            case editor_keys.UP if self._at_edge(0):
                self._recall_older()
            case editor_keys.DOWN if self.recall.is_browsing and self._at_edge(self.wrapped_document.height - 1):
                self._recall_newer()
            case _ if key in self._follow_up:
                self.submit(follow_up=True)
            case _:
                return False
        return True

    def _entered(self, event: events.Key, does: str) -> bool:
        """Whether the key took what is offered, or sent. After a backslash it does what it does not do else."""
        row, column = self.cursor_location
        backslash = self.selection.is_empty and self.document[row][:column].endswith("\\")
        takes = does == editor_keys.SUBMIT or event.key == "enter"
        if takes and (suggestion := self._completion.for_enter(event.time)):
            self._put_in(suggestion)
            if suggestion.runs:
                self.submit()
        elif does == editor_keys.SUBMIT and backslash:
            self.replace("\n", (row, column - 1), (row, column), maintain_selection_offset=False)
        elif does == editor_keys.SUBMIT:
            self.submit()
        elif event.key == "enter" and backslash and "shift+enter" in self.keys[editor_keys.SUBMIT]:
            self.delete((row, column - 1), (row, column))
            self.submit()  # most terminals send the same for Shift+Enter
        else:
            return False
        return True

    async def _on_paste(self, event: events.Paste) -> None:
        self.post_message(self.Typed())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing is written, Home and End are for the chat."""
        return action not in ("cursor_line_start", "cursor_line_end") or bool(self.text)

    # completion

    def close_completion(self) -> None:
        """Offer nothing for the word before the cursor, until something else is typed or Tab asks for it."""
        self._completion.close()
        self._path_at = None

    def show(self, draft: Draft) -> None:
        self._path_at = None  # it was a place in what is gone
        super().show(draft)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.post_message(self.Edited())
        self.set_class(self.text.startswith("!"), "-bash")
        self._completion.suggest(self._wanted())

    def _before_cursor(self) -> str:
        row, column = self.cursor_location
        return self.document[row][:column]

    def _wanted(self) -> Wanted | None:
        if not self.selection.is_empty or self.recall.is_shown(self.draft):
            return None
        before = self._before_cursor()
        path = path_before(before)
        if self._path_at == (self.cursor_location[0], len(before) - path.length):
            return path
        return wanted(before, alone=self.cursor_location == self.document.end == (0, len(self.text)))

    def _complete(self, pressed: float) -> None:
        """Put in what is highlighted; where nothing is, see how the word before the cursor goes on as a path."""
        if suggestion := self._completion.for_tab(pressed):
            self._put_in(suggestion)
        elif not self._completion.is_open and self.selection.is_empty:
            before = self._before_cursor()
            self._path_at = (self.cursor_location[0], len(before) - path_before(before).length)
            self._completion.suggest(self._wanted())

    def _put_in(self, suggestion: Suggestion) -> None:
        self._completion.took(suggestion)
        row, column = self.cursor_location
        length, text = self._completion.length, suggestion.text
        closed = text.rstrip(" ").endswith('"') and self.document[row][column : column + 1] == '"'
        result = self.replace(text, (row, column - length), (row, column + closed), maintain_selection_offset=False)
        end_row, end_column = result.end_location
        self.move_cursor((end_row, end_column - suggestion.back))
        if not suggestion.goes_on:
            self._path_at = None

    # the past

    def _at_edge(self, row: int) -> bool:
        return self.selection.is_empty and self.wrapped_document.location_to_offset(self.cursor_location).y == row

    def said(self) -> list[str]:
        """What the person has said in this session."""
        return [block.text for block in self._session.blocks if isinstance(block, PromptBlock)]

    def action_history_previous(self) -> None:
        self._recall_older()

    def action_history_next(self) -> None:
        self._recall_newer()

    def _recall_older(self) -> None:
        if draft := self.recall.older(self.draft, self.said()):
            self._show_recalled(draft)
            self.move_cursor((0, self._end_of_first_row()))

    def _end_of_first_row(self) -> int:
        wraps = self.wrapped_document.get_offsets(0)
        return wraps[0] - 1 if wraps else len(self.document[0])

    def _recall_newer(self) -> None:
        if draft := self.recall.newer(self.draft):
            self._show_recalled(draft)

    def _show_recalled(self, draft: Draft) -> None:
        self.show(draft)
        self.recall.shown(self.draft)


def _light(part: Part) -> Part:
    return Pasted(part) if isinstance(part, str) and len(part) > SLOW else part
