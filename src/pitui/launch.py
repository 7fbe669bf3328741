"""How a pi is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pitui.pi.trust import OPTIONS


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start pi: the whole command line, the folder, what is known of its version, and where to record.

    `no_companion` says in a sentence why the command line does not load pitui's companion. `claims` is the folder in
    which pituis tell each other which sessions they have open. `command` runs pi by itself, where that is on this
    machine. `trust_of` is the folder that a word on trust in it is for, if a person said it in pitui: for pi it holds
    in every folder. `greeting` is what an empty chat says first.
    """

    argv: Sequence[str]
    cwd: Path
    version: str = ""
    record: Path | None = None
    environment: dict[str, str] | None = None
    no_companion: str = ""
    claims: Path | None = None
    command: Sequence[str] = ()
    trust_of: Path | None = None
    greeting: str = ""

    def trusting(self, trusted: bool | None, folder: Path | None = None) -> Launch:
        """The same pi with this word on trust, for `folder`; with none it goes by what is kept."""
        said = [option for option in ("--approve", "--no-approve") if OPTIONS[option] is trusted]
        argv = [*(word for word in self.argv if word not in OPTIONS), *said]
        return replace(self, argv=argv, trust_of=folder if said else None)

    def on_session(self, file: str) -> Launch:
        """The same pi, to go on with the session in `file` instead of what the command line asked for."""
        argv: list[str] = []
        words = iter(self.argv)
        for word in words:
            if word in ("--session", "--session-id", "--fork", "--name", "-n"):
                next(words, None)
            elif word not in ("--continue", "-c"):
                argv.append(word)
        return replace(self, argv=[*argv, *(["--session", file] if file else [])])
