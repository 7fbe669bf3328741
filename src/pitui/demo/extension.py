"""The commands that extensions would bring: one for each way to speak to a person, and a guard before ``rm -rf``."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from pitui.demo.identity import new_uuid
from pitui.demo.wire import Wire

Answer = dict[str, Any]
QUIET_SECONDS = 0.05
DANGEROUS = re.compile(r"\brm -rf\b")


class Questions:
    """The dialogs that are open; each is answered once, by its id."""

    def __init__(self, wire: Wire) -> None:
        self.quiet: Callable[[], None] = lambda: None
        """Called a moment after the last of them is over."""
        self._wire = wire
        self._open: dict[str, asyncio.Future[Answer]] = {}

    def tell(self, method: str, **fields: Any) -> None:
        given = {name: value for name, value in fields.items() if value is not None}
        self._wire.say(type="extension_ui_request", id=new_uuid(), method=method, **given)

    def notify(self, message: str, kind: str = "info") -> None:
        self.tell("notify", message=message, notifyType=kind)

    def answer(self, record: Answer) -> None:
        """Take an answer; a late one or one to nothing is ignored."""
        waiting = self._open.pop(str(record.get("id")), None)
        if waiting and not waiting.done():
            waiting.set_result(record)

    async def _ask(self, method: str, timeout: int | None = None, **fields: Any) -> Answer:
        id_ = new_uuid()
        self._open[id_] = asyncio.get_running_loop().create_future()
        more = {"timeout": timeout} if timeout else {}
        self._wire.say(type="extension_ui_request", id=id_, method=method, **fields, **more)
        try:
            answer = await asyncio.wait_for(self._open[id_], timeout / 1000 if timeout else None)
        except TimeoutError:
            self._open.pop(id_, None)
            return {}
        finally:
            asyncio.get_running_loop().call_later(QUIET_SECONDS, self._tell_quiet)
        return {} if answer.get("cancelled") else answer

    def _tell_quiet(self) -> None:
        if not self._open:
            self.quiet()

    async def select(self, title: str, options: list[str]) -> str | None:
        return (await self._ask("select", title=title, options=options)).get("value")

    async def confirm(self, title: str, message: str, timeout: int | None = None) -> bool:
        return (await self._ask("confirm", timeout, title=title, message=message)).get("confirmed", False)

    async def input(self, title: str, placeholder: str) -> str | None:
        return (await self._ask("input", title=title, placeholder=placeholder)).get("value")

    async def editor(self, title: str, prefill: str) -> str | None:
        return (await self._ask("editor", title=title, prefill=prefill)).get("value")


class CommandError(Exception):
    """A command failed on purpose."""


class Extension:
    """`path` is where pi would have found it; with None only the commands that pi itself has are there.

    `companion` is where it would have found that of pitui, which has a command too and tells what happens.
    """

    def __init__(self, ask: Questions, path: str | None, companion: str | None = None) -> None:
        self.ask = ask
        self.run_companion: Callable[[str], Awaitable[None]]
        self._path = path
        self._companion = companion
        ask.quiet = lambda: self.tell_companion("dialogs_ended")
        own = {
            "ask-select": self._asking("select", lambda: ask.select("Pick a colour", ["Red", "Green", "Blue"])),
            "ask-confirm": self._asking("confirm", lambda: ask.confirm("Clear everything?", "This cannot be undone.")),
            "ask-input": self._asking("input", lambda: ask.input("Your name", "first and last")),
            "ask-editor": self._asking("editor", lambda: ask.editor("Edit the note", "Line 1\nLine 2\nLine 3")),
            "ask-timeout": self._asking("timeout", lambda: ask.confirm("Quick!", "You have one second.", 1000)),
            "show-all": ("Show a title, statuses, widgets, notices and set the editor", self._show_all),
            "throw": ("Fail on purpose", self._throw),
        }
        self._commands: dict[str, tuple[str, Callable[[], Awaitable[None]]]] = own if path else {}
        self._built_in = {
            "llama": ("Manage llama.cpp router models", "llama.cpp", self._llama),
            "mcp": (
                "Manage MCP servers: sign in, reconnect, enable or disable, and change exposure",
                "mcp",
                self._mcp,
            ),
        }

    def listed(self) -> list[dict[str, Any]]:
        """The commands as ``get_commands`` lists them."""
        own = [(name, about, self._path, "cli") for name, (about, _) in self._commands.items()]
        if self._companion:
            own.insert(0, ("pitui", "For pitui itself", self._companion, "cli"))
        built_in = [(name, about, f"builtin:{file}", "builtin") for name, (about, file, _) in self._built_in.items()]
        return [
            {
                "name": name,
                "description": about,
                "source": "extension",
                "sourceInfo": {"path": path, "source": source, "scope": "temporary", "origin": "top-level"},
            }
            for name, about, path, source in [*own, *built_in]
        ]

    def find(self, text: str) -> tuple[str, Callable[[], Awaitable[None]]] | None:
        """The name of the command that a text calls, and what runs it."""
        if not text.startswith("/"):
            return None
        name, _, words = text[1:].partition(" ")
        if name == "pitui" and self._companion:
            return name, lambda: self.run_companion(words)
        if name in self._commands:
            return name, self._commands[name][1]
        return (name, self._built_in[name][2]) if name in self._built_in else None

    def set_status(self, key: str, value: Any) -> None:
        self.ask.tell("setStatus", statusKey=key, statusText=json.dumps(value, separators=(",", ":")))

    def tell_companion(self, type_: str, **fields: Any) -> None:
        """Say what pi has no record for, if the companion is there to say it."""
        if self._companion:
            self.set_status("pitui:event", {"type": type_, **fields})

    async def allows(self, tool: str, arguments: dict[str, Any]) -> bool:
        """Whether a tool may run; the person is asked before a dangerous command."""
        command = str(arguments.get("command", "")) if tool == "bash" else ""
        if not self._path or not DANGEROUS.search(command):
            return True
        return await self.ask.confirm("Dangerous command", command)

    def _asking(self, kind: str, question: Callable[[], Awaitable[Any]]) -> tuple[str, Callable[[], Awaitable[None]]]:
        async def run() -> None:
            answer = await question()
            said = "nothing" if answer is None else json.dumps(answer, ensure_ascii=False)
            self.ask.notify(f"ask-{kind}: {said}")

        return f"Ask in the way of {kind}", run

    async def _show_all(self) -> None:
        tell = self.ask.tell
        tell("setTitle", title="pi - a title")
        tell("setStatus", statusKey="demo", statusText="Turn 3 running")
        tell("setStatus", statusKey="other", statusText="second status")
        tell("setWidget", widgetKey="above", widgetLines=["--- above ---", "line 1", "line 2"])
        tell("setWidget", widgetKey="below", widgetLines=["--- below ---"], widgetPlacement="belowEditor")
        tell("set_editor_text", text="text set by an extension")
        self.ask.notify("a warning", "warning")
        self.ask.notify("an error", "error")
        tell("setStatus", statusKey="other")
        tell("setWidget", widgetKey="above")
        self.ask.notify("everything was shown")

    async def _throw(self) -> None:
        raise CommandError("the extension failed on purpose")

    async def _llama(self) -> None:
        self.ask.notify("/llama needs the terminal UI of pi", "warning")

    async def _mcp(self) -> None:
        self.ask.notify("No MCP servers configured.")
