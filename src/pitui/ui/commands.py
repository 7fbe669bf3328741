"""Slash words: ours from the table of actions, and pi's own commands, templates and skills."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


def words(session: Session) -> list[Word]:
    """Ours first; one of pi's that has the name of one of ours is left out, for ours would run."""
    ours = [Word(action.slash, action.title, action.argument) for action in BY_SLASH.values()]
    return ours + list(_of_pi(session.commands))


def _of_pi(commands: "Sequence[Command]") -> Iterator[Word]:
    for command in commands:
        built_in = command.source_info.path.startswith(("builtin:", "<inline:"))
        if not built_in and command.name and command.name != "pitui" and command.name not in BY_SLASH:
            yield Word(command.name, command.description, kind=_KINDS.get(command.source, command.source))


def matching(candidates: Sequence[Word], typed: str) -> list[Word]:
    """Those that fit what was typed after the slash: the same word first, then beginnings, then by likeness."""
    if not typed:
        return list(candidates)
    search, typed = FuzzySearch(), typed.lower()
    ranked: list[tuple[float, Word]] = []
    for word in candidates:
        name = word.name.lower()
        score = max(search.match(typed, name)[0], search.match(typed, name.rpartition(":")[2])[0])
        if score > 0:
            ranked.append((score + 1000 * (name == typed) + 100 * name.startswith(typed), word))
    return [word for _, word in sorted(ranked, key=lambda pair: -pair[0])]
