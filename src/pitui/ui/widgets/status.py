"""The status line at the bottom, and the statuses of extensions above it."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from pitui.agent import Agent
from pitui.render.amounts import cost_in_words, tokens_in_words
from pitui.render.text import cells, clean_line, coloured, truncate, truncate_start
from pitui.session.model import Phase, Session

NARROW = 60
READ_ONLY = "read only"
RECORDING = "recording"
UNKNOWN = "–"  # noqa: RUF001


class Part(NamedTuple):
    """A piece of the line and the name of its style."""

    text: str
    style: str = "plain"


class StatusLine(Widget):
    """Folder and branch, session, tokens, cost, model and thinking level, context. One row."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "status--plain",
        "status--strong",
        "status--success",
        "status--warning",
        "status--error",
    }

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self._agent = agent
        self._branch = ""

    def show_branch(self, branch: str) -> None:
        """The Git branch of the folder; empty when there is none."""
        self._branch = branch
        self.refresh()

    def sync(self) -> None:
        """Look at the session again."""
        self.refresh()

    def render(self) -> Text:
        width = max(0, self.size.width - 2)
        session = self._agent.session
        limits = RECORDING if self._agent.replays else READ_ONLY if self._agent.watch.read_only else ""
        if self.size.width < NARROW:
            state = Part(limits, "warning") if limits else Part(state_in_words(session))
            return self._drawn([state], _narrowed(session, width - cells(state.text)), width)
        right = [*amounts_parts(session), Part(model_in_words(session), "strong"), context_part(session)]
        left = [Part(self._place()), *([Part(clean_line(session.name, 100), "strong")] if session.name else [])]
        sign = [Part(limits, "warning")] if limits else []
        left, right = _fitted(left, right, width - _cells(sign) - 2 * len(sign))
        return self._drawn([*sign, *left], right, width)

    def _place(self) -> str:
        folder = clean_line(shortened(self._agent.cwd), 200)
        return f"{folder} ({clean_line(self._branch, 60)})" if self._branch else folder

    def _drawn(self, left: Sequence[Part], right: Sequence[Part], width: int) -> Text:
        line = Text(" ", no_wrap=True, overflow="crop", end="")
        self._add(line, left)
        line.append(" " * max(0, width - _cells(left) - _cells(right)))
        self._add(line, right)
        return line

    def _add(self, line: Text, parts: Sequence[Part]) -> None:
        for index, part in enumerate(parts):
            line.append("  " if index else "")
            line.append(part.text, self.get_component_rich_style(f"status--{part.style}", partial=True))


class ExtensionStatuses(Widget):
    """What extensions have to say, in the order of their keys, in a row that is there only when they do."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def on_mount(self) -> None:
        self.sync()

    def sync(self) -> None:
        """Look at the session again."""
        self.display = bool(self._texts())
        self.refresh()

    def _texts(self) -> list[str]:
        statuses = sorted(self._session.statuses.items())
        return [text for _, text in statuses if text.strip()]

    def render(self) -> Text:
        line = Text(" ", no_wrap=True, overflow="ellipsis", end="")
        for index, text in enumerate(self._texts()):
            line.append("  " if index else "")
            for number, row in enumerate(coloured(text[:2000], Style())):
                line.append(" " if number else "")
                for segment in row:
                    line.append(segment.text, segment.style)
        return line


# What the parts say


def shortened(folder: Path) -> str:
    """With ``~`` for the home folder."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}".removesuffix("/.") if folder.is_relative_to(home) else str(folder)


def state_in_words(session: Session) -> str:
    match session.phase:
        case Phase.IDLE:
            return "running" if session.bashes else "ready"
        case phase:
            return phase.name.lower()


def model_in_words(session: Session) -> str:
    """The model and how much it thinks."""
    model = session.model
    if model is None:
        return UNKNOWN
    if not model.known:
        return "no model"
    level = session.thinking_level if model.reasoning else ""
    return clean_line(f"{model.id} · {level}" if level else model.id, 100)


def amounts_parts(session: Session) -> list[Part]:
    """Tokens sent and received, and the cost in dollars."""
    stats = session.stats
    if stats is None:
        return [Part(f"{UNKNOWN:>5}↑ {UNKNOWN:>5}↓"), Part(f"${UNKNOWN:>5}")]
    return [
        Part(f"{tokens_in_words(stats.tokens.input):>5}↑ {tokens_in_words(stats.tokens.output):>5}↓"),
        Part(cost_in_words(stats.cost)),
    ]


def context_part(session: Session) -> Part:
    """How full the context is: ``45%/200k``. From 70 % on one sign of warning, from 90 % on two."""
    usage = session.context or (session.stats.context_usage if session.stats else None)
    window = usage.context_window if usage else 0
    if not window and session.model:
        window = session.model.context_window
    if not window:
        return Part(f"{UNKNOWN:>5}")
    size = tokens_in_words(window).replace(".0", "")
    if usage is None or usage.percent is None:
        return Part(f"    ?/{size}")
    percent = f"{min(usage.percent, 999):.0f}%"
    level = fullness(usage.percent)
    sign = {"error": "!!", "warning": " !"}.get(level)
    return Part(f"{sign}{percent}/{size}" if sign else f"{percent:>5}/{size}", level)


def fullness(percent: float) -> str:
    """The style for a context that is so full."""
    return "error" if percent >= 90 else "warning" if percent >= 70 else "success"


# Making it fit


def _cells(parts: Sequence[Part]) -> int:
    return sum(cells(part.text) for part in parts) + 2 * max(0, len(parts) - 1)


def _narrowed(session: Session, width: int) -> list[Part]:
    """The model and the context in this width; the level goes first."""
    context = context_part(session)
    room = width - cells(context.text) - 4
    model = model_in_words(session)
    if cells(model) > room:
        model = truncate(model.partition(" · ")[0], room)
    return [Part(model, "strong"), context] if room > 3 else [context]


def _fitted(left: list[Part], right: list[Part], width: int) -> tuple[list[Part], list[Part]]:
    """As much as there is room for: the model and the context stay longest, the left gives way first.

    Of a folder the end stays.
    """
    while len(right) > 2 and _cells(right) + 12 > width:
        right = right[1:]
    room = width - _cells(right) - 2
    if len(left) > 1 and _cells(left) > room:
        left = [
            Part(truncate_start(left[0].text, max(room // 2, room - 2 - cells(left[1].text))), left[0].style),
            left[1],
        ]
    if len(left) > 1 and _cells(left) > room:
        left = [left[0], Part(truncate(left[1].text, room - cells(left[0].text) - 2), left[1].style)]
    if _cells(left) > room:
        left = [Part(truncate_start(left[0].text, room), left[0].style)] if room > 3 else []
    over = _cells(right) - width
    if over > 0:
        kept = cells(right[0].text) - over
        right = [Part(truncate(right[0].text, kept), right[0].style), right[1]] if kept > 3 else [right[1]]
    return left, right
