"""The answer with all entries of a session, read a piece at a time.

A long session is one line of many megabytes. A parser that takes it whole keeps the interpreter to itself all
the while, and nothing typed meanwhile shows; between two pieces the event loop has its turn.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic import TypeAdapter, ValidationError

from pitui.rpc.messages import Entry
from pitui.rpc.results import Entries

PIECE = 64 * 1024
"""Bytes that are read at a time, in a few milliseconds."""
_HEAD = re.compile(rb'\{"id":"[^"\\]*","type":"response","command":"get_entries","success":true,"data":\{"entries":\[')
_TAIL = re.compile(rb'\],"leafId":"([^"\\]*)"\}\}\s*\Z')
_SEAM = re.compile(rb'\},(?=\{"type":"\w+","id":"\w+","parentId":)')
_ENTRIES: TypeAdapter[list[Entry]] = TypeAdapter(list[Entry])


def read_in_pieces(line: bytes) -> Entries | None:
    """The entries of a ``get_entries`` response as pi 1.6.0 writes it. None for any other line: that is read whole."""
    head, tail = _HEAD.match(line), _TAIL.search(line, max(0, len(line) - 256))
    if head is None or tail is None or tail.start() <= head.end():
        return None
    entries: list[Entry] = []
    try:
        for piece in _pieces(line, head.end(), tail.start()):
            entries += _ENTRIES.validate_json(b"[%b]" % piece)
    except ValidationError:
        return None  # it takes a repair, or a seam was inside an entry, which leaves neither side whole
    return Entries.model_construct(entries=entries, leaf_id=tail.group(1).decode())


def _pieces(line: bytes, start: int, end: int) -> Iterator[bytes]:
    """Some entries each, with commas between them."""
    while start < end:
        seam = _SEAM.search(line, min(start + PIECE, end), end)
        stop = seam.start() + 1 if seam else end
        yield line[start:stop]
        start = stop + 1


def read_lines(lines: Sequence[bytes]) -> list[Entry]:
    """The entries in lines of a session file; none at all when one of them is damaged or not known."""
    try:
        return _ENTRIES.validate_json(b"[%b]" % b",".join(lines))
    except ValidationError:
        return []
