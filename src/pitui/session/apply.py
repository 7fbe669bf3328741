"""The only writer of a `Session`."""

from pitui.rpc import records as rpc
from pitui.rpc.records import Record
from pitui.rpc.results import Commands, Model, Models, State, Stats
from pitui.session import (
    answers,
    bashes,
    endings,
    extensions,
    facts,
    history,
    messages,
    phases,
    prompts,
    queue,
    toolruns,
    turns,
)
from pitui.session.conversation import changed, notify, say, show_unknown
from pitui.session.facts import Fact
from pitui.session.model import Aspect, Session

Applied = Record | Fact | State | Stats | Commands | Model | Models


def apply(session: Session, record: Applied, at: float = 0.0) -> None:  # noqa: PLR0915 - it is a table
    """Let the session know what happened. Never raises, whatever the record holds.

    `at` is the caller's clock in seconds; deadlines and durations are reckoned on it. What pi said is of no account
    once it has ended.
    """
    if session.ending is not None and not isinstance(record, Fact):
        return
    match record:
        # messages
        case rpc.MessageUpdate():
            answers.update(session, record.assistant_message_event)
        case rpc.MessageStart():
            session.between_turns &= record.message.role != "assistant"
            turns.part(session, record.message, at)
            messages.start(session, record.message)
        case rpc.MessageEnd():
            turns.part(session, record.message, at)
            messages.end(session, record.message)
            turns.hear(session.memory.turn, record.message)

        # tools and commands
        case rpc.ToolExecutionUpdate():
            toolruns.update(session, record, at)
        case rpc.ToolExecutionStart():
            toolruns.start(session, record, at)
        case rpc.ToolExecutionEnd():
            toolruns.end(session, record, at)
        case rpc.BashExecutionUpdate():
            bashes.update(session, record)
        case facts.BashStarted():
            bashes.started(session, record, at)
        case facts.BashEnded():
            bashes.ended(session, record, at)

        # runs
        case rpc.AgentStart():
            if not session.memory.awaits_run:
                session.memory.begun += 1
            session.memory.awaits_run = False
            phases.run_begins(session, at)
        case rpc.AgentEnd():
            if record.will_retry:
                endings.is_retried(session)
        case rpc.AgentSettled():
            phases.run_settles(session, at, aborted=bool(record.aborted))
        case rpc.TurnEnd():
            session.between_turns = True
        case rpc.TurnStart():
            pass
        case rpc.AutoRetryStart():
            phases.retry_starts(session, record, at)
        case rpc.AutoRetryEnd():
            phases.retry_ends(session, record)
        case rpc.CompactionStart():
            phases.compaction_starts(session, record)
        case rpc.CompactionEnd():
            phases.compaction_ends(session, record)
        case rpc.SummarizationRetryScheduled():
            phases.summary_retry_scheduled(session, record, at)
        case rpc.SummarizationRetryAttemptStart():
            phases.summary_retry_starts(session, record)
        case rpc.SummarizationRetryFinished() | facts.BranchSummaryEnded():
            phases.summary_ends(session)
        case facts.BranchSummaryStarted():
            phases.summary_begins(session)

        # prompts and the queue
        case facts.Sent():
            prompts.sent(session, record)
        case facts.Accepted():
            if prompts.accepted(session, record):
                phases.run_begins(session, at)
        case facts.Rescued():
            prompts.rescued(session)
        case facts.Refused():
            prompts.refused(session, record)
        case facts.Taken():
            prompts.taken(session, record)
        case facts.Held():
            prompts.held(session, record)
        case facts.Written():
            prompts.written(session, record)
        case facts.GivenBack():
            prompts.given_back(session, record)
        case rpc.QueueUpdate():
            queue.update(session, record)
        case facts.ClearingQueue():
            session.memory.clearing += 1
        case facts.QueueCleared():
            queue.cleared(session, record)
        case facts.Withdrawn():
            queue.withdraw(session)

        # extensions
        case rpc.Select() | rpc.Confirm() | rpc.Input() | rpc.Editor():
            extensions.ask(session, record, at)
        case facts.DialogClosed():
            extensions.close_dialog(session, record)
        case rpc.Notify():
            extensions.say_in_passing(session, record)
        case rpc.SetStatus():
            extensions.set_status(session, record)
        case rpc.SetWidget():
            extensions.set_widget(session, record)
        case rpc.SetTitle():
            extensions.set_title(session, record)
        case rpc.SetEditorText():
            extensions.set_editor_text(session, record)
        case rpc.ExtensionError():
            extensions.fail(session, record)

        # how pi stands
        case State():
            phases.take_state(session, record)
        case Stats():
            session.stats, session.context = record, record.context_usage
            changed(session, Aspect.STATE)
        case Model():
            session.model = record
            changed(session, Aspect.STATE)
        case Models():
            session.has_models = bool(record.models)
            changed(session, Aspect.STATE)
        case Commands():
            session.commands = tuple(record.commands)
            changed(session, Aspect.COMMANDS)
        case rpc.ThinkingLevelChanged():
            session.thinking_level = record.level
            changed(session, Aspect.STATE)
        case rpc.SessionInfoChanged():
            session.name = record.name
            changed(session, Aspect.STATE)

        # the tree
        case facts.EndRead():
            history.preview(session, record)
        case facts.EntriesLoaded():
            history.load(session, record)
        case rpc.EntryAppended():
            history.append(session, record.entry)

        # the process and the session
        case facts.Started():
            phases.process_started(session, record, at)
        case facts.Exited():
            phases.process_exited(session, record, at)
        case facts.Replaced():
            phases.replaced(session, record)
        case facts.ExtensionsUnloaded():
            extensions.forget(session, "the extensions were loaded anew")

        # what nobody waits for
        case facts.Noticed():
            notify(session, record.level, record.text)
            if record.in_chat:
                say(session, record.level, record.text)
        case rpc.Response():
            if not record.success:
                notify(session, "error", record.error or f"pi refused {record.command or 'a request'}")
        case rpc.Unparsed():
            line = record.line[:120].decode("utf-8", "replace")
            notify(session, "warning", f"pi wrote a line that is no record: {line}")
        case rpc.Unknown():
            show_unknown(session, record.name, record.raw)
