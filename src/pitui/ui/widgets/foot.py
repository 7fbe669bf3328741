"""What stands under a screen that lies over the chat: its keys, and for a while what is said in passing."""

from typing import ClassVar

from rich.text import Text
from textual.widgets import Static

from pitui.render.text import clean
from pitui.ui.widgets.activity import SIGNS, Notice

LONGEST = 2000
"""Characters of a notice that are shown."""


class Foot(Static):
    """The hints, or as many rows of notices as they need: it grows for them and covers nothing.

    A notice that is not lasting goes when the next one comes.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"foot--hints", "foot--info", "foot--warning", "foot--error"}

    def __init__(self) -> None:
        super().__init__()
        self._hints = Text()
        self._notices: list[Notice] = []
        self._standing = ""

    def stand(self, words: str) -> None:
        """Show these above all else, until there are none."""
        if words != self._standing:
            self._standing = words
            self._show()

    def _show(self) -> None:
        said = self._said(self._notices) if self._notices else self._hints
        standing = Text(clean(self._standing), self.get_component_rich_style("foot--warning"))
        self.update(Text("\n").join([standing, said]) if self._standing else said)

    def hint(self, text: Text | str) -> None:
        """What to show while nothing is said; a plain text is shown as hints are."""
        style = self.get_component_rich_style("foot--hints")
        hints = text if isinstance(text, Text) else Text(text, style)
        if (hints, hints.style) == (self._hints, self._hints.style):
            return  # the screen would be laid out again at every key
        self._hints = hints
        if not self._notices:
            self._show()

    def tell(self, notice: Notice, seconds: float) -> bool:
        """Show a notice for so long; False where it would take too much of the screen."""
        notices = [known for known in self._notices if known.lasting and known != notice] + [notice]
        said = self._said(notices)
        width = self.content_region.width
        console = self.app.console  # pyright: ignore[reportUnknownMemberType]
        if width <= 0 or len(said.wrap(console, width)) > max(3, self.screen.size.height // 3):
            return False
        self._notices = notices
        self._show()
        self.set_timer(seconds, lambda: self._forget(notice))
        return True

    def be_quiet(self) -> None:
        """Take away what was said."""
        self._notices = []
        self._show()

    def _forget(self, notice: Notice) -> None:
        left = [known for known in self._notices if known is not notice]
        if len(left) < len(self._notices):
            self._notices = left
            self._show()

    def _said(self, notices: list[Notice]) -> Text:
        lines = [
            Text(
                SIGNS[notice.level] + clean(notice.text[:LONGEST]),
                self.get_component_rich_style(f"foot--{notice.level}"),
            )
            for notice in notices
        ]
        return Text("\n").join(lines)
