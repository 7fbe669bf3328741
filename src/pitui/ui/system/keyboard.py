"""What Textual 8.2 does not understand of keyboards, taught to its parser before the screen opens.

Terminals without the Kitty protocol send Alt+Enter as ESC and CR, of which Textual drops the Alt; tmux and xterm write
modified keys as ``CSI 27 ; modifier ; code ~``, which Textual gives no name. A byte that is not UTF-8 would end the
thread that reads the keyboard for good.
"""

import codecs
import importlib
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial

from textual import events
from textual._xterm_parser import XTermParser

ENTER = {
    "\x1b\r": "alt+enter",
    "\x1b\n": "alt+enter",
    "\x1b[27;2;13~": "shift+enter",
    "\x1b[27;3;13~": "alt+enter",
    "\x1b[27;4;13~": "alt+shift+enter",
    "\x1b[27;5;13~": "ctrl+enter",
    "\x1b[27;6;13~": "ctrl+shift+enter",
}
SUB_FIELDS = re.compile(r":[\d:]*")


class Parser(XTermParser):
    """Textual's parser of what a terminal sends, with more words."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        key = ENTER.get(f"\x1b{sequence}" if alt else sequence)
        if key is not None:
            return [events.Key(key, None)]
        try:
            return list(super()._sequence_to_key_events(sequence, alt))
        except ValueError:  # fields of the Kitty protocol that nobody asked for
            return list(super()._sequence_to_key_events(SUB_FIELDS.sub("", sequence), alt))


def teach_keyboard() -> None:
    """Let every driver that is made from now on read the keyboard so."""
    if sys.platform != "win32":  # which has its own way to read keys
        driver = importlib.import_module("textual.drivers.linux_driver")
        vars(driver).update(XTermParser=Parser, getincrementaldecoder=_forgiving)


def _forgiving(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
