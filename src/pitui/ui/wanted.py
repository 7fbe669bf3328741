"""What a person may want to have completed, told from what stands before the cursor."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["command", "argument", "file", "path"]

_DELIMITERS = re.compile("[ \t\"'=]")
"""What a path begins after, and ends with where it is not quoted: as in pi (``autocomplete.js``)."""
_LOOKS_LIKE_A_PATH = re.compile(r"\.{0,2}/|~/|[^/]+/")
_ESCAPED = re.compile('["\x00-\x1f\x7f-\x9f\xad\u2028-\u202e\u2066-\u2069\ud800-\udfff]')
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"'}


@dataclass(frozen=True, slots=True)
class Wanted:
    """`typed` is what is to be completed, without what marks or quotes it, and `length` is all that is replaced.

    `command` is the name of the slash command whose argument it is.
    """

    kind: Kind
    typed: str
    length: int
    command: str = ""
    quoted: bool = False


def wanted(before: str, *, alone: bool = True) -> Wanted | None:
    """What is wanted after `before`, which stands before the cursor in its line; `alone` if there is no other line."""
    if alone and before.startswith("/"):
        name, space, argument = before[1:].partition(" ")
        if "/" not in name and "\t" not in name:
            if not space:
                return Wanted("command", name, len(before))
            argument = argument.lstrip(" ")
            return Wanted("argument", argument, len(argument), name)
    found = path_before(before)
    if found.kind == "file" or (found.typed and _LOOKS_LIKE_A_PATH.match(found.typed)):
        return found
    return None


def path_before(before: str) -> Wanted:
    """The path that ends at the cursor, even if nothing says that it is one."""
    quote = before.rfind('"') if before.count('"') % 2 else -1
    if quote >= 0:
        marked = quote > 0 and before[quote - 1] == "@"
        start = quote - marked
        if start == 0 or _DELIMITERS.match(before[start - 1]):
            return Wanted("file" if marked else "path", before[quote + 1 :], len(before) - start, quoted=True)
    token = _DELIMITERS.split(before)[-1]
    if token.startswith("@"):
        return Wanted("file", token[1:], len(token))
    return Wanted("path", token, len(token))


def written(path: str, *, marked: bool, quoted: bool) -> str:
    """A path as it stands in a prompt: in quotes where it holds a space, as pi writes it.

    What cannot stand in a line of text is written as git writes such names, with backslashes.
    """
    mark = "@" if marked else ""
    if _ESCAPED.search(path):
        return f'{mark}"{_ESCAPED.sub(_escape, path.replace(chr(92), chr(92) * 2))}"'
    return f'{mark}"{path}"' if quoted or _DELIMITERS.search(path) else mark + path


def _escape(match: re.Match[str]) -> str:
    letter, code = match[0], ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no text
        code -= 0xDC00
    return _SHORT.get(letter) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
