"""Prompts of a pitui or a pi that ended: which of them pi has said, and which come back to the person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from pitui import rpc
from pitui.pi.sessions import open_session, read_session
from pitui.quoting import quoted
from pitui.rpc.messages import Entry, ImagePart, MessageEntry, UserMessage, text_of
from pitui.session import facts
from pitui.session.model import Returned

if TYPE_CHECKING:
    from pitui.outbox import Outbox
    from pitui.store.journal import Row

ONE_BACK = "A prompt was not delivered before pitui or pi ended; it is in the prompt again."
MANY_BACK = "{} prompts were not delivered before pitui or pi ended; they are in the prompt again."
UNCLEAR = (
    "pi may have had what is in the prompt again: the session has {}, which an extension may have made of it. "
    "Send it only if it is not that."
)
ONE_ELSEWHERE = "A prompt in the session {} was not delivered. It comes back when that session is opened."
MANY_ELSEWHERE = "{} prompts in the session {} were not delivered. They come back when that session is opened."


async def recover(outbox: Outbox, unsure: Collection[Row]) -> None:
    """Give the person what was sent in the open session and never said, once; tell of what was in others.

    To be called when all entries of the session are known. Of what is unsure in the outbox `unsure` are those that were
    so before the entries were asked for; what pi has said since is in none of them. What was sent in a session of this
    folder that was never saved comes back in any.
    """
    session, folder = outbox.session, outbox.folder
    file, id_ = session.file, session.id

    def is_ours(row: Row) -> bool:
        if row.session_id == id_ or (file and row.session_file == file):
            return True
        return row.folder == folder and not (row.session_file and Path(row.session_file).exists())

    claimed, others = await outbox.ledger.claim(is_ours, outbox.next_key)
    rows = [*(row for row in outbox.unsure if row in unsure), *claimed]
    outbox.unsure = [row for row in outbox.unsure if row not in unsure]
    here = [row for row in rows if row.session_id == session.id]
    lost, strange = compare(here, session.entries.values())
    for path, elsewhere in _by_file(row for row in rows if row not in here):
        lost += not_said(elsewhere, await anyio.to_thread.run_sync(_said_in_file, path))
    kept = {row.key for row in lost}
    outbox.ledger.forget(row.key for row in rows if row.key not in kept)
    if lost:
        lost = [replace(row, state="returned", sent=None) for row in sorted(lost, key=lambda row: row.key)]
        for row in lost:
            outbox.ledger.write_soon(row)
        outbox.apply(facts.GivenBack([_as_returned(row) for row in lost]))
        back = MANY_BACK.format(len(lost)) if lost[1:] else ONE_BACK
        outbox.apply(facts.Noticed("warning", UNCLEAR.format(quoted(strange[-1])) if strange else back))
    waiting: dict[str, int] = {}
    for path, elsewhere in _by_file(row for row in others if row.folder == folder):
        left = not_said(elsewhere, await anyio.to_thread.run_sync(_said_in_file, path))
        if left:
            waiting[str(path)] = len(left)
            if outbox.elsewhere.get(str(path)) != len(left):  # else it is told already
                title = quoted((await anyio.to_thread.run_sync(read_session, path)).title)
                said = MANY_ELSEWHERE.format(len(left), title) if left[1:] else ONE_ELSEWHERE.format(title)
                outbox.apply(facts.Noticed("warning", said))
    outbox.elsewhere = waiting


def look_back(outbox: Outbox) -> None:
    """Give the person what the pi that has ended leaves, but for what it has said.

    Told to end, pi tells nothing more, and says the next message that waits all the same. To be called when the entries
    are known that it has written since.
    """
    had = outbox.left_in_pi
    rows = [item.row or outbox.row_of(item) for item in had]
    file, entries = outbox.session.file, outbox.session.entries.values()
    before = [row for row in outbox.unsure if row.session_file == file]
    lost, strange = compare([*before, *rows], entries)
    kept = {row.key for row in lost}
    for item in had:
        if item.key not in kept:
            outbox.was_said(item)
    if strange:
        outbox.apply(facts.Noticed("warning", UNCLEAR.format(quoted(strange[-1]))))
    outbox.come_back(outbox.left)


def _by_file(rows: Iterable[Row]) -> list[tuple[Path, list[Row]]]:
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row.session_file, []).append(row)
    return [(Path(file), of_file) for file, of_file in grouped.items()]


def _as_returned(row: Row) -> Returned:
    return Returned(row.text, tuple(ImagePart(data=data, mime_type=mime) for data, mime in row.images), row.key)


def not_said(rows: Sequence[Row], entries: Iterable[Entry]) -> list[Row]:
    """Those of the rows that are in none of the entries of their session."""
    return compare(rows, entries)[0]


def compare(rows: Sequence[Row], entries: Iterable[Entry]) -> tuple[list[Row], list[str]]:
    """Those of the rows that are in none of the entries of their session, and what was said since they were written
    that is none of the rows: an extension may have made it of one, which nobody can know.

    Each entry is one prompt at most, and one that was said before a row was written is not that. pi adds to a text what
    it did to an image, and makes another of a template or a skill: such a one is the first that is nobody else's.
    """
    said = [_said(entry) for entry in entries]
    prompts = [prompt for prompt in said if prompt]
    places = {at: place for place, (at, _) in enumerate(prompts, 1)}
    taken: set[int] = set()
    found: set[int] = set()

    def first_place(row: Row) -> int:
        return places.get(row.after, len(prompts)) if row.after else 0

    def look_for(row: Row, is_it: Callable[[str], bool]) -> None:
        first = first_place(row)
        place = next((at for at in range(first, len(prompts)) if at not in taken and is_it(prompts[at][1])), None)
        if place is not None:
            taken.add(place)
            found.add(row.key)

    sent = [row for row in rows if row.state in ("open", "changed") and row.kind != "command"]
    for row in sent:
        look_for(row, partial(_is, text=row.sent if row.sent is not None else row.text))
    for row in sent:
        if row.key not in found and row.sent is None and row.text.startswith("/"):
            look_for(row, partial(_may_be, typed=row.text))
    open_ones = [row for row in sent if row.key not in found]
    first = min((first_place(row) for row in open_ones), default=len(prompts))
    strange = [prompts[place][1] for place in range(first, len(prompts)) if place not in taken]
    return [row for row in rows if row.key not in found or row.state == "changed"], strange


def _said(entry: Entry) -> tuple[float, str] | None:
    """pi's time of a prompt, which tells it from others, and its text; None for another entry."""
    if not isinstance(entry, MessageEntry) or not isinstance(entry.message, UserMessage):
        return None
    return entry.message.timestamp, text_of(entry.message.content)


def _is(said: str, text: str) -> bool:
    return said == text or said.startswith(f"{text}\n\n")


def _may_be(said: str, typed: str) -> bool:
    """Whether pi may have made that of a command for a skill or a template."""
    name = typed.split(maxsplit=1)[0]
    return said.startswith(f'<skill name="{name[7:]}"') if name.startswith("/skill:") else True


def _said_in_file(path: Path) -> list[Entry]:
    """The prompts in a session file."""
    try:
        with open_session(path) as file:
            return [entry for line in file if b'"user"' in line for entry in rpc.entries.read_lines([line])]
    except OSError:  # it was never written, or is not on this machine
        return []
