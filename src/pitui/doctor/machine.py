"""Programs, files, and pi itself."""

import importlib.metadata
import os
import platform
import shlex
import subprocess
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import anyio

from pitui import __version__, rpc
from pitui.companion import COMPANION
from pitui.config import settings_file
from pitui.doctor.check import Check, error, ok, warning
from pitui.itself import to_run
from pitui.paths import cache_folder, data_folder, state_folder
from pitui.pi.folders import agent_folder, chosen_session_folder
from pitui.pi.handwritten import unreadable_files
from pitui.pi.install import Installation, find_pi, too_old
from pitui.pi.logins import stored_logins
from pitui.pi.probe import ask_version
from pitui.pi.problem import Problem
from pitui.pi.setup import NODE_MINIMUM, find_node
from pitui.preferences import read_preferences
from pitui.rpc.client import RpcClient
from pitui.rpc.errors import RequestError
from pitui.rpc.process import PiProcess
from pitui.rpc.spawn import PiNotStartedError

ANSWER_SECONDS = 30.0


class Told(NamedTuple):
    """What a pi said of itself: usable models, by provider, and whether it has taken the companion in."""

    providers: Counter[str]
    has_companion: bool


def checks(environ: Mapping[str, str] = os.environ) -> Iterator[Check]:
    """All that is known at once."""
    yield _folder()
    yield _python()
    for name, folder, needed in _folders(environ):
        yield _writable(name, folder, needed=needed)
    yield from _written_files(environ)


async def checks_of_pi(option: str, environ: Mapping[str, str] = os.environ) -> AsyncIterator[Check]:
    """What only programs can tell, which may take their time; `option` is how to run pi, as ``--pi`` has it."""
    found = find_pi(option, data_folder(), environ)
    yield await _node(found)
    for check in await _pi(found):
        yield check


def _folder() -> Check:
    try:
        return ok("Folder", os.getcwd())
    except OSError as failure:
        os.chdir(Path.home())  # no program starts in a folder that is gone
        return error(
            "Folder", f"the one that you are in is gone, or cannot be read: {failure.strerror}", "Go to another: cd ~"
        )


def _python() -> Check:
    return ok(
        "Python",
        f"{platform.python_version()}, with pitui {__version__} and Textual {importlib.metadata.version('textual')}",
    )


async def _node(pi: Installation | Problem) -> Check:
    node = await find_node()
    if not isinstance(node, Problem):
        return ok("Node.js", f"{node.version}: {node.path}")
    if isinstance(pi, Problem):
        return error("Node.js", f"{node.what} {node.why}", node.remedy)
    return ok("Node.js", f"{node.why} To install a pi, pitui needs {NODE_MINIMUM} with npm; yours is there already.")


async def _pi(found: Installation | Problem) -> list[Check]:
    if isinstance(found, Problem):
        return [error("pi", f"{found.what} {found.why}", found.remedy)]
    where = shlex.join(found.command)
    version = await ask_version(found.command)
    if version is None:
        return [error("pi", f"does not say its version: {where}", f"Try it by itself:\n  {where} --version")]
    if problem := too_old(version, found.command):
        return [error("pi", f"{problem.what} {problem.why}", problem.remedy)]
    told = await _ask(found.command)
    if isinstance(told, str):
        return [error("pi", f"{version}: {where}, which does not answer: {told}", "Mend what it says.")]
    return [ok("pi", f"{version}: {where}"), *_logins(told.providers), _companion(told.has_companion)]


async def _ask(command: Sequence[str]) -> Told | str:
    """What it tells, without a network and a session; else why it does not."""
    argv = [*command, "--mode", "rpc", "--no-session", "--offline", "-e", str(COMPANION)]
    try:
        process = await PiProcess.spawn(argv, Path.home(), dict(os.environ))
        async with RpcClient(process, lambda _: None) as client:
            with anyio.fail_after(ANSWER_SECONDS):
                models = (await client.request(rpc.requests.GetAvailableModels())).models
                commands = (await client.request(rpc.requests.GetCommands())).commands
    except (RequestError, PiNotStartedError, subprocess.SubprocessError) as failure:
        return str(failure)
    except TimeoutError:
        return f"no word in {ANSWER_SECONDS:.0f} s"
    names = {command.name for command in commands}
    return Told(Counter(model.provider for model in models), rpc.companion.COMMAND in names)


def _logins(providers: Counter[str]) -> Iterator[Check]:
    for provider, count in sorted(providers.items()):
        yield ok(f"Login {provider}", f"{count} model{'s' if count > 1 else ''}")
    for provider in sorted(stored_logins(agent_folder()) - set(providers)):
        again = f"  {to_run('auth', 'login', provider)}"
        yield warning(f"Login {provider}", "stored, and no model of it can be used", again)
    if not providers:
        yield error("Login", "no provider: there is no model that pi could ask", _how_to_log_in())


def _how_to_log_in() -> str:
    return (
        f"Log in: {to_run('auth', 'login', 'PROVIDER')} (such as anthropic). Or set the provider's key in the "
        "environment. A model that an extension brings with -e is not seen here."
    )


def _companion(has_companion: bool) -> Check:
    if has_companion:
        return ok("Companion", "pi takes it in")
    return warning(
        "Companion",
        f"pi does not take it in: {COMPANION}",
        "See what pi writes: start pitui and type /stderr. Moves in the tree and more are missing until then.",
    )


def _folders(environ: Mapping[str, str]) -> Iterator[tuple[str, Path, bool]]:
    yield "Sessions", chosen_session_folder("", environ) or agent_folder(environ) / "sessions", True
    yield "State", state_folder(), False
    yield "Cache", cache_folder(), False


def _writable(name: str, folder: Path, *, needed: bool) -> Check:
    """Whether files can be made in `folder`, or in the nearest one above it that is there."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    try:
        with tempfile.TemporaryFile(dir=there):
            return ok(name, f"{folder}" if there == folder else f"{folder}, which will be made")
    except OSError as failure:
        found = f"{folder} cannot be written to: {failure.strerror}"
        remedy = f"Make it yours and writable: {there}"
        return error(name, found, remedy) if needed else warning(name, found, remedy)


def _written_files(environ: Mapping[str, str]) -> Iterator[Check]:
    """The files that the person writes by hand."""
    settings, keys = settings_file(environ), agent_folder(environ) / "keybindings.json"
    chosen = read_preferences(environ)
    for name, path, problems in (
        ("Settings", settings, chosen.problems),
        ("Keys of pi", keys, chosen.problems_of_keys),
    ):
        yield from (warning(name, problem, _mend(path)) for problem in problems)
        if not problems:
            yield ok(name, f"{path}" if path.exists() else f"{path}: not there, and not needed")
    for path, problem in unreadable_files(agent_folder(environ), Path.cwd()):
        yield warning("Files of pi", f"{path}: {problem}. pi goes on without it.", _mend(path))


def _mend(path: Path) -> str:
    if not os.path.exists(path):
        return "Make that file, or take PITUI_CONFIG out of the environment."
    if not path.is_file():
        return "Put a file in its place, or take it away."
    if not os.access(path, os.R_OK):
        return f"Make it yours to read: chmod u+r {shlex.quote(str(path))}"
    return "Mend it there."
