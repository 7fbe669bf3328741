"""Bytes become lines."""

import tracemalloc
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.framing import Framer


def lines_of(*chunks: bytes) -> list[bytes]:
    framer = Framer()
    lines = [line for chunk in chunks for line in framer.feed(chunk)]
    last = framer.finish()
    return lines if last is None else [*lines, last]


def test_only_a_line_feed_ends_a_line():
    text = "left\u2028mid\u2029right\u0085nel\vvt\fff\x1cfs\rcr end"
    assert lines_of(text.encode() + b"\n" + b"next\n") == [text.encode(), b"next"]


def test_a_carriage_return_before_the_line_feed_goes_and_only_that_one():
    assert lines_of(b"a\r\nb\r\r\nc\rd\n") == [b"a", b"b\r", b"c\rd"]


def test_a_line_feed_whose_carriage_return_came_in_the_chunk_before():
    assert lines_of(b"a\r", b"\nb\n") == [b"a", b"b"]


def test_blank_lines_are_no_records():
    assert lines_of(b"\n\r\n  \n\t\r\na\n\n") == [b"a"]


def test_the_last_line_needs_no_line_feed():
    assert lines_of(b"a\nb") == [b"a", b"b"]
    assert lines_of(b"a\nb\r") == [b"a", b"b"]
    assert lines_of(b"a\n\r") == [b"a"]


def test_nothing_is_said_before_the_line_is_whole():
    framer = Framer()
    assert framer.feed(b'{"type":') == []
    assert framer.feed(b'"agent_start"}') == []
    assert framer.feed(b"\n") == [b'{"type":"agent_start"}']
    assert framer.finish() is None


def test_characters_torn_between_two_chunks_are_whole_again():
    text = "naïve 漢字 👩\u200d👩\u200d👧 end".encode()
    for at in range(len(text)):
        assert lines_of(text[:at], text[at:] + b"\n") == [text]


@given(st.binary(), st.lists(st.integers(0, 200)))
def test_how_a_stream_is_cut_changes_nothing(stream: bytes, cuts: list[int]):
    marks = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    chunks = [stream[start:end] for start, end in pairwise(marks)]
    whole = [line.removesuffix(b"\r") for line in stream.split(b"\n")]
    assert lines_of(*chunks) == [line for line in whole if line.strip()]


@given(st.lists(st.binary(min_size=1).filter(lambda line: b"\n" not in line and line.strip() and line[-1:] != b"\r")))
def test_lines_come_back_one_byte_at_a_time(lines: list[bytes]):
    stream = b"".join(line + b"\r\n" for line in lines)
    assert lines_of(*(stream[at : at + 1] for at in range(len(stream)))) == lines


def test_a_line_of_64_mib_is_put_together_once():
    size, chunk = 64 << 20, bytes(64 << 10)
    framer = Framer()
    tracemalloc.start()
    try:
        for _ in range(size // len(chunk)):
            assert framer.feed(chunk) == []
        waiting = tracemalloc.get_traced_memory()[0]
        (line,) = framer.feed(b"\n")
    finally:
        tracemalloc.stop()
    assert len(line) == size
    assert waiting < size // 8  # the chunks themselves are kept, no copy of them
