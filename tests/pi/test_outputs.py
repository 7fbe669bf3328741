"""The whole output that pi keeps in a file is read, or it is said why not."""

import os
from pathlib import Path

import pytest

from pitui.pi.outputs import Output, OutputError, read_output


def lines(output: Output) -> list[bytes]:
    return [output.line(number) for number in range(output.count)]


@pytest.mark.parametrize(
    ("data", "read"),
    [
        (b"", []),
        (b"one", [b"one"]),
        (b"one\n", [b"one"]),
        (b"one\n\ntwo \xff\n", [b"one", b"", b"two \xff"]),
        (b"\n\n", [b"", b""]),
    ],
)
def test_every_line_of_it_is_there(tmp_path: Path, data: bytes, read: list[bytes]) -> None:
    (tmp_path / "out").write_bytes(data)
    output = read_output(tmp_path / "out")
    assert (lines(output), output.left_out) == (read, 0)


def test_of_a_file_that_is_too_large_the_end_is_kept_from_a_whole_line_on(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"first\nsecond\nthird\n")
    output = read_output(tmp_path / "out", limit=10)
    assert lines(output) == [b"third"]
    assert output.left_out == len(b"first\nsecond\n")


def test_one_line_that_is_too_long_is_kept_in_part(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"x" * 100)
    output = read_output(tmp_path / "out", limit=10)
    assert (lines(output), output.left_out) == ([b"x" * 10], 90)


def test_a_file_that_is_gone_is_said_to_be() -> None:
    with pytest.raises(OutputError, match="is no longer there"):
        read_output(Path("/nowhere/pi-bash.log"))


def test_what_is_no_text_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"\x7fELF\0\0")
    with pytest.raises(OutputError, match="6 bytes that are not text"):
        read_output(tmp_path / "out")


def test_only_files_are_read_and_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(OutputError, match=r"is not a file|cannot be read: Is a directory"):
            read_output(path)
    with pytest.raises(OutputError, match="cannot be read"):
        read_output(tmp_path / "a\0b")
