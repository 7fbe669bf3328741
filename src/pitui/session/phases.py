"""What pi is doing: working, trying again, compacting, summarizing, gone."""

import signal

from pitui.rpc.records import (
    AutoRetryEnd,
    AutoRetryStart,
    CompactionEnd,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryScheduled,
)
from pitui.rpc.results import State
from pitui.session import bashes, endings, extensions, facts, messages, prompts, queue, toolruns, turns
from pitui.session.blocks import CompactionBlock, CompactionState
from pitui.session.conversation import add, changed, finish, looks, next_id, say
from pitui.session.model import Aspect, Ending, Memory, Phase, Retry, Session, Spoken


def reckon(session: Session) -> None:
    """Set the phase to what the memory holds."""
    memory = session.memory
    if session.ending is not None:
        phase = Phase.ENDED
    elif session.retry is not None:
        phase = Phase.RETRYING
    elif memory.compaction is not None:
        phase = Phase.COMPACTING
    elif memory.summarizing:
        phase = Phase.SUMMARIZING
    elif memory.running:
        phase = Phase.WORKING
    else:
        phase = Phase.IDLE if memory.ready else Phase.STARTING
    if session.phase is not phase:
        session.phase = phase
        changed(session, Aspect.STATE)


def _retry(session: Session, retry: Retry | None) -> None:
    if session.retry != retry:
        session.retry = retry
        changed(session, Aspect.STATE)
    reckon(session)


# Runs


def run_begins(session: Session, at: float) -> None:
    turns.begin(session, at)
    session.memory.running = session.memory.ready = True
    session.between_turns = True
    _retry(session, None)


def run_settles(session: Session, at: float, *, aborted: bool) -> None:
    memory = session.memory
    messages.close_all(session)
    toolruns.settle_all(session, at)
    memory.running, memory.ready, memory.awaits_run = False, True, False
    prompts.run_is_over(session)
    if memory.compaction is not None and memory.compaction.reason != "manual":
        _end_compaction(session, memory.compaction, "failed")
    session.between_turns = False
    queue.drop_lost(session)
    turns.end(session, at, aborted=aborted)
    _retry(session, None)


def retry_starts(session: Session, record: AutoRetryStart, at: float) -> None:
    endings.is_retried(session)
    session.memory.running = session.memory.ready = True
    session.between_turns = False
    _retry(session, Retry(record.attempt, record.max_attempts, at + record.delay_ms / 1000, record.error_message))


def retry_ends(session: Session, record: AutoRetryEnd) -> None:
    if not record.success:
        endings.retries_are_over(session, record.final_error)
    _retry(session, None)


# Compaction and summaries


def compaction_starts(session: Session, record: CompactionStart) -> None:
    memory = session.memory
    if memory.compaction is not None:
        _end_compaction(session, memory.compaction, "failed")
    memory.compaction = add(session, CompactionBlock(id=next_id(session), reason=record.reason))
    memory.ready = True
    reckon(session)


def compaction_ends(session: Session, record: CompactionEnd) -> None:
    block = session.memory.compaction
    if block is None:
        block = add(session, CompactionBlock(id=next_id(session), reason=record.reason))
    result = record.result
    block.error = record.error_message
    if result is not None and not record.aborted:
        block.summary = result.summary
        block.tokens_before, block.tokens_after = result.tokens_before, result.estimated_tokens_after
        _end_compaction(session, block, "done")
        messages.expect_entry(session, Spoken(("compaction", block.tokens_before), parts={0: block}, ended=True))
    else:
        _end_compaction(session, block, "cancelled" if record.aborted else "failed")
    _retry(session, None)


def _end_compaction(session: Session, block: CompactionBlock, state: CompactionState) -> None:
    block.state = state
    looks(session, block)
    finish(session, block)
    session.memory.compaction = None


def summary_retry_scheduled(session: Session, record: SummarizationRetryScheduled, at: float) -> None:
    _retry(session, Retry(record.attempt, record.max_attempts, at + record.delay_ms / 1000, record.error_message))


def summary_retry_starts(session: Session, record: SummarizationRetryAttemptStart) -> None:
    if record.source == "branchSummary":
        session.memory.summarizing = True
    _retry(session, None)


def summary_ends(session: Session) -> None:
    session.memory.summarizing = False
    _retry(session, None)


def summary_begins(session: Session) -> None:
    session.memory.summarizing = True
    reckon(session)


# The process and the session


def process_started(session: Session, fact: facts.Started, at: float) -> None:
    """A new pi: it knows nothing of what the old one was doing."""
    _end_everything(session, at)
    extensions.forget(session, "pi was started again")
    session.ending, session.version = None, fact.version
    session.sending.clear()
    session.memory.ready = False
    changed(session, Aspect.PROCESS | Aspect.STATE | Aspect.QUEUE)
    _retry(session, None)


def process_exited(session: Session, fact: facts.Exited, at: float) -> None:
    if session.ending is not None:
        return
    cut = "assistant" in session.memory.open
    _end_everything(session, at)
    if cut or not fact.wanted:
        ended = "pi was stopped." if fact.wanted else f"pi ended ({_code_in_words(fact.code)})."
        level = "error" if fact.code or cut else "info"
        say(session, level, f"{ended} The answer is not complete." if cut else ended)
    session.ending = Ending(fact.code, fact.stderr)
    changed(session, Aspect.PROCESS | Aspect.STATE)
    _retry(session, None)


def _end_everything(session: Session, at: float) -> None:
    """Whatever pi was doing, it does no longer."""
    memory = session.memory
    messages.close_all(session)
    toolruns.settle_all(session, at)
    prompts.fail_all(session)
    bashes.fail_all(session, "pi ended", at)
    if memory.compaction is not None:
        _end_compaction(session, memory.compaction, "failed")
    extensions.close_dialogs(session, "pi ended")
    turns.end(session, at, aborted=True)
    memory.running = memory.summarizing = memory.awaits_run = session.between_turns = False
    memory.heard = 0


def _code_in_words(code: int | None) -> str:
    if code is None:
        return "exit code unknown"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code}, {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def replaced(session: Session, fact: facts.Replaced) -> None:
    """Nothing of the session before is left."""
    if not fact.extensions_loaded:
        extensions.forget(session, "another session was opened")
    session.blocks = []
    session.tools, session.bashes, session.sending = {}, {}, {}
    session.in_pi = session.withdrawn = ()
    session.leaving = []
    session.between_turns = False
    session.entries, session.leaf_id = {}, None
    session.file = session.id = session.name = ""
    session.stats = session.context = session.editor_text = None
    session.memory = Memory(ready=session.memory.ready, clearing=session.memory.clearing)
    everything = ~Aspect(0)
    passing = Aspect.PROCESS | Aspect.NOTICES | Aspect.EDITOR | Aspect.RETURNED | Aspect.FILE
    changed(session, everything & ~passing)
    _retry(session, None)


def take_state(session: Session, state: State) -> None:
    memory = session.memory
    session.model = state.model
    session.thinking_level = state.thinking_level
    session.steering_mode, session.follow_up_mode = state.steering_mode, state.follow_up_mode
    session.auto_compaction = state.auto_compaction_enabled
    session.file, session.id, session.name = state.session_file, state.session_id, state.session_name
    if not memory.ready:  # later, the events know better than an answer that may be late
        memory.ready = True
        memory.running = state.is_streaming
        changed(session, Aspect.PROCESS)
    changed(session, Aspect.STATE)
    reckon(session)
