"""Slash words: ours from the table of actions, and pi's own commands, templates and skills."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from textual.fuzzy import FuzzySearch

from pitui.actions import BY_SLASH
from pitui.session.model import Session

if TYPE_CHECKING:
    from pitui.rpc.results import Command

_KINDS = {"extension": "extension", "prompt": "template", "skill": "skill"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may follow a slash. `kind` says where it is from; it is empty for ours."""

    name: str
    title: str
    argument: str = ""
    kind: str = ""


class Typed(NamedTuple):
    """A prompt that is a slash command, taken apart."""

    name: str
    argument: str


def read_command(text: str) -> Typed | None:
    """The command that `text` is, or None: a path such as ``/etc/hosts`` is none, and neither are several lines."""
    if not text.startswith("/") or len(text) == 1 or text[1].isspace():
        return None
    name, _, argument = text[1:].partition(" ")
    if "/" in name or "\n" in name:
        return None
    return Typed(name, argument.strip())


def is_known(session: Session, name: str) -> bool:
    """Whether pi knows `/name`."""
    return any(command.name == name for command in session.commands)


def words(session: Session, hints: Mapping[str, str] = MappingProxyType({})) -> list[Word]:
    """Ours first; one of pi's that has the name of one of ours is left out, for ours would run.

    `hints` say what templates take, by the path of their file.
    """
    ours = [Word(action.slash, action.title, action.argument) for action in BY_SLASH.values()]
    return ours + list(_of_pi(session.commands, hints))


def _of_pi(commands: "Sequence[Command]", hints: Mapping[str, str]) -> Iterator[Word]:
    """Those that differ only in where they come from say so."""
    alike = Counter(_bare(command.name) for command in commands)
    for command in commands:
        built_in = command.source_info.path.startswith(("builtin:", "<inline:"))
        if not built_in and command.name and command.name != "pitui" and command.name not in BY_SLASH:
            kind = _KINDS.get(command.source, command.source)
            if alike[_bare(command.name)] > 1 and command.source_info.scope:
                kind = f"{kind}, {command.source_info.scope}"
            yield Word(command.name, command.description, hints.get(command.source_info.path, ""), kind)


def begins(name: str, typed: str) -> bool:
    """Whether a command begins as typed; a skill also by its bare name."""
    return name.lower().startswith(typed.lower()) or _bare(name).startswith(typed.lower())


def _bare(name: str) -> str:
    """The name of a skill without what marks it as one."""
    return name.removeprefix("skill:").lower()


def matching(candidates: Sequence[Word], typed: str, used: Mapping[str, float] = MappingProxyType({})) -> list[Word]:
    """Those that fit what was typed after the slash: the same word first, then beginnings, then by likeness.

    Of words that fit alike those that were `used` most come first, and before all others while nothing is typed.
    """
    if not typed:
        return sorted(candidates, key=lambda word: -used.get(word.name, 0.0))
    search, typed = FuzzySearch(), typed.lower()
    ranked: list[tuple[float, Word]] = []
    for word in candidates:
        name, bare = word.name.lower(), _bare(word.name)
        score = max(search.match(typed, name)[0], search.match(typed, bare)[0])
        if score > 0:
            score += 1000 * (typed in (name, bare)) + 100 * begins(name, typed)
            ranked.append((score + 50 * min(1.0, used.get(word.name, 0.0)), word))
    return [word for _, word in sorted(ranked, key=lambda pair: -pair[0])]
