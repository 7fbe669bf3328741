"""The requests of the protocol: each is answered as pi 1.6.0 answers it, its errors included."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pitui.demo.agent import Agent, Queue
from pitui.demo.compaction import CompactionError, compacted, first_kept
from pitui.demo.export import page
from pitui.demo.extension import CommandError, Extension
from pitui.demo.identity import milliseconds
from pitui.demo.models import Model, levels
from pitui.demo.script import summary, text_of
from pitui.demo.session import Session
from pitui.demo.shell import Shell, StoppedError, pause
from pitui.demo.stats import context_usage, stats
from pitui.demo.tools import Tools
from pitui.demo.truncation import keep, new_log, truncation
from pitui.demo.wire import Record, Wire

BUSY = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message."
COMPACTING = "Cannot submit a prompt while compaction is in progress. Wait for compaction to finish and retry."
UNSAVED = "This session has not been saved yet. Send a message before cloning or forking it."


class RequestError(Exception):
    """The request is refused; the text is the answer's ``error``."""


@dataclass(frozen=True)
class Compacting:
    """A compaction, or the summary of a branch, that is on, and what stops it."""

    task: asyncio.Task[Any]
    stop: asyncio.Event = field(default_factory=asyncio.Event)


class Requests:
    """`sessions` is the folder for new sessions; with None they are only in memory."""

    def __init__(
        self,
        wire: Wire,
        agent: Agent,
        tools: Tools,
        extension: Extension,
        models: tuple[Model, ...],
    ) -> None:
        self.sessions: Path | None = None
        self._wire, self._agent, self._tools = wire, agent, tools
        self._extension, self._models = extension, models
        self.compacting: Compacting | None = None
        self._bash: set[asyncio.Event] = set()
        self._auto_compaction = True
        self._tasks: set[asyncio.Task[None]] = set()

    def heard(self, line: bytes) -> None:
        """Take a line. Requests run beside each other, so answers can overtake."""
        try:
            record: Any = json.loads(line)
        except ValueError as error:
            self._refuse({}, "parse", f"Failed to parse command: {error}")
            return
        if not isinstance(record, dict):
            self._refuse({}, None, "Unknown command: undefined")
            return
        request = cast(Record, record)
        if request.get("type") == "extension_ui_response":
            self._extension.ask.answer(request)
            return
        task = asyncio.get_running_loop().create_task(self._answer(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, request: Record) -> None:
        type_ = request.get("type")
        handler: Callable[[Record], Awaitable[Any]] | None = getattr(self, f"_do_{type_}", None)
        if handler is None:
            self._refuse(request, type_, f"Unknown command: {'undefined' if type_ is None else type_}")
            return
        try:
            answer = await handler(request)
        except (RequestError, CompactionError, ValueError) as error:
            self._refuse(request, type_, str(error))
            return
        except KeyError as error:
            self._refuse(request, type_, f"Cannot read properties of undefined (reading {error})")
            return
        if answer is not self:
            self._succeed(request, answer)

    def _succeed(self, request: Record, data: Any = ...) -> None:
        more = {} if data is ... else {"data": data}
        self._wire.say(**self._echo(request), type="response", command=request["type"], success=True, **more)

    def _refuse(self, request: Record, command: Any, error: str) -> None:
        named = {} if command is None else {"command": command}
        self._wire.say(**self._echo(request), type="response", **named, success=False, error=error)

    @staticmethod
    def _echo(request: Record) -> Record:
        return {"id": request["id"]} if "id" in request else {}

    # Prompting

    async def _do_prompt(self, request: Record) -> Any:
        if "message" not in request:
            raise RequestError("Cannot read properties of undefined (reading 'startsWith')")
        text: str = request["message"]
        if command := self._extension.find(text):
            await self._run_command(*command)
            return {"disposition": "handled"}
        if self.compacting:
            raise RequestError(COMPACTING)
        if not self._agent.active:
            self._agent.active = True
            self._succeed(request, {"disposition": "started"})
            await self._agent.run(_user(request))
            return self
        behaviour = request.get("streamingBehavior")
        if not behaviour:
            raise RequestError(BUSY)
        return self._queue(self._agent.follow_up if behaviour == "followUp" else self._agent.steering, request)

    async def _run_command(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        try:
            await run()
        except CommandError as error:
            self._wire.say(type="extension_error", extensionPath=f"command:{name}", event="command", error=str(error))

    def _queue(self, queue: Queue, request: Record) -> Record:
        queue.put(_user(request))
        self._agent.queues_changed()
        return {"disposition": "queued"}

    async def _do_steer(self, request: Record) -> Record:
        return self._queue(self._agent.steering, request)

    async def _do_follow_up(self, request: Record) -> Record:
        return self._queue(self._agent.follow_up, request)

    async def _do_abort(self, _request: Record) -> Any:
        if self.compacting:
            self.compacting.stop.set()
            await asyncio.wait([self.compacting.task])
        await self._agent.abort()
        return ...

    async def _do_clear_queue(self, _request: Record) -> Record:
        cleared = {"steering": self._agent.steering.clear(), "followUp": self._agent.follow_up.clear()}
        self._agent.queues_changed()
        return cleared

    async def _do_abort_retry(self, _request: Record) -> Any:
        self._agent.retry_cancelled()
        return ...

    # State, models and modes

    async def _do_get_state(self, _request: Record) -> Record:
        session, name = self._agent.session, self._agent.session.named()
        return {
            "model": self._agent.model,
            "thinkingLevel": self._agent.level,
            "isStreaming": self._agent.active,
            "isCompacting": self.compacting is not None,
            "steeringMode": self._agent.steering.mode,
            "followUpMode": self._agent.follow_up.mode,
            **({"sessionFile": str(session.file)} if session.file else {}),
            "sessionId": session.id,
            **({"sessionName": name} if name else {}),
            "autoCompactionEnabled": self._auto_compaction,
            "messageCount": len(session.messages()),
            "pendingMessageCount": len(self._agent.steering.texts) + len(self._agent.follow_up.texts),
        }

    async def _do_get_messages(self, _request: Record) -> Record:
        return {"messages": self._agent.session.messages()}

    async def _do_get_available_models(self, _request: Record) -> Record:
        return {"models": list(self._models)}

    async def _do_set_model(self, request: Record) -> Model:
        wanted = (request.get("provider"), request.get("modelId"))
        for model in self._models:
            if (model["provider"], model["id"]) == wanted:
                self._use(model)
                return model
        raise RequestError(f"Model not found: {wanted[0]}/{wanted[1]}")

    async def _do_cycle_model(self, _request: Record) -> Record:
        at = self._models.index(self._agent.model)
        self._use(self._models[(at + 1) % len(self._models)])
        return {"model": self._agent.model, "thinkingLevel": self._agent.level, "isScoped": False}

    def _use(self, model: Model) -> None:
        self._agent.model = model
        self._agent.session.append("model_change", provider=model["provider"], modelId=model["id"])
        self._set_level(self._agent.level)
        self._extension.tell_companion("model_changed", model=model)

    def _set_level(self, level: str) -> None:
        level = level if level in levels(self._agent.model) else "off"
        if level != self._agent.level:
            self._agent.level = level
            self._agent.session.append("thinking_level_change", thinkingLevel=level)
            self._wire.say(type="thinking_level_changed", level=level)

    async def _do_set_thinking_level(self, request: Record) -> Any:
        self._set_level(request["level"])
        return ...

    async def _do_cycle_thinking_level(self, _request: Record) -> Record | None:
        possible = levels(self._agent.model)
        if len(possible) == 1:
            return None
        self._set_level(possible[(possible.index(self._agent.level) + 1) % len(possible)])
        return {"level": self._agent.level}

    async def _do_get_available_thinking_levels(self, _request: Record) -> Record:
        return {"levels": list(levels(self._agent.model))}

    async def _do_set_steering_mode(self, request: Record) -> Any:
        self._agent.steering.mode = request["mode"]
        return ...

    async def _do_set_follow_up_mode(self, request: Record) -> Any:
        self._agent.follow_up.mode = request["mode"]
        return ...

    async def _do_set_auto_compaction(self, request: Record) -> Any:
        self._auto_compaction = request["enabled"]
        return ...

    async def _do_set_auto_retry(self, request: Record) -> Any:
        self._agent.auto_retry = request["enabled"]
        return ...

    # Compaction and bash

    async def _do_compact(self, request: Record) -> Record:
        await self._agent.abort()
        task = asyncio.current_task()
        assert task
        self.compacting = Compacting(task)
        self._wire.say(type="compaction_start", reason="manual")
        outcome: Record = {"reason": "manual", "aborted": False, "willRetry": False}
        try:
            kept = first_kept(self._agent.session)
            text = summary(request.get("customInstructions", ""))
            await pause(self._agent.seconds_to_write(text), self.compacting.stop)
            outcome["result"] = compacted(self._agent.session, self._agent.model, kept, text)
            self._extension.tell_companion("compacted", entryId=self._agent.session.leaf)
        except StoppedError:
            outcome["aborted"] = True
            raise CompactionError("Compaction cancelled") from None
        except CompactionError as error:
            outcome["errorMessage"] = f"Compaction failed: {error}"
            raise
        finally:
            self.compacting = None
            self._wire.say(type="compaction_end", **outcome)
        return outcome["result"]

    async def while_compacting(self, work: Callable[[asyncio.Event], Awaitable[None]]) -> None:
        """Do what takes a model and is no run; prompts are refused meanwhile. Raises StoppedError when stopped."""

        async def worked() -> None:
            await work(compacting.stop)

        task = asyncio.create_task(worked())
        compacting = self.compacting = Compacting(task)
        try:
            await task
        finally:
            self.compacting = None

    async def _do_bash(self, request: Record) -> Record:
        stop, printed = asyncio.Event(), list[str]()
        command: str = request.get("command", "undefined")

        def write(text: str) -> None:
            printed.append(text)
            self._wire.say(type="bash_execution_update", **self._echo(request), delta=text)

        self._bash.add(stop)
        code: int | None = None
        try:
            code = await Shell(self._tools.files, self._tools.folder, stop, write).run(command)
        except StoppedError:
            pass
        finally:
            self._bash.discard(stop)
        result = _bash_result("".join(printed), code)
        excluded = {"excludeFromContext": True} if request.get("excludeFromContext") else {}
        message = {"role": "bashExecution", "command": command, **result, "timestamp": milliseconds(), **excluded}
        self._agent.add_bash(message)
        return result

    async def _do_abort_bash(self, _request: Record) -> Any:
        for stop in self._bash:
            stop.set()
        return ...

    # Sessions

    async def replace(self, session: Session, reason: str) -> Record:
        """Open a session in the place of the one that is open; `reason` is new, resume or fork."""
        await self._agent.abort()
        self._extension.tell_companion("session_ended", reason=reason)
        self._agent.steering.clear()
        self._agent.follow_up.clear()
        if not session.entries:
            begin(session, self._agent)
        self._agent.session = session
        self._tools.folder = session.folder
        self._extension.tell_companion("session_started", reason=reason)
        return {"cancelled": False}

    async def _do_new_session(self, request: Record) -> Record:
        return await self.replace(Session.new(self._tools.folder, self.sessions, request.get("parentSession")), "new")

    async def _do_switch_session(self, request: Record) -> Record:
        path = Path(self._tools.folder, request["sessionPath"])
        return await self.replace(Session.load(self._tools.folder, path), "resume")

    async def _do_fork(self, request: Record) -> Record:
        entry = self._agent.session.entry(request["entryId"])
        if not entry or entry["type"] != "message" or entry["message"]["role"] != "user":
            raise RequestError("Invalid entry ID for forking")
        done = await self.replace(self.saved_session().forked(entry["parentId"]), "fork")
        return {"text": text_of(entry["message"]), **done}

    async def _do_clone(self, _request: Record) -> Record:
        session = self.saved_session()
        return await self.replace(session.forked(session.leaf), "fork")

    def saved_session(self) -> Session:
        """The session that is open. Raises RequestError when it has no file yet."""
        if not self._agent.session.saved:
            raise RequestError(UNSAVED)
        return self._agent.session

    async def _do_get_fork_messages(self, _request: Record) -> Record:
        spoken = [
            {"entryId": entry["id"], "text": text_of(entry["message"])}
            for entry in self._agent.session.entries
            if entry["type"] == "message" and entry["message"]["role"] == "user"
        ]
        return {"messages": [message for message in spoken if message["text"]]}

    async def _do_get_entries(self, request: Record) -> Record:
        entries, leaf = self._agent.session.entries, self._agent.session.leaf
        if since := request.get("since"):
            ids = [entry["id"] for entry in entries]
            if since not in ids:
                raise RequestError(f"Entry not found: {since}")
            entries = entries[ids.index(since) + 1 :]
        return {"entries": entries, "leafId": leaf}

    async def _do_get_tree(self, _request: Record) -> Record:
        return {"tree": self._agent.session.tree(), "leafId": self._agent.session.leaf}

    async def _do_set_session_name(self, request: Record) -> Any:
        name = request["name"].strip()
        if not name:
            raise RequestError("Session name cannot be empty")
        name = name.replace("\r\n", " ").replace("\n", " ")
        self._agent.session.append("session_info", name=name)
        self._wire.say(type="session_info_changed", name=name)
        return ...

    async def _do_get_session_stats(self, _request: Record) -> Record:
        return {**stats(self._agent.session), "contextUsage": context_usage(self._agent.session, self._agent.model)}

    async def _do_get_last_assistant_text(self, _request: Record) -> Record:
        for message in reversed(self._agent.session.messages()):
            if message["role"] != "assistant":
                continue
            text = "".join(part.get("text", "") for part in message["content"]).strip()
            if text or message["stopReason"] == "stop":
                return {"text": text} if text else {}
        return {}

    async def _do_export_html(self, request: Record) -> Record:
        session = self._agent.session
        path = Path(request.get("outputPath") or f"pi-session-{session.id}.html")
        path.write_text(page(session), "utf-8")  # noqa: ASYNC240  a small file
        return {"path": str(path)}

    async def _do_get_commands(self, _request: Record) -> Record:
        return {"commands": self._extension.listed()}


def begin(session: Session, agent: Agent) -> None:
    """The first entries of a session: the model and the level."""
    session.append("model_change", provider=agent.model["provider"], modelId=agent.model["id"])
    session.append("thinking_level_change", thinkingLevel=agent.level)


def _user(request: Record) -> Record:
    content = [{"type": "text", "text": request["message"]}, *request.get("images", [])]
    return {"role": "user", "content": content, "timestamp": milliseconds()}


def _bash_result(output: str, code: int | None) -> Record:
    cut, path = truncation(output), new_log()
    if cut:
        keep(output, path)
    return {
        "output": cut["content"] if cut else output,
        **({} if code is None else {"exitCode": code}),
        "cancelled": code is None,
        "truncated": cut is not None,
        **({"fullOutputPath": path} if cut else {}),
    }
