"""The list over the prompt of what may be put in at the cursor."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio.to_thread
from rich.segment import Segment
from textual.app import App
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from pitui.actions import BY_SLASH
from pitui.agent import Agent, AgentError
from pitui.files.finder import Finder, Found
from pitui.paths import state_folder
from pitui.pi.templates import argument_hint
from pitui.render.amounts import number
from pitui.ui.commands import begins, matching, words
from pitui.ui.suggestions import Suggestion, of_paths, of_values, of_words
from pitui.ui.wanted import Wanted
from pitui.ui.widgets.menu import Item, Menu

PATIENCE = 0.5
"""Seconds without an answer after which it is shown that something is searched for."""
PATHS = {"import", "export", "resume"}
"""Commands that take a path."""
ROWS = 8


class Completion(Menu):
    """Open while something fits to what is being typed. The prompt keeps the focus and tells it what is wanted.

    Files come later than the key that asked for them: what is on the screen is what the keys are about, and a key that
    was pressed before it was there chooses nothing.
    """

    @dataclass
    class Answered(Message):
        """The process that searches has found something."""

        found: Found

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self._agent = agent
        self._finder = Finder(self._answered)
        self._wanted: Wanted | None = None
        self._last: Wanted | None = None
        """What was wanted last, also when nothing is wanted now."""
        self._closed_at: Wanted | None = None
        self._suggestions: Sequence[Suggestion] = ()
        self._moved = False
        self._seen_at = float("inf")
        """When what is highlighted came on the screen."""
        self._question = 0
        self._hints: dict[str, str] = {}
        self._known: dict[str, list[tuple[str, str]]] = {}
        """Arguments that pi was asked for, by the command that takes them."""
        self._used: dict[str, dict[str, float]] = {"command": {}, "file": {}}
        self._used_in: Path | None = None
        self.display = False

    def _answered(self, found: Found) -> None:
        self.post_message(self.Answered(found))

    def on_unmount(self) -> None:
        self._finder.close()

    # what is shown

    @property
    def is_open(self) -> bool:
        return self.display

    def suggest(self, wanted: Wanted | None) -> None:
        """Show what fits; None when nothing is wanted."""
        if wanted is None or self._is_closed(wanted):
            self._wanted = None
            self._question = 0
            self._show([])
            if wanted is None:
                self._closed_at = None
            return
        if wanted == self._wanted:
            return
        before, self._wanted, self._last, self._closed_at = self._wanted, wanted, wanted, None
        self._moved = False
        self._question = 0
        self._follow_folder()
        match wanted.kind:
            case "command":
                found = matching(words(self._agent.session, self._hints), wanted.typed, self._used["command"])
                self._show(of_words(found))
            case "argument":
                self._suggest_argument(wanted)
            case "file" | "path":
                self._search(wanted, before)

    def _is_closed(self, wanted: Wanted) -> bool:
        closed = self._closed_at
        if closed is None or wanted == closed:
            return closed is not None
        return closed.kind == wanted.kind in ("file", "path") and wanted.typed.startswith(closed.typed)

    def close(self) -> None:
        """Stay closed until something else is typed."""
        self._closed_at, self._wanted = self._last, None
        self._question = 0
        self._show([])

    def _show(self, suggestions: Sequence[Suggestion], note: str = "") -> None:
        highlighted = self._highlighted()
        kept = suggestions.index(highlighted) if self._moved and highlighted in suggestions else 0
        self._suggestions = suggestions
        self.display = bool(suggestions or note)
        self.border_subtitle = note
        self.set_class(bool(note and suggestions), "-noted")
        self.show([Item(one.label, one.detail, one.note) for one in suggestions], kept)
        if self._highlighted() != highlighted:
            self._seen_at = float("inf")
            self.call_after_refresh(self._see)

    def _see(self) -> None:
        self._seen_at = min(self._seen_at, time.monotonic())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(ROWS, max(1, len(self.items)))

    def render_line(self, y: int) -> Strip:
        if self.items:
            return super().render_line(y)
        style = self.get_component_rich_style("menu--detail")
        return Strip([Segment(f" {self.border_subtitle}", style)]).crop_extend(0, self.size.width, self.rich_style)

    # what the keys mean

    def move(self, by: int, *, around: bool = True) -> None:
        self._moved = True
        super().move(by, around=around)
        self._seen_at = float("-inf")

    def _highlighted(self) -> Suggestion | None:
        return self._suggestions[self.highlighted] if self._suggestions else None

    def for_tab(self, pressed: float) -> Suggestion | None:
        """What a Tab means that was pressed then."""
        wanted = self._wanted
        if wanted and wanted.kind == "command":
            return self._highlighted()
        return self._highlighted() if pressed >= self._seen_at else None

    def for_enter(self, pressed: float) -> Suggestion | None:
        """What an Enter means that was pressed then; None when it means to send what is written.

        A command and an argument are meant when they were moved to or begin as typed, a path without @ when it was
        moved to.
        """
        wanted, highlighted = self._wanted, self._highlighted()
        if wanted is None or highlighted is None:
            return None
        match wanted.kind:
            case "command":
                return highlighted if self._moved or begins(highlighted.name, wanted.typed) else None
            case "file":
                return highlighted if pressed >= self._seen_at else None
            case "argument" | "path":
                return highlighted if self._moved else None

    @property
    def length(self) -> int:
        """How many letters before the cursor a suggestion takes the place of."""
        return self._wanted.length if self._wanted else 0

    def took(self, suggestion: Suggestion) -> None:
        """Remember that it was chosen, so that it comes first from now on."""
        wanted = self._wanted
        if wanted and wanted.kind in self._used:
            used = self._used[wanted.kind]
            used[suggestion.name] = used.get(suggestion.name, 0.0) + 1
            remember = partial(_remember, self._agent.cwd, wanted.kind, suggestion.name)
            self.run_worker(anyio.to_thread.run_sync(remember), group="usage")

    # arguments

    def _suggest_argument(self, wanted: Wanted) -> None:
        action = BY_SLASH.get(wanted.command)
        values: Iterable[tuple[str, str]] = ()
        if action is None or not action.argument:
            pass
        elif "|" in action.argument:
            values = [(value, "") for value in action.argument.strip("[]<>").split("|")]
        elif wanted.command in PATHS:
            self._ask(wanted)
            return
        elif wanted.command == "theme":
            app = cast("App[Any]", self.app)  # pyright: ignore[reportUnknownMemberType] - whatever it returns
            values = [(name, "") for name in sorted(app.available_themes)]
        elif wanted.command == "name":
            values = [(self._agent.session.name or "", "as it is called now")]
        elif wanted.command in ("model", "thinking"):
            values = self._known.get(wanted.command, ())
            if not wanted.typed or not values:
                self.run_worker(self._ask_pi(wanted.command), group="arguments", exclusive=True)
        self._show_values(values, wanted)

    def _show_values(self, values: Iterable[tuple[str, str]], wanted: Wanted) -> None:
        self._show([one for one in of_values(values, wanted.typed) if one.name and one.name != wanted.typed])

    async def _ask_pi(self, command: str) -> None:
        try:
            if command == "model":
                found = [(f"{model.provider}/{model.id}", model.name) for model in await self._agent.models()]
            else:
                found = [(level, "") for level in await self._agent.thinking_levels()]
        except AgentError:
            return  # sending it says why
        self._known[command] = found
        wanted = self._wanted
        if wanted and wanted.command == command and not self._moved:
            self._show_values(found, wanted)

    def read_hints(self) -> None:
        """Look what the templates take, that pi has told of."""
        paths = [c.source_info.path for c in self._agent.session.commands if c.source == "prompt"]
        self.run_worker(self._read_hints(paths), group="hints", exclusive=True)

    async def _read_hints(self, paths: Sequence[str]) -> None:
        self._hints = await anyio.to_thread.run_sync(_hints_of, paths)

    # files

    def _search(self, wanted: Wanted, before: Wanted | None) -> None:
        typed = wanted.typed.lower()
        goes_on = before is not None and before.kind == wanted.kind
        self._show([one for one in self._suggestions if goes_on and typed in one.name.lower()])
        self._ask(wanted, fresh=not goes_on)

    def _ask(self, wanted: Wanted, *, fresh: bool = False) -> None:
        path, used = wanted.kind != "file", self._used["file"]
        self._question = self._finder.ask(self._agent.cwd, wanted.typed, path=path, fresh=fresh, used=used)
        self.set_timer(PATIENCE, partial(self._tell_to_wait, self._question))

    def _tell_to_wait(self, question: int) -> None:
        if question == self._question and not self._suggestions:
            self._show([], "searching…")

    def on_completion_answered(self, event: Answered) -> None:
        event.stop()
        found, wanted = event.found, self._wanted
        if found.number != self._question or wanted is None:
            return
        if found.searching and not found.paths:
            return
        note = "searching…" if found.searching else f"among the first {number(found.listed, 'file')}"
        self._show(of_paths(found.paths, wanted), note if found.searching or found.limited else "")
        if not found.searching:
            self._question = 0

    # what was chosen before

    def _follow_folder(self) -> None:
        if self._used_in != self._agent.cwd:
            self._used_in = self._agent.cwd
            self.run_worker(self._read_usage(self._agent.cwd), group="usage")

    async def _read_usage(self, folder: Path) -> None:
        self._used = await anyio.to_thread.run_sync(_usage_of, folder)


def _hints_of(paths: Sequence[str]) -> dict[str, str]:
    return {path: argument_hint(Path(path)) for path in paths}


def _remember(folder: Path, kind: str, name: str) -> None:
    from pitui.store.usage import Usage

    Usage(state_folder() / "usage.sqlite3").add(folder, kind, name)


def _usage_of(folder: Path) -> dict[str, dict[str, float]]:
    from pitui.store.usage import Usage

    usage = Usage(state_folder() / "usage.sqlite3")
    return {kind: usage.weights(folder, kind) for kind in ("command", "file")}
