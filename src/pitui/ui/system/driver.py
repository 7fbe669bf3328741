"""How Textual writes to the terminal, which may be gone at any time."""

from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, cast

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Textual's own, but for what is written to a terminal that was closed: it is lost, and nothing waits for it.

    Textual's thread that writes ends with an error then, and whoever writes after that waits for it for ever.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # pyright: ignore[reportUnknownMemberType] - an app of any kind
        self._file = cast("IO[str]", LastingFile(self._file))


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
