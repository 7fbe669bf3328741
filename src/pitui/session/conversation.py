"""The list of blocks of a session: where a new one goes, and what must be told when one looks different."""

from typing import TypeVar

from pitui.session.blocks import Block, Delivery, NoticeBlock, PromptBlock, UnknownBlock
from pitui.session.model import Aspect, Level, Notice, Session

B = TypeVar("B", bound=Block)

NOTICES = 100
WAITING = (Delivery.HELD, Delivery.SENDING, Delivery.ACCEPTED)


def next_id(session: Session) -> int:
    session.last_block_id += 1
    return session.last_block_id


def waits(block: Block) -> bool:
    """Whether it is a prompt that pi has not delivered yet; such prompts stay last."""
    return isinstance(block, PromptBlock) and block.delivery in WAITING


def changed(session: Session, aspect: Aspect) -> None:
    if aspect not in session.changes.aspects:
        session.changes.aspects |= aspect


def looks(session: Session, block: Block) -> None:
    """The block looks different now."""
    block.touch()
    session.changes.blocks.add(block.id)


def finish(session: Session, block: Block) -> None:
    if not block.finished:
        block.finished = True
        looks(session, block)


def _end(session: Session) -> int:
    """Where the next block goes: after everything but the prompts that wait."""
    index = len(session.blocks)
    while index and waits(session.blocks[index - 1]):
        index -= 1
    return index


def _insert(session: Session, index: int, block: B) -> B:
    session.blocks.insert(index, block)
    session.changes.blocks.add(block.id)
    changed(session, Aspect.BLOCKS)
    return block


def add(session: Session, block: B) -> B:
    return _insert(session, _end(session), block)


def add_last(session: Session, block: B) -> B:
    """Put it after everything, also after the prompts that wait."""
    return _insert(session, len(session.blocks), block)


def place(session: Session, block: Block) -> int | None:
    """The index of a block; those that are asked for stand near the end."""
    blocks = session.blocks
    for index in range(len(blocks) - 1, -1, -1):
        if blocks[index] is block:
            return index
    return None


def _family_end(session: Session, index: int) -> int:
    """Behind the block at `index` and the nested runs under it."""
    depth = session.blocks[index].depth
    index += 1
    while index < len(session.blocks) and session.blocks[index].depth > depth:
        index += 1
    return index


def add_after(session: Session, other: Block, block: B) -> B:
    """Put it behind `other` and the nested runs under that."""
    index = place(session, other)
    return add(session, block) if index is None else _insert(session, _family_end(session, index), block)


def add_before(session: Session, other: Block, block: B) -> B:
    index = place(session, other)
    return add(session, block) if index is None else _insert(session, index, block)


def remove(session: Session, block: Block) -> list[Block]:
    """Take it and the nested runs under it out; gives what was taken."""
    index = place(session, block)
    if index is None:
        return []
    end = _family_end(session, index)
    taken = session.blocks[index:end]
    del session.blocks[index:end]
    changed(session, Aspect.BLOCKS)
    return taken


def move(session: Session, block: Block, before: Block | None) -> None:
    """Put it and the nested runs under it in front of `before`, or at the end."""
    taken = remove(session, block)
    index = None if before is None else place(session, before)
    if index is None:
        index = _end(session)
    session.blocks[index:index] = taken


def settle_in_place(session: Session, block: PromptBlock) -> None:
    """A prompt that waited has a place of its own now: behind what was said before, in front of what still waits."""
    index = place(session, block)
    if index is None:
        add(session, block)
    elif index and waits(session.blocks[index - 1]):
        move(session, block, None)


def say(session: Session, level: Level, text: str) -> NoticeBlock:
    """A line of its own in the chat."""
    return add(session, NoticeBlock(id=next_id(session), level=level, text=text, finished=True))


def notify(session: Session, level: Level, text: str) -> None:
    """Something said in passing."""
    session.last_notice += 1
    session.notices.append(Notice(session.last_notice, level, text))
    del session.notices[:-NOTICES]
    changed(session, Aspect.NOTICES)


def show_unknown(session: Session, what: str, raw: object) -> UnknownBlock | None:
    """Name something of a type that is not known, once for each type."""
    if what in session.memory.unknown_types:
        return None
    session.memory.unknown_types.add(what)
    return add(session, UnknownBlock(id=next_id(session), what=what, raw=raw, finished=True))
