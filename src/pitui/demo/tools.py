"""The tools of the agent, on files in memory, with the results and errors that pi's have."""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pitui.demo.files import EditError, Files, difference, edited
from pitui.demo.shell import Shell, StoppedError
from pitui.demo.truncation import keep, new_log, note, truncation

Result = dict[str, Any]
Update = Callable[[Result], None]
UPDATE_SECONDS = 0.1


class ToolError(Exception):
    """The tool failed; pi gives the message to the model."""


def text_result(text: str, **more: Any) -> Result:
    return {"content": [{"type": "text", "text": text}], **more}


def failed(message: str) -> Result:
    return text_result(message, details={})


@dataclass
class Tools:
    """`names` are pi's own four, and two more when the demo shows what it can; `active` the model is told of."""

    files: Files
    folder: str
    names: tuple[str, ...] = ("read", "bash", "edit", "write")
    active: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.active = self.active or self.names

    async def run(self, name: str, arguments: dict[str, Any], stop: asyncio.Event, update: Update) -> Result:
        """The result of a tool. Raises ToolError."""
        match name:
            case "read":
                return self._read(arguments)
            case "write":
                self.files.put(arguments["path"], arguments["content"])
                return text_result(f"Successfully wrote to {arguments['path']}")
            case "edit":
                return self._edit(arguments["path"], arguments["edits"])
            case "bash":
                return await self._bash(arguments["command"], stop, update)
            case "ls":
                return text_result("\n".join(self.files.names(arguments.get("path", "."))) or "(empty directory)")
            case _:
                return self._grep(arguments["pattern"])

    def _absolute(self, path: str) -> str:
        return path if path.startswith("/") else f"{self.folder}/{path.removeprefix('./')}"

    def _read(self, arguments: dict[str, Any]) -> Result:
        text = self.files.get(arguments["path"])
        if text is None:
            raise ToolError(f"ENOENT: no such file or directory, access '{self._absolute(arguments['path'])}'")
        start = int(arguments.get("offset", 1)) - 1
        if start > 0 or "limit" in arguments:
            text = "".join(text.splitlines(True)[start:][: arguments.get("limit")])
        return text_result(text, structuredContent=text)

    def _edit(self, path: str, edits: list[dict[str, str]]) -> Result:
        text = self.files.get(path)
        if text is None:
            raise ToolError(f"Could not edit file: {path}. Error code: ENOENT.")
        try:
            changed = edited(path, text, edits)
        except EditError as error:
            raise ToolError(str(error)) from error
        self.files.put(path, changed)
        return text_result(
            f"Successfully replaced {len(edits)} block(s) in {path}.", details=difference(path, text, changed)
        )

    def _grep(self, pattern: str) -> Result:
        found = [
            f"{path}:{number}: {line}"
            for path, text in sorted(self.files.texts.items())
            for number, line in enumerate(text.splitlines(), 1)
            if re.search(pattern, line)
        ]
        return text_result("\n".join(found) or "No matches found")

    async def _bash(self, command: str, stop: asyncio.Event, update: Update) -> Result:
        output = _Output(update)
        update({"content": []})
        started = time.monotonic()
        try:
            code = await Shell(self.files, self.folder, stop, output.write).run(command)
        except StoppedError:
            output.finish()
            text, _ = output.result("")
            raise ToolError(_with_status(text, "Command aborted")) from None
        output.finish()
        text, details = output.result("(no output)")
        result = text_result(
            _with_status(text, f"Command exited with code {code}") if code else text,
            **({"details": details} if details else {}),
            structuredContent={
                "output": output.text,
                "truncated": False,
                "exit_code": code,
                "wall_time_seconds": round(time.monotonic() - started, 1),
            },
        )
        return {**result, "isError": True} if code else result


def _with_status(text: str, status: str) -> str:
    return f"{text}\n\n{status}" if text else status


class _Output:
    """What a command printed; told as a whole at most every tenth of a second while it prints."""

    def __init__(self, update: Update) -> None:
        self.text = ""
        self._update = update
        self._log = new_log()
        self._told_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def write(self, text: str) -> None:
        self.text += text
        wait = self._told_at + UPDATE_SECONDS - time.monotonic()
        if wait <= 0:
            self._tell()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell)

    def _tell(self) -> None:
        self._cancel()
        self._told_at = time.monotonic()
        cut = truncation(self.text)
        details = {"truncation": cut, "fullOutputPath": self._log} if cut else {}
        self._update(text_result(cut["content"] if cut else self.text, details=details))

    def _cancel(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def finish(self) -> None:
        """Tell what was not told yet."""
        if self._timer:
            self._tell()

    def result(self, empty: str) -> tuple[str, Result | None]:
        """The text of the result, and its details when it was cut."""
        cut = truncation(self.text)
        if cut is None:
            return self.text or empty, None
        keep(self.text, self._log)
        return cut["content"] + note(cut, self._log), {"truncation": cut, "fullOutputPath": self._log}
