"""What pi has said for the person: which prompt was the last.

pi gives each a time, of its own clock, which may be that of another machine: it tells one prompt from another, and is
compared with nothing else.
"""

from collections.abc import Iterable, Iterator

from pitui.rpc.messages import Entry, MessageEntry, UserMessage
from pitui.session.model import Session


def said_at(entries: Iterable[Entry]) -> Iterator[float]:
    """pi's time of each prompt among them."""
    for entry in entries:
        if isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage):
            yield entry.message.timestamp


def last_said(session: Session) -> float:
    """pi's time of the last prompt that it said; 0 when there is none."""
    return session.memory.heard or next(said_at(reversed(session.entries.values())), 0)
