"""A person who looks elsewhere is told how it stands, and one who is there is left in peace."""

from pathlib import Path
from typing import Any

from pitui.agent import Agent
from pitui.config import Settings
from pitui.launch import Launch
from pitui.session import facts
from pitui.session.apply import apply
from pitui.ui.attention import Attention
from tests.rpc.memory import MemoryPi
from tests.session.telling import Telling, text

GHOSTTY = {"TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2.0"}


class Desk:
    """Somebody's terminal, in which pi works for them."""

    def __init__(self, environ: dict[str, str] | None = None, **settings: Any) -> None:
        async def connect(_: Launch) -> MemoryPi:
            return MemoryPi()

        agent = Agent(Launch(["pi"], Path("/work/shop"), "1.6.0"), connect)
        self.told = Telling()
        self.told.session = agent.session
        self.written: list[str] = []
        self.attention = Attention(agent, Settings(**settings), self.written.append, environ or {})
        self.attention.focus(True)
        self.attention.sync()

    def leaves(self) -> None:
        self.attention.focus(False)
        self.written.clear()

    def pi(self, type_: str, **fields: Any) -> None:
        self.told.pi(type_, **fields)
        self.attention.sync()

    def runs(self, said: str = "The tests pass.\nAll of them.", **ends: Any) -> None:
        self.pi("agent_start")
        self.told.message("assistant", [text(said)], **ends)
        self.pi("agent_settled", aborted=ends.get("stopReason") == "aborted")

    def asks(self, title: str = "Really?") -> None:
        self.pi("extension_ui_request", id=title, method="confirm", title=title, message="")

    @property
    def rings(self) -> int:
        return self.written.count("\a")

    @property
    def title(self) -> str:
        return next(words for words in reversed(self.written) if "]2;" in words).split("]2;")[1][:-2]


def test_the_title_names_the_folder_and_then_the_session() -> None:
    desk = Desk()
    assert desk.title == "shop – pitui"  # noqa: RUF001
    desk.pi("session_info_changed", name="the till")
    assert desk.title == "the till – pitui"  # noqa: RUF001
    desk.pi("extension_ui_request", id="t", method="setTitle", title="by an extension")
    assert desk.title == "by an extension"


def test_nothing_is_told_while_the_terminal_is_in_focus() -> None:
    desk = Desk(GHOSTTY)
    desk.written.clear()
    desk.runs()
    desk.asks()
    assert desk.written == []


def test_who_looks_elsewhere_is_told_that_pi_works_and_then_that_it_is_done() -> None:
    desk = Desk(GHOSTTY)
    desk.leaves()
    desk.pi("agent_start")
    assert desk.title == "● shop – pitui"  # noqa: RUF001
    assert "\x1b]9;4;3;0\x1b\\" in desk.written and not desk.rings
    desk.told.message("assistant", [text("The tests pass.\nAll of them.")])
    desk.pi("agent_settled", aborted=False)
    assert desk.title == "✓ shop – pitui"  # noqa: RUF001
    assert desk.rings == 1
    assert "\x1b]777;notify;shop – pitui;The tests pass.\x1b\\" in desk.written  # noqa: RUF001
    assert desk.written[-1] == "\x1b]9;4;0;0\x1b\\"


def test_coming_back_takes_the_sign_away_and_it_stays_away() -> None:
    desk = Desk()
    desk.leaves()
    desk.runs()
    desk.attention.focus(True)
    assert desk.title == "shop – pitui"  # noqa: RUF001
    desk.leaves()
    desk.attention.sync()
    assert desk.written == []


def test_a_failure_is_told_with_its_reason() -> None:
    desk = Desk(notifications="osc9")
    desk.leaves()
    desk.runs("", stopReason="error", errorMessage="overloaded")
    assert desk.title.startswith("✗ ") and desk.rings == 1
    assert any("overloaded" in words for words in desk.written)


def test_the_end_of_pi_is_told() -> None:
    desk = Desk(notifications="osc9")
    desk.leaves()
    apply(desk.told.session, facts.Exited(1, ""), 0)
    desk.attention.sync()
    assert desk.title.startswith("✗ ") and desk.rings == 1
    assert any("pi has ended" in words for words in desk.written)


def test_what_was_stopped_calls_nobody() -> None:
    desk = Desk()
    desk.leaves()
    desk.runs("Half of it", stopReason="aborted")
    assert desk.title == "shop – pitui" and not desk.rings  # noqa: RUF001


def test_every_question_calls_and_the_run_after_it_too() -> None:
    desk = Desk(GHOSTTY)
    desk.leaves()
    desk.pi("agent_start")
    desk.asks("Delete it?")
    assert desk.title == "? shop – pitui" and desk.rings == 1  # noqa: RUF001
    assert any("pi asks: Delete it?" in words for words in desk.written)
    desk.asks("And this?")
    assert desk.rings == 1, "the second waits behind the first"
    apply(desk.told.session, facts.DialogClosed("Delete it?", "yes"), 0)
    desk.attention.sync()
    assert desk.rings == 2
    desk.told.message("assistant", [text("Gone.")])
    desk.told.pi("agent_settled", aborted=False)
    apply(desk.told.session, facts.DialogClosed("And this?", "no"), 0)
    desk.attention.sync()
    assert desk.title == "✓ shop – pitui" and desk.rings == 3  # noqa: RUF001


def test_a_command_of_the_person_that_is_over_calls_too() -> None:
    desk = Desk(notifications="osc9")
    apply(desk.told.session, facts.BashStarted("b", "make", False), 0)
    desk.attention.sync()
    desk.leaves()
    apply(desk.told.session, facts.BashEnded("b", None, "pi ended"), 0)
    desk.attention.sync()
    assert desk.title.startswith("✗ ") and any("$ make" in words for words in desk.written)


def test_an_opened_session_calls_nobody() -> None:
    desk = Desk()
    desk.leaves()
    desk.told.message("assistant", [text("said long ago")])
    desk.attention.sync()
    assert desk.written == []


def test_each_of_it_can_be_switched_off() -> None:
    desk = Desk(GHOSTTY, title=False, bell=False, notifications="off", progress=False)
    desk.attention.focus(False)
    desk.runs()
    desk.asks()
    desk.attention.close()
    assert desk.written == []


def test_the_terminal_is_left_as_it_was() -> None:
    desk = Desk(GHOSTTY)
    desk.leaves()
    desk.pi("agent_start")
    desk.attention.close()
    assert desk.written[-2:] == ["\x1b]9;4;0;0\x1b\\", "\x1b[23;2t"]
