"""What extensions ask, say and show beside the conversation."""

from pitui.rpc.records import Dialog, Editor, ExtensionError, Notify, SetEditorText, SetStatus, SetTitle, SetWidget
from pitui.session import facts
from pitui.session.conversation import changed, notify, say
from pitui.session.model import Aspect, OpenDialog, PastDialog, Session, Widget

PAST_DIALOGS = 100


def ask(session: Session, request: Dialog, at: float) -> None:
    """A question; without a `timeout` it has no deadline."""
    if any(dialog.request.id == request.id for dialog in session.dialogs):
        return
    timeout = None if isinstance(request, Editor) else request.timeout
    session.dialogs.append(OpenDialog(request, at + timeout / 1000 if timeout else None))
    changed(session, Aspect.DIALOGS)


def close_dialog(session: Session, fact: facts.DialogClosed) -> None:
    for index, dialog in enumerate(session.dialogs):
        if dialog.request.id == fact.id:
            del session.dialogs[index]
            _keep(session, [PastDialog(dialog.request, fact.outcome)])
            changed(session, Aspect.DIALOGS)
            return


def close_dialogs(session: Session, outcome: str) -> None:
    if session.dialogs:
        _keep(session, [PastDialog(dialog.request, outcome) for dialog in session.dialogs])
        session.dialogs.clear()
        changed(session, Aspect.DIALOGS)


def _keep(session: Session, past: list[PastDialog]) -> None:
    session.past_dialogs += past
    del session.past_dialogs[:-PAST_DIALOGS]


def forget(session: Session, outcome: str) -> None:
    """The extensions are loaded anew: what they showed is gone, and pi does not say so."""
    close_dialogs(session, outcome)
    session.statuses.clear()
    session.widgets.clear()
    session.title = ""
    changed(session, Aspect.STATUSES | Aspect.WIDGETS | Aspect.TITLE)


def set_status(session: Session, request: SetStatus) -> None:
    if request.status_text is None:
        session.statuses.pop(request.status_key, None)
    else:
        session.statuses[request.status_key] = request.status_text
    changed(session, Aspect.STATUSES)


def set_widget(session: Session, request: SetWidget) -> None:
    if request.widget_lines is None:
        session.widgets.pop(request.widget_key, None)
    else:
        below = request.widget_placement == "belowEditor"
        session.widgets[request.widget_key] = Widget(tuple(request.widget_lines), below)
    changed(session, Aspect.WIDGETS)


def set_title(session: Session, request: SetTitle) -> None:
    session.title = request.title
    changed(session, Aspect.TITLE)


def set_editor_text(session: Session, request: SetEditorText) -> None:
    session.editor_text = request.text
    changed(session, Aspect.EDITOR)


def say_in_passing(session: Session, request: Notify) -> None:
    level = request.notify_type
    notify(session, level if level in ("info", "warning", "error") else "info", request.message)


def fail(session: Session, record: ExtensionError) -> None:
    where = f" ({record.event})" if record.event else ""
    say(session, "error", f"The extension {record.extension_path or 'without a name'} failed{where}: {record.error}")
