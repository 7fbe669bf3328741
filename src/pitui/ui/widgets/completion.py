"""The menu of slash words over the prompt."""

from collections.abc import Sequence

from textual.geometry import Size

from pitui.session.model import Session
from pitui.ui.commands import Word, matching, words
from pitui.ui.widgets.menu import Item, Menu


class Completion(Menu):
    """Open while a slash word is being typed. The prompt keeps the focus and tells it what is typed."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._words: Sequence[Word] = ()
        self._typed = ""
        self._moved = False
        self._closed_at: str | None = None
        self.display = False

    @property
    def is_open(self) -> bool:
        return self.display

    def suggest(self, typed: str | None) -> None:
        """Show what fits to `typed`, the word so far without its slash; None when no word is being typed."""
        if typed is None or typed == self._closed_at:
            self.display = False
            if typed is None:
                self._closed_at = None
            return
        if self.is_open and typed == self._typed:
            return
        self._closed_at = None
        self._typed = typed
        self._moved = False
        self._words = matching(words(self._session), typed)
        self.display = bool(self._words)
        if self._words:
            self.show([Item(f"/{word.name} {word.argument}".rstrip(), word.title, word.kind) for word in self._words])

    def close(self) -> None:
        """Stay closed until something else is typed."""
        self._closed_at = self._typed
        self.display = False

    def move(self, by: int, *, around: bool = True) -> None:
        self._moved = True
        super().move(by, around=around)

    @property
    def word(self) -> Word | None:
        """The highlighted word."""
        return self._words[self.highlighted] if self.is_open else None

    @property
    def word_to_run(self) -> Word | None:
        """The highlighted word if Enter means it: one that was moved to, or that begins as typed."""
        word = self.word
        if word and (self._moved or word.name.lower().startswith(self._typed.lower())):
            return word
        return None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(8, len(self.items))
