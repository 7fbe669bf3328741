"""`Attention`: tells a person who looks elsewhere that pi works, waits for them, is done or has failed."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from pitui.agent import Agent
from pitui.config import Settings
from pitui.session.blocks import (
    BashBlock,
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    NoticeBlock,
    TextBlock,
    TurnBlock,
)
from pitui.session.model import OpenDialog, Phase
from pitui.ui.system import notify
from pitui.ui.system.notify import Progress
from pitui.ui.system.terminal import RESTORE_TITLE, SAVE_TITLE, window_title


class Standing(Enum):
    """How it stands with pi, as a sign in the title and as progress."""

    QUIET = ("", Progress.NONE)
    WORKING = ("● ", Progress.WORKING)
    WAITING = ("? ", Progress.WAITING)
    DONE = ("✓ ", Progress.NONE)
    FAILED = ("✗ ", Progress.FAILED)


class News(NamedTuple):
    """`text` is what is told of it; empty when it is nothing to call somebody for."""

    standing: Standing
    text: str = ""
    dialog: OpenDialog | None = None


class Attention:
    """The title of the window names the session. The rest is only for when the terminal is not in focus.

    A terminal that does not tell of its focus is taken to have it, and so nothing is told there.
    """

    def __init__(
        self, agent: Agent, settings: Settings, write: Callable[[str], None], environ: Mapping[str, str]
    ) -> None:
        """`write` sends a sequence to the terminal that `environ` is the environment of."""
        self._agent = agent
        self._settings = settings
        self._write = write
        self._environ = environ
        self._way: notify.Way
        match settings.notifications:
            case "auto":
                self._way = notify.way_of(environ)
            case "off":
                self._way = ""
            case way:
                self._way = way
        self._shows_progress = settings.progress and notify.shows_progress(environ)
        self._away = False
        self._working = False
        self._last_block = 0
        """The last one there was when pi did nothing."""
        self._last = News(Standing.QUIET)
        self._title = ""
        self._progress = Progress.NONE

    def sync(self) -> None:
        """Look at the session again."""
        news = self._news()
        if news != self._last:
            self._last = news
            if self._away and news.text:
                self._call(news.text)
        self._show()

    def focus(self, focused: bool) -> None:
        """The terminal has got the focus, or lost it."""
        self._away = not focused
        if focused and self._last.standing in (Standing.DONE, Standing.FAILED):
            self._last = News(Standing.QUIET)  # it has been seen
        self._show()

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._progress is not Progress.NONE:
            self._write(notify.progress(Progress.NONE))
        if self._title:
            self._write(RESTORE_TITLE)

    def _news(self) -> News:
        session = self._agent.session
        has_worked, self._working = self._working, session.busy or bool(session.bashes)
        if session.dialogs:
            dialog = session.dialogs[0]
            return News(Standing.WAITING, f"pi asks: {dialog.request.title}", dialog)
        if session.phase is Phase.ENDED:
            return News(Standing.FAILED, "pi has ended.")
        if self._working:
            return News(Standing.WORKING)
        since, self._last_block = self._last_block, session.last_block_id
        if has_worked or self._last.standing is Standing.WAITING:
            return _outcome([block for block in reversed(session.blocks) if block.id > since])
        return self._last

    def _call(self, text: str) -> None:
        if self._settings.bell:
            self._write(notify.BELL)
        if self._way:
            self._write(notify.notification(self._way, self._name(), text, self._environ))

    def _show(self) -> None:
        standing = self._last.standing if self._away else Standing.QUIET
        sign, progress = standing.value
        title = sign + (self._agent.session.title or self._name())
        if self._settings.title and title != self._title:
            self._write(window_title(title) if self._title else SAVE_TITLE + window_title(title))
            self._title = title
        if self._shows_progress and progress is not self._progress:
            self._write(notify.progress(progress))
            self._progress = progress

    def _name(self) -> str:
        place = self._agent.session.name or self._agent.launch.cwd.name
        return f"{place} – pitui" if place else "pitui"  # noqa: RUF001


def _outcome(newest_first: Sequence[Block]) -> News:
    """How it went, by the blocks that have come since it began."""
    for block in newest_first:
        match block:
            case TurnBlock(outcome="done"):
                return News(Standing.DONE, _first_line(newest_first, TextBlock) or "pi is done.")
            case TurnBlock(outcome="failed"):
                return News(Standing.FAILED, _first_line(newest_first, NoticeBlock) or "pi has failed.")
            case CompactionBlock(state="done") | BranchSummaryBlock():
                return News(Standing.DONE, "The summary is done.")
            case BashBlock(cancelled=False, exit_code=code, error=error):
                failed = code or error
                return News(Standing.FAILED if failed else Standing.DONE, f"$ {block.command}")
            case TurnBlock() | CompactionBlock() | BashBlock():
                break
            case _:
                pass
    return News(Standing.QUIET)


def _first_line(blocks: Sequence[Block], kind: type[TextBlock] | type[NoticeBlock]) -> str:
    said = next((block.text for block in blocks if isinstance(block, kind)), "")
    return said.strip().partition("\n")[0]
