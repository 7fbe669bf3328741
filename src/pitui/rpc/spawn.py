"""Starting the program that pi is, with nothing imported that would keep it waiting."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


class PiNotStartedError(Exception):
    """The operating system could not start the command; the text says why."""

    def __init__(self, argv: Sequence[str], reason: str) -> None:
        super().__init__(reason)
        self.argv = tuple(argv)
        self.reason = reason


class PiNotFoundError(PiNotStartedError):
    """There is no such command."""

    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__(argv, f"command not found: {argv[0]}")


def start_pi(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """A process that `PiProcess` can take over: three pipes, and a session and process group of its own.

    `env` replaces the whole environment. Raises PiNotFoundError and PiNotStartedError.
    """
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            argv, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, start_new_session=True
        )
    except FileNotFoundError as error:
        if cwd is not None and not cwd.is_dir():
            raise PiNotStartedError(argv, f"no such folder: {cwd}") from error
        raise PiNotFoundError(argv) from error
    except (OSError, ValueError) as error:
        raise PiNotStartedError(argv, getattr(error, "strerror", None) or str(error)) from error
