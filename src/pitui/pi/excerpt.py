"""Parts of a session file in words, to look into it without opening it."""

import os
from pathlib import Path

from pitui.pi.entries import Entry, Line, Said, read_lines, said, text_of
from pitui.pi.sessions import open_session
from pitui.pi.words import Words

TAIL_BYTES = 256 << 10
PLACE_CHARACTERS = 80_000
"""How far a place is looked for; more than the index takes together."""


def find_place(path: Path, start: int, words: Words) -> Said | None:
    """The first thing said from the offset `start` on in which all the words stand, or else the most of them."""
    best, most, characters = None, 0, 0
    try:
        with open_session(path) as file:
            for line in read_lines(file, start):
                found = said(line.entry, line.start)
                if found is None:
                    continue
                count = words.count_in(found.text)
                if count > most:
                    best, most = found, count
                characters += len(found.text)
                if most == len(words) or characters > PLACE_CHARACTERS:
                    break
    except OSError:
        return None
    return best


def read_excerpt(path: Path, place: Said | None = None) -> list[Entry]:
    """The entries at the end of the file, or those around `place` and on its branch. Raises OSError."""
    with open_session(path) as file:
        size = file.seek(0, os.SEEK_END)
        start = max(0, place.start - TAIL_BYTES // 4 if place else size - TAIL_BYTES)
        lines: list[Line] = []
        for line in read_lines(file, start):
            if place and line.start > place.start + TAIL_BYTES:
                break
            lines.append(line)
    lines = [line for line in lines[1 if start else 0 :] if line.entry and not line.problem]
    if place is None:
        return [line.entry for line in lines]
    branch = {place.entry_id}
    for line in lines:
        if line.start > place.start and text_of(line.entry, "parentId") in branch:
            branch.add(text_of(line.entry, "id"))
    return [line.entry for line in lines if line.start < place.start or text_of(line.entry, "id") in branch]
