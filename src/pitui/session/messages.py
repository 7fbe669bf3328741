"""A message becomes blocks: put together by ``contentIndex`` while it streams, and set right by its end."""

from collections.abc import Sequence

from pitui.rpc.messages import (
    AssistantMessage,
    BashMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    ImagePart,
    Message,
    Part,
    SystemMessage,
    ToolResultMessage,
    Unknown,
    UserMessage,
    text_of,
)
from pitui.session import answers, prompts, toolruns
from pitui.session.blocks import (
    BashBlock,
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    ToolBlock,
    UnknownBlock,
)
from pitui.session.conversation import add, add_after, finish, looks, next_id
from pitui.session.model import Session, Spoken


def key_of(message: Message) -> tuple[str, object]:
    """What a message seen live and its entry have in common."""
    match message:
        case UserMessage() | AssistantMessage():
            return message.role, message.timestamp
        case CustomMessage():
            return "custom", f"{message.custom_type}\0{text_of(message.content)}"
        case BashMessage():
            return "bash", message.command
        case CompactionSummaryMessage():
            return "compaction", message.tokens_before
        case Unknown():
            return "unknown", message.name
        case _:
            return message.role, ""


# Whole messages


def start(session: Session, message: Message) -> None:
    """A message begins; it may hold something already."""
    match message:
        case (
            SystemMessage() | ToolResultMessage() | BashMessage() | BranchSummaryMessage() | CompactionSummaryMessage()
        ):
            return  # their end says all
        case _:
            pass
    close(session, message.role)
    spoken = session.memory.open[message.role] = Spoken(key_of(message), timestamp=_timestamp(message))
    if isinstance(message, AssistantMessage):
        answers.show(session, spoken, message.content)
    else:
        _show(session, spoken, message, live=True)


def end(session: Session, message: Message) -> None:
    """The authoritative message."""
    if isinstance(message, SystemMessage):
        return
    if isinstance(message, ToolResultMessage):
        toolruns.fill_result(session, message)
        return
    spoken = session.memory.open.pop(message.role, None)
    if spoken is not None and isinstance(message, UserMessage) and spoken.timestamp != message.timestamp:
        expect_entry(session, spoken)
        spoken = None
    if spoken is None:
        spoken = Spoken(key_of(message))
    spoken.key = key_of(message)
    complete(session, spoken, message, live=True)
    expect_entry(session, spoken)


def complete(session: Session, spoken: Spoken, message: Message, *, live: bool, entry_id: str = "") -> None:
    """Make the blocks equal to the message, and finish them."""
    spoken.timestamp, spoken.ended = _timestamp(message), True
    if isinstance(message, AssistantMessage):
        answers.complete(session, spoken, message)
    else:
        _show(session, spoken, message, live=live)
    for block in spoken.blocks:
        block.entry_id = entry_id
        if not isinstance(block, ToolBlock):
            finish(session, block)


def close(session: Session, role: str) -> None:
    """A message that has started and whose end has not come stays as it is."""
    spoken = session.memory.open.pop(role, None)
    if spoken is None:
        return
    for block in spoken.parts.values():
        if isinstance(block, ToolBlock):
            toolruns.call_written(session, block)
        else:
            finish(session, block)
    expect_entry(session, spoken)


def close_all(session: Session) -> None:
    for role in list(session.memory.open):
        close(session, role)


def expect_entry(session: Session, spoken: Spoken) -> None:
    session.memory.unattached.setdefault(spoken.key, []).append(spoken)


def _timestamp(message: Message) -> float:
    return 0 if isinstance(message, Unknown) else message.timestamp


def _show(session: Session, spoken: Spoken, message: Message, *, live: bool) -> None:
    """The blocks of a message that does not stream."""
    match message:
        case UserMessage():
            prompts.show(session, spoken, message, live=live)
            _show_unknown_parts(session, spoken, message.content)
        case CustomMessage():
            if message.display:
                _show_custom(session, spoken, message)
                _show_unknown_parts(session, spoken, message.content)
        case BashMessage():
            _show_once(session, spoken, _bash(session, message))
        case BranchSummaryMessage():
            _show_once(session, spoken, BranchSummaryBlock(id=next_id(session), summary=message.summary))
        case CompactionSummaryMessage():
            _show_once(
                session,
                spoken,
                CompactionBlock(
                    id=next_id(session), state="done", summary=message.summary, tokens_before=message.tokens_before
                ),
            )
        case Unknown():
            _show_once(session, spoken, UnknownBlock(id=next_id(session), what=message.name, raw=message.raw))
        case _:
            pass


def _show_once(session: Session, spoken: Spoken, block: Block) -> None:
    if not spoken.parts:
        block.timestamp = spoken.timestamp
        spoken.parts[0] = add(session, block)


def _show_custom(session: Session, spoken: Spoken, message: CustomMessage) -> None:
    block = spoken.parts.get(0)
    if not isinstance(block, CustomBlock):
        block = CustomBlock(id=next_id(session), custom_type=message.custom_type, timestamp=spoken.timestamp)
        spoken.parts[0] = add(session, block)
    block.text = text_of(message.content)
    block.images = [part for part in message.content if isinstance(part, ImagePart)]
    looks(session, block)


def _bash(session: Session, message: BashMessage) -> BashBlock:
    block = BashBlock(
        id=next_id(session),
        command=message.command,
        excluded=message.exclude_from_context,
        exit_code=message.exit_code,
        cancelled=message.cancelled,
        truncated=message.truncated,
        full_output_path=message.full_output_path,
    )
    block.replace(message.output)
    return block


def _show_unknown_parts(session: Session, spoken: Spoken, content: Sequence[Part]) -> None:
    for index, part in enumerate(content, start=1):
        if isinstance(part, Unknown) and index not in spoken.parts:
            block = UnknownBlock(id=next_id(session), what=part.name, raw=part.raw, timestamp=spoken.timestamp)
            previous = spoken.blocks
            spoken.parts[index] = add_after(session, previous[-1], block) if previous else add(session, block)
