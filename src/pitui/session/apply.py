"""The only writer of a `Session`."""

from pitui.rpc.records import Record
from pitui.rpc.results import Commands, Model, State, Stats
from pitui.session.facts import Fact
from pitui.session.model import Session

Applied = Record | Fact | State | Stats | Commands | Model


def apply(session: Session, record: Applied, at: float = 0.0) -> None:
    """Let the session know what happened. Never raises, whatever the record holds.

    `at` is the caller's clock in seconds; deadlines and durations are reckoned on it.
    """
    raise NotImplementedError
