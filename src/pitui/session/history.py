"""The entries of the session tree become blocks, through the same functions as what pi says live.

Entries come after the run that made them. A block that was seen live is told which entry it belongs to; what was not
seen, and another branch, is drawn anew around the blocks that are known.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace

from pitui.rpc.messages import (
    AssistantMessage,
    BranchSummaryEntry,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    ContextEditEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    Message,
    MessageEntry,
    SystemMessage,
    ToolResultMessage,
    UnknownEntry,
    UserMessage,
)
from pitui.session import endings, facts, messages, toolruns, turns
from pitui.session.blocks import Block, ToolBlock, UnknownBlock
from pitui.session.conversation import changed, next_id, show_unknown
from pitui.session.model import Aspect, Phase, Session, Spoken
from pitui.session.said import said_at
from pitui.session.tree import branch, written_at


def load(session: Session, fact: facts.EntriesLoaded) -> None:
    """Take entries that pi gave. May be told the same again, and while a run is on."""
    if fact.whole:
        session.entries, session.preview = {}, False
    session.entries.update({entry.id: entry for entry in fact.entries if entry.id})
    session.leaf_id = fact.leaf_id
    if any(at == session.memory.heard for at in said_at(fact.entries)):
        session.memory.heard = 0
    changed(session, Aspect.ENTRIES)
    news = None if fact.whole else _since_drawn(session.entries, session.leaf_id, session.memory.drawn_leaf)
    session.memory.drawn_leaf = fact.leaf_id
    if news is None or not all(_take(session, entry) for entry in news):
        if fact.draft is not None and _still_fits(session, fact.draft):
            _show_draft(session, fact.draft)
        else:
            _draw(session, fact.draft)
    if not session.memory.running:
        toolruns.lose_all(session)
        toolruns.settle_all(session, None)


def drafting(session: Session, fact: facts.EntriesLoaded) -> Generator[None, None, facts.EntriesLoaded]:
    """Draw what the entries make of the chat, in short steps between which the session may go on.

    Gives the fact to be applied then: it takes a few milliseconds where nothing was said meanwhile. Otherwise the chat
    is put together anew of what is drawn already, which takes a third of the time that drawing does.
    """
    entries = {} if fact.whole else dict(session.entries)
    entries.update({entry.id: entry for entry in fact.entries if entry.id})
    if not fact.whole and _since_drawn(entries, fact.leaf_id, session.memory.drawn_leaf) is not None:
        return fact
    yield
    before, last_id = list(session.blocks), session.last_block_id
    aside = Session(last_block_id=last_id)
    line = branch(list(entries.values()), fact.leaf_id)
    yield
    first, known, tail = _by_entry(session, {entry.id for entry in line})
    known = {id_: blocks for id_, blocks in known.items() if all(block.finished for block in blocks)}
    yield
    yield from _draw_branch(aside, line, first, known, ended=not session.memory.running)
    by_entry = _grouped(aside.blocks[len(first) :])
    _put_back(aside, tail)
    return replace(fact, draft=facts.Draft(aside, before, last_id, by_entry))


def _still_fits(session: Session, draft: facts.Draft) -> bool:
    """Whether nothing was said since it was begun, or is being said."""
    memory = session.memory
    if memory.running or memory.open or memory.unattached:
        return False
    return session.last_block_id == draft.last_id and session.blocks == draft.before


def _show_draft(session: Session, draft: facts.Draft) -> None:
    aside, memory = draft.aside, session.memory
    session.blocks, session.tools, session.last_block_id = aside.blocks, aside.tools, aside.last_block_id
    memory.runs, memory.unsettled = aside.memory.runs, aside.memory.unsettled
    memory.unknown_types = aside.memory.unknown_types
    memory.failure, memory.failures = aside.memory.failure, aside.memory.failures
    session.changes.blocks |= aside.changes.blocks.intersection(block.id for block in draft.before)
    changed(session, Aspect.BLOCKS | Aspect.TOOLS)


def preview(session: Session, fact: facts.EndRead) -> None:
    """Show how the session ends that pi is about to open, from a prompt on; what pi tells goes in front of it."""
    if session.phase is not Phase.STARTING or session.entries:
        return
    start = _start_of_turn(fact.entries)
    if start is not None:
        load(session, facts.EntriesLoaded(fact.entries[start:], fact.entries[-1].id, whole=True))
        session.preview = True


def _start_of_turn(entries: Sequence[Entry]) -> int | None:
    """Where the first turn begins that is whole, or else an answer: results in front of it belong to other calls."""
    for kind in (UserMessage, AssistantMessage):
        for index, entry in enumerate(entries):
            if isinstance(entry, MessageEntry) and isinstance(entry.message, kind):
                return index
    return None


def append(session: Session, entry: Entry) -> None:
    """pi wrote an entry. During a run its parents are not known yet: then it comes again with them."""
    if isinstance(entry, ContextEditEntry):
        _draw_entry(session, entry)
    if entry.id and entry.parent_id == session.leaf_id and entry.id not in session.entries:
        session.entries[entry.id] = entry
        session.leaf_id = entry.id
        changed(session, Aspect.ENTRIES)


def _since_drawn(entries: Mapping[str, Entry], leaf_id: str | None, drawn_leaf: str | None) -> list[Entry] | None:
    """The entries between what is drawn and the leaf; None when the leaf is on another branch."""
    news: dict[str, Entry] = {}
    at = leaf_id
    while at != drawn_leaf:
        entry = None if at is None else entries.get(at)
        if entry is None or entry.id in news:
            return None
        news[entry.id] = entry
        at = entry.parent_id
    return list(reversed(news.values()))


def _message_of(entry: Entry) -> Message | None:
    """What the entry says in the chat, if anything."""
    match entry:
        case MessageEntry():
            return None if isinstance(entry.message, SystemMessage) else entry.message
        case CompactionEntry():
            return CompactionSummaryMessage(
                summary=entry.summary, tokens_before=entry.tokens_before, timestamp=written_at(entry.timestamp)
            )
        case BranchSummaryEntry():
            return BranchSummaryMessage(summary=entry.summary, timestamp=written_at(entry.timestamp))
        case CustomMessageEntry():
            return CustomMessage(
                custom_type=entry.custom_type,
                content=entry.content,
                display=entry.display,
                timestamp=written_at(entry.timestamp),
            )
        case _:
            return None


def _take(session: Session, entry: Entry) -> bool:
    """Put a new entry into the chat. False when it belongs in front of what is there already."""
    if _attach(session, entry):
        return True
    if session.memory.unattached or session.memory.open:
        return False
    _draw_entry(session, entry)
    return True


def _attach(session: Session, entry: Entry) -> bool:
    """Tell the blocks of what was seen live which entry they are. False when the entry has to be drawn."""
    if isinstance(entry, ContextEditEntry):
        _draw_entry(session, entry)
        return True
    if isinstance(entry, UnknownEntry):
        return False
    message = _message_of(entry)
    if message is None:
        return True
    if isinstance(message, ToolResultMessage):
        seen = message.tool_call_id in session.memory.runs
        if seen:
            toolruns.fill_result(session, message)
        return seen
    hidden = isinstance(message, CustomMessage) and not message.display
    return _bind(session, entry, message) or hidden


def _bind(session: Session, entry: Entry, message: Message) -> bool:
    spoken = _seen_live(session, message)
    if spoken is None:
        return False
    if not spoken.ended:
        messages.complete(session, spoken, message, live=False)
    for block in spoken.blocks:
        block.entry_id = entry.id
    return True


def _seen_live(session: Session, message: Message) -> Spoken | None:
    memory = session.memory
    key = messages.key_of(message)
    found = memory.unattached.get(key)
    if found:
        spoken = found.pop(0)
        if not found:
            del memory.unattached[key]
        return spoken
    spoken = memory.open.get(message.role)
    return memory.open.pop(message.role) if spoken is not None and spoken.key == key else None


def _draw(session: Session, draft: facts.Draft | None) -> None:
    """The whole chat anew, keeping every block that is known."""
    entries = branch(session.entry_list, session.leaf_id)
    memory = session.memory
    failure, failures = memory.failure, memory.failures
    ids = {entry.id for entry in entries}
    _bind_all(session, [*entries, *(entry for entry in session.entries.values() if entry.id not in ids)])
    first, known, tail = _by_entry(session, ids)
    if draft is not None:
        known = _made_known(session, draft) | known
    session.blocks, session.tools = [], {}
    memory.runs, memory.unsettled, memory.unknown_types = {}, {}, set()
    for _ in _draw_branch(session, entries, first, known, ended=not memory.running):
        pass
    _put_back(session, tail)
    if memory.running:
        memory.failure, memory.failures = failure, failures
    changed(session, Aspect.BLOCKS | Aspect.TOOLS)


def _draw_branch(
    session: Session, entries: Sequence[Entry], first: Sequence[Block], known: Mapping[str, list[Block]], *, ended: bool
) -> Iterator[None]:
    """Fill a chat that is empty, an entry with each step; `ended` when the last run is over."""
    _put_back(session, first)
    reading = turns.Reading(session)
    for entry in entries:
        blocks = known.get(entry.id)
        reading.begin(entry)
        if blocks is None:
            _draw_entry(session, entry)
        else:
            _put_back(session, blocks)
        reading.took(entry, drawn=blocks is None)
        yield
    if ended:
        reading.end()


def _made_known(session: Session, draft: facts.Draft) -> dict[str, list[Block]]:
    """What is drawn already; new blocks get ids that nothing else has got meanwhile."""
    old = {block.id for block in draft.before}
    for block in draft.aside.blocks:
        if block.id not in old:
            block.id = next_id(session)
    return draft.by_entry


def _bind_all(session: Session, entries: Sequence[Entry]) -> None:
    if not (session.memory.unattached or session.memory.open):
        return
    bound = {block.entry_id for block in session.blocks}
    for entry in entries:
        message = None if entry.id in bound else _message_of(entry)
        if message is not None and not isinstance(message, ToolResultMessage):
            _bind(session, entry, message)


def _by_entry(session: Session, ids: set[str]) -> tuple[list[Block], dict[str, list[Block]], list[Block]]:
    """The blocks before the first entry, those of each entry with what was said after it, and the newest.

    What follows the last entry is newer than the entries. Of what belongs to another branch, only what is still open or
    waits for its entry is kept.
    """
    blocks = session.blocks
    end = next((index for index in range(len(blocks), 0, -1) if blocks[index - 1].entry_id), 0)
    while 0 < end < len(blocks) and blocks[end].depth:
        end += 1  # nested runs have no entries of their own
    known, tail = _grouped(blocks[:end]), blocks[end:]
    entry_id = next((block.entry_id for block in reversed(blocks[:end]) if block.entry_id), "")
    first = known.pop("", [])
    left = [block for other, group in known.items() if other not in ids for block in group]
    if entry_id and entry_id not in ids:
        left, tail = left + tail, []
    if left:
        expected = [spoken for group in session.memory.unattached.values() for spoken in group]
        live = {block.id for spoken in [*expected, *session.memory.open.values()] for block in spoken.blocks}
        tail = [block for block in left if not block.finished or block.id in live] + tail
    return first, known, tail


def _grouped(blocks: Sequence[Block]) -> dict[str, list[Block]]:
    """Blocks with what was said after them, by entry; "" are those before the first one that has an entry."""
    groups: dict[str, list[Block]] = {}
    entry_id = ""
    for block in blocks:
        entry_id = block.entry_id or entry_id
        groups.setdefault(entry_id, []).append(block)
    return groups


def _put_back(session: Session, blocks: Sequence[Block]) -> None:
    session.blocks += blocks
    for block in blocks:
        if isinstance(block, ToolBlock):
            toolruns.register(session, block)
        elif isinstance(block, UnknownBlock):
            session.memory.unknown_types.add(block.what)


def _draw_entry(session: Session, entry: Entry) -> None:
    message = _message_of(entry)
    if isinstance(message, ToolResultMessage):
        block = toolruns.fill_result(session, message)
        block.entry_id = block.entry_id or entry.id
    elif message is not None:
        messages.complete(session, Spoken(("", "")), message, live=False, entry_id=entry.id)
    elif isinstance(entry, ContextEditEntry):
        if entry.replacement is None:
            endings.is_retried(session, entry.target_id)
    elif isinstance(entry, UnknownEntry):
        block = show_unknown(session, f"entry {entry.name}", entry.raw)
        if block is not None:
            block.entry_id = entry.id
