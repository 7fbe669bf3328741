"""``python -m pitui.demo [pi options]``: the demo agent on stdin and stdout.

``LAB_TPS`` is tokens a second (default 200, 0 is at once), ``LAB_CHUNK`` tokens a delta (default 3), ``LAB_FAILS`` how
many ``#fail`` lines fail. ``DEMO_SHOW=1`` answers plain words and has more files, tools and commands.
"""

import asyncio
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from pitui.demo import PI_VERSION
from pitui.demo.agent import Agent
from pitui.demo.companion import NAME as COMPANION
from pitui.demo.companion import Companion
from pitui.demo.extension import Extension, Questions
from pitui.demo.files import Files
from pitui.demo.models import SCRIPTED, SHOWN, Model
from pitui.demo.requests import Requests, begin
from pitui.demo.script import Script, fail_first
from pitui.demo.session import Session, session_folder
from pitui.demo.show import WELCOME, Show
from pitui.demo.tools import Tools
from pitui.demo.wire import Wire
from pitui.operating_system import LEAVING, on_signal

TAKE_A_VALUE = frozenset(
    "--mode --provider --model --models --name --session --session-id --session-dir --fork --thinking --tools"
    " --exclude-tools --extension -e --skill --prompt-template --theme --api-key --system-prompt"
    " --append-system-prompt".split()
)
STAND_ALONE = frozenset(
    "--continue -c --no-session --approve -a --no-approve --no-tools --no-builtin-tools --no-extensions --no-skills"
    " --no-prompt-templates --no-themes --no-context-files --verbose --offline".split()
)
ASKING = "asking-extension.ts"


@dataclass
class Options:
    values: dict[str, str] = field(default_factory=dict[str, str])
    extensions: list[str] = field(default_factory=list[str])
    flags: set[str] = field(default_factory=set[str])


class UsageError(Exception):
    """An option that pi would refuse."""


def options(arguments: list[str]) -> Options:
    """pi's options as far as they mean something here. Raises UsageError for one that pi does not know."""
    read = Options()
    words = iter(arguments)
    for word in words:
        name, _, value = word.partition("=")
        if name in TAKE_A_VALUE:
            value = value or next(words, "")
            if name in ("-e", "--extension"):
                read.extensions.append(value)
            read.values[name] = value
        elif word in STAND_ALONE:
            read.flags.add(word)
        elif word.startswith("-"):
            raise UsageError(f"Unknown option: {word}")
    return read


def chosen_model(models: tuple[Model, ...], wanted: str) -> Model:
    by_name = {name: model for model in models for name in (model["id"], f"{model['provider']}/{model['id']}")}
    return by_name.get(wanted, models[0])


def latest(sessions: Path) -> Path | None:
    return max(sessions.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, default=None)


def first_session(read: Options, folder: str, sessions: Path | None) -> Session:
    """The session to start with. Raises UsageError when it cannot be read."""
    path = Path(read.values["--session"]) if "--session" in read.values else None
    if sessions and read.flags & {"--continue", "-c"}:
        path = latest(sessions)
    if not path:
        return Session.new(folder, sessions)
    try:
        return Session.load(folder, path.absolute())
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"Cannot open session {path}: {error}") from error


async def serve(read: Options) -> int:
    """Answer until stdin ends; the exit code."""
    shown = os.environ.get("DEMO_SHOW") == "1"
    folder = os.getcwd()
    chosen = read.values.get("--session-dir") or os.environ.get("PI_CODING_AGENT_SESSION_DIR")
    sessions = None if "--no-session" in read.flags else session_folder(chosen, folder)
    models = SHOWN if shown else SCRIPTED
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    wire = Wire(lambda line: end(0) if line is None else requests.heard(line))
    questions = Questions(wire)
    asking = next((path for path in read.extensions if path.endswith(ASKING)), "demo" if shown else None)
    companion = next((path for path in read.extensions if path.endswith(COMPANION)), None)
    extension = Extension(questions, asking, companion)
    tools = Tools(Files(shown), folder, ("read", "bash", "edit", "write", *(("grep", "ls") if shown else ())))
    show = Show()
    fails = fail_first(float(os.environ.get("LAB_FAILS", "inf")))
    script = Script(show.script, show.fails) if shown else Script(str, fails)
    agent = Agent(wire, script, tools, extension, chosen_model(models, read.values.get("--model", "")))
    requests = Requests(wire, agent, tools, extension, models)
    requests.sessions = sessions
    extension.run_companion = Companion(requests, agent, tools, extension, models).run
    session = first_session(read, folder, sessions)
    agent.session, tools.folder = session, session.folder
    if not session.entries:
        begin(session, agent)
    if name := read.values.get("--name"):
        session.append("session_info", name=name)
    for number in LEAVING:
        on_signal(asyncio.get_running_loop(), number, end, 128 + number)
    extension.tell_companion("session_started", reason="startup")
    if shown and not session.saved:
        questions.notify(WELCOME)
    wire.listen()
    code = await ended
    wire.closed = True
    return code


def main() -> int:
    if "--version" in sys.argv[1:]:
        print(PI_VERSION)  # noqa: T201
        return 0
    try:
        return asyncio.run(serve(options(sys.argv[1:])))
    except UsageError as error:
        print(f"Error: {error}", file=sys.stderr)  # noqa: T201
        return 1


if __name__ == "__main__":
    sys.exit(main())
