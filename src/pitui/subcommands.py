"""What pitui does without its screen: ``pitui setup`` and ``pitui auth``."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import anyio

from pitui.paths import data_folder
from pitui.pi import setup as installing
from pitui.pi.install import OWN, find_pi
from pitui.pi.problem import Problem

DONE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


def setup(words: Sequence[str]) -> tuple[int, str]:
    """Installs, updates or removes pitui's own pi. The exit code, and what to say at the end."""
    with suppress(KeyboardInterrupt):
        match list(words):
            case [] | ["--update"]:
                return anyio.run(_install, bool(words))
            case ["--remove"]:
                return _remove()
            case _:
                return WRONG_USE, "pitui setup takes no words but --update or --remove."
    return INTERRUPTED, "Stopped. Nothing was changed."


async def _install(again: bool) -> tuple[int, str]:
    data = data_folder()
    if installing.own_version(data) == installing.PI_VERSION:
        how = "is up to date" if again else "is here already"
        return DONE, f"pitui's own pi {installing.PI_VERSION} {how}: {data / OWN}{_which_runs()}"
    node = await installing.find_node()
    problem = node if isinstance(node, Problem) else await installing.install(node, data, _tell)
    if problem:
        return FAILED, str(problem)
    return DONE, f"Now log in: pitui auth login PROVIDER (such as anthropic), then type: pitui{_which_runs()}"


def _which_runs() -> str:
    """Said when it is another than pitui's own."""
    found = find_pi("", data_folder())
    if isinstance(found, Problem) or found.command[-1].startswith(str(data_folder())):
        return ""
    return f"\npitui runs another one before it: {' '.join(found.command)}"


def _remove() -> tuple[int, str]:
    data = data_folder()
    try:
        removed = installing.remove(data)
    except OSError as error:
        return FAILED, f"{error.filename}: {error.strerror}. Some of pitui's own pi is still there."
    return DONE, f"{data / OWN} was removed." if removed else f"There is no pi of pitui's own in {data}."


def auth(words: Sequence[str]) -> tuple[int, str]:
    """``pi auth`` of the pi that pitui runs, which need not be on PATH. The exit code, and what to say at the end."""
    pi = find_pi("", data_folder())
    if isinstance(pi, Problem):
        return FAILED, str(pi)
    with suppress(KeyboardInterrupt):
        return subprocess.call([*pi.command, "auth", *words]), ""
    return INTERRUPTED, ""


def _tell(line: str) -> None:
    """Steps on lines of their own; counts only where they can take each other's place."""
    if not line[:1].isdigit():
        sys.stdout.write(line + "\n")
    elif sys.stdout.isatty():
        sys.stdout.write(f"\r{line} \r")
    sys.stdout.flush()
