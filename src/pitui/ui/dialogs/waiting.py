"""`DialogWaiting`: the line above the prompt that tells of a question."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from pitui.session.model import OpenDialog
from pitui.ui.dialogs.wording import seconds_left, shown_line
from pitui.ui.keys import key_in_words


def called(dialog: OpenDialog, key: str) -> str:
    """What a question is about, and the key that opens it."""
    return f"? {key_in_words(key)} {shown_line(dialog.request.title, 300) or 'A question'}"


class DialogWaiting(Static):
    """Shows the first of the dialogs that wait, and how many more there are; hidden while there are none.

    `key` is how the person opens it; a click opens it too.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"waiting--key", "waiting--facts"}

    def __init__(self, key: str = "f8") -> None:
        super().__init__()
        self.key = key
        self._dialogs: Sequence[OpenDialog] = ()
        self._clock: Callable[[], float] = lambda: 0.0
        self._ticking: Timer | None = None
        self.display = False

    def on_mount(self) -> None:
        self._ticking = self.set_interval(1, self._write, pause=True)

    def show(self, dialogs: Sequence[OpenDialog], clock: Callable[[], float]) -> None:
        """Tell of these; of none, be gone."""
        self._dialogs = dialogs
        self._clock = clock
        self.display = bool(dialogs)
        self._write()
        if self._ticking:
            if dialogs and dialogs[0].deadline is not None:
                self._ticking.resume()
            else:
                self._ticking.pause()

    def _write(self) -> None:
        if not self._dialogs:
            return
        first = self._dialogs[0]
        more = f"{len(self._dialogs) - 1} more" if len(self._dialogs) > 1 else ""
        facts = [fact for fact in (more, seconds_left(first, self._clock())) if fact]
        self.update(
            Content.assemble(
                (f"? {key_in_words(self.key)} ", self.get_visual_style("waiting--key")),
                Content(shown_line(first.request.title, 300) or "A question"),
                ("".join(f" · {fact}" for fact in facts), self.get_visual_style("waiting--facts")),
            )
        )

    async def on_click(self) -> None:
        await self.run_action("app.dialog_open")
