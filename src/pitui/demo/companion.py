"""pitui's companion as the real pi would run it: the operations of companion.ts on the session of the demo."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from pitui.demo import PI_VERSION
from pitui.demo.agent import Agent, weight
from pitui.demo.extension import Extension
from pitui.demo.models import Model, usage
from pitui.demo.requests import RequestError, Requests
from pitui.demo.script import summary
from pitui.demo.session import Entry
from pitui.demo.shell import StoppedError, pause
from pitui.demo.tools import Tools
from pitui.demo.wire import Record

NAME = "companion.ts"
SUMMARY_BEGINS = (
    "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n"
)
ABORT_ANSWERED_SECONDS = 0.01
"""What stops a command is answered before the command is."""
BUSY = "pi is busy: stop it, or wait until it is done, before {}"


class Companion:
    def __init__(
        self, requests: Requests, agent: Agent, tools: Tools, extension: Extension, models: tuple[Model, ...]
    ) -> None:
        self._requests, self._agent, self._tools = requests, agent, tools
        self._extension, self._models = extension, models
        self._stopped = False

    async def run(self, words: str) -> None:
        """What ``/pitui`` does with what is written after it."""
        request = _parsed(words)
        if request is None:
            self._extension.ask.notify("/pitui is for pitui itself, and takes JSON.", "warning")
            return
        operation: Callable[[Record], Awaitable[Record | None]] | None = getattr(self, f"_do_{request['op']}", None)
        try:
            if operation is None:
                raise RequestError(f"This companion is of another pitui: it does not know “{request['op']}”")
            answer = {"ok": True, "data": await operation(request) or {}}
        except RequestError as error:
            answer = {"ok": False, "error": str(error)}
        self._extension.set_status(f"pitui:res:{request.get('id')}", answer)
        if self._stopped:
            self._stopped = False
            await asyncio.sleep(ABORT_ANSWERED_SECONDS)

    async def _do_info(self, _request: Record) -> Record:
        tools = [
            {"name": name, "description": "", "active": name in self._tools.active, "source": "builtin"}
            for name in self._tools.names
        ]
        about: Record = {"version": PI_VERSION, "cwd": self._tools.folder, "trusted": True}
        return {**about, "contextFiles": [], "skills": [], "tools": tools, "scopedModels": []}

    async def _do_navigate(self, request: Record) -> Record:
        self._refuse_while_busy("going to another place in the tree")
        session = self._agent.session
        entry = session.entry(request["entryId"])
        if request["entryId"] == session.leaf:
            return {"cancelled": False, "aborted": False}
        if entry is None:
            raise RequestError(f"Entry {request['entryId']} not found")
        old, left = session.leaf, self._left_behind(entry)
        text = ""
        if request.get("summarize") and left:
            text = summary(request.get("instructions", ""))
            try:
                await self._requests.while_compacting(lambda stop: pause(self._agent.seconds_to_write(text), stop))
            except StoppedError:
                self._stopped = True
                return {"cancelled": True, "aborted": True}
        session.leaf = entry["parentId"] if _is_prompt(entry) else entry["id"]
        if text:
            read = weight(item["message"] for item in left if item["type"] == "message")
            session.append(
                "branch_summary",
                fromId=old or "root",
                summary=SUMMARY_BEGINS + text,
                details={"readFiles": [], "modifiedFiles": []},
                usage=usage(self._agent.model, read, 0, weight([{"content": text}])),
                fromHook=False,
            )
        self._extension.tell_companion("tree_moved", leafId=session.leaf)
        return {"cancelled": False, "aborted": False}

    def _left_behind(self, target: Entry) -> list[Entry]:
        """The entries of the branch that a move to `target` leaves."""
        kept = {entry["id"] for entry in self._agent.session.path_to(target["id"])}
        return [entry for entry in self._agent.session.branch() if entry["id"] not in kept]

    async def _do_label(self, request: Record) -> None:
        session, id_ = self._agent.session, request["entryId"]
        if session.entry(id_) is None:
            raise RequestError(f"Entry {id_} not found")
        named = {"label": request["label"]} if request.get("label") else {}
        session.append("label", targetId=id_, **named)

    async def _do_fork_at(self, request: Record) -> Record:
        session = self._agent.session
        if session.entry(request["entryId"]) is None:
            raise RequestError("Invalid entry ID for forking")
        return await self._requests.replace(self._requests.saved_session().forked(request["entryId"]), "fork")

    async def _do_reload(self, _request: Record) -> None:
        self._refuse_while_busy("loading again")
        self._extension.tell_companion("session_ended", reason="reload")
        self._extension.tell_companion("session_started", reason="reload")

    async def _do_refresh_models(self, _request: Record) -> Record:
        return {"available": len(self._models)}

    async def _do_login_ways(self, _request: Record) -> Record:
        return {"account": False, "apiKey": False}

    async def _do_set_tools(self, request: Record) -> Record:
        unknown = [name for name in request["tools"] if name not in self._tools.names]
        if unknown:
            raise RequestError(f"There is no tool {', '.join(unknown)}")
        self._tools.active = tuple(request["tools"])
        return {"active": list(self._tools.active)}

    async def _do_clear_name(self, _request: Record) -> None:
        self._agent.session.append("session_info", name="")
        self._agent.say("session_info_changed")

    def _refuse_while_busy(self, what: str) -> None:
        if self._agent.active or self._requests.compacting:
            raise RequestError(BUSY.format(what))


def _is_prompt(entry: Entry) -> bool:
    return entry["type"] == "custom_message" or (entry["type"] == "message" and entry["message"]["role"] == "user")


def _parsed(words: str) -> Record | None:
    try:
        request: Any = json.loads(words)
    except ValueError:
        return None
    if not isinstance(request, dict):
        return None
    fields = cast(Record, request)
    return fields if isinstance(fields.get("op"), str) else None
