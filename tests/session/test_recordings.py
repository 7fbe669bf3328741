"""Everything the real pi has ever said to us: whole, cut short, and with a record missing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitui.rpc.records import decode
from pitui.session.apply import apply
from pitui.session.blocks import Block, TextBlock, ThinkingBlock, TurnBlock
from pitui.session.facts import EntriesLoaded, Exited, Replaced
from pitui.session.model import Phase, Session

from .invariants import assert_sound, is_open
from .recordings import Step, moved_in_the_tree, recordings, steps
from .telling import in_words

RECORDINGS = pytest.mark.parametrize("recording", recordings(), ids=lambda path: path.stem)
REPEATED = 1000  # longer texts of answers are cut in recordings


def told(said: list[Step]) -> Session:
    session = Session()
    for step in said:
        apply(session, step.applied, step.at)
    return session


def replayed(said: list[Step]) -> Session:
    """Looked at after every step."""
    session = Session()
    for step in said:
        apply(session, step.applied, step.at)
        assert_sound(session)
    return session


@RECORDINGS
def test_a_recording_ends_idle_with_nothing_open(recording: Path) -> None:
    session = replayed(steps(recording))
    assert session.phase in (Phase.IDLE, Phase.STARTING)
    assert not [in_words(block) for block in session.blocks if is_open(block)]
    queue = [*session.steering, *session.follow_up]
    assert [block.text for block in session.sending.values() if block.text not in queue] == []


@RECORDINGS
def test_answers_read_as_the_end_of_their_message_says(recording: Path) -> None:
    session = Session()
    for step in steps(recording):
        apply(session, step.applied, step.at)
        message = (step.said or {}).get("message", {})
        if step.said and step.said["type"] == "message_end" and message["role"] == "assistant":
            shown = [
                (block.kind, block.text)
                for block in session.blocks
                if isinstance(block, TextBlock | ThinkingBlock) and block.timestamp == message["timestamp"]
            ]
            assert shown == [part for part in map(_as_shown, message["content"]) if part]


def _as_shown(part: dict[str, Any]) -> tuple[str, str] | None:
    kind = part["type"]
    return (kind, part[kind]) if kind in ("text", "thinking") and part[kind] else None


@RECORDINGS
def test_a_recording_may_stop_after_every_record(recording: Path) -> None:
    said = steps(recording)
    for count in range(len(said)):
        cut = told(said[:count])
        apply(cut, Exited(None, ""))
        assert_sound(cut)
        assert not [in_words(block) for block in cut.blocks if is_open(block)]


@RECORDINGS
def test_any_one_record_may_be_missing(recording: Path) -> None:
    said = steps(recording)
    for missing in range(len(said)):
        session = told([*said[:missing], *said[missing + 1 :]])
        assert_sound(session)
        if (said[missing].said or {}).get("type") in ("agent_settled", "compaction_end"):
            continue  # nothing else tells that it is over
        assert session.phase in (Phase.IDLE, Phase.STARTING), said[missing]
        assert not session.memory.unsettled, said[missing]


@RECORDINGS
def test_what_was_seen_live_is_what_the_entries_give(recording: Path) -> None:
    session, saw_all = Session(), True
    for step in steps(recording):
        before = comparable(session.blocks)
        apply(session, step.applied, step.at)
        if isinstance(step.applied, Replaced) or moved_in_the_tree(step):
            saw_all = False
        if not isinstance(step.applied, EntriesLoaded) or not step.applied.whole:
            continue
        fresh = Session()
        apply(fresh, step.applied)
        assert comparable(session.blocks) == comparable(fresh.blocks)
        assert not saw_all or before == comparable(fresh.blocks)
        saw_all = True
        assert all(block.entry_id for block in session.blocks if block.kind in ("text", "thinking", "prompt"))
        ids = [block.id for block in session.blocks]
        for whole in (False, True, False):
            apply(session, EntriesLoaded(step.applied.entries, step.applied.leaf_id, whole))
            assert [block.id for block in session.blocks] == ids


def comparable(blocks: list[Block]) -> list[str]:
    """What entries hold: no compaction that failed, no command of an extension, and of runs no duration."""
    words = [in_words(block) for block in blocks if not isinstance(block, TurnBlock)]
    return [text[:REPEATED] for text in words if not text.startswith(("compaction failed", "! The extension"))]


@RECORDINGS
def test_another_session_starts_from_nothing(recording: Path) -> None:
    session = replayed(steps(recording))
    last = session.last_block_id
    apply(session, Replaced())
    assert_sound(session)
    assert (session.blocks, session.last_block_id) == ([], last)


@RECORDINGS
def test_a_record_that_is_cut_at_any_byte_does_no_harm(recording: Path) -> None:
    session = Session()
    for step in steps(recording):
        for piece in _cut(step):
            apply(session, decode(piece), step.at)
        apply(session, step.applied, step.at)
    assert_sound(session)


def _cut(step: Step) -> Iterator[bytes]:
    """The beginnings of the record's line: at every byte, and of a long line at two hundred places."""
    line = json.dumps(step.said, ensure_ascii=False).encode("utf-8", "surrogatepass") if step.said else b""
    return (line[:end] for end in range(0, len(line), max(1, len(line) // 200)))
