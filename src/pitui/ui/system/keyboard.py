"""What Textual 8.2 does not understand of what terminals send: pastes, and keys with modifiers.

A paste is what comes between two markers. Textual's parser ends it at the first escape sequence in it, and takes the
rest for keys. Where the terminal does not mark pastes, one is known by how much comes in one piece. Terminals without
the Kitty protocol send Alt and a key as ESC and that key; tmux and xterm write modified keys as
``CSI 27 ; modifier ; code ~``.
"""

import re
import sys
from collections.abc import Iterable, Iterator

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._time import get_time
from textual._xterm_parser import BRACKETED_PASTE_END as END
from textual._xterm_parser import BRACKETED_PASTE_START as START
from textual._xterm_parser import XTermParser
from textual.keys import Keys
from textual.message import Message

QUIET = 0.03
"""Seconds without input after which a paste is over: its end marker, when more follows at once, stood in it."""
PATIENCE = 5.0
"""Seconds without input after which a paste is over though its end never came."""
BURST = 100
"""Characters that nobody types at once, a slow connection or not: a paste, where the terminal does not mark one."""

SUB_FIELDS = re.compile(r":[\d:]*")
SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")
LINES = re.compile(r"[^\r\n][\r\n]+[^\r\n]")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
OTHER_KEY = re.compile(r"\x1b\[27;(\d+);(\d+)~")
MARKS_PASTES = re.compile(r"\x1b\[\?2004;[123]\$y")
KITTY = re.compile(r"\x1b\[\?\d+u")
ATTRIBUTES = re.compile(r"\x1b\[\?[\d;]+c")
ALT = {"\r": "alt+enter", "\n": "alt+enter", "\x7f": "alt+backspace"}
ASK_FOR_KEYBOARD = "\x1b[?u\x1b[c"
"""Only a terminal with the Kitty protocol answers the first question; all answer the second, and in this order."""
ASK_FOR_PASTES = "\x1b[?2004$p"


class EntersAreAlike(Message):
    """The terminal does not speak the Kitty protocol, and so may send the same for Enter and for Shift+Enter."""


class Parser(XTermParser):
    """Textual's parser of what a terminal sends, with more words."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._held = ""
        """What may be the beginning of the marker of a paste."""
        self._pieces: list[str] | None = None
        """What has come of a paste."""
        self._marked = self._ended = False
        """Whether the paste came with a marker, and whether the marker of its end has come, too."""
        self._due: float | None = None
        self._marks_pastes = self._speaks_kitty = False
        self._most = sys.maxsize
        """Fewer characters at once are typed. What comes first was typed while nobody read it."""
        self._alike = False

    @property
    def wait(self) -> float:
        """Seconds after which `tick` may have something to say."""
        dues = [due for due in (self._due, self._timeout_time) if due is not None]
        return min(0.1, max(0.0, min(dues) - get_time())) if dues else 0.1

    def feed(self, data: str) -> Iterator[Message]:
        if data:
            yield from self._take(data)
        else:
            yield from self._settle()
            yield from super().feed("")
        if self._alike:
            self._alike = False
            yield EntersAreAlike()

    def tick(self) -> Iterator[Message]:
        if self._due is not None and get_time() >= self._due:
            yield from self._settle()
        yield from super().tick()

    def _take(self, data: str) -> Iterator[Message]:
        if self._pieces is not None:
            yield from self._go_on(data)
            return
        data, self._held, self._due = self._held + data, "", None
        typed, marker, pasted = data.partition(START)
        if not marker:
            self._held = _beginning_of_marker(typed)
            typed = typed.removesuffix(self._held)
            self._due = get_time() + constants.ESCAPE_DELAY if self._held else None
        is_burst, self._most = self._is_burst(typed), BURST
        if is_burst:
            self._begin(typed + self._held, marked=False)
            self._held = ""
        elif typed:
            yield from super().feed(typed)
        if marker:
            if self._pieces is not None:
                yield from self._settle()
            self._marks_pastes = True
            self._begin(pasted, marked=True)

    def _begin(self, text: str, *, marked: bool) -> None:
        self._pieces, self._marked, self._ended = [], marked, not marked
        self._add(text)

    def _add(self, text: str) -> None:
        assert self._pieces is not None
        before = self._pieces[-1] if self._pieces else ""
        if self._marked and END in before[1 - len(END) :] + text:
            self._ended = True
        if len(text) < len(END) and before:  # so that a marker is never in more than two pieces
            self._pieces[-1] += text
        else:
            self._pieces.append(text)
        self._due = get_time() + (QUIET if self._ended else PATIENCE)

    def _go_on(self, data: str) -> Iterator[Message]:
        if not self._marked and START in data:
            before, _, _ = data.partition(START)
            self._add(before)
            yield from self._settle()
            yield from self._take(data.removeprefix(before))
        else:
            self._add(data)

    def _settle(self) -> Iterator[Message]:
        """Give what was held back: nothing comes that could change it."""
        self._due = None
        pieces, held, self._pieces, self._held = self._pieces, self._held, None, ""
        if held:
            yield from super().feed(held)
            self._timeout_time = get_time() if self._timeout_time else None
        if pieces is None:
            return
        text, rest, enter = "".join(pieces), "", ""
        if self._marked and self._ended:
            text, _, rest = text.rpartition(END)
        elif not self._marked and text.endswith("\r") and not LINES.search(text):
            text, enter = text[:-1], "\r"
        if text:
            yield events.Paste(text)
        if enter:
            yield from super().feed(enter)
        if rest:
            yield from self._take(rest)

    def _is_burst(self, typed: str) -> bool:
        if self._marks_pastes or len(typed) < 3:
            return False
        if LINES.search(SEQUENCE.sub("", typed)):
            return True
        return len(typed) >= self._most and not CONTROL.search(typed)

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        if self._is_answer(sequence):
            return [events.Key(Keys.Ignore, sequence)]
        written = f"\x1b{sequence}" if alt else sequence
        if key := self._other_key(written) or self._key_with_alt(written):
            return [key]
        try:
            return list(super()._sequence_to_key_events(sequence, alt))
        except ValueError:  # fields of the Kitty protocol that nobody asked for
            return list(super()._sequence_to_key_events(SUB_FIELDS.sub("", sequence), alt))

    def _is_answer(self, sequence: str) -> bool:
        """Whether the terminal tells about itself."""
        if MARKS_PASTES.fullmatch(sequence):
            self._marks_pastes = True
        elif KITTY.fullmatch(sequence):
            self._speaks_kitty = True
        elif ATTRIBUTES.fullmatch(sequence):
            self._alike = not self._speaks_kitty
        else:
            return False
        return True

    def _other_key(self, sequence: str) -> events.Key | None:
        """A modified key as xterm and tmux write it. With Shift alone a character is what is typed."""
        found = OTHER_KEY.fullmatch(sequence)
        if found is None or not 0 < int(found[2]) <= sys.maxunicode:
            return None
        modifiers, character = int(found[1]), chr(int(found[2]))
        if modifiers == 2 and character.isprintable() and character != " ":
            return self._key(character)
        key = self._key(f"\x1b[{ord(character.lower())};{modifiers}u")
        return key and events.Key(key.key, None)

    def _key_with_alt(self, sequence: str) -> events.Key | None:
        """A key with Alt as most terminals send it, but for what longer sequences begin with and what Textual knows."""
        if len(sequence) != 2 or sequence[0] != "\x1b" or sequence[1] in "\x1b[O":
            return None
        if sequence[1] in ALT:
            return events.Key(ALT[sequence[1]], None)
        key = None if sequence in ANSI_SEQUENCES_KEYS else self._key(sequence[1])
        if key is None:
            return None
        *modifiers, name = key.key.split("+")
        if len(name) == 1 and name.isupper():
            modifiers, name = ["shift"], name.lower()
        return events.Key("+".join([*sorted(["alt", *modifiers]), name]), None)

    def _key(self, sequence: str) -> events.Key | None:
        return next(iter(super()._sequence_to_key_events(sequence)), None)


def _beginning_of_marker(text: str) -> str:
    """What at the end of `text` may go on as the marker of a paste."""
    return next((START[:length] for length in range(len(START) - 1, 0, -1) if text.endswith(START[:length])), "")
