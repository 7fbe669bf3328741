"""Whether pi loads what a folder of work has of its own: settings, extensions, MCP servers, skills, prompts, themes.

As ``core/trust-manager.js`` and ``core/project-trust.js`` of pi 1.6.0 have it. Over RPC pi cannot ask: what is
undecided is not loaded, and pi says nothing of it. Call `contents` and `decide` from a thread where a screen waits.
"""

import json
import os
import shutil
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from typing import Any, NamedTuple, cast

from pitui.pi.folders import agent_folder, text_setting

OWN = ("settings.json", "mcp.json", "extensions", "skills", "prompts", "themes", "SYSTEM.md", "APPEND_SYSTEM.md")
"""What in ``.pi`` of a folder needs trust."""
OPTIONS = {"--approve": True, "-a": True, "--no-approve": False, "-na": False}
"""What decides for one run of pi, and for every folder that it opens a session of."""
LOCK_SECONDS, STALE_SECONDS = 2.0, 10.0
"""How long another's lock is waited for, and how old one is that a dead process has left (``proper-lockfile``)."""


class TrustError(Exception):
    """What is decided cannot be read or written; the text is for the person."""


class Source(Enum):
    """What decides."""

    OPTION = auto()
    """A word of pi's command line."""
    FILE = auto()
    """``trust.json``, for the folder or one above it."""
    SETTING = auto()
    """``defaultProjectTrust`` in pi's settings."""
    NOTHING = auto()
    """Nothing does: pi loads what there is when nothing needs trust, and else would have to ask."""


class Answer(Enum):
    """What a person may say: the choices that pi itself gives."""

    NOT_NOW = auto()
    THIS_TIME = auto()
    ALWAYS = auto()
    PARENT = auto()
    """Always, for the folder above and all in it."""
    NEVER = auto()


class Trust(NamedTuple):
    """How it stands with `folder`, whose links are followed.

    `resources` are what needs trust. `trusted` is None when it is undecided. `decided_for` is the folder that the entry
    in ``trust.json`` names. `damage` says why that file cannot be read: no pi then starts without one of OPTIONS.
    """

    folder: Path
    resources: Sequence[Path]
    trusted: bool | None
    source: Source
    decided_for: str = ""
    damage: str = ""


def look(folder: Path, argv: Sequence[str] = (), environ: Mapping[str, str] = os.environ) -> Trust:
    """What a pi that is started with `argv` makes of `folder`. A few looks at names, and a file only if it matters."""
    real = Path(os.path.realpath(folder))
    resources = _resources(real, environ)
    options = [OPTIONS[word] for word in argv if word in OPTIONS]
    if options:
        return Trust(real, resources, options[-1], Source.OPTION)
    try:
        entry = _nearest(_read(trust_file(environ)), real)
    except TrustError as error:
        return Trust(real, resources, None if resources else True, Source.NOTHING, damage=str(error))
    if entry:
        decided_for, trusted = entry
        return Trust(real, resources, trusted, Source.FILE, decided_for)
    if not resources:
        return Trust(real, resources, True, Source.NOTHING)
    default = {"always": True, "never": False}.get(text_setting("defaultProjectTrust", environ))
    return Trust(real, resources, default, Source.NOTHING if default is None else Source.SETTING)


def contents(resource: Path) -> Sequence[str]:
    """The names in one of the `resources`, where it is a folder that can be read."""
    try:
        return sorted(name for name in os.listdir(resource) if not name.startswith("."))
    except OSError:
        return ()


def decide(folder: Path, answer: Answer, environ: Mapping[str, str] = os.environ) -> None:
    """Write the answer for `folder` where pi keeps it, as pi does; one that is only for now is not written.

    Raises TrustError; a damaged file is left as it is.
    """
    real = Path(os.path.realpath(folder))
    match answer:
        case Answer.ALWAYS | Answer.NEVER:
            decisions = {real: answer is Answer.ALWAYS}
        case Answer.PARENT:
            decisions = {real.parent: True, real: None}
        case Answer.NOT_NOW | Answer.THIS_TIME:
            return
    file = trust_file(environ)
    try:
        with _locked(file):
            entries = _read(file)
            for path, trusted in decisions.items():
                entries = {key: value for key, value in entries.items() if _path(key) != _path(_name(path))}
                entries |= {} if trusted is None else {_name(path): trusted}
            _write(file, entries)
    except OSError as error:
        raise TrustError(f"{error.filename or file} cannot be written: {error.strerror or error}.") from error


def trust_file(environ: Mapping[str, str] = os.environ) -> Path:
    return agent_folder(environ) / "trust.json"


def _resources(folder: Path, environ: Mapping[str, str]) -> list[Path]:
    """What needs trust in the folder, and skills for all agents in it and above; those of the home folder need none."""
    home = os.path.realpath(environ.get("HOME") or Path.home())
    of_the_person = os.path.join(home, ".agents", "skills")
    skills = (os.path.join(parent, ".agents", "skills") for parent in (folder, *folder.parents))
    candidates = [
        *(os.path.join(folder, ".pi", name) for name in OWN),
        *(path for path in skills if path != of_the_person),
    ]
    return [Path(path) for path in candidates if os.path.exists(path)]


def _nearest(entries: Mapping[str, bool | None], folder: Path) -> tuple[str, bool] | None:
    """The entry for the folder, else for the nearest above it."""
    by_path: dict[str, tuple[str, bool]] = {}
    for key, trusted in entries.items():
        if trusted is not None:
            by_path.setdefault(_path(key), (key, trusted))
    found = (by_path.get(_path(_name(parent))) for parent in (folder, *folder.parents))
    return next(filter(None, found), None)


def _path(key: str) -> str:
    return os.path.normcase(os.path.abspath(key))


def _name(path: Path) -> str:
    """As Node.js has it, which replaces bytes that are no UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


def _read(file: Path) -> dict[str, bool | None]:
    """The entries; none when there is no file. pi writes it in place, so one that seems damaged is read once more."""
    try:
        return _parse(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise TrustError(f"{file} cannot be read: {error.strerror}.") from error
    except ValueError:
        time.sleep(0.05)
    try:
        return _parse(file)
    except (OSError, ValueError) as error:
        raise TrustError(f"{file} is damaged: {error}.") from error


def _parse(file: Path) -> dict[str, bool | None]:
    try:
        found: Any = json.loads(file.read_bytes().decode("utf-8-sig"))
    except RecursionError:
        found = None
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    entries = cast("dict[str, Any]", found)
    for key, value in entries.items():
        if not (value is None or isinstance(value, bool)):
            raise ValueError(f"the value for {json.dumps(key)} is not true, false or null")
    return entries


def _write(file: Path, entries: Mapping[str, bool | None]) -> None:
    """As pi writes it, but never half; a link stays a link."""
    target = Path(os.path.realpath(file))
    written = target.with_name(f"{target.name}.{os.getpid()}")
    text = json.dumps(dict(sorted(entries.items())), indent=2, ensure_ascii=False)
    try:
        written.write_bytes(f"{text}\n".encode("utf-8", "surrogatepass"))
        if target.exists():
            shutil.copymode(target, written)
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)


@contextmanager
def _locked(file: Path) -> Generator[None]:
    """Hold pi's lock of the file: a folder beside it."""
    lock = Path(f"{file}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            _remove_stale(lock)
        if time.monotonic() > until:
            raise TrustError(f"Another program holds {lock}. When none does, delete that folder.")
        time.sleep(0.02)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.rmdir()


def _remove_stale(lock: Path) -> None:
    with suppress(OSError):
        if time.time() - lock.stat().st_mtime > STALE_SECONDS:
            lock.rmdir()
