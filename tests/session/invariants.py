"""What holds for a session at every moment, whatever it was told."""

from pitui.session.blocks import BashBlock, Block, CompactionBlock, Delivery, PromptBlock, ToolBlock
from pitui.session.model import Session


def is_open(block: Block) -> bool:
    """Whether it looks as if something were still to come."""
    match block:
        case ToolBlock():
            return not block.state.over
        case PromptBlock():
            return block.delivery in (Delivery.SENDING, Delivery.ACCEPTED)
        case BashBlock():
            return block.running
        case CompactionBlock():
            return block.state == "running"
        case _:
            return not block.finished


def assert_sound(session: Session) -> None:
    ids = [block.id for block in session.blocks]
    assert len(ids) == len(set(ids))
    assert not ids or max(ids) <= session.last_block_id
    present = set(ids)
    assert {block.id for block in session.tools.values()} <= present
    assert {block.id for block in session.blocks if isinstance(block, ToolBlock)} == {
        block.id for block in session.tools.values()
    }
    assert {block.id for block in session.bashes.values()} <= present
    _assert_order(session)
    _assert_waiting_prompts_are_last(session)
    _assert_nested_under_something(session)


def _assert_order(session: Session) -> None:
    places = {block.id: place for place, block in enumerate(session.blocks)}
    for spoken in session.memory.open.values():
        parts = [places[spoken.parts[index].id] for index in sorted(spoken.parts)]
        assert parts == sorted(parts)


def _assert_waiting_prompts_are_last(session: Session) -> None:
    waiting = [isinstance(block, PromptBlock) and is_open(block) for block in session.blocks]
    assert waiting == sorted(waiting)


def _assert_nested_under_something(session: Session) -> None:
    depth = 0
    for block in session.blocks:
        assert block.depth <= depth + 1
        depth = block.depth
