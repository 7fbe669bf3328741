"""All entries of a session in one answer, read a piece at a time."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc import entries
from pitui.rpc.entries import read_in_pieces
from pitui.rpc.reading import read
from pitui.rpc.requests import GetEntries, read_answer
from pitui.rpc.results import Entries, Envelope


def answer(found: list[dict[str, Any]]) -> bytes:
    """As pi writes it."""
    data = {"entries": found, "leafId": found[-1]["id"] if found else None}
    line = {"id": "1", "type": "response", "command": "get_entries", "success": True, "data": data}
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()


def said(number: int, content: Any) -> dict[str, Any]:
    message = {"role": "user", "content": content, "timestamp": number}
    return {"type": "message", "id": f"{number:08x}", "parentId": None, "timestamp": "", "message": message}


def whole(line: bytes) -> Entries:
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Envelope[Entries]] = TypeAdapter(Envelope[Entries])
    data = read(adapter, line).data
    assert data
    return data


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "PIECE", 50)


@given(st.lists(st.text(max_size=80), min_size=1, max_size=12))
def test_pieces_give_what_the_whole_gives(texts: list[str]):
    line = answer([said(number, [{"type": "text", "text": text}] * 2) for number, text in enumerate(texts)])
    read_ = read_in_pieces(line)
    assert read_ == whole(line)


def test_what_looks_like_a_seam_inside_an_entry_costs_nothing_but_time():
    inside = [{"type": "message", "id": "1", "parentId": None}] * 30
    custom = {"type": "custom", "id": "c", "parentId": None, "timestamp": "", "customType": "x", "data": inside}
    line = answer([said(1, "one"), custom, said(2, "two")])
    assert [entry.id for entry in read_answer(GetEntries(), line).entries] == ["00000001", "c", "00000002"]


def test_a_text_that_looks_like_the_end_of_an_entry_stays_a_text():
    text = '"},{"type":"message","id":"9","parentId":null}' * 10
    found = read_in_pieces(answer([said(1, text), said(2, text)]))
    assert found is not None and len(found.entries) == 2


@pytest.mark.parametrize(
    "line",
    [
        answer([]),
        answer([said(1, "one"), {"id": "x", "parentId": None}]),
        answer([said(1, "one")])[:-9],
        b'{"id":"1","type":"response","command":"get_entries","success":false,"error":"no"}',
    ],
)
def test_any_other_line_is_left_to_the_thorough_reader(line: bytes):
    assert read_in_pieces(line) is None
