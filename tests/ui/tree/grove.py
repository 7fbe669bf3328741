"""A session with branches, written by hand, and a program that shows nothing but its tree."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
from pydantic import TypeAdapter
from textual.app import App
from textual.pilot import Pilot
from textual.theme import Theme

from pitui.rpc.messages import Entry
from pitui.rpc.reading import read_value
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.model import Session
from pitui.ui.screens.tree import TreeScreen
from pitui.ui.theme import DARK, THEMES, palette_of

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
STYLES = ["pitui.tcss", "screens/main.tcss", "screens/tree.tcss", "screens/sides.tcss"]
_ENTRY: TypeAdapter[Any] = TypeAdapter(Entry)


class Grove:
    """Entries, each after the one before, or after the one that `after` names."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.told: list[dict[str, Any]] = []
        """The entries as pi tells them."""
        self.leaf: str | None = None
        self._minutes = 300

    def add(self, id_: str, type_: str, *, after: str | None = None, **fields: Any) -> str:
        self._minutes = max(0, self._minutes - 3)
        when = (NOW - timedelta(minutes=self._minutes)).isoformat().replace("+00:00", "Z")
        parent = self.leaf if after is None else after or None
        raw = {"type": type_, "id": id_, "parentId": parent, "timestamp": when, **fields}
        self.told.append(raw)
        self.entries.append(read_value(_ENTRY, raw))
        self.leaf = id_
        return id_

    def prompt(self, id_: str, text: str, *, after: str | None = None) -> str:
        return self.add(id_, "message", after=after, message={"role": "user", "content": text})

    def answer(self, id_: str, text: str, *, after: str | None = None, **fields: Any) -> str:
        usage = {"input": 1200, "output": 80, "cost": {"total": 0.0125}}
        message = {"role": "assistant", "content": text, "usage": usage, "stopReason": "stop", **fields}
        return self.add(id_, "message", after=after, message=message)

    def tool(
        self, id_: str, name: str, *, failed: bool = False, output: str = "", details: Any = None, **arguments: Any
    ) -> str:
        """A call, in an answer of its own, and its result."""
        call = {"type": "toolCall", "id": id_, "name": name, "arguments": arguments}
        self.answer(f"{id_}-call", [call], stopReason="toolUse")  # type: ignore[arg-type]
        result = {"role": "toolResult", "toolCallId": id_, "toolName": name, "content": output or f"out of {id_}"}
        result |= {"details": details} if details else {}
        return self.add(id_, "message", message={**result, "isError": failed})

    def label(self, target: str, text: str) -> str:
        return self.add(f"label-{len(self.entries)}", "label", targetId=target, label=text)

    def session(self) -> Session:
        session = Session(id="s", name="tea garden")
        self.tell(session)
        return session

    def tell(self, session: Session) -> None:
        apply(session, facts.EntriesLoaded(self.entries, self.leaf, whole=True))


def garden() -> Grove:
    """Two ways to greet, one of them left with a summary, and all that a file may hold."""
    grove = Grove()
    grove.add("model", "model_change", provider="fake", modelId="fake-1")
    grove.prompt("greet", "Greet by name, please.\nAnd keep the comma.")
    grove.tool("read", "read", path="hello.py")
    grove.answer("shall", "I shall change **one line** of `hello.py`. Shall I use an f-string?")
    grove.prompt("yes", "Yes, an f-string.")
    grove.tool("edit", "edit", path="hello.py", edits=[{"oldText": "a", "newText": "b"}])
    grove.tool("tests", "bash", failed=True, command="pytest -q")
    grove.answer("done", "The greeting is by name now; a test fails.")
    grove.add("thinks", "thinking_level_change", thinkingLevel="high")
    grove.prompt("no", "No, use format().", after="shall")
    grove.tool("write", "write", path="hello.py", content="print('hello {}'.format(name))\n")
    grove.answer("formatted", "It is done with format().")
    grove.label("formatted", "with format")
    grove.prompt("percent", "Or with a percent sign?", after="formatted")
    grove.answer("percented", "That would be the oldest way.")
    grove.add("kept", "custom", after="done", customType="todo")
    grove.add("summary", "branch_summary", after="kept", fromId="formatted", summary="The other way was **format()**.")
    grove.add("bash", "message", message={"role": "bashExecution", "command": "git diff", "output": "", "exitCode": 0})
    grove.add("strange", "hologram", shape="round")
    grove.prompt("more", "Now mend the test.")
    grove.answer("stopped", "", stopReason="aborted")
    grove.add("lost", "message", after="gone", message={"role": "user", "content": "Nobody knows what this follows."})
    grove.leaf = "stopped"
    return grove


def thicket() -> Grove:
    """Several beginnings, a parent that is gone, a circle, an id twice, types that nobody knows, words that do harm."""
    hostile = "\x1b]0;owned\x07\x1b[31mred\x1b[2J\x1b[6n [bold]no markup[/] [@click=app.quit]x[/] \u202ereversed\nnext"
    wide = "お茶の庭に池を作る計画を立ててください。👩‍👩‍👧 と 🏔️ を忘れずに。" * 3
    grove = Grove()
    grove.prompt("first", "The first beginning.")
    grove.answer("one", wide)
    grove.tool("evil-tool", hostile, **{"command": hostile, hostile: "x"})
    grove.label("one", "Supercalifragilistic" * 20)
    grove.prompt("evil", hostile, after="one")
    grove.answer("evil-answer", f"# {hostile}\n\n```\n{hostile}\n```\n\n" + "word " * 400)
    grove.label("evil", hostile)
    grove.prompt("second", "The second beginning.", after="")
    grove.answer("two", "x" * 3000)
    grove.add("hologram", "hologram", shape=hostile)
    grove.add("strange", "message", message={"role": hostile, "content": [{"type": hostile}]})
    grove.prompt("orphan", "What this follows is gone.", after="gone")
    grove.prompt("round", "Its own ancestor.", after="about")
    grove.prompt("about", "One of a circle.", after="round")
    grove.prompt("first", "The same id twice.", after="two")
    grove.add("kept", "custom", after="two", customType=hostile)
    grove.add("sum", "branch_summary", fromId="one", summary=hostile)
    grove.prompt("last", "日本語の質問です。" * 10)
    grove.answer("end", "The end.")
    return grove


class TreeApp(App[None]):
    """The tree of a session on the whole screen."""

    CSS_PATH = [f"../../../src/pitui/ui/{name}" for name in STYLES]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, theme: Theme = DARK) -> None:
        super().__init__()
        self.session = session
        self.wanted: list[tuple[str, object]] = []
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme.name
        self.tree_screen = TreeScreen(session, palette_of(theme), NOW.timestamp)

    def on_mount(self) -> None:
        self.push_screen(self.tree_screen)

    def on_tree_screen_wanted(self, event: TreeScreen.Wanted) -> None:
        self.wanted.append((event.entry.id, event.deed))

    async def looks(self) -> None:
        """Until the branch of the selected entry is beside the tree."""
        self.tree_screen.look_now()
        with anyio.fail_after(20):
            while any(worker.group == "look" for worker in self.workers):  # noqa: ASYNC110 - from a thread
                await anyio.sleep(0.01)

    async def picture(self, pilot: Pilot[None]) -> str:
        """The screen, when nothing in it moves any more."""
        last = ""
        while (seen := self.export_screenshot(title=" ")) != last:
            last = seen
            await pilot.pause(0.1)
        return seen

    async def until_shown(self, entry_id: str) -> None:
        """Until an entry is in the tree."""
        with anyio.fail_after(20):
            while self.tree_screen.tree_view.branches.tree.place_of(entry_id) < 0:  # noqa: ASYNC110 - from a thread
                await anyio.sleep(0.01)

    @property
    def rows(self) -> list[str]:
        """What is seen of the tree, without what is blank at the end."""
        view = self.tree_screen.tree_view
        return [text for y in range(view.size.height) if (text := view.render_line(y).text.rstrip())]

    @property
    def words(self) -> list[str]:
        """The same without the lines at the left and the ages at the right."""
        return [re.sub(r"  +\w+$", "", row).strip("•◉ │├─└") for row in self.rows]

    @property
    def at(self) -> str:
        """The id of the selected entry."""
        selected = self.tree_screen.tree_view.selected
        return selected.id if selected else ""


@asynccontextmanager
async def at_the_tree(
    session: Session, size: tuple[int, int] = (80, 24), theme: Theme = DARK
) -> AsyncIterator[tuple[TreeApp, Pilot[None]]]:
    app = TreeApp(session, theme)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        if session.entry_list:
            await app.until_shown(session.entry_list[-1].id)
            await pilot.pause()
        yield app, pilot


def ids(entries: Sequence[Entry]) -> list[str]:
    return [entry.id for entry in entries]
