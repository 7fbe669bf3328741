"""The line above the prompt: what pi is doing, what a key would do about it, and what is said in passing."""

from collections.abc import Sequence
from math import ceil
from typing import ClassVar, NamedTuple

from rich.style import Style
from rich.text import Text
from textual.timer import Timer
from textual.widget import Widget

from pitui.agent import Agent
from pitui.outbox import Where
from pitui.quoting import brief
from pitui.render.amounts import duration
from pitui.render.text import cells, clean_line, truncate
from pitui.session.blocks import Level
from pitui.session.model import Phase, Session

HINT_SECONDS = 3.0
STARTS_SLOWLY = 10.0
"""Seconds after which it is said what can be done about a pi that does not start."""
OPENING = "opening the session…"
SIGNS: dict[Level, str] = {"info": "", "warning": "! ", "error": "✗ "}


class Notice(NamedTuple):
    """Said in passing. What is `lasting` stays for its time, and takes the place of nothing."""

    text: str
    level: Level
    lasting: bool


class State(NamedTuple):
    """`level` is busy, warning, error or nothing."""

    level: str
    text: str


def _seconds(elapsed: float) -> str:
    """Whole ones: it is drawn once a second."""
    return f"{elapsed:.0f}s" if elapsed < 59.5 else duration(elapsed)


def ended_in_words(session: Session) -> str:
    """That pi is there no more, and with which code."""
    code = session.ending.code if session.ending else None
    if code is None:
        return "pi ended"
    return f"pi ended (exit {128 - code if code < 0 else code})"  # a shell says 137 for what signal 9 has ended


class Activity(Widget):
    """One row, empty while there is nothing to say. It counts seconds only while pi is busy."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"activity--info", "activity--warning", "activity--error"}

    def __init__(self, agent: Agent, send_key: str = "Enter") -> None:
        super().__init__()
        self._send_key = send_key
        self._agent = agent
        self._busy_since: float | None = None
        self._second: Timer | None = None
        self._stopping = False
        self._held = ""
        self._opening = False
        self._hint = ""
        self._hint_timer: Timer | None = None
        self._notice: Notice | None = None
        self._notice_timer: Timer | None = None
        self._at_pane: Sequence[str] = ()

    def on_mount(self) -> None:
        self._second = self.set_interval(1, self.sync, pause=True)
        self.sync()

    def stopping(self) -> None:
        """pi was asked to stop; it says so itself when it has."""
        self._stopping = True
        self.sync()

    def hold(self, why: str) -> None:
        """pi is not started yet, and why; empty when it is."""
        self._held = why
        self.sync()

    def opening(self, takes_long: bool) -> None:
        """A session is being opened, and it takes so long that it should be said."""
        self._opening = takes_long
        self.sync()

    def hint(self, text: str, seconds: float = HINT_SECONDS) -> None:
        """Show `text` at the right edge for so long; empty to take it away."""
        if self._hint_timer:
            self._hint_timer.stop()
        self._hint_timer = self.set_timer(seconds, lambda: self.hint("")) if text else None
        self._hint = text
        self.refresh()

    def tell(self, notice: Notice, seconds: float) -> bool:
        """Show a notice at the right edge for so long; False where it has no place."""
        known, text = self._notice, SIGNS[notice.level] + notice.text
        taken = known is not None and known != notice and (known.lasting or notice.lasting)
        if taken or "\n" in text or cells(self._said()) + cells(text) + 2 > self.size.width:
            return False
        self._put_notice(notice)
        self._notice_timer = self.set_timer(seconds, self.be_quiet)
        return True

    def be_quiet(self) -> None:
        """Take away what was said in passing."""
        self._put_notice(None)

    def _put_notice(self, notice: Notice | None) -> None:
        if self._notice_timer:
            self._notice_timer.stop()
        self._notice, self._notice_timer = notice, None
        self.refresh()

    def hint_at_pane(self, texts: Sequence[str]) -> None:
        """Show the first of `texts` for which there is room, while nothing else is hinted at."""
        self._at_pane = texts
        self.refresh()

    def sync(self) -> None:
        """Look at the session again."""
        session = self._agent.session
        working = session.busy or bool(session.bashes) or session.phase is Phase.STARTING or self._opening
        if not working:
            self._busy_since = None
            self._stopping = False
        elif self._busy_since is None:
            self._busy_since = self._agent.clock()
        if self._second:
            (self._second.resume if working else self._second.pause)()
        level = self._state().level
        for name in ("busy", "warning", "error"):
            self.set_class(level == name, f"-{name}")
        self.refresh()

    def _state(self) -> State:
        session = self._agent.session
        now = self._agent.clock()
        elapsed = _seconds(now - (self._busy_since or now))
        if session.phase is Phase.ENDED:
            return State("error", self._ending())
        if self._agent.stalled:
            return State("warning", "waiting for pi: it does not answer")
        if self._stopping:
            return State("busy", "stopping…")
        queued = self._queued()
        match session.phase:
            case Phase.STARTING:
                doing = OPENING if self._opening else "starting pi…"
                if now - (self._busy_since or now) >= STARTS_SLOWLY:
                    return State("warning", f"pi has said nothing for {elapsed}: /stderr, Ctrl+Q{queued}")
                return State("", self._held) if self._held else State("busy", f"{doing}{queued}")
            case Phase.RETRYING if session.retry:
                retry = session.retry
                wait = max(0, ceil(retry.until - now))
                tries = f"{retry.attempt}/{retry.max_attempts}"
                reason = clean_line(retry.reason, 200)
                return State("warning", f"retrying {tries} in {wait} s: {reason} (Esc cancels){queued}")
            case Phase.COMPACTING:
                return State("busy", f"compacting… {elapsed} (Esc cancels){queued}")
            case Phase.SUMMARIZING:
                return State("busy", f"summarizing the branch… {elapsed} (Esc cancels){queued}")
            case Phase.WORKING | Phase.RETRYING:
                return State("busy", f"working {elapsed} (Esc stops){queued}")
            case _ if session.bashes:
                return State(
                    "busy", f"running {brief(next(iter(session.bashes.values())).command)!r} {elapsed} (Esc stops)"
                )
            case _:
                return State("busy", OPENING) if self._opening else State("", "")

    def _queued(self) -> str:
        """How many prompts wait: in pi, or here until pi takes prompts again."""
        waiting = [prompt for prompt in self._agent.queue if not prompt.held]
        here = sum(prompt.where is Where.HERE for prompt in waiting)
        if here and here == len(waiting):
            return f" · {here} waits" if here == 1 else f" · {here} wait"
        return f" · {len(waiting)} queued" if waiting else ""

    def _ending(self) -> str:
        what = ended_in_words(self._agent.session)
        key = self._send_key
        ways = (f"{key} starts it again; what you wrote stays", f"{key} starts it again", f"{key} restarts")
        return next((f"{what}: {way}" for way in ways if len(what) + len(way) + 4 <= self.size.width), what)

    def _said(self) -> str:
        state = self._state()
        return {"busy": "● ", "warning": "▲ ", "error": "✗ "}.get(state.level, "") + clean_line(state.text)

    def render(self) -> Text:
        width, said = self.size.width, self._said()
        right, style = self._hint, Style()
        if not right and self._notice is not None:
            right = SIGNS[self._notice.level] + self._notice.text
            style = self.get_component_rich_style(f"activity--{self._notice.level}", partial=True)
        elif not right:
            right = next((text for text in self._at_pane if cells(said) + cells(text) + 2 <= width), "")
        room = width - (cells(right) + 2 if right else 0)
        left = truncate(said, max(0, room))
        line = Text(left, no_wrap=True, overflow="crop", end="")
        if right:
            line.append(" " * max(0, width - cells(left) - cells(right)))
            line.append(truncate(right, width), style)
        return line
