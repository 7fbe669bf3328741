"""The agent: runs, turns, tools, queues, retries and stops, in the order in which pi 1.6.0 says them."""

import asyncio
import json
import os
import re
import time
from collections.abc import Iterable
from typing import Any

from pitui.demo.extension import Extension
from pitui.demo.identity import milliseconds
from pitui.demo.models import API, DEFAULT_LEVEL, NO_USAGE, Model, usage
from pitui.demo.script import Answer, Message, Part, Script, cut, text_of
from pitui.demo.session import Session
from pitui.demo.shell import StoppedError, pause
from pitui.demo.tools import Result, ToolError, Tools, failed
from pitui.demo.wire import Record, Wire

RETRIES = 3
FIRST_RETRY_SECONDS = 2
RETRYABLE = re.compile(
    r"overloaded|rate.?limit|too many requests|(?<!\w)(429|50[0234]|52[049])(?!\w)|network.?error", re.I
)
UNITS_PER_TOKEN = 4


def tokens(text: str) -> int:
    return -(-len(text) // UNITS_PER_TOKEN)


def weight(messages: Iterable[Message]) -> int:
    """The tokens of messages, roughly."""
    return sum(
        tokens(str(message.get("content") or message.get("summary") or message.get("sections"))) for message in messages
    )


class Queue:
    """Messages that wait, and their texts as the person sees them; `mode` says how many are taken at a time."""

    def __init__(self) -> None:
        self.mode = "one-at-a-time"
        self.texts: list[str] = []
        self._messages: list[Message] = []

    def put(self, message: Message) -> None:
        self.texts.append(text_of(message))
        self._messages.append(message)

    def take(self) -> list[Message]:
        count = len(self._messages) if self.mode == "all" else 1
        taken, self._messages = self._messages[:count], self._messages[count:]
        return taken

    def clear(self) -> list[str]:
        texts, self.texts, self._messages = self.texts, [], []
        return texts

    def __bool__(self) -> bool:
        return bool(self._messages)


class Agent:
    """One conversation. `active` from the start of a run until it has settled."""

    def __init__(self, wire: Wire, script: Script, tools: Tools, extension: Extension, model: Model) -> None:
        self.session: Session
        self.model = model
        self.level = DEFAULT_LEVEL
        self.steering, self.follow_up = Queue(), Queue()
        self.auto_retry = True
        self.active = False
        self._wire, self._script, self._tools, self._extension = wire, script, tools, extension
        self._rate = float(os.environ.get("LAB_TPS", "200"))
        self._chunk = int(os.environ.get("LAB_CHUNK", "3"))
        self._stop = asyncio.Event()
        self._retry_stop = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._abort_requested = False
        self._attempt = 0
        self._cached = 0
        self._last_answer: Message | None = None
        self._pending_bash: list[Message] = []

    def seconds_to_write(self, text: str) -> float:
        """How long the model takes for a text."""
        return tokens(text) / self._rate if self._rate else 0

    def say(self, type_: str, **fields: Any) -> None:
        self._wire.say(type=type_, **fields)

    def queues_changed(self) -> None:
        self.say("queue_update", steering=list(self.steering.texts), followUp=list(self.follow_up.texts))

    # Runs

    async def run(self, message: Message) -> None:
        """Answer a message and whatever is queued meanwhile, until there is nothing more to do."""
        self.active, self._abort_requested = True, False
        self._idle.clear()
        self._flush_bash()
        try:
            prompts = [message] if self._declared_tools() else [self._system_message(), message]
            await self._loop(prompts)
            while not self._abort_requested and await self._goes_on():
                await self._continue()
        finally:
            if self._abort_requested:
                self.retry_cancelled()
            self._flush_bash()
            self.active = False
            self.say("agent_settled", aborted=self._abort_requested)
            self._idle.set()

    async def abort(self) -> None:
        """Stop the run, the wait for a retry included; returns when all has settled."""
        if self.active:
            self._abort_requested = True
        self._retry_stop.set()
        self._stop.set()
        await self._idle.wait()

    def retry_cancelled(self) -> None:
        """End the wait for a retry, if there is one."""
        self._retry_stop.set()
        if self._attempt:
            attempt, self._attempt = self._attempt, 0
            self.say("auto_retry_end", success=False, attempt=attempt, finalError="Retry cancelled")

    async def _goes_on(self) -> bool:
        answer, self._last_answer = self._last_answer, None
        if answer and self._retryable(answer) and await self._waited_for_retry(answer):
            return True
        if self._abort_requested:
            return False
        if answer and answer["stopReason"] == "error" and self._attempt:
            attempt, self._attempt = self._attempt, 0
            self.say("auto_retry_end", success=False, attempt=attempt, finalError=answer["errorMessage"])
        return bool(self.steering or self.follow_up)

    def _retryable(self, answer: Message) -> bool:
        return answer["stopReason"] == "error" and bool(RETRYABLE.search(answer["errorMessage"]))

    async def _waited_for_retry(self, answer: Message) -> bool:
        if not self.auto_retry or self._attempt >= RETRIES:
            return False
        self._attempt += 1
        seconds = FIRST_RETRY_SECONDS * 2 ** (self._attempt - 1)
        self.say(
            "auto_retry_start",
            attempt=self._attempt,
            maxAttempts=RETRIES,
            delayMs=seconds * 1000,
            errorMessage=answer["errorMessage"],
        )
        self.say(
            "entry_appended", entry=self.session.append("context_edit", targetId=self.session.leaf, replacement=None)
        )
        self._retry_stop.clear()
        try:
            await pause(seconds, self._retry_stop)
        except StoppedError:
            self.retry_cancelled()
            return False
        return True

    async def _continue(self) -> None:
        messages = self.session.messages()
        if messages and messages[-1]["role"] != "assistant":
            await self._loop([])
        elif queued := self.steering.take():
            await self._loop(queued, poll=False)
        else:
            await self._loop(self.follow_up.take())

    async def _loop(self, prompts: list[Message], poll: bool = True) -> None:
        """Turns until the model wants no more tools and nothing is queued; with `poll` steering may join at once."""
        self._stop.clear()
        said = list(prompts)
        self.say("agent_start")
        self.say("turn_start")
        for message in prompts:
            self._tell(message)
        waiting = self.steering.take() if poll else []
        first, tools_called = True, True
        while tools_called or waiting:
            if not first:
                waiting = waiting or self.steering.take()
                self.say("turn_start")
            first = False
            for message in waiting:
                self._tell(message)
            answer = await self._answer()
            said += [*waiting, answer]
            calls = [part for part in answer["content"] if part["type"] == "toolCall"]
            if answer["stopReason"] in ("error", "aborted"):
                self.say("turn_end", message=answer, toolResults=[])
                break
            results = await self._call(calls)
            said += results
            self.say("turn_end", message=answer, toolResults=results)
            tools_called = bool(calls)
            waiting = self.steering.take() or ([] if tools_called else self.follow_up.take())
        self.say("agent_end", messages=said, willRetry=self._will_retry(said))

    def _will_retry(self, said: list[Message]) -> bool:
        failing = said[-1]["role"] == "assistant" and self._retryable(said[-1])
        return failing and not self._abort_requested and self.auto_retry and self._attempt < RETRIES

    # Messages

    def _declared_tools(self) -> bool:
        return any(message["role"] == "system" for message in self.session.messages())

    def _system_message(self) -> Message:
        sections = dict.fromkeys(("preamble", "tools", "rules", "docs", "cwd"), "...")
        added = [{"name": name} for name in self._tools.active]
        return {"role": "system", "content": "", "sections": sections, "timestamp": milliseconds(), "toolsAdded": added}

    def _tell(self, message: Message) -> None:
        """Say and keep a message that does not stream; a queued one leaves the queue just before."""
        if message["role"] == "user":
            for queue in (self.steering, self.follow_up):
                if text_of(message) in queue.texts:
                    queue.texts.remove(text_of(message))
                    self.queues_changed()
                    break
        self.say("message_start", message=message)
        self.say("message_end", message=message)
        self.session.append("message", message=message)

    def add_bash(self, message: Message) -> None:
        """Keep the output of a command of the person; while a run is on it waits for its end."""
        self._pending_bash.append(message)
        if not self.active:
            self._flush_bash()

    def _flush_bash(self) -> None:
        for message in self._pending_bash:
            self.session.append("message", message=message)
        self._pending_bash.clear()

    # The model

    async def _answer(self) -> Message:
        """Stream an answer; the message as it ended."""
        started = time.monotonic()
        message: Message = {"role": "assistant", "content": [], "api": API, "provider": self.model["provider"]}
        message |= {"model": self.model["id"], "usage": NO_USAGE, "stopReason": "pending", "timestamp": milliseconds()}
        if self._stop.is_set():
            message |= {"stopReason": "aborted", "errorMessage": "This operation was aborted"}
            self._finish(message, started, start=True)
            return message
        context = self.session.messages()
        answer = self._script.answer(context)
        message["usage"] = self._usage(context, answer)
        if answer.error:
            message["errorMessage"] = answer.error
        self.say("message_start", message=message)
        try:
            for index, part in enumerate(answer.content):
                await self._stream(message, index, part)
            message["stopReason"] = answer.stop_reason
        except StoppedError:
            message |= {"stopReason": "aborted", "errorMessage": "Request was aborted", "timestamp": milliseconds()}
        self._finish(message, started)
        return message

    def _usage(self, context: list[Message], answer: Answer) -> dict[str, Any]:
        prompt = weight(context) + 1200
        cached, self._cached = min(self._cached, prompt), prompt
        return usage(self.model, prompt, cached, weight([{"content": part} for part in answer.content]))

    def _finish(self, message: Message, started: float, start: bool = False) -> None:
        message |= {"durationMs": round((time.monotonic() - started) * 1000), "thinkingLevel": self.level}
        if start:
            self.say("message_start", message=message)
        self.say("message_end", message=message)
        self.session.append("message", message=message)
        self._last_answer = message
        if message["stopReason"] != "error" and self._attempt:
            attempt, self._attempt = self._attempt, 0
            self.say("auto_retry_end", success=True, attempt=attempt)

    async def _stream(self, message: Message, index: int, part: Part) -> None:
        """Say one part of an answer, a piece at a time. Raises StoppedError."""
        if self._stop.is_set():
            raise StoppedError
        kind: str = part["type"].lower()
        call = kind == "toolcall"
        text = json.dumps(part["arguments"], ensure_ascii=False, separators=(",", ":")) if call else part[kind]
        named = {"id": part["id"], "toolName": part["name"]} if call else {}
        partial: Part = {**part, "arguments": {}} if call else {"type": kind, kind: ""}
        message["content"].append(partial)
        self._update(message, f"{kind}_start", index, **named)
        for piece in cut(text, self._chunk * UNITS_PER_TOKEN):
            await asyncio.sleep(self.seconds_to_write(piece))
            if self._stop.is_set():
                raise StoppedError
            if not call:
                partial[kind] += piece
            self._update(message, f"{kind}_delta", index, delta=piece)
        message["content"][index] = part
        self._update(message, f"{kind}_end", index, **({"toolCall": part} if call else {"content": text}))

    def _update(self, message: Message, type_: str, index: int, **fields: Any) -> None:
        event: Record = {"type": type_, "contentIndex": index, **fields}
        self.say("message_update", usage=message["usage"], assistantMessageEvent=event)

    # Tools

    async def _call(self, calls: list[Part]) -> list[Message]:
        """Run the tools of an answer beside each other; their results in the order of the calls."""
        running: list[asyncio.Task[Message]] = []
        results: list[Message | asyncio.Task[Message]] = []
        for call in calls:
            name, arguments = call["name"], call["arguments"]
            self.say("tool_execution_start", toolCallId=call["id"], toolName=name, args=arguments)
            refusal = await self._refusal(name, arguments)
            if refusal:
                results.append(self._end(call, failed(refusal), True))
                continue
            running.append(asyncio.create_task(self._execute(call)))
            results.append(running[-1])
        if running:
            await asyncio.wait(running)
        messages = [result.result() if isinstance(result, asyncio.Task) else result for result in results]
        for message in messages:
            self._tell(message)
        return messages

    async def _refusal(self, name: str, arguments: dict[str, Any]) -> str:
        if self._stop.is_set():
            return "Operation aborted"
        if name not in self._tools.active:
            return f"Tool {name} not found"
        if not await self._extension.allows(name, arguments):
            return "Blocked by the user"
        return "Operation aborted" if self._stop.is_set() else ""

    async def _execute(self, call: Part) -> Message:
        name, arguments = call["name"], call["arguments"]
        started = time.monotonic()

        def update(partial: Result) -> None:
            about = {"toolCallId": call["id"], "toolName": name, "args": arguments}
            self.say("tool_execution_update", **about, partialResult=partial)

        try:
            result = await self._tools.run(name, arguments, self._stop, update)
        except (ToolError, KeyError, TypeError, ValueError) as error:
            return self._end(call, failed(str(error)), True, time.monotonic() - started)
        return self._end(call, result, bool(result.get("isError")), time.monotonic() - started)

    def _end(self, call: Part, result: Result, failing: bool, seconds: float | None = None) -> Message:
        duration = {} if seconds is None else {"durationMs": round(seconds * 1000)}
        about = {"toolCallId": call["id"], "toolName": call["name"]}
        self.say("tool_execution_end", **about, result=result, isError=failing, **duration)
        details = {"details": result["details"]} if "details" in result else {}
        message = {"role": "toolResult", **about, "content": result["content"], **details, "isError": failing}
        return {**message, **duration, "timestamp": milliseconds()}
