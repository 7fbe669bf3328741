"""What pitui does without its screen: ``pitui setup``, ``pitui auth``, ``pitui doctor``."""

import asyncio
import shlex
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import anyio

from pitui.doctor import report
from pitui.doctor.check import Check
from pitui.itself import to_run
from pitui.normal_screen import say
from pitui.operating_system import LEAVING, on_signal
from pitui.paths import data_folder
from pitui.pi import setup as installing
from pitui.pi.install import OWN, find_pi
from pitui.pi.problem import Problem

DONE, FAILED, WRONG_USE, SIGNALLED, INTERRUPTED = 0, 1, 2, 128, 130

SETUP_HELP = """\
Usage: pitui setup             Install a pi for pitui alone, where there is none
       pitui setup --update    Bring it to the version that this pitui was made with
       pitui setup --remove    Take it away again

It needs Node.js with npm, and the registry of npm. A pi on PATH goes before it."""
DOCTOR_HELP = """\
Usage: pitui doctor [--json] [--pi COMMAND]

Says of all that pitui needs whether it is there: ✓, what could be better: !, what must be mended: ✗, and how.
  --json          The same as a list of objects: name, level (ok, warning or error), found, remedy
  --pi COMMAND    Look at this pi, and not at the one of PITUI_PI, PATH or pitui's own

Exit codes: 0 when pitui can work with pi here, else 1; 2 for wrong use"""


class Outcome(NamedTuple):
    """The exit code, and what to say at the end; `is_answer` when it was asked for, whatever the code."""

    code: int
    text: str = ""
    is_answer: bool = False


def setup(words: Sequence[str]) -> Outcome:
    """Installs, updates or removes pitui's own pi."""
    if {"--help", "-h"} & set(words):
        return Outcome(DONE, SETUP_HELP)
    with suppress(KeyboardInterrupt):
        match list(words):
            case [] | ["--update"]:
                return anyio.run(_until_signalled, partial(_install, bool(words)))
            case ["--remove"]:
                return _remove()
            case _:
                return Outcome(WRONG_USE, "pitui setup takes no words but --update or --remove.")
    return Outcome(INTERRUPTED, "Stopped. Nothing was changed.")


async def _until_signalled(work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """What comes of it. A signal that ends programs in order stops it, as Ctrl+C does, and it leaves nothing behind."""
    signalled = 0

    def stop(number: int) -> None:
        nonlocal signalled
        signalled = number
        scope.cancel()

    with anyio.CancelScope() as scope:
        for number in LEAVING:
            on_signal(asyncio.get_running_loop(), number, stop, number)
        return await work()
    return Outcome(SIGNALLED + signalled)


async def _install(again: bool) -> Outcome:
    data = data_folder()
    installing.clear(data)
    if installing.own_version(data) == installing.PI_VERSION:
        how = "is up to date" if again else "is here already"
        return Outcome(DONE, f"pitui's own pi {installing.PI_VERSION} {how}: {data / OWN}{_which_runs()}")
    node = await installing.find_node()
    try:
        problem = node if isinstance(node, Problem) else await installing.install(node, data, _tell)
    finally:
        _clear_count()
    if problem:
        return Outcome(FAILED, str(problem))
    login = to_run("auth", "login", "PROVIDER")
    return Outcome(DONE, f"Now log in: {login} (such as anthropic), then type: {to_run()}{_which_runs()}")


def _which_runs() -> str:
    """Said when it is another than pitui's own."""
    found = find_pi("", data_folder())
    if isinstance(found, Problem) or found.command[-1].startswith(str(data_folder())):
        return ""
    return f"\npitui runs another one before it: {shlex.join(found.command)}"


def _remove() -> Outcome:
    data = data_folder()
    try:
        removed = installing.remove(data)
    except OSError as error:
        return Outcome(FAILED, f"{error.filename}: {error.strerror}. Some of pitui's own pi is still there.")
    return Outcome(DONE, f"{data / OWN} was removed." if removed else f"There is no pi of pitui's own in {data}.")


def doctor(words: Sequence[str]) -> Outcome:
    """Looks at the machine and the terminal. The exit code says whether pitui can work with pi here."""
    if {"--help", "-h"} & set(words):
        return Outcome(DONE, DOCTOR_HELP)
    left = list(words)
    option = ""
    if "--pi" in left[:-1]:
        at = left.index("--pi")
        option = left[at + 1]
        del left[at : at + 2]
    if left not in ([], ["--json"]):
        return Outcome(WRONG_USE, "pitui doctor takes no words but --json and --pi COMMAND.")
    with suppress(KeyboardInterrupt):
        return anyio.run(_examine, option, bool(left))
    return Outcome(INTERRUPTED)


async def _examine(option: str, as_json: bool) -> Outcome:
    checks = list[Check]()
    async for check in report.examine(option):
        checks.append(check)
        if not as_json:
            say(report.in_words(check), sys.stdout)
    code = FAILED if any(check.level == "error" for check in checks) else DONE
    return Outcome(code, (report.as_json if as_json else report.in_sum)(checks), is_answer=True)


def auth(words: Sequence[str]) -> Outcome:
    """``pi auth`` of the pi that pitui runs, which need not be on PATH."""
    pi = find_pi("", data_folder())
    if isinstance(pi, Problem):
        return Outcome(FAILED, str(pi))
    with suppress(KeyboardInterrupt):
        return Outcome(subprocess.call([*pi.command, "auth", *words]))
    return Outcome(INTERRUPTED)


def _tell(line: str) -> None:
    """Steps on lines of their own; counts only where they can take each other's place."""
    _clear_count()
    if not line[:1].isdigit():
        sys.stdout.write(line + "\n")
    elif sys.stdout.isatty():
        sys.stdout.write(line)
    sys.stdout.flush()


def _clear_count() -> None:
    if sys.stdout.isatty():
        sys.stdout.write("\r\x1b[K")
