"""Asking the companion, and why it cannot be asked."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pitui.companion.client import Companion
from pitui.rpc.companion import Compacted, DialogsEnded, ModelChanged, SessionStarted, TreeMoved
from pitui.rpc.errors import RequestError
from pitui.rpc.records import SetStatus
from pitui.rpc.requests import Prompt
from pitui.rpc.results import Command, Commands, Disposition, Moved, Nothing, State
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.model import Session

Answering = Callable[[dict[str, Any]], dict[str, str]]


def ready(*names: str) -> Session:
    """A session of a pi that has these commands."""
    session = Session()
    apply(session, State())
    apply(session, Commands(commands=[Command(name=name, source="extension") for name in names]))
    return session


def asking(answer: Answering) -> tuple[Companion, list[tuple[str, float]]]:
    """A companion that gives such statuses, by key, to what it is asked; and what it was asked, and how long for."""
    asked: list[tuple[str, float]] = []

    async def send(prompt: Prompt, timeout: float) -> Disposition:
        asked.append((prompt.message, timeout))
        for key, text in answer(json.loads(prompt.message.removeprefix("/pitui "))).items():
            assert companion.hear(SetStatus(status_key=key, status_text=text)) is None
        return Disposition(disposition="handled")

    companion = Companion(ready("mcp", "pitui"), send)
    return companion, asked


async def test_an_answer_is_known_by_the_id_of_the_question() -> None:
    def answer(question: dict[str, Any]) -> dict[str, str]:
        ours, other = f"pitui:res:{question['id']}", "pitui:res:other"
        return {other: '{"ok":false,"error":"not ours"}', ours: '{"ok":true,"data":{"cancelled":true,"aborted":true}}'}

    companion, asked = asking(answer)
    moved = await companion.ask("navigate", Moved, 7, entry_id="e1", summarize=True, instructions=None)
    assert (moved.cancelled, moved.aborted) == (True, True)
    assert asked == [('/pitui {"id": "1", "op": "navigate", "entryId": "e1", "summarize": true}', 7)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"ok":false,"error":"Entry e1 not found"}', "Entry e1 not found"),
        ("", "did not answer"),
        ("not JSON", "cannot be read"),
        ("{}", "refused label"),
    ],
)
async def test_what_went_wrong_is_told_in_words(text: str, told: str) -> None:
    companion, _ = asking(lambda question: {f"pitui:res:{question['id']}": text})
    with pytest.raises(RequestError, match=told):
        await companion.ask("label", Nothing)


async def test_why_it_is_missing_is_told_and_pi_is_not_asked() -> None:
    async def send(_prompt: Prompt, _timeout: float) -> Disposition:
        raise AssertionError

    assert Companion(Session(), send).missing == "pi is still starting."
    assert Companion(ready("mcp"), send).missing == "pi did not load it; /stderr may say why."
    assert Companion(ready("mcp"), send, "It was left out.").missing == "It was left out."
    assert Companion(ready("mcp", "pitui"), send, "It was left out.").missing == ""
    session = ready("mcp", "pitui")
    apply(session, facts.Exited(0, ""))
    assert Companion(session, send).missing == "pi has ended."
    with pytest.raises(RequestError, match="needs pitui's companion in pi, and there is none: It was left out"):
        await Companion(ready("mcp"), send, "It was left out.").ask("info", Nothing)


@pytest.mark.parametrize(
    ("told", "event"),
    [
        ('{"type":"tree_moved","leafId":null}', TreeMoved()),
        ('{"type":"compacted","entryId":"e9"}', Compacted(entry_id="e9")),
        ('{"type":"model_changed","model":{"id":"m","more":1}}', ModelChanged.model_validate({"model": {"id": "m"}})),
        ('{"type":"session_started","reason":"fork"}', SessionStarted(reason="fork")),
        ('{"type":"dialogs_ended"}', DialogsEnded()),
        ('{"type":"of_the_future"}', None),
        ("not JSON", None),
        (None, None),
    ],
)
def test_what_happens_in_pi_is_heard(told: str | None, event: object) -> None:
    companion, _ = asking(lambda _: {})
    assert companion.hear(SetStatus(status_key="pitui:event", status_text=told)) == event
