"""Runs of tools and commands, from the first letter of their arguments to their result."""

import json
from typing import Any

import pytest

from pitui.render.blocks import draw, folds_by_default, source, title
from pitui.render.search import searchable
from pitui.render.text import clean
from pitui.rpc.messages import ImagePart, Part, TextPart
from pitui.session.blocks import BashBlock, ToolBlock, ToolState
from tests.render.samples import HOSTILE, assert_sound, copied, look, rows

HUGE = {
    "one line": "x" * 2_000_000,
    "one wide line": "漢" * 1_000_000,
    "empty lines": "\n" * 1_000_000,
    "words": "a b " * 500_000,
    "colours": "\x1b[31m" * 300_000,
}
LONG = "\n".join(f"line {number}" for number in range(1000))


def run(name: str, arguments: dict[str, Any] | None = None, output: str = "", **rest: Any) -> ToolBlock:
    parts: list[Part] = [TextPart(text=output)] if output else []
    state = rest.pop("state", ToolState.DONE)
    return ToolBlock(id=1, name=name, arguments=arguments or {}, output=parts, state=state, **rest)


def written(name: str, text: str) -> ToolBlock:
    block = ToolBlock(id=1, name=name)
    block.write(text)
    return block


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (run("read", {"path": "hello.py"}), "read hello.py"),
        (run("read", {"path": "hello.py", "offset": 1, "limit": 20}), "read hello.py:1-20"),
        (run("read", {"path": "hello.py", "offset": 5}), "read hello.py:5-"),
        (run("bash", {"command": "ls -la"}), "$ ls -la"),
        (run("bash", {"command": "make", "timeout": 60}), "$ make  (timeout 60s)"),
        (run("powershell", {"command": "dir"}), "$ dir"),
        (run("edit", {"path": "a.py", "edits": [{"oldText": "a\nb", "newText": "a\nc\nd"}]}), "edit a.py +2 -1"),
        (run("write", {"path": "a.py", "content": "1\n2\n"}), "write a.py (2 lines)"),
        (run("grep", {"pattern": "x", "path": "src"}), "grep 'x' in src"),
        (run("grep", {"pattern": "x", "glob": "*.py"}), "grep 'x' in *.py"),
        (run("find", {"pattern": "*.py", "path": "src"}), "find *.py in src"),
        (run("ls", {}), "ls"),
        (run("ls", {"path": "src"}), "ls src"),
        (run("codemode", {"code": "\n// list\nawait tools.ls()"}), "codemode // list"),
        (run("mcp__github__search", {"query": "a b", "limit": 3}), 'github/search query="a b" limit=3'),
        (run("deploy", {"stage": "prod", "hosts": ["a", "b"]}), 'deploy stage=prod hosts=["a", "b"]'),
        (run("", {}), "tool"),
        (written("bash", '{"command":"ls -'), "$ ls -"),
        (written("read", '{"path":"hel'), "read hel"),
        (written("read", '{"pa'), "read"),
    ],
)
def test_a_run_says_in_a_few_words_what_it_does(block: ToolBlock, words: str) -> None:
    assert title(block, 80) == words
    assert words in rows(draw(block, look(folded=True)))[0]


def test_a_folded_run_is_one_line_with_its_time_at_the_edge() -> None:
    block = run("read", {"path": "hello.py"}, LONG, duration=0.42)
    assert rows(draw(block, look(40, folded=True))) == ["✓ read hello.py" + " " * 21 + "0.4s"]
    assert [line.strip.cell_length for line in draw(block, look(40, folded=True))] == [40]


@pytest.mark.parametrize(
    ("state", "sign"),
    [
        (ToolState.WRITING, "…"),
        (ToolState.WAITING, "○"),
        (ToolState.RUNNING, "●"),
        (ToolState.DONE, "✓"),
        (ToolState.FAILED, "✗"),
        (ToolState.SKIPPED, "⊘"),
        (ToolState.LOST, "?"),
    ],
)
def test_a_sign_tells_how_a_run_stands(state: ToolState, sign: str) -> None:
    assert rows(draw(run("read", {"path": "a"}, state=state), look(folded=True)))[0].startswith(f"{sign} read a")


def test_a_run_that_goes_on_shows_how_long_it_has() -> None:
    block = run("bash", {"command": "sleep 99"}, state=ToolState.RUNNING, started_at=100.0)
    assert rows(draw(block, look(folded=True, now=163)))[0].endswith("1m 03s")
    assert rows(draw(run("read", state=ToolState.SKIPPED), look(folded=True)))[0].endswith("not run")
    assert rows(draw(run("read", state=ToolState.LOST), look(folded=True)))[0].endswith("no result")


def test_a_command_shows_its_last_five_lines_until_it_is_opened() -> None:
    block = run("bash", {"command": "seq"}, LONG)
    assert folds_by_default(block)
    assert rows(draw(block, look(folded=True))) == [
        *("✓ $ seq", "  … 995 earlier lines"),
        *(f"  line {number}" for number in range(995, 1000)),
    ]
    opened = rows(draw(block, look()))
    assert opened[1] == "  … 600 earlier lines (show all)"
    assert len(rows(draw(block, look(full=True)))) == 1001


def test_what_was_read_is_shown_from_its_start_when_opened() -> None:
    block = run("read", {"path": "a"}, LONG)
    assert folds_by_default(block)
    opened = rows(draw(block, look()))
    assert opened[1] == "  line 0"
    assert opened[-1] == "  … 600 more lines (show all)"


LONG_PATH = "/".join(f"folder-{number}" for number in range(60))


@pytest.mark.parametrize(
    ("block", "whole"),
    [
        (run("read", {"path": LONG_PATH}), LONG_PATH),
        (run("grep", {"pattern": "x", "path": LONG_PATH}), f"'x' in {LONG_PATH}"),
        (run("bash", {"command": f"cat {LONG_PATH}"}), f"cat {LONG_PATH}"),
        (run("write", {"path": LONG_PATH, "content": ""}), LONG_PATH),
        (BashBlock(id=1, command=f"cat {LONG_PATH}"), f"cat {LONG_PATH}"),
    ],
    ids=["read", "grep", "bash", "write", "person"],
)
@pytest.mark.parametrize("width", [40, 100])
def test_what_a_title_has_no_room_for_is_whole_below_it_when_opened_and_is_searched(
    block: ToolBlock | BashBlock, whole: str, width: int
) -> None:
    assert copied(draw(block, look(width))[1:]) == whole + "\n"
    assert len(draw(block, look(width, folded=True))) == 1
    assert any("folder-59" in piece.source for piece in searchable(block))


def test_a_title_that_is_whole_is_not_repeated() -> None:
    assert len(draw(run("read", {"path": "a" * 80}), look(100))) == 1
    assert len(draw(run("bash", {"command": "a" * 80}), look(100))) == 1


def test_edits_and_failures_are_open_by_themselves() -> None:
    assert not folds_by_default(run("edit"))
    assert not folds_by_default(run("write"))
    assert not folds_by_default(run("read", state=ToolState.FAILED))
    assert all(folds_by_default(run(name)) for name in ("read", "grep", "find", "ls", "bash", "mcp__a__b", "other"))


def test_a_failure_tells_what_went_wrong() -> None:
    block = run("read", {"path": "a"}, "ENOENT: no such file", state=ToolState.FAILED)
    assert rows(draw(block, look())) == ["✗ read a", "  ENOENT: no such file"]


def test_an_edit_shows_its_changes_and_not_what_the_tool_said() -> None:
    patch = "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-old\n+new\n"
    block = run("edit", {"path": "a"}, "Successfully replaced 1 block(s)", details={"patch": patch})
    assert rows(draw(block, look())) == ["✓ edit a +1 -1", "  1 - old", "  1 + new"]


def test_an_edit_that_failed_says_that_nothing_was_changed() -> None:
    known = {"path": "a", "edits": [{"oldText": "old", "newText": "new"}]}
    block = run("edit", known, "Could not find the text", state=ToolState.FAILED)
    assert rows(draw(block, look())) == [
        "✗ edit a",
        "  not applied:",
        "  - old",
        "  + new",
        "  Could not find the text",
    ]


def test_a_file_is_shown_as_it_is_written() -> None:
    block = written("write", '{"path":"a.py","content":"def a():\\n    ret')
    assert rows(draw(block, look())) == ["… write a.py (2 lines)", "  def a():", "      ret"]
    block.write("urn 1" + "\\nx" * 500)
    shown = rows(draw(block, look()))
    assert shown[1] == "  … 381 earlier lines (show all)"
    assert shown[-1] == "  x"


def test_other_tools_show_all_of_their_arguments_when_opened() -> None:
    block = run("deploy", {"stage": "prod", "note": "two\nlines", "deep": {"a": [1]}}, "done")
    assert rows(draw(block, look()))[1:] == ["  stage: prod", "  note: two", "  lines", '  deep: {"a": [1]}', "  done"]


def test_pictures_are_told_and_their_bytes_are_nowhere() -> None:
    data = "iVBORw0KGgo" + "A" * 400_000
    block = run("read", {"path": "shot.png"}, "Read image")
    block.output = [*block.output, ImagePart(data=data, mime_type="image/png")]
    assert rows(draw(block, look()))[1:] == ["  Read image", "  [image png 300 KB]"]
    everything = "\n".join([*rows(draw(block, look(full=True))), source(block), title(block, 200)])
    everything += "\n".join(text for piece in searchable(block) for text in piece)
    assert "AAAA" not in everything


def test_what_pi_has_shortened_is_said_with_the_place_of_the_whole() -> None:
    details = {
        "truncation": {"truncated": True, "outputLines": 2000, "totalLines": 50_000},
        "fullOutputPath": "/tmp/out.txt",
    }
    assert rows(draw(run("bash", {"command": "x"}, "end", details=details), look()))[-2:] == [
        "  pi kept 2000 of 50000 lines",
        "  (full output: /tmp/out.txt)",
    ]


def test_of_a_shortened_output_the_last_lines_are_shown_and_all_that_are_missing_are_counted() -> None:
    details = {
        "truncation": {"truncated": True, "outputLines": 2000, "totalLines": 5001},
        "fullOutputPath": "/tmp/out.txt",
    }
    text = "\n".join(f"row {number}" for number in range(3002, 5002))
    text += "\n\n[Showing lines 3002-5001 of 5001. Full output: /tmp/out.txt]"
    block = run("bash", {"command": "x"}, f"{text}\n\nCommand exited with code 1", details=details)
    assert rows(draw(block, look(folded=True)))[1:] == [
        *("  … 4,998 earlier lines", "  row 4999", "  row 5000", "  row 5001", "", "  Command exited with code 1")
    ]
    shown = rows(draw(block, look()))
    assert shown[-2:] == ["  pi kept 2000 of 5001 lines", "  (full output: /tmp/out.txt)"]
    assert "Showing lines" not in "".join(shown)


def test_a_run_inside_of_another_stands_deeper() -> None:
    assert rows(draw(run("read", {"path": "a"}, depth=1), look(folded=True))) == ["  ✓ read a"]


def test_brackets_stay_in_title_and_output() -> None:
    block = run("bash", {"command": "test -d [ OK ] && echo ${a[1]} [/"}, '[ OK ] started  [a=b]  [/  q["year"]')
    shown = rows(draw(block, look(folded=True)))
    assert shown == ["✓ $ test -d [ OK ] && echo ${a[1]} [/", '  [ OK ] started  [a=b]  [/  q["year"]']


def test_a_title_shows_what_hides_in_it_and_a_turn_of_direction_ends_nowhere() -> None:
    block = run(
        "bash", {"command": "echo safe \u202e; mr- fr ~/x\u202c # \u2066ok\u2069"}, "file\u202egnp.exe zero\u200bwidth"
    )
    shown = rows(draw(block, look(folded=True)))
    assert shown[0] == "✓ $ echo safe <U+202E>; mr- fr ~/x<U+202C> # <U+2066>ok<U+2069>"
    assert shown[1].startswith("  file<U+202E>gnp.exe")
    assert title(run("bash", {"command": "rm\r\necho \x1b[2K ok"}), 80) == "$ rm⏎echo ␛[2K ok"


@pytest.mark.parametrize(
    "name", ["bash", "read", "edit", "write", "grep", "find", "ls", "codemode", "mcp__a__b", "other", HOSTILE]
)
@pytest.mark.parametrize("width", [1, 2, 5, 12, 40, 80, 200])
def test_nothing_in_a_run_can_be_obeyed(name: str, width: int) -> None:
    keys = ("command", "path", "content", "pattern", "glob", "code", "oldText", "newText", HOSTILE)
    block = run(name, dict.fromkeys(keys, HOSTILE), HOSTILE, state=ToolState.FAILED, duration=3.0)
    block.details = {"diff": f"-{HOSTILE}\n+{HOSTILE}", "fullOutputPath": HOSTILE, "truncation": {"truncated": True}}
    block.output = [*block.output, ImagePart(mime_type=HOSTILE)]
    for folded in (True, False):
        assert_sound(draw(block, look(width, folded=folded)), width)
    assert "PWNED" not in "".join(rows(draw(run("read", {}, HOSTILE), look())))


@pytest.mark.parametrize(
    "known", [{"path": None}, {"path": 3, "offset": "x"}, {"edits": 1}, {"command": ["ls"]}, {"content": {}}]
)
@pytest.mark.parametrize("name", ["bash", "read", "edit", "write", "grep", "codemode", "other"])
def test_arguments_of_a_wrong_kind_are_shown_too(name: str, known: dict[str, Any]) -> None:
    block = run(name, known)
    assert_sound(draw(block, look()), 80)
    json.dumps([title(block, 40), source(block), *searchable(block)])


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
@pytest.mark.parametrize("name", ["bash", "read", "write", "other"])
def test_a_huge_output_is_bounded_by_characters_until_all_is_wanted(name: str, text: str) -> None:
    block = run(name, {"command": text, "path": text, "content": text, "x": text}, text)
    folded, opened = len(draw(block, look(100, folded=True))), len(draw(block, look(100)))
    assert folded <= 20
    assert opened < 3000
    assert len(title(block, 40)) <= 40


def test_all_of_a_huge_output_can_be_seen() -> None:
    block = run("read", {"path": "min.js"}, "x" * 200_000)
    whole = copied(draw(block, look(100, full=True))[1:]).strip()
    assert len(whole) == 200_000
    assert set(whole) == {"x"}


def test_all_of_a_long_output_is_copied_as_it_was_put_out() -> None:
    several = "".join(
        f"{number} \x1b[31mred\x1b[0m {'漢字' * (number % 40)}\r\n\ttab {'x' * number}\n" for number in range(900)
    )
    for text in (several, several.replace("\x1b", ""), LONG * 10, "\n\n" + "x" * 90_000 + "\n" * 9):
        lines = draw(run("read", {"path": "a"}, text), look(60, full=True))[1:]
        assert_sound(lines, 60)
        assert copied(lines) == clean(text, progress=True).strip("\n") + "\n"


def test_a_command_of_the_person_tells_how_it_ended() -> None:
    block = BashBlock(id=1, command="make", exit_code=2, duration=3.2, excluded=True)
    block.append("\x1b[31mred\x1b[0m plain 漢字\r\n 10%\r 20%\r100%\n")
    assert [row.rstrip() for row in rows(draw(block, look(40, folded=True)))] == [
        "✗ $ make" + " " * 28 + "3.2s",
        *("  red plain 漢字", "  100%", "  exit code 2", "  not shown to the model"),
    ]
    assert source(block) == "$ make\nred plain 漢字\n100%"


@pytest.mark.parametrize(
    ("block", "last"),
    [
        (BashBlock(id=1, command="x", cancelled=True), "  stopped"),
        (BashBlock(id=1, command="x", error="pi is gone"), "  pi is gone"),
        (BashBlock(id=1, command="x", exit_code=0, full_output_path="/tmp/all"), "  (full output: /tmp/all)"),
        (BashBlock(id=1, command="x", exit_code=0), "✓ $ x"),
        (BashBlock(id=1, command="x", running=True), "● $ x"),
    ],
)
def test_every_end_of_a_command_is_said(block: BashBlock, last: str) -> None:
    assert rows(draw(block, look(folded=True)))[-1] == last


def test_a_file_that_is_written_is_drawn_in_slices_that_stay() -> None:
    """Of the rows that are still shown when more was written all but the last few are those that were there."""
    block = written("write", '{"path":"a.py","content":"' + "x = 1\\n" * 1000)
    before = draw(block, look())
    for _ in range(3):
        block.write("y = 2\\n")
        after = draw(block, look())
        assert sum(any(new is old for old in before) for new in after) >= 100
        assert "y = 2" in rows(after)[-2]
        before = after
