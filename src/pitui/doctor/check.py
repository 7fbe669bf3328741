"""One finding of the doctor."""

from typing import Literal, NamedTuple

Level = Literal["ok", "warning", "error"]


class Check(NamedTuple):
    """`found` is what there is. `remedy` is what to do, for all that is not OK.

    With an error pitui cannot work with pi; with a warning something of it is missing.
    """

    name: str
    level: Level
    found: str
    remedy: str = ""


def ok(name: str, found: str) -> Check:
    return Check(name, "ok", found)


def warning(name: str, found: str, remedy: str) -> Check:
    return Check(name, "warning", found, remedy)


def error(name: str, found: str, remedy: str) -> Check:
    return Check(name, "error", found, remedy)
