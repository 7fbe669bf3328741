"""A pretended shell: a handful of harmless commands on the files in memory. Nothing reaches a real shell."""

import asyncio
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field

from pitui.demo.files import Files

Write = Callable[[str], None]
SUBSTITUTION = re.compile(r"\$\((?P<command>[^()]*)\)|\$\{?(?P<name>\w+|\?)\}?")


class StoppedError(Exception):
    """The command was stopped."""


class _ExitError(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


async def pause(seconds: float, stop: asyncio.Event) -> None:
    """Wait, but no longer than until `stop`. Raises StoppedError then."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
    raise StoppedError


@dataclass
class Shell:
    files: Files
    folder: str
    stop: asyncio.Event
    write: Write
    variables: dict[str, str] = field(default_factory=dict[str, str])

    async def run(self, command: str) -> int:
        """Run a line of commands; the exit code. Raises StoppedError when `stop` is set."""
        try:
            return await self._sequence(_statements(command))
        except _ExitError as ended:
            return ended.code

    async def _sequence(self, statements: list[str]) -> int:
        code, at = 0, 0
        while at < len(statements):
            statement = statements[at]
            if statement.startswith("for "):
                end = _matching_done(statements, at)
                code = await self._loop(statement, statements[at + 1 : end])
                at = end + 1
                continue
            parts = statement.split("&&")
            for part in parts:
                code = await self._command(part)
                if code:
                    break
            at += 1
        return code

    async def _loop(self, head: str, body: list[str]) -> int:
        found = re.fullmatch(r"for (\w+) in (.*)", head, re.DOTALL)
        if not found or not body or not body[0].startswith("do "):
            return self._fail("bash: syntax error near `for'", 2)
        code = 0
        for value in (await self._expanded(found[2])).split():
            self.variables[found[1]] = value
            code = await self._sequence([body[0].removeprefix("do ").strip(), *body[1:]])
        return code

    async def _command(self, text: str) -> int:
        if self.stop.is_set():
            raise StoppedError
        await asyncio.sleep(0)  # a long loop lets requests in
        try:
            words = shlex.split(await self._expanded(text), comments=True)
        except ValueError as error:
            return self._fail(f"bash: {error}", 2)
        if not words:
            return 0
        name, *arguments = words
        program = getattr(self, f"_{name}_program", None)
        if program is None or any(word in {"|", ">", "<", ">>", "&"} for word in words):
            return self._fail(f"{name}: the demo only pretends to be a shell, and has no such command", 127)
        code: int = await program(arguments)
        self.variables["?"] = str(code)
        return code

    async def _expanded(self, text: str) -> str:
        """The text with ``$(command)`` and ``$name`` replaced."""
        whole, at = "", 0
        for found in SUBSTITUTION.finditer(text):
            whole += text[at : found.start()]
            at = found.end()
            if found["command"] is None:
                whole += self.variables.get(found["name"], "")
                continue
            printed: list[str] = []
            await Shell(self.files, self.folder, self.stop, printed.append, self.variables)._command(found["command"])
            whole += " ".join("".join(printed).split())
        return whole + text[at:]

    def _fail(self, message: str, code: int = 1) -> int:
        self.write(message + "\n")
        return code

    async def _echo_program(self, words: list[str]) -> int:
        self.write(" ".join(words) + "\n")
        return 0

    async def _sleep_program(self, words: list[str]) -> int:
        await pause(float(words[0]) if words else 0, self.stop)
        return 0

    async def _seq_program(self, words: list[str]) -> int:
        first, last = (1, int(words[0])) if len(words) == 1 else (int(words[0]), int(words[-1]))
        self.write("".join(f"{number}\n" for number in range(first, last + 1)))
        return 0

    async def _cat_program(self, words: list[str]) -> int:
        code = 0
        for path in words:
            text = self.files.get(path)
            if text is None:
                code = self._fail(f"cat: {path}: No such file or directory")
            else:
                self.write(text)
        return code

    async def _ls_program(self, words: list[str]) -> int:
        folder = next((word for word in words if not word.startswith("-")), ".")
        names = [name.rstrip("/") for name in self.files.names(folder)]
        if not names and folder != ".":
            return self._fail(f"ls: cannot access '{folder}': No such file or directory", 2)
        self.write("".join(name + "\n" for name in names))
        return 0

    async def _rm_program(self, words: list[str]) -> int:
        force = any(word.startswith("-") and "f" in word for word in words)
        missing = [path for path in words if not path.startswith("-") and not self.files.remove(path)]
        if missing and not force:
            return self._fail(f"rm: cannot remove '{missing[0]}': No such file or directory")
        return 0

    async def _pwd_program(self, _words: list[str]) -> int:
        self.write(self.folder + "\n")
        return 0

    async def _true_program(self, _words: list[str]) -> int:
        return 0

    async def _false_program(self, _words: list[str]) -> int:
        return 1

    async def _exit_program(self, words: list[str]) -> int:
        raise _ExitError(int(words[0]) if words else 0)

    async def _pytest_program(self, _words: list[str]) -> int:
        for line in ("collected 1 item", "", "tests/test_hello.py .", "", "1 passed in 0.42s"):
            await pause(0.15, self.stop)
            self.write(line + "\n")
        return 0


def _statements(command: str) -> list[str]:
    """The statements of a line, cut at ``;`` and line ends outside quotes."""
    statements, quote, start = [""], "", 0
    for index, character in enumerate(command):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in ";\n":
            statements[-1] = command[start:index].strip()
            statements.append("")
            start = index + 1
    statements[-1] = command[start:].strip()
    return [statement for statement in statements if statement]


def _matching_done(statements: list[str], at: int) -> int:
    depth = 0
    for index in range(at, len(statements)):
        depth += statements[index].startswith(("for ", "do for ")) - (statements[index] == "done")
        if depth == 0:
            return index
    return len(statements)
