"""What a run of pi took, told by a block after its last one."""

from collections import Counter

from pitui.rpc.messages import (
    AssistantMessage,
    BranchSummaryEntry,
    CustomMessage,
    Entry,
    Message,
    MessageEntry,
    ToolResultMessage,
    UserMessage,
)
from pitui.session import toolruns
from pitui.session.blocks import ToolBlock, ToolState, TurnBlock
from pitui.session.conversation import add, next_id
from pitui.session.model import Session, Turn
from pitui.session.tree import written_at

RAN = (ToolState.DONE, ToolState.FAILED, ToolState.LOST)


def begin(session: Session, at: float) -> None:
    """A run begins, if none is on."""
    if session.memory.turn is None:
        session.memory.turn = Turn(at)


def part(session: Session, message: Message, at: float) -> None:
    """Where a run has its last answer, what is said next begins another one: pi goes on with what was queued."""
    turn = session.memory.turn
    if turn is not None and _is_answered(turn) and isinstance(message, UserMessage | CustomMessage):
        end(session, at)
        begin(session, at)


def _is_answered(turn: Turn) -> bool:
    return turn.stop_reason not in ("toolUse", "")


def hear(turn: Turn | None, message: Message) -> None:
    """A message of the run is complete."""
    if turn is None or not isinstance(message, UserMessage | AssistantMessage):
        return
    turn.timestamp = turn.timestamp or message.timestamp
    if isinstance(message, AssistantMessage):
        turn.tokens_sent += message.usage.input
        turn.tokens_received += message.usage.output
        turn.cost += message.usage.cost.total
        turn.stop_reason = message.stop_reason


def end(session: Session, at: float, *, aborted: bool = False) -> None:
    """The run is over."""
    turn, session.memory.turn = session.memory.turn, None
    if turn is not None:
        _tell(session, turn, None if turn.began is None else at - turn.began, aborted=aborted)


def _tell(session: Session, turn: Turn, duration: float | None, *, aborted: bool = False) -> None:
    tools = _tools_since_last(session)
    if not tools and not turn.stop_reason:
        return
    stopped = turn.stop_reason == "aborted" or (aborted and turn.stop_reason != "error")
    duration = None if duration is None else max(0.0, duration)
    add(
        session,
        TurnBlock(
            id=next_id(session),
            finished=True,
            timestamp=turn.timestamp + (duration or 0) * 1000 if turn.timestamp else 0,
            outcome="stopped" if stopped else "failed" if turn.stop_reason == "error" else "done",
            duration=duration,
            tools=tools,
            tokens_sent=turn.tokens_sent,
            tokens_received=turn.tokens_received,
            cost=turn.cost,
        ),
    )


def _tools_since_last(session: Session) -> dict[str, int]:
    """How often each tool ran since the last run, in the order they came; not those that another one called."""
    ran: list[str] = []
    for block in reversed(session.blocks):
        if isinstance(block, TurnBlock):
            break
        if isinstance(block, ToolBlock) and not block.depth and block.state in RAN:
            ran.append(block.name)
    return dict(Counter(reversed(ran)))


class Reading:
    """The entries of a branch one after another: says after the last one of a run what it took.

    pi writes down no runs. One ends with an answer that asks for no tool, when something else than an answer follows,
    or where the result of a tool is missing: pi went away.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn: Turn | None = None
        self._last: MessageEntry | None = None
        self._drawn = False

    def begin(self, entry: Entry) -> None:
        """This one is drawn next."""
        said = entry.message if isinstance(entry, MessageEntry) else None
        follows = said is not None and not isinstance(said, AssistantMessage | ToolResultMessage)
        if not follows and not isinstance(entry, BranchSummaryEntry):
            return
        if self._turn is not None and (_is_answered(self._turn) or self._is_cut()):
            self.end()
        if self._turn is None and isinstance(said, UserMessage):
            self._turn = Turn()

    def took(self, entry: Entry, *, drawn: bool) -> None:
        """It is in the chat now; `drawn` when it was not there before."""
        if not isinstance(entry, MessageEntry):
            return
        if isinstance(entry.message, AssistantMessage):
            self._turn = self._turn or Turn()
            self._drawn = drawn
        hear(self._turn, entry.message)
        if isinstance(entry.message, AssistantMessage | ToolResultMessage):
            self._last = entry

    def end(self) -> None:
        """The run is over; one that was in the chat before has been told of."""
        turn, last = self._turn, self._last
        self._turn = self._last = None
        if turn is None or last is None or not self._drawn:
            return
        ended = 0 if self._is_cut() else written_at(last.timestamp)
        self._drawn = False
        toolruns.lose_all(self._session)
        took = (ended - turn.timestamp) / 1000 if ended and turn.timestamp else None
        _tell(self._session, turn, took, aborted=turn.stop_reason == "toolUse")

    def _is_cut(self) -> bool:
        return any(block.state is ToolState.WAITING for block in self._session.memory.unsettled.values())
