"""A question of pitui itself among those of the extensions."""

from pitui.rpc.records import Select
from pitui.ui.dialogs.box import DISMISS, Hint
from pitui.ui.dialogs.select import SelectBox


class OwnQuestion(Select):
    """Options with what has happened in a `message`. It never takes what is typed: letters go to the prompt."""

    message: str = ""


class OwnBox(SelectBox):
    """Answers with the text of an option."""

    hints = (Hint("Enter", "choose", "screen.send"), Hint("↑↓", "move"), DISMISS)
    takes_letters = False
