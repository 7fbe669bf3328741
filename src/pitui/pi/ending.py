"""Why a pi ended before it was ready, as far as its exit code and its stderr tell."""

import re
from collections.abc import Sequence

from pitui.pi.install import to_type
from pitui.pi.problem import Problem

LINES, LINE = 8, 300
"""As many lines of what it said are shown, and as many characters of each."""
STACK = re.compile(r"\s+at \S")
POINTER = re.compile(r"\s*[\^~]+\s*")
NO_PLACE = {
    "EACCES": "Make that place yours and writable.",
    "EPERM": "Make that place yours and writable.",
    "EROFS": "Make that place writable.",
    "ENOSPC": "Free some space there.",
}
"""What to do where Node.js could not write, by its name of that."""


def explain_ending(code: int | None, stderr: str, command: Sequence[str] = ()) -> Problem:
    """What to say of a pi that ended with `code` (negative: a signal) before it answered anything.

    `command` runs it by itself, where that is on this machine.
    """
    said = "\n".join(f"  {_cut(line)}" for line in _essence(stderr)[-LINES:])
    return Problem(
        f"pi ended at once ({_how(code)}).",
        f"It said:\n{said}" if said else "It said nothing.",
        _remedy(code, stderr, to_type(command) if command else "pi"),
    )


def _essence(stderr: str) -> list[str]:
    """Its lines; of an error that Node.js tells with its stack no more than what it is."""
    lines = [line.rstrip() for line in stderr.splitlines() if line.strip()]
    stack = next((number for number, line in enumerate(lines) if STACK.match(line)), None)
    if stack is None:
        return lines
    source = [number for number, line in enumerate(lines[:stack]) if POINTER.fullmatch(line)]
    return lines[source[-1] + 1 if source else 0 : stack]


def _cut(line: str) -> str:
    return line if len(line) <= LINE else line[:LINE] + "…"


def _how(code: int | None) -> str:
    if code is None:
        return "it could not be run"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _remedy(code: int | None, stderr: str, pi: str) -> str:
    if "node" in stderr and ("No such file" in stderr or "not found" in stderr):
        return "pi needs Node.js: put “node” on PATH, and try again."
    if "nknown option" in stderr:
        return f"Leave that option out; “{pi} --help” lists those that this pi knows."
    if code == 0:
        return (
            "An extension that asks something while pi starts gets no answer in RPC mode and ends it so.\n"
            "Try again with --no-extensions to see whether it is one."
        )
    failed = re.search(r"\b(EACCES|EPERM|EROFS|ENOSPC)\b", stderr)
    return NO_PLACE[failed[1]] if failed else "Mend what it says, and try again."
