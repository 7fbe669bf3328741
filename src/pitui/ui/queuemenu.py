"""What can be done with a prompt that waits: the rows of its menu."""

from collections.abc import Sequence

from textual.binding import Binding

from pitui.outbox import Where
from pitui.queue import QueuedPrompt
from pitui.session.model import Lane
from pitui.ui.keys import key_in_words
from pitui.ui.screens.menu import Offer
from pitui.ui.widgets.queue import MODES, Deed, QueuePanel

NOT_OURS = " It is of an extension; of pictures in it pi does not tell, and they are lost when the queue is changed."
TAKES = {
    Lane.STEERING: "pi takes it after the tools that run now.",
    Lane.FOLLOW_UP: "pi takes it when it is done.",
}
A_LANE = {Lane.STEERING: "steering", Lane.FOLLOW_UP: "a follow-up"}
MODE = {Lane.STEERING: "How steering is delivered", Lane.FOLLOW_UP: "How follow-ups are delivered"}


def offers(prompt: QueuedPrompt, queued: Sequence[QueuedPrompt], mode: str, *, busy: bool) -> list[Offer[Deed]]:
    """Everything that can be done with one of the `queued`. `mode` is how pi delivers its lane."""
    lane = [other.key for other in queued if other.lane is prompt.lane]
    first, last = prompt.key == lane[0], prompt.key == lane[-1]
    other = Lane.STEERING if prompt.lane is Lane.FOLLOW_UP else Lane.FOLLOW_UP
    foreign = "" if prompt.ours else NOT_OURS
    at_once = "pi takes it first, after the tools that run now." if busy else "pi is idle, and begins with it."
    going = "It is being sent." if prompt.where is Where.GOING else ""
    rows = [
        (Deed.EDIT, "Edit", f"It comes into an editor of its own, and keeps its place.{foreign}", ""),
        (Deed.UP, "Move up", f"pi takes it before the one above.{foreign}", "It is the first." if first else ""),
        (Deed.DOWN, "Move down", f"pi takes it after the one below.{foreign}", "It is the last." if last else ""),
        (Deed.OTHER_LANE, f"Make it {A_LANE[other]}", f"{TAKES[other]}{foreign}", ""),
        (Deed.HOLD, "Release", f"It goes to pi, to its place here. {TAKES[prompt.lane]}", "")
        if prompt.held
        else (Deed.HOLD, "Hold", f"It stays here until you release it, also when pi is stopped.{foreign}", ""),
        (Deed.SEND_NOW, "Send now", f"{at_once}{foreign}", going),
        (Deed.DELETE, "Delete", "pi does not get it. ↑ in the prompt brings it back.", ""),
        (Deed.MODE, MODE[prompt.lane], f"Now {MODES.get(mode, mode)}. What you choose is kept in pi's settings.", ""),
    ]
    return [Offer(*row, key=_key_of(row[0])) for row in rows]


def _key_of(deed: Deed) -> str:
    """The key of the pane that does it without the menu."""
    bindings = (binding for binding in QueuePanel.BINDINGS if isinstance(binding, Binding))
    keys = (binding.key for binding in bindings if binding.action == f"want('{deed.name}')")
    return next((key_in_words(key.split(",")[-1]) for key in keys), "")
