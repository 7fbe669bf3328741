"""The words of the command line: what is pitui's own, what is pi's, and what neither can take.

Imports nothing heavy: ``--help`` and ``--version`` are answered from here.
"""

from collections.abc import Sequence

from pitui.itself import to_run
from pitui.pi.options import PICKS_SESSION, REFUSED, SUBCOMMANDS, TAKES_NONE, TAKES_VALUE

HELP = """\
pitui - a terminal UI for the coding agent pi

Usage: pitui [options] [pi's options] [-- words for pi as they are]
       pitui setup             Install a pi for pitui alone, where there is none
       pitui setup --update    Bring it to the version that this pitui was made with
       pitui setup --remove    Take it away again
       pitui doctor [--json]   Say whether all is there that pitui needs, and what to do
       pitui auth ...          Log in and out: “pi auth” of the pi that pitui runs

Options:
  --demo             An agent built in: no pi, no key, no network
  --pi COMMAND       How to run pi, such as "/path/to/pi" or "ssh host pi" (else PITUI_PI, else pi on PATH)
  --resume, -r       Choose from the sessions of this folder
  --record FILE      Write all that goes to pi and comes from it, with times
  --replay FILE      Show such a recording, without a pi
  --theme NAME       The theme for this run: dark, light, or another that /theme lists
  --companion PATH   Where pitui's own extension for pi is on the machine that pi runs on, if that is another
  --no-companion     Do not load it: the tree cannot be moved in then, and more
  --version, -v      The version
  --help, -h         This text

pi's options go to pi with their values, among them:
  --continue, -c     Go on with the latest session of this folder
  --session ID|FILE  Open this session             --fork ID|FILE   Copy it into this folder
  --no-session       Save nothing                  --name, -n NAME  Name the session
  --provider NAME, --model PATTERN, --models PATTERNS, --thinking LEVEL, --api-key KEY
  --tools, -t LIST   --exclude-tools LIST   --no-tools   --extension, -e FILE   --skill PATH
  --approve, -a      Trust this folder's own extensions and settings   --no-approve
See "pi --help" for all. Those that make pi answer once and end are refused.

Settings are read from this file (PITUI_CONFIG names another one):
  {settings_file}

Exit codes:
  0    left by the person
  1    pi could not be started, or ended at once
  2    wrong use
  128+N  ended by signal N
"""
"""The text of ``--help``, with a place for the name of the settings file."""


class UsageError(ValueError):
    """The command line asks for what cannot be; the text says what to do instead."""


class Arguments:
    """A command line, read. `pi` are the words for pi, in their order; the last of them may be `unread`."""

    def __init__(self) -> None:
        self.help = False
        self.version = False
        self.demo = False
        self.resume = False
        self.companion = ""
        self.no_companion = False
        self.command = ""
        self.record = ""
        self.replay = ""
        self.theme = ""
        self.pi: list[str] = []
        self.unread: list[str] = []


_OWN_VALUES = {
    "--pi": "command",
    "--companion": "companion",
    "--record": "record",
    "--replay": "replay",
    "--theme": "theme",
}
_OWN_FLAGS = {
    "--help": "help",
    "-h": "help",
    "--version": "version",
    "-v": "version",
    "--demo": "demo",
    "--no-companion": "no_companion",
    **dict.fromkeys(PICKS_SESSION, "resume"),
}
_OF_ONE_START = frozenset("--continue -c --no-session --session --session-id --fork --name -n --api-key".split())


def read_arguments(words: Sequence[str]) -> Arguments:
    """The meaning of `words`. Raises UsageError."""
    arguments = Arguments()
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            arguments.unread = _as_they_are(left)
            arguments.pi += arguments.unread
            break
        name, equals, value = word.partition("=")
        if equals and (name in _OWN_VALUES or name in TAKES_VALUE):
            word = name
            left.insert(0, value)
        if word in _OWN_FLAGS:
            setattr(arguments, _OWN_FLAGS[word], True)
            if arguments.help or arguments.version:
                return arguments
        elif word in _OWN_VALUES:
            setattr(arguments, _OWN_VALUES[word], _value_of(word, left))
        elif word in TAKES_VALUE:
            arguments.pi += [word, _value_of(word, left)]
        elif word in TAKES_NONE:
            arguments.pi.append(word)
        elif name in REFUSED:
            raise UsageError(f"{name} cannot be used with pitui. {REFUSED[name]}")
        elif word.startswith("--"):
            arguments.pi += _extension_flag(word, left)
        elif word.startswith("-"):
            raise UsageError(
                f"There is no option {word}. See “{to_run('--help')}”; after “--” words go to pi as they are."
            )
        else:
            raise UsageError(_not_a_message(word))
    _check_together(arguments)
    return arguments


def way_back(arguments: Arguments, session: str) -> str:
    """What to type to come back to the file `session`, with the same pi and options. A key is not shown."""
    words = list[str]()
    if arguments.demo:
        words.append("--demo")
    for option, name in (("--pi", "command"), ("--companion", "companion"), ("--theme", "theme")):
        if value := getattr(arguments, name):
            words += [option, value]
    if arguments.no_companion:
        words.append("--no-companion")
    words += _without_session(arguments.pi[: len(arguments.pi) - len(arguments.unread)])
    words += ["--session", session]
    if unread := _without_session(arguments.unread):
        words += ["--", *unread]
    return to_run(*words)


def _without_session(words: Sequence[str]) -> list[str]:
    """`words` for pi but those that choose or name a session, and a key."""
    kept: list[str] = []
    left = list(words)
    while left:
        option = left.pop(0)
        value = [left.pop(0)] if option in TAKES_VALUE and left else []
        if option not in _OF_ONE_START:
            kept += [option, *value]
    return kept


def _value_of(option: str, left: list[str]) -> str:
    if not left or not left[0]:
        raise UsageError(f"{option} needs a value.")
    return left.pop(0)


def _extension_flag(word: str, left: list[str]) -> list[str]:
    """An option of some extension, with the word that pi would take as its value."""
    if "=" not in word and left and not left[0].startswith(("-", "@")):
        return [word, left.pop(0)]
    return [word]


def _as_they_are(words: list[str]) -> list[str]:
    for word in words:
        name = word.partition("=")[0]
        if name in REFUSED:
            raise UsageError(f"{name} cannot be used with pitui. {REFUSED[name]}")
        if word in PICKS_SESSION:
            raise UsageError(f"{word} must stand before “--”: pitui shows the list of sessions itself.")
    return words


def _not_a_message(word: str) -> str:
    if word in SUBCOMMANDS:
        return f"“{word}” is a command of pi: run “pi {word}” itself."
    return (
        f"pitui takes no messages and files on its command line: “{word}”.\n"
        "Start it without, and type the message there. For one answer and no screen: pi -p MESSAGE."
    )


def _check_together(arguments: Arguments) -> None:
    if arguments.companion and arguments.no_companion:
        raise UsageError("--companion and --no-companion say the opposite: use one of them.")
    if arguments.replay and (arguments.demo or arguments.command or arguments.record or arguments.pi):
        raise UsageError("--replay shows a recording, without any pi: it goes with no other option but --theme.")
    if arguments.demo and arguments.command:
        raise UsageError("--demo and --pi both say what to run: use one of them.")
    if arguments.resume and {"--continue", "-c", "--session", "--session-id", "--fork"} & set(arguments.pi):
        raise UsageError("--resume, --continue, --session and --fork each choose a session: use one of them.")
