"""A file system in memory, and the difference between two texts as pi's edit tool tells it."""

from collections.abc import Iterator
from difflib import SequenceMatcher, unified_diff
from typing import Any

CONTEXT = 4
HELLO = "def hello(name):\n    print('hello', name)\n"
PROJECT = {
    "README.md": "# Greeter\n\nSays hello, politely.\n\n- `hello.py` greets\n- `tests/test_hello.py` checks it\n",
    "tests/test_hello.py": 'from hello import hello\n\n\ndef test_hello(capsys):\n    hello("Ada")\n'
    '    assert capsys.readouterr().out == "hello Ada\\n"\n',
}


class Files:
    """Texts by path relative to the project."""

    def __init__(self, whole_project: bool) -> None:
        self.texts = {"hello.py": HELLO, **(PROJECT if whole_project else {})}

    def get(self, path: str) -> str | None:
        return self.texts.get(path.removeprefix("./"))

    def put(self, path: str, text: str) -> None:
        self.texts[path.removeprefix("./")] = text

    def remove(self, path: str) -> bool:
        """Remove a file, or a folder with all that is in it; whether there was one."""
        path = path.removeprefix("./").rstrip("/")
        gone = [name for name in self.texts if name == path or name.startswith(path + "/")]
        for name in gone:
            del self.texts[name]
        return bool(gone)

    def names(self, folder: str = ".") -> list[str]:
        """The files and folders (with a ``/``) directly in a folder."""
        prefix = "" if folder in (".", "./", "") else folder.removeprefix("./").rstrip("/") + "/"
        inside = [name.removeprefix(prefix) for name in self.texts if name.startswith(prefix)]
        return sorted({name.split("/")[0] + ("/" if "/" in name else "") for name in inside})


class EditError(Exception):
    """What pi's edit tool answers when it cannot edit."""


def edited(path: str, text: str, edits: list[dict[str, str]]) -> str:
    """The text with every edit made; each must find its place exactly once. Raises EditError."""
    spans: list[tuple[int, int, str]] = []
    for index, edit in enumerate(edits):
        old, which = edit["oldText"], f"edits[{index}]"
        found = text.count(old)
        if found == 0:
            what = "the exact text" if len(edits) == 1 else which
            name = "old text" if len(edits) == 1 else "oldText"
            raise EditError(
                f"Could not find {what} in {path}. The {name} must match exactly including all whitespace and newlines."
            )
        if found > 1:
            what = "the text" if len(edits) == 1 else which
            each = "The text" if len(edits) == 1 else "Each oldText"
            raise EditError(
                f"Found {found} occurrences of {what} in {path}. {each} must be unique."
                " Please provide more context to make it unique."
            )
        start = text.index(old)
        spans.append((start, start + len(old), edit["newText"]))
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def difference(path: str, old: str, new: str) -> dict[str, Any]:
    """The details of an edit: a ``diff`` with line numbers, a unified ``patch``, and ``firstChangedLine``."""
    before, after = old.splitlines(), new.splitlines()
    rows = list(_rows(before, after))
    changed = [row for row in rows if row[0] in "+-"]
    unified = unified_diff(old.splitlines(True), new.splitlines(True), path, path, n=CONTEXT)
    return {
        "diff": "\n".join(_shown(rows, before, after)),
        "patch": "".join(unified),
        "firstChangedLine": min((line for _, _, line in changed), default=1),
    }


def _rows(before: list[str], after: list[str]) -> Iterator[tuple[str, int, int]]:
    """A sign, the number to show and the number in the new text, for every line that is in either text."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for _, old_start, old_end, new_start, new_end in blocks:
        if before[old_start:old_end] == after[new_start:new_end]:
            for offset in range(old_end - old_start):
                yield " ", old_start + offset + 1, new_start + offset + 1
            continue
        for line in range(old_start, old_end):
            yield "-", line + 1, new_start + 1
        for line in range(new_start, new_end):
            yield "+", line + 1, line + 1


def _shown(rows: list[tuple[str, int, int]], before: list[str], after: list[str]) -> Iterator[str]:
    """The rows near a change, with ``...`` for those left out."""
    width = len(str(max(len(before), len(after)) + 1))
    near = [
        any(sign != " " for sign, _, _ in rows[max(0, index - CONTEXT) : index + CONTEXT + 1])
        for index in range(len(rows))
    ]
    for index, (sign, number, _) in enumerate(rows):
        if near[index]:
            line = (after if sign == "+" else before)[number - 1]
            yield f"{sign}{number:>{width}} {line}"
        elif index == 0 or near[index - 1]:
            yield f" {'':>{width}} ..."
