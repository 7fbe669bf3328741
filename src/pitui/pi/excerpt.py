"""Parts of a session file in words, to look into it without opening it."""

from pathlib import Path

from pitui.pi.entries import Said, read_lines, said
from pitui.pi.words import Words

TAIL_BYTES = 256 << 10
PLACE_CHARACTERS = 80_000
"""How far a place is looked for; more than the index takes together."""
SHOWN = {"user", "assistant", "bashExecution", "compaction", "branch_summary", "custom_message"}


def find_place(path: Path, start: int, words: Words) -> Said | None:
    """The first thing said from the offset `start` on in which all the words stand, or else the most of them."""
    best, most, characters = None, 0, 0
    try:
        with path.open("rb") as file:
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


def read_excerpt(path: Path, place: Said | None = None, count: int = 12) -> list[Said]:
    """The last `count` things that people and models said, or those around `place`. Raises OSError."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if place is None:
            start = max(0, size - TAIL_BYTES)
            lines = list(read_lines(file, start))[1 if start else 0 :]
            return [found for line in lines if (found := said(line.entry, line.start)) and found.role in SHOWN][-count:]
        start = max(0, place.start - TAIL_BYTES // 4)
        before: list[Said] = []
        for number, line in enumerate(read_lines(file, start)):
            found = said(line.entry, line.start)
            if found and (found.role in SHOWN or found.start == place.start) and (number or not start):
                before.append(found)
            if line.start > place.start and len(before) > count:
                break
        at = next((number for number, found in enumerate(before) if found.start >= place.start), 0)
        return before[max(0, at - 2) :][:count]
