"""Which pi to run, and whether it is new enough."""

import json
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from pitui.itself import to_run
from pitui.pi.problem import NoPi, Problem


class Version(NamedTuple):
    """A released version of pi; what follows the three numbers is not looked at."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> "Version | None":
        """The first version in `text`, such as what ``pi --version`` prints; None if there is none."""
        found = re.search(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", text)
        return cls(*map(int, found.groups())) if found else None

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


MINIMUM = Version(0, 84, 4)
"""The first pi with ``clear_queue``, without which Esc cannot give queued words back."""
PACKAGE = "@earendil-works/pi-coding-agent"
OWN = "pi"
"""The folder of pitui's own pi in its data folder."""
NODE_FILE = "node-path"
"""In that folder: where the Node.js is that runs it."""


class Installation(NamedTuple):
    """A pi that can be run by `command`. `version` is None where only running it can tell.

    `is_here` when it is sure to run on this machine, and not by ``ssh`` or in a container.
    """

    command: Sequence[str]
    version: Version | None
    is_here: bool


def find_pi(option: str, data_folder: Path, environ: Mapping[str, str] = os.environ) -> Installation | Problem:
    """The pi to run: `option` (from ``--pi``), else ``PITUI_PI``, else ``pi`` on PATH, else pitui's own.

    The first two are command lines and may name any program that in the end speaks for a pi: ``ssh host pi``.
    """
    for source, line in (("--pi", option), ("PITUI_PI", environ.get("PITUI_PI", ""))):
        if line:
            return _named(source, line, environ)
    executable = shutil.which("pi", path=environ.get("PATH"))
    found = _installation((executable,)) if executable else own_pi(data_folder / OWN)
    if found is None:
        return NoPi(
            "pi was not found.",
            f"There is no “pi” on PATH, and none in {data_folder / OWN}.",
            f"Install it there with “{to_run('setup')}”, or name one: “{to_run('--pi', 'COMMAND')}”.\n"
            f"To look around without it: “{to_run('--demo')}”.",
        )
    return found if isinstance(found, Problem) else found._replace(is_here=True)


def own_pi(folder: Path) -> Installation | Problem | None:
    """The pi that was installed into `folder`, with the Node.js it was installed by; None when there is none."""
    package = folder / "node_modules" / PACKAGE
    try:
        node = (folder / NODE_FILE).read_text("utf-8")
        fields: Any = json.loads((package / "package.json").read_bytes())
        program = package / fields["bin"]["pi"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return NoPi("pitui's own pi is damaged.", f"It is in {folder}.", f"Install it anew: {to_run('setup')}")
    if not shutil.which(node):
        gone = f"The Node.js it was installed with is gone: {node}"
        return NoPi("pitui's own pi cannot run.", gone, f"Run: {to_run('setup')}")
    return _installation((node, str(program)))


def _named(source: str, line: str, environ: Mapping[str, str]) -> Installation | Problem:
    remedy = f"Give {source} a command that runs pi, such as “pi”, “/path/to/pi” or “ssh host pi”."
    try:
        words = shlex.split(line)
    except ValueError as error:
        return Problem(f"{source} cannot be read: {line}", f"{error}.", remedy)
    executable = shutil.which(os.path.expanduser(words[0]), path=environ.get("PATH")) if words else None
    if not executable:
        return Problem(
            "pi was not found.", f"{source} names “{line}”, and there is no such program on this machine.", remedy
        )
    return _installation((executable, *words[1:]))


def _installation(command: Sequence[str]) -> Installation | Problem:
    version = version_beside(Path(command[1] if _is_own(command) else command[0]))
    return too_old(version, command) or Installation(command, version, is_here=version is not None)


def _is_own(command: Sequence[str]) -> bool:
    """Whether Node.js runs it by its full name, as pitui does with its own."""
    return len(command) > 1 and Path(command[0]).stem == "node"


def too_old(version: Version | None, command: Sequence[str]) -> Problem | None:
    """What to say if the pi that `command` runs has a version below MINIMUM."""
    if version is None or version >= MINIMUM:
        return None
    update = to_run("setup", "--update") if _is_own(command) else f"{to_type(command)} update"
    return Problem(
        f"This pi is too old: it is {version}, and pitui needs {MINIMUM} or later.",
        f"It was found as {command[-1]}.",
        f"Bring it up to date with “{update}”, or name another one: “{to_run('--pi', 'COMMAND')}”.",
    )


def to_type(command: Sequence[str]) -> str:
    """What to type for the pi that `command` runs: its name, if PATH leads to it."""
    return "pi" if list(command) == [shutil.which("pi")] else shlex.join(command)


def version_beside(executable: Path) -> Version | None:
    """The version in the package that `executable` belongs to, read without running it; None where there is none."""
    _, version = package_of(executable) or (None, None)
    return version


def package_of(executable: Path) -> tuple[Path, Version | None] | None:
    """The folder of the pi that `executable` belongs to, and its version; None if it is not a pi's.

    npm and pi's own archives keep a ``package.json`` above the real file; wrappers and shims have none.
    """
    for folder in Path(os.path.realpath(executable)).parents:
        try:
            package: Any = json.loads((folder / "package.json").read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        fields = cast("dict[str, Any]", package) if isinstance(package, dict) else {}
        if str(fields.get("name", "")).endswith("/pi-coding-agent"):
            return folder, Version.parse(str(fields.get("version", "")))
    return None
