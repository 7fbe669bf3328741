"""Going through what was written before, with what is being written at the end of it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pitui.draft import Draft

if TYPE_CHECKING:
    from pitui.store.history import PastPrompt


@dataclass(frozen=True, slots=True)
class Past:
    """What was written, and when, in seconds since 1970; 0 where that is not known."""

    draft: Draft
    at: float = field(default=0.0, compare=False)


def stored(past: Past) -> "PastPrompt":
    """As the store takes it."""
    from pitui.store.history import PastPrompt

    draft = past.draft
    return PastPrompt(draft.text, json.dumps(draft.to_json()) if draft.chips else "", past.at)


def restored(prompt: "PastPrompt") -> Past:
    """What the store gave; of chips that cannot be read the text is left."""
    try:
        draft = Draft.from_json(json.loads(prompt.data)) if prompt.data else Draft.of(prompt.text)
    except (ValueError, RecursionError):
        draft = Draft.of(prompt.text)
    return Past(draft, prompt.at)


class Recall:
    """The earlier prompts of the folder, and the place in them while a person goes through."""

    def __init__(self) -> None:
        self._stored: list[Past] = []
        self._unwritten: list[Past] = []
        """What has left the editor and is not in the store yet; the oldest first, as everywhere here."""
        self._past: Sequence[Past] = ()
        self._at: int | None = None
        self._draft = self._shown = Draft()

    @property
    def is_browsing(self) -> bool:
        return self._at is not None

    @property
    def draft(self) -> Draft:
        """What was being written before the earlier prompts were gone through."""
        return self._draft if self.is_browsing else Draft()

    def load(self, stored: Sequence[Past]) -> None:
        """Take what the store has."""
        self._stored = list(stored)

    def take_unwritten(self) -> list[Past]:
        """What is to be written into the store now."""
        taken, self._unwritten = self._unwritten, []
        self._stored += taken
        return taken

    def keep(self, draft: Draft) -> None:
        """Remember one that is not in the editor any more."""
        if not draft.is_blank and Past(draft) not in (self._unwritten or self._stored)[-1:]:
            self._unwritten.append(Past(draft))

    def all(self, said: Iterable[str]) -> list[Past]:
        """Each where it was written last. What was `said` in the session and is not stored comes before the rest."""
        every = [*(Past(Draft.of(text)) for text in said if text), *self._stored, *self._unwritten]
        latest: dict[str | Past, Past] = {}
        for past in reversed(every):
            latest.setdefault(past.draft.text or past, past)
        return list(latest.values())[::-1]

    def older(self, written: Draft, said: Iterable[str]) -> Draft | None:
        """The one before what is `written`, which is the draft if it was not recalled; None when there is none."""
        self._begin(written, said)
        if not self._at:
            self._at = self._at if self._past else None
            return None
        self._at -= 1
        return self._past[self._at].draft

    def newer(self, written: Draft) -> Draft | None:
        """The one after what is `written`, at last the draft; None when that was not recalled."""
        if self._at is None or not self._is_recalled(written):
            return None
        self._at += 1
        if self._at < len(self._past):
            return self._past[self._at].draft
        self._at = None
        return self._draft

    def go_to(self, past: Past, written: Draft, said: Iterable[str]) -> None:
        """Stand at that one of `all`, as if it had been come to step by step."""
        self._begin(written, said)
        if past not in self._past:  # the store was read anew meanwhile
            self._past = [*self._past, past]
        self._at = self._past.index(past)

    def shown(self, written: Draft) -> None:
        """Know what the editor made of the one that was recalled."""
        self._shown = written

    def is_shown(self, written: Draft) -> bool:
        """Whether that was recalled, and not changed since."""
        return self._at is not None and written == self._shown

    def leave(self) -> Draft:
        """Go back to the draft at once."""
        draft, self._at = self.draft, None
        return draft

    def stop(self) -> None:
        """What is in the editor now is what is being written; a draft from before that is a thing past."""
        if self._at is not None:
            self.keep(self._draft)
            self._at = None

    def _begin(self, written: Draft, said: Iterable[str]) -> None:
        if not self._is_recalled(written):
            self._past, self._draft = self.all(said), written
            self._at = len(self._past)

    def _is_recalled(self, written: Draft) -> bool:
        """One that was changed since is a draft of its own."""
        if written != self._shown:
            self.stop()
        return self._at is not None
