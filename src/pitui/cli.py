"""From the command line to a running pitui, and back to an exit code.

pi needs half a second and more until it answers, so it is started before Textual is imported. What is heavy is
imported where it is used: ``--help`` and ``--version`` need none of it.
"""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pitui import __version__
from pitui.arguments import HELP, Arguments, UsageError, read_arguments, way_back
from pitui.itself import to_run
from pitui.normal_screen import say
from pitui.operating_system import IS_WINDOWS
from pitui.pi.problem import NoPi, Problem
from pitui.typeahead import keep_typed

if TYPE_CHECKING:
    import subprocess

    from pitui.pi.trust import Trust
    from pitui.store.journal import Journal

LEFT, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
SUBCOMMANDS = ("setup", "auth", "doctor")
"""What runs without a screen, as functions of `pitui.subcommands`."""

GREETING = "Say help to see what this demo shows."
"""What the empty chat of the demo says first."""
NO_WINDOWS = Problem(
    "pitui does not run on Windows itself.",
    "It talks to pi through pipes that nothing there can wait for beside a screen.",
    "Run it in WSL, as on Linux: https://learn.microsoft.com/windows/wsl/install",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs pitui with `argv`, by default the words of the command line, and returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if IS_WINDOWS:
        return _end(FAILED, str(NO_WINDOWS))
    if words and words[0] in SUBCOMMANDS:
        from pitui import subcommands

        return _end(*getattr(subcommands, words[0])(words[1:]))
    try:
        arguments = read_arguments(words)
        if arguments.help or arguments.version:
            return _end(LEFT, _help() if arguments.help else f"pitui {__version__}")
        _check_files(arguments)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("pitui needs a terminal for its input and output. For use in scripts there is “pi -p”.")
        if os.environ.get("TERM") == "dumb":
            raise UsageError("TERM is dumb: such a terminal shows no screen. If yours can, set TERM=xterm-256color.")
    except UsageError as wrong:
        return _end(WRONG_USE, str(wrong))
    keep, give_back = keep_typed()
    try:
        keep()
        started = None if arguments.replay else _start(arguments)
        if isinstance(started, NoPi):
            give_back()
            started = _set_up(arguments, started)
            keep()
        code, text = (FAILED, str(started)) if isinstance(started, Problem) else _run(arguments, started, give_back)
        if code == FAILED:
            text += f"\n“{to_run('doctor')}” looks at all that pitui needs."
    except KeyboardInterrupt:
        code, text = INTERRUPTED, ""
    finally:
        give_back()
    return _end(code, text)


def _help() -> str:
    from pitui.config import settings_file

    return HELP.format(settings_file=settings_file()).rstrip()


def _end(code: int, text: str, is_answer: bool = False) -> int:
    if text:
        say(text, sys.stderr if code and not is_answer else sys.stdout)
    return code


def _check_files(arguments: Arguments) -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError("The folder that you are in is gone, or cannot be read. Go to another: cd ~") from error
    try:
        if arguments.replay:
            from pitui.rpc.replay import is_recording

            if not is_recording(Path(arguments.replay)):
                raise UsageError(f"{arguments.replay}: no line of it is of a recording, as --record makes them.")
        if arguments.record:
            Path(arguments.record).open("ab").close()
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}.") from error


class _Started(NamedTuple):
    """A pi that runs already, or is to, its whole command line and environment, and its version if that is known.

    `ask_command` is what tells the version else; `no_companion` why the companion is not loaded, if it is not.
    `command` runs pi by itself, where that is on this machine, and `trust` is how it stands then with the folder it
    works in; there is no process while it has to be asked about. `note` is to be told
    at the start.
    """

    process: "subprocess.Popen[bytes] | None"
    argv: list[str]
    environment: dict[str, str]
    version: str
    ask_command: Sequence[str]
    no_companion: str
    command: Sequence[str]
    trust: "Trust | None"
    note: str


def _start(arguments: Arguments) -> _Started | Problem:
    """Starts the agent that is asked for, or says why there is none."""
    from pitui.demo import PI_VERSION
    from pitui.paths import data_folder
    from pitui.pi.install import find_pi
    from pitui.pi.opened import folder_to_open, look_at_named
    from pitui.pi.trust import look
    from pitui.rpc.spawn import PiNotStartedError, start_pi

    environment, trust = dict(os.environ), None
    alone: Sequence[str] = ()
    if arguments.demo:
        command, version, ask_command, is_here = [sys.executable, "-m", "pitui.demo"], PI_VERSION, (), True
        words = arguments.pi
        environment["DEMO_SHOW"] = "1"
    else:
        pi = find_pi(arguments.command, data_folder())
        if isinstance(pi, Problem):
            return pi
        words = _with_session_file(arguments.pi) if pi.version else arguments.pi
        if isinstance(words, Problem):
            return words
        command, version, is_here = [*pi.command, "--mode", "rpc"], str(pi.version or ""), pi.is_here
        ask_command = () if pi.version else pi.command
        alone = pi.command if is_here else ()
        trust = look(folder_to_open(words, Path.cwd()), words) if is_here else None
    note = look_at_named(words, Path.cwd()) if is_here else ""
    if isinstance(note, Problem):
        return note
    companion, no_companion = _companion(arguments, is_here)
    argv = [*command, *companion, *words]
    try:
        process = None if trust and trust.trusted is None else start_pi(argv, env=environment)
        return _Started(process, argv, environment, version, ask_command, no_companion, alone, trust, note)
    except PiNotStartedError as error:
        return Problem(f"{argv[0]} cannot be run: {error}.", "", f"Name another pi: “{to_run('--pi', 'COMMAND')}”.")


def _set_up(arguments: Arguments, problem: NoPi) -> _Started | Problem:
    """Lets the person get a pi or try the demo, and starts that; the `problem` when they would rather not."""
    from pitui.config import load_settings, settings_file
    from pitui.paths import data_folder
    from pitui.preferences import long_name
    from pitui.ui.setup import SetupApp

    theme = long_name(arguments.theme or load_settings(settings_file()).settings.theme)
    app = SetupApp(problem, data_folder(), theme=theme)
    way = app.run()
    if app.return_code:
        raise SystemExit(app.return_code)  # a signal has ended it, and nobody is there to read more
    if way is None:
        return app.failure or problem
    arguments.demo = way == "demo"
    return _start(arguments)


def _companion(arguments: Arguments, is_here: bool) -> tuple[list[str], str]:
    """The words that load the companion into a pi, or none and the reason."""
    from pitui.companion import COMPANION

    if arguments.no_companion:
        return [], "pitui was started with --no-companion."
    if arguments.companion or is_here:
        return ["-e", arguments.companion or str(COMPANION)], ""
    return [], f"pi may run on another machine. Copy {COMPANION} there, and start pitui with --companion PATH."


def _run(arguments: Arguments, started: _Started | None, give_back: Callable[[], None]) -> tuple[int, str]:
    import asyncio
    import gc

    gc.disable()  # all that is loaded now is kept; collected again from the first frame on
    from pitui.agent import Agent
    from pitui.launch import Launch
    from pitui.lifetime import Lifetime, taking_over
    from pitui.paths import state_folder

    if started is None:
        lifetime = Lifetime(Agent.replaying(Path(arguments.replay)), give_back, theme=arguments.theme)
    else:
        record = Path(arguments.record) if arguments.record else None
        launch = Launch(
            started.argv,
            Path.cwd(),
            started.version,
            record,
            started.environment,
            started.no_companion,
            state_folder() / "open",
            started.command,
            greeting=GREETING if arguments.demo else "",
        )
        agent = Agent(launch, taking_over(started.process), journal=None if arguments.demo else _journal())
        lifetime = Lifetime(
            agent,
            give_back,
            ask_command=started.ask_command,
            resume=arguments.resume,
            theme=arguments.theme,
            trust=started.trust,
            note=started.note,
            way_back=partial(way_back, arguments),
        )
    return asyncio.run(lifetime.run())


def _journal() -> "Journal":
    from pitui.paths import state_folder
    from pitui.store.journal import Journal

    return Journal(state_folder())


def _with_session_file(words: list[str]) -> list[str] | Problem:
    """`words` with an id after ``--session`` made a path: about some ids pi would ask on stderr."""
    from pitui.pi.folders import chosen_session_folder
    from pitui.pi.opened import is_file_name
    from pitui.pi.sessions import find_session

    made: list[str] = []
    folder = chosen_session_folder(_value_after("--session-dir", words))
    for word in words:
        if made and made[-1] == "--session" and not is_file_name(word):
            path = find_session(word, Path.cwd(), folder)
            if isinstance(path, Problem):
                return path
            made.append(str(path))
        else:
            made.append(word)
    return made


def _value_after(option: str, words: list[str]) -> str:
    """The last value of `option`, or nothing."""
    values = [value for name, value in pairwise(words) if name == option]
    return values[-1] if values else ""
