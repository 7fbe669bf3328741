"""How Textual writes to the terminal, which may be gone at any time, and reads from it."""

import os
import selectors
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, cast

from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from pitui.ui.system.keyboard import ASK_FOR_KEYBOARD, ASK_FOR_PASTES, EntersAreAlike, Parser

OTHER_KEYS, OTHER_KEYS_OFF = "\x1b[>4;2m", "\x1b[>4;0m"
"""Ask xterm and tmux to tell modified keys apart, as pi does; others do not care."""
MOST = 65_536
"""Bytes that are read at once."""


class TerminalDriver(LinuxDriver):
    """Textual's own, but for what is written to a terminal that was closed: it is lost, and nothing waits for it.

    Textual's thread that writes ends with an error then, and whoever writes after that waits for it for ever. What is
    read goes through our `Parser`, and a byte that is not UTF-8 does not end the keyboard.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # pyright: ignore[reportUnknownMemberType] - an app of any kind
        self._file = cast("IO[str]", LastingFile(self._file))
        self._asks_for_other_keys = False
        self._lent = False

    def start_application_mode(self) -> None:
        super().start_application_mode()
        if self.input_tty:
            known = os.environ.get("TERM_PROGRAM") != "Apple_Terminal"  # which writes the last letter on the screen
            self.write(ASK_FOR_KEYBOARD + (ASK_FOR_PASTES if known else ""))
            self.flush()

    def stop_application_mode(self) -> None:
        if self._asks_for_other_keys:
            self.write(OTHER_KEYS_OFF)
        super().stop_application_mode()

    def suspend_application_mode(self) -> None:
        super().suspend_application_mode()
        self._lent = True

    def resume_application_mode(self) -> None:
        self._lent = False
        super().resume_application_mode()
        self._lent = not self._writes  # there is no terminal any more

    @property
    def _writes(self) -> bool:
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def _sigcont_application(self, *_: object) -> None:
        """Go on. Textual's own begins once more though it has not ended, and then two threads read the keys.

        A shell that has had the terminal meanwhile sends this, `kill` does, and so does a terminal that is closed.
        """
        if not self._auto_restart or (not self._lent and not self._writes):
            return  # the app is over, or has not begun
        if not self._lent:
            self.suspend_application_mode()
            self._must_signal_resume = True
        self.resume_application_mode()

    def write(self, data: str) -> None:
        """Nothing while another program has the terminal: nobody would take it, and the loop would wait."""
        if not self._lent:
            super().write(data)

    def process_message(self, message: Message) -> None:
        if isinstance(message, EntersAreAlike):
            self._asks_for_other_keys = True
            self.write(OTHER_KEYS)
            self.flush()
        super().process_message(message)

    def run_input_thread(self) -> None:
        parser = Parser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(parser.wait):
                    with suppress(OSError):  # the terminal is gone
                        data = os.read(self.fileno, MOST)
                        if not data:
                            self.exit_event.wait(0.1)
                        elif text := decode(data):
                            for message in parser.feed(text):
                                self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)


class LastingFile:
    """A file that takes everything, also when it is gone."""

    def __init__(self, file: IO[str]) -> None:
        self.fileno = file.fileno
        self.isatty = file.isatty
        self._file = file

    def write(self, text: str) -> None:
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, act: Callable[[], object]) -> None:
        with suppress(OSError):
            act()
