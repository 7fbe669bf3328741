"""What extensions ask, say and show."""

from pitui.rpc.records import decode
from pitui.session.apply import apply
from pitui.session.facts import DialogClosed
from pitui.session.model import Aspect, Widget

from .telling import Telling


def asks(told: Telling, id_: str, method: str = "confirm", **fields: object) -> None:
    told.pi("extension_ui_request", id=id_, method=method, title=f"title of {id_}", **fields)


def test_questions_wait_in_order_with_their_deadlines() -> None:
    told = Telling()
    asks(told, "a", "select", options=["x"], timeout=1500)
    asks(told, "b", "editor", prefill="x", timeout=1500)
    asks(told, "c", "input", timeout=0)
    asks(told, "d")
    assert [(open_.request.id, open_.deadline) for open_ in told.session.dialogs] == [
        ("a", 101.5),
        ("b", None),
        ("c", None),
        ("d", None),
    ]


def test_a_question_asked_twice_is_kept_once() -> None:
    told = Telling()
    asks(told, "a")
    asks(told, "a", "input")
    assert [open_.request.method for open_ in told.session.dialogs] == ["confirm"]


def test_an_answered_question_is_remembered_with_its_outcome() -> None:
    told = Telling()
    asks(told, "a")
    asks(told, "b")
    told.session.take_changes()
    told.take(DialogClosed("b", "yes"), DialogClosed("never asked", "no"))
    assert [open_.request.id for open_ in told.session.dialogs] == ["a"]
    assert [(past.request.id, past.outcome) for past in told.session.past_dialogs] == [("b", "yes")]
    assert told.session.take_changes().aspects == Aspect.DIALOGS


def test_of_the_questions_that_were_the_last_hundred_are_remembered() -> None:
    told = Telling()
    for number in range(102):
        asks(told, str(number))
        told.take(DialogClosed(str(number), "yes"))
    assert [past.request.id for past in told.session.past_dialogs] == [str(number) for number in range(2, 102)]


def test_statuses_and_widgets_are_set_and_cleared_by_key() -> None:
    told = Telling()
    asks(told, "1", "setStatus", statusKey="12 [x]", statusText="y")
    asks(told, "2", "setWidget", widgetKey="my ext/1.0", widgetLines=["x"], widgetPlacement="belowEditor")
    asks(told, "3", "setWidget", widgetKey="above", widgetLines=["z"])
    assert told.session.statuses == {"12 [x]": "y"}
    assert told.session.widgets == {"my ext/1.0": Widget(("x",), True), "above": Widget(("z",), False)}
    asks(told, "4", "setStatus", statusKey="12 [x]")
    asks(told, "5", "setWidget", widgetKey="my ext/1.0")
    asks(told, "6", "setWidget", widgetKey="never set")
    assert not told.session.statuses
    assert list(told.session.widgets) == ["above"]


def test_title_and_text_for_the_prompt_are_kept() -> None:
    told = Telling()
    told.pi("extension_ui_request", id="t", method="setTitle", title="a title")
    told.pi("extension_ui_request", id="e", method="set_editor_text", text="a text")
    assert (told.session.title, told.session.editor_text) == ("a title", "a text")
    assert told.session.take_changes().aspects == Aspect.TITLE | Aspect.EDITOR


def test_only_the_last_hundred_notices_are_kept_and_their_numbers_rise() -> None:
    told = Telling()
    for number in range(250):
        told.pi("extension_ui_request", id="n", method="notify", message=str(number), notifyType="odd")
    assert len(told.session.notices) == 100
    assert [(told.session.notices[0].text, told.session.notices[-1].text)] == [("150", "249")]
    assert (told.session.notices[-1].number, told.session.notices[-1].level) == (250, "info")


def test_an_extension_that_fails_is_told_in_the_chat() -> None:
    told = Telling()
    told.pi("extension_error", extensionPath="command:throw", event="command", error="on purpose")
    told.pi("extension_error")
    assert told.chat[0] == "! The extension command:throw failed (command): on purpose"


def test_a_line_that_is_no_json_is_a_notice() -> None:
    told = Telling()
    apply(told.session, decode(b"\xffnot json"))
    assert "not json" in told.session.notices[0].text
