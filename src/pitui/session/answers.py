"""The answer of the assistant, put together by ``contentIndex`` in whatever order its parts come."""

from collections.abc import Sequence
from typing import TypeVar

from pitui.rpc.messages import AssistantMessage, ImagePart, Message, Part, TextPart, ThinkingPart, ToolCallPart, Unknown
from pitui.rpc.records import (
    Delta,
    StreamDone,
    StreamError,
    StreamStart,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ThinkingEnd,
    ThinkingStart,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)
from pitui.session import toolruns
from pitui.session.blocks import Block, TextBlock, ThinkingBlock, ToolBlock, ToolState, UnknownBlock
from pitui.session.conversation import add, add_before, looks, next_id, remove
from pitui.session.endings import conclude
from pitui.session.model import Session, Spoken

B = TypeVar("B", TextBlock, ThinkingBlock, UnknownBlock)


def update(session: Session, delta: Delta) -> None:
    """One change of the answer that streams."""
    match delta:
        case TextDelta():
            block = _part(session, delta.content_index, TextBlock)
            if block is not None:
                block.append(delta.delta)
                session.changes.blocks.add(block.id)
        case ThinkingDelta():
            block = _part(session, delta.content_index, ThinkingBlock)
            if block is not None:
                block.append(delta.delta)
                session.changes.blocks.add(block.id)
        case ToolCallDelta():
            block = _call(session, delta.content_index)
            if block is not None:
                block.write(delta.delta)
                session.changes.blocks.add(block.id)
        case TextStart():
            _part(session, delta.content_index, TextBlock)
        case ThinkingStart():
            _part(session, delta.content_index, ThinkingBlock)
        case TextEnd():
            _replace(session, _part(session, delta.content_index, TextBlock), delta.content)
        case ThinkingEnd():
            _replace(session, _part(session, delta.content_index, ThinkingBlock), delta.content)
        case ToolCallStart():
            block = _call(session, delta.content_index, delta.id, delta.tool_name)
            if block is not None:
                toolruns.name_call(session, block, delta.id or block.call_id, delta.tool_name)
        case ToolCallEnd():
            _call_end(session, delta)
        case StreamDone():
            _whole(session, delta.message)
        case StreamError():
            _whole(session, delta.error)
        case StreamStart():
            _open(session)
        case Unknown():
            pass  # its part comes with the end of the message


def _open(session: Session) -> Spoken:
    spoken = session.memory.open.get("assistant")
    if spoken is None:
        spoken = session.memory.open["assistant"] = Spoken(("assistant", 0.0))
    return spoken


def _part(session: Session, index: int, kind: type[B]) -> B | None:
    """The block at `index` of the open answer, made when there is none of this kind; None below zero."""
    if index < 0:
        return None
    spoken = _open(session)
    block = spoken.parts.get(index)
    if type(block) is kind:
        return block
    return _put(session, spoken, index, kind(id=next_id(session), timestamp=spoken.timestamp))


def _put(session: Session, spoken: Spoken, index: int, block: B) -> B:
    """Place a new block by its index, instead of one of another kind if there is one."""
    following = _following(spoken, index)
    _drop(session, spoken, index)
    spoken.parts[index] = add(session, block) if following is None else add_before(session, following, block)
    spoken.last_index = max(spoken.last_index, index)
    return block


def _following(spoken: Spoken, index: int) -> Block | None:
    """The first block of the message that stands behind `index`."""
    if index >= spoken.last_index:
        return spoken.notice
    return spoken.parts[min(other for other in spoken.parts if other > index)]


def _drop(session: Session, spoken: Spoken, index: int) -> None:
    block = spoken.parts.pop(index, None)
    if block is None:
        return
    if index == spoken.last_index:
        spoken.last_index = max(spoken.parts, default=-1)
    for taken in remove(session, block):
        if isinstance(taken, ToolBlock):
            toolruns.forget(session, taken)


def _call(session: Session, index: int, call_id: str | None = None, name: str = "") -> ToolBlock | None:
    if index < 0:
        return None
    spoken = _open(session)
    block = spoken.parts.get(index)
    return block if isinstance(block, ToolBlock) else _put_call(session, spoken, index, call_id, name)


def _put_call(session: Session, spoken: Spoken, index: int, call_id: str | None, name: str) -> ToolBlock:
    """Place the block of a call, which is there already if its run began before its message; its id may be unknown."""
    following = _following(spoken, index)
    _drop(session, spoken, index)
    block = None if call_id is None else toolruns.claim_loose(session, call_id, following)
    if block is None:
        block = toolruns.of_call(session, call_id or "", name, spoken.timestamp)
        if following is None:
            add(session, block)
        else:
            add_before(session, following, block)
    spoken.parts[index] = block
    spoken.last_index = max(spoken.last_index, index)
    return block


def _call_end(session: Session, delta: ToolCallEnd) -> None:
    call = delta.tool_call
    block = _call(session, delta.content_index, call.id if call else None, call.name if call else "")
    if block is None:
        return
    if call is None:
        toolruns.call_written(session, block)
    else:
        toolruns.complete_call(session, block, call)


def _replace(session: Session, block: TextBlock | ThinkingBlock | None, text: str | None) -> None:
    if block is not None and text is not None:
        block.replace(text)
        session.changes.blocks.add(block.id)


def _whole(session: Session, message: Message | None) -> None:
    """A stream that says its end itself; the end of the message still comes."""
    if isinstance(message, AssistantMessage):
        show(session, _open(session), message.content)


def show(session: Session, spoken: Spoken, content: Sequence[Part]) -> None:
    """Make the parts of an answer equal to `content`; blocks keep their id where kind and place are the same."""
    for index, part in enumerate(content):
        match part:
            case TextPart():
                _show_text(session, spoken, index, part.text)
            case ThinkingPart():
                _show_thinking(session, spoken, index, part)
            case ToolCallPart():
                block = spoken.parts.get(index)
                if not isinstance(block, ToolBlock) or _is_another_call(session, block, part):
                    block = _put_call(session, spoken, index, part.id, part.name)
                toolruns.complete_call(session, block, part)
            case ImagePart():
                _show_unknown(session, spoken, index, part.type, part)
            case Unknown():
                _show_unknown(session, spoken, index, part.name, part.raw)


def _is_another_call(session: Session, block: ToolBlock, call: ToolCallPart) -> bool:
    """Whether the block has run under another id, or the run of this call has a block of its own already."""
    if block.call_id == call.id:
        return False
    return block.state not in (ToolState.WRITING, ToolState.WAITING) or toolruns.is_loose(session, call.id)


def _show_text(session: Session, spoken: Spoken, index: int, text: str) -> None:
    block = spoken.parts.get(index)
    if not isinstance(block, TextBlock):
        block = _put(session, spoken, index, TextBlock(id=next_id(session), timestamp=spoken.timestamp))
    _replace(session, block, text)


def _show_thinking(session: Session, spoken: Spoken, index: int, part: ThinkingPart) -> None:
    block = spoken.parts.get(index)
    if not isinstance(block, ThinkingBlock):
        block = _put(session, spoken, index, ThinkingBlock(id=next_id(session), timestamp=spoken.timestamp))
    if block.redacted != part.redacted:
        block.redacted = part.redacted
        looks(session, block)
    _replace(session, block, part.thinking)


def _show_unknown(session: Session, spoken: Spoken, index: int, what: str, raw: object) -> None:
    block = spoken.parts.get(index)
    if not isinstance(block, UnknownBlock):
        block = _put(session, spoken, index, UnknownBlock(id=next_id(session), timestamp=spoken.timestamp))
    block.what, block.raw = what, raw


def complete(session: Session, spoken: Spoken, message: AssistantMessage) -> None:
    show(session, spoken, message.content)
    for index, block in list(spoken.parts.items()):
        if index >= len(message.content) or _is_empty(block):
            _drop(session, spoken, index)
        elif block.timestamp != spoken.timestamp:
            block.timestamp = spoken.timestamp
    if message.stop_reason in ("aborted", "error"):
        for block in spoken.parts.values():
            if isinstance(block, ToolBlock) and block.state is not ToolState.RUNNING:
                toolruns.settle(session, block, None)
    conclude(session, spoken, message)


def _is_empty(block: Block) -> bool:
    """pi leaves empty parts in answers that were stopped, and thinking of which only the signature is known."""
    match block:
        case TextBlock():
            return not block.text
        case ThinkingBlock():
            return not block.text and not block.redacted
        case _:
            return False
