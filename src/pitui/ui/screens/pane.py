"""What the screens have in common whose keys are in the table of panes."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.message import Message
from textual.screen import Screen

from pitui.pane_actions import Keys, Pane, PaneAction
from pitui.render.palette import Palette
from pitui.session.model import Changes
from pitui.ui.keys import bindings_of
from pitui.ui.widgets.foot import Foot

T = TypeVar("T")


class PaneScreen(Screen[T]):
    """Has the keys in force of its own `ACTIONS`; those of `PANE` are what the help tells of.

    At its `foot`, which is to be its last row, it says what would cover something elsewhere.
    """

    PANE: ClassVar[Pane]
    ACTIONS: ClassVar[Sequence[PaneAction]]

    def __init__(self, keys: Keys) -> None:
        super().__init__()
        self.keys = keys
        self.foot = Foot()
        self._bindings = bindings_of(self.ACTIONS, keys)

    def sync(self, changes: Changes) -> None:
        """Take what has happened in the session, while this lies over the chat."""

    def set_palette(self, palette: Palette) -> None:
        """Draw in other colours."""

    # The app looks for a block in the chat that goes on, where another one has the number that it has in a preview.

    def on_transcript_menu_requested(self, event: Message) -> None:
        event.stop()

    def on_transcript_output_requested(self, event: Message) -> None:
        event.stop()
