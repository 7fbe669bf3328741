"""Commands that the person runs (``!ls``), told apart by the id of their request."""

from pitui.rpc.messages import BashMessage
from pitui.rpc.records import BashExecutionUpdate
from pitui.session import facts
from pitui.session.blocks import BashBlock
from pitui.session.conversation import add, finish, next_id
from pitui.session.messages import expect_entry, key_of
from pitui.session.model import Session, Spoken


def started(session: Session, fact: facts.BashStarted, at: float) -> None:
    old = session.bashes.pop(fact.request_id, None)
    if old is not None:
        _finish(session, old, "", at)
    block = BashBlock(
        id=next_id(session),
        command=fact.command,
        request_id=fact.request_id,
        excluded=fact.excluded,
        running=True,
        started_at=at,
    )
    session.bashes[fact.request_id] = add(session, block)


def update(session: Session, record: BashExecutionUpdate) -> None:
    block = session.bashes.get(record.id)
    if block is not None:
        block.append(record.delta)
        session.changes.blocks.add(block.id)


def ended(session: Session, fact: facts.BashEnded, at: float) -> None:
    """The answer holds at most the last 50 KB, so that what was streamed is often more."""
    block = session.bashes.pop(fact.request_id, None)
    if block is None:
        return
    result = fact.result
    if result is not None:
        if len(result.output) > len(block.text):
            block.replace(result.output)
        block.exit_code = result.exit_code
        block.cancelled = result.cancelled
        block.truncated = result.truncated
        block.full_output_path = result.full_output_path
        expect_entry(session, Spoken(key_of(BashMessage(command=block.command)), parts={0: block}, ended=True))
    _finish(session, block, fact.error, at)


def fail_all(session: Session, reason: str, at: float) -> None:
    for block in session.bashes.values():
        _finish(session, block, reason, at)
    session.bashes.clear()


def _finish(session: Session, block: BashBlock, error: str, at: float) -> None:
    block.error = error
    block.running = False
    if block.started_at is not None:
        block.duration = max(0.0, at - block.started_at)
    finish(session, block)
