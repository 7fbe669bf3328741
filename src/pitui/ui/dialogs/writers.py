"""What is asked when others write to the session that is open here."""

from datetime import datetime
from enum import Enum

from pitui.pi.tail import Damage
from pitui.render.amounts import number
from pitui.render.text import clean_line
from pitui.ui.dialogs.own import OwnQuestion
from pitui.watch import Others, Stance

WORDS = 80


class Choice(Enum):
    """What can be done about it, and how it is put to the person."""

    READ_ONLY = "Read only: nothing is sent from here; what you write stays in the prompt."
    STAY = "Stay read only."
    FORK = "Fork: go on in a new session with all of this chat. This one is left to the other."
    SAVE = "Save anew: go on in a new file with all that was said in this session."
    REOPEN = "Open it anew: with what the other wrote, and go on after that."
    GO_ON = "Go on: both write. The file keeps both as branches of its tree, and neither sees the other."
    IGNORE = "Go on as if nothing had happened."


def choices(others: Others, stance: Stance, *, called: bool) -> list[Choice]:
    """The first is the safe one. `called` when the person asks for them, who may then also take up what was written."""
    still = Choice.STAY if stance is Stance.READ_ONLY else Choice.READ_ONLY
    if others.damage:
        return [still, Choice.SAVE, Choice.IGNORE]
    return [still, *([Choice.REOPEN] if called and others.count else []), Choice.FORK, Choice.GO_ON]


def question(others: Others, offered: list[Choice]) -> OwnQuestion:
    """It tells what has happened, in words."""
    title, message = _told(others)
    return OwnQuestion(title=title, message=message, options=[choice.value for choice in offered])


def _told(others: Others) -> tuple[str, str]:
    match others.damage:
        case Damage.DELETED:
            return (
                "The file of this session was deleted.",
                "All of it is still here. But what pi writes from now on makes a file without a beginning, which no pi"
                " can open.",
            )
        case Damage.SHORTENED:
            return "Another program has cut the file of this session off.", STILL_HERE
        case Damage.REWRITTEN:
            return "Another program has rewritten the file of this session.", STILL_HERE
        case None if others.count:
            return "Another program writes to this session.", f"{_amount(others)} {APART}"
        case None:
            return "Another pitui has this session open.", f"Nothing was written there since. {APART}"


STILL_HERE = "All that was said is still here, but perhaps not in the file any more."
APART = "What is said there is not seen here, nor the other way round."


def _amount(others: Others) -> str:
    since = datetime.fromtimestamp(others.since).strftime(" since %H:%M:%S") if others.since else ""
    words = f", beginning with “{clean_line(others.words, WORDS)}”" if others.words else ""
    return f"{number(others.count, 'entry', 'entries')}{since}{words}."
