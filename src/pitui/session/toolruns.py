"""Tool runs: one block from the first letter of the call to its result, whoever tells of it first."""

from pitui.rpc.messages import ToolCallPart, ToolResultMessage
from pitui.rpc.records import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate
from pitui.session.blocks import Block, ToolBlock, ToolState
from pitui.session.conversation import add, add_after, changed, looks, move, next_id
from pitui.session.model import Aspect, Session

# Calls, as a message tells of them


def of_call(session: Session, call_id: str, name: str, timestamp: float) -> ToolBlock:
    """A new block for a call in a message, not in the list yet."""
    return register(session, ToolBlock(id=next_id(session), call_id=call_id, name=name, timestamp=timestamp))


def is_loose(session: Session, call_id: str) -> bool:
    """Whether this call runs, and no message has told of it."""
    block = session.memory.runs.get(call_id)
    return block is not None and block.id in session.memory.loose and block.parent_call_id is None


def claim_loose(session: Session, call_id: str, before: Block | None) -> ToolBlock | None:
    """The run of this call if it came before its message did; it moves to the place of the call."""
    if not is_loose(session, call_id):
        return None
    block = session.memory.runs[call_id]
    session.memory.loose.discard(block.id)
    move(session, block, before)
    return block


def name_call(session: Session, block: ToolBlock, call_id: str, name: str) -> None:
    """Set what the call is named; before 0.84.3 pi tells it only at the end."""
    if block.call_id != call_id:
        forget(session, block)
        block.call_id = call_id
        register(session, block)
        looks(session, block)
    if name and block.name != name:
        block.name = name
        looks(session, block)
        changed(session, Aspect.TOOLS)


def complete_call(session: Session, block: ToolBlock, call: ToolCallPart) -> None:
    """The arguments are all there."""
    name_call(session, block, call.id, call.name)
    if block.arguments != call.arguments:
        block.arguments = call.arguments
        looks(session, block)
        changed(session, Aspect.TOOLS)
    if block.state is ToolState.WRITING:
        _become(session, block, ToolState.WAITING)


def call_written(session: Session, block: ToolBlock) -> None:
    """The call is complete, though pi does not repeat it."""
    if block.state is ToolState.WRITING:
        _become(session, block, ToolState.WAITING)


def forget(session: Session, block: ToolBlock) -> None:
    """The call is not in its message after all."""
    memory = session.memory
    if memory.runs.get(block.call_id) is block:
        del memory.runs[block.call_id]
    key = block.call_id if session.tools.get(block.call_id) is block else _second_key(block)
    session.tools.pop(key, None)
    memory.unsettled.pop(block.id, None)
    memory.loose.discard(block.id)
    changed(session, Aspect.TOOLS)


# Runs, as pi tells of them while they last


def start(session: Session, record: ToolExecutionStart, at: float) -> None:
    block = session.memory.runs.get(record.tool_call_id)
    if block is None or block.state in (ToolState.DONE, ToolState.FAILED):
        block = _loose(session, record.tool_call_id, record.tool_name, record.parent_tool_call_id)
    if record.tool_name:
        block.name = record.tool_name
    if record.args:
        block.arguments = record.args
    if block.state is not ToolState.RUNNING:
        block.started_at = at
        block.finished = False
        session.memory.unsettled[block.id] = block
    _become(session, block, ToolState.RUNNING)


def update(session: Session, record: ToolExecutionUpdate, at: float) -> None:
    block = session.memory.runs.get(record.tool_call_id)
    if block is None:
        block = _loose(session, record.tool_call_id, record.tool_name, record.parent_tool_call_id)
    if block.state.over:
        return
    if block.state is not ToolState.RUNNING:
        block.started_at = at
        _become(session, block, ToolState.RUNNING)
    block.output = record.partial_result.content
    block.details = record.partial_result.details
    looks(session, block)


def end(session: Session, record: ToolExecutionEnd, at: float) -> None:
    block = session.memory.runs.get(record.tool_call_id)
    if block is None:
        block = _loose(session, record.tool_call_id, record.tool_name, record.parent_tool_call_id)
    block.output = record.result.content
    block.details = record.result.details
    if record.duration_ms is not None or not _tells_durations(session):
        _set_duration(block, record.duration_ms, at)
    _become(session, block, ToolState.FAILED if record.is_error else ToolState.DONE)


def fill_result(session: Session, message: ToolResultMessage) -> ToolBlock:
    """Take from the message of the result what the end of the run did not give; in history it is all there is."""
    block = session.memory.runs.get(message.tool_call_id)
    if block is None:
        block = _loose(session, message.tool_call_id, message.tool_name, None)
        block.timestamp = message.timestamp
    known = block.state in (ToolState.DONE, ToolState.FAILED)
    if message.content and not (known and block.output):
        block.output = message.content
        looks(session, block)
    if message.details is not None and block.details is None:
        block.details = message.details
        looks(session, block)
    if message.duration_ms is not None and block.duration is None:
        block.duration = message.duration_ms / 1000
        looks(session, block)
    if not known:
        _become(session, block, ToolState.FAILED if message.is_error else ToolState.DONE)
    return block


def settle_all(session: Session, at: float | None) -> None:
    """Nothing runs any more: what ran has failed, and what waited never will run."""
    for block in list(session.memory.unsettled.values()):
        settle(session, block, at)
    session.memory.loose.clear()


def lose_all(session: Session) -> None:
    """Nothing more is written down: of what was called and has no result nothing is known."""
    for block in list(session.memory.unsettled.values()):
        if block.state in (ToolState.WRITING, ToolState.WAITING):
            _become(session, block, ToolState.LOST)


def settle(session: Session, block: ToolBlock, at: float | None) -> None:
    if block.state.over:
        return
    ran = block.state is ToolState.RUNNING
    if ran and at is not None:
        _set_duration(block, None, at)
    _become(session, block, ToolState.FAILED if ran else ToolState.SKIPPED)


def register(session: Session, block: ToolBlock) -> ToolBlock:
    """Put a block into the tables of runs."""
    memory = session.memory
    memory.runs[block.call_id] = block
    session.tools[_second_key(block) if block.call_id in session.tools else block.call_id] = block
    if not block.state.over:
        memory.unsettled[block.id] = block
    changed(session, Aspect.TOOLS)
    return block


def _second_key(block: ToolBlock) -> str:
    return f"{block.call_id}\0{block.id}"


def _loose(session: Session, call_id: str, name: str, parent_call_id: str | None) -> ToolBlock:
    """A new block for a run whose call is in no message: under the run that called it, or at the end."""
    block = ToolBlock(id=next_id(session), call_id=call_id, name=name, parent_call_id=parent_call_id)
    parent = None if parent_call_id is None else session.memory.runs.get(parent_call_id)
    block.state = ToolState.WAITING
    if parent is not None:
        block.depth = parent.depth + 1
        add_after(session, parent, block)
    else:
        block.depth = 0 if parent_call_id is None else 1
        add(session, block)
    session.memory.loose.add(block.id)
    return register(session, block)


def _become(session: Session, block: ToolBlock, state: ToolState) -> None:
    block.state = state
    if state.over:
        block.finished = True
        session.memory.unsettled.pop(block.id, None)
    looks(session, block)
    changed(session, Aspect.TOOLS)


def _set_duration(block: ToolBlock, duration_ms: float | None, at: float) -> None:
    if duration_ms is not None:
        block.duration = duration_ms / 1000
    elif block.started_at is not None:
        block.duration = max(0.0, at - block.started_at)


def _tells_durations(session: Session) -> bool:
    """Whether pi says how long a tool ran: of one that was refused it then says nothing."""
    numbers = session.version.split(".")
    return len(numbers) == 3 and all(map(str.isdecimal, numbers[:2])) and (int(numbers[0]), int(numbers[1])) >= (1, 1)
