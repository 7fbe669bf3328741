"""`Companion`: asks pitui's extension in pi, and says why it cannot be asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pitui import rpc
from pitui.rpc.errors import RequestError
from pitui.session.model import Phase, Session

if TYPE_CHECKING:
    from pitui.rpc.companion import Event
    from pitui.rpc.records import SetStatus
    from pitui.rpc.requests import Prompt
    from pitui.rpc.results import Disposition

R = TypeVar("R")

ANSWER_SECONDS = 60.0
NOT_LOADED = "pi did not load it; /stderr may say why."


class Companion:
    """The companion of one pi. `send` sends it a prompt; `absence` says in words why it was not loaded, if so."""

    def __init__(
        self, session: Session, send: Callable[[Prompt, float], Awaitable[Disposition]], absence: str = ""
    ) -> None:
        self._session = session
        self._send = send
        self._absence = absence
        self._asked = 0
        self._answers: dict[str, str] = {}
        """By id, those of requests that wait; empty until they come."""

    @property
    def missing(self) -> str:
        """Why it cannot be asked, in a sentence; empty when it can."""
        if self._session.phase is Phase.ENDED:
            return "pi has ended."
        if any(command.name == rpc.companion.COMMAND for command in self._session.commands):
            return ""
        if not self._session.commands:  # pi has some of its own in any case
            return "pi is still starting."
        return self._absence or NOT_LOADED

    def require(self) -> None:
        """Raises RequestError with the reason when it cannot be asked."""
        if reason := self.missing:
            raise RequestError(f"This needs pitui's companion in pi, and there is none: {reason}")

    async def ask(self, operation: str, result: type[R], timeout: float = ANSWER_SECONDS, **fields: Any) -> R:
        """What it answers to an operation of companion.ts, within `timeout` seconds. Raises RequestError in words."""
        self.require()
        self._asked += 1
        id_ = str(self._asked)
        self._answers[id_] = ""
        try:
            await self._send(rpc.companion.encode_ask(id_, operation, fields), timeout)
            text = self._answers[id_]  # written before pi answered the prompt
        finally:
            del self._answers[id_]
        if not text:
            raise RequestError("pitui's companion in pi did not answer; /stderr may say why")
        return rpc.companion.read_answer(operation, text, result)

    def hear(self, record: SetStatus) -> Event | None:
        """Take what it says: an answer is kept for the one who waits, an event is given back."""
        id_ = rpc.companion.answered_id(record)
        if id_ is None:
            return rpc.companion.read_event(record)
        if id_ in self._answers:
            self._answers[id_] = record.status_text or ""
        return None
