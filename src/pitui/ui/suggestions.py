"""What may be put in where something is wanted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pitui.render.text import visible
from pitui.ui.commands import Word
from pitui.ui.wanted import Wanted, written


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`text` takes the place of what was typed, and the cursor goes `back` so many letters from its end.

    `name` is what is remembered of the choice. One that `goes_on` is not all of it; one that
    `runs` is sent when Enter takes it.
    """

    name: str
    text: str
    label: str
    detail: str = ""
    note: str = ""
    back: int = 0
    goes_on: bool = False
    runs: bool = False


def of_words(words: Iterable[Word]) -> list[Suggestion]:
    """Slash commands. One that must have an argument is not run without."""
    return [
        Suggestion(
            word.name,
            f"/{word.name} ",
            f"/{word.name} {word.argument}".rstrip(),
            word.title,
            word.kind,
            runs=not word.argument.startswith("<"),
        )
        for word in words
    ]


def of_values(values: Iterable[tuple[str, str]], typed: str) -> list[Suggestion]:
    """The arguments, each with what is said of it, that have what was typed in them; those that begin so first."""
    low = typed.lower()
    fitting = [value for value in values if low in value[0].lower()]
    fitting.sort(key=lambda value: not value[0].lower().startswith(low))
    return [Suggestion(value, value, value, detail, runs=True) for value, detail in fitting]


def of_paths(paths: Sequence[str], wanted: Wanted) -> list[Suggestion]:
    """Files and folders; a folder goes on being completed. What is written out already is none."""
    found = [_of_path(path, wanted) for path in paths]
    typed_out = len(paths) == 1 and paths[0] == wanted.typed
    return [] if typed_out else found


def _of_path(path: str, wanted: Wanted) -> Suggestion:
    is_folder = path.endswith("/")
    bare = wanted.kind == "argument"  # the rest of the line is the path
    text = path if bare else written(path, marked=wanted.kind == "file", quoted=wanted.quoted)
    inside = is_folder and text.endswith('"')
    if not is_folder and not bare:
        text += " "
    head, _, name = path.removesuffix("/").rpartition("/")
    shown, folder = visible(name + "/" * is_folder), head and visible(f"{head}/")
    return Suggestion(path, text, shown, folder, back=int(inside), goes_on=is_folder)
