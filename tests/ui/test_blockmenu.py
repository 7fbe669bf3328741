"""The menu of a block lists what makes sense for it, and nothing else."""

import base64
import struct

from pitui.rpc.messages import ImagePart, TextPart
from pitui.session.blocks import BashBlock, Block, PromptBlock, TurnBlock
from pitui.ui.blockmenu import Deed, block_menu
from tests.ui.transcript.talk import Talk

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + b"\0" * 60).decode()


def rows(block: Block, *, foldable: bool = True, folded: bool = True, more: bool = False) -> dict[str, Deed]:
    menu = block_menu(block, foldable=foldable, folded=folded, more=more, whole=False)
    return {f"{row.label} {row.detail}".strip(): row.value for row in menu}


def test_an_answer_gives_its_code_and_its_links() -> None:
    answer = Talk().answer("Look at [it](https://docs.example.org/x):\n\n```python\nprint(1)\nprint(2)\n```")
    found = rows(answer, foldable=False)
    assert list(found) == [
        "Copy all of it 6 lines",
        "Copy the code python · 2 lines · print(1)",
        "Open docs.example.org https://docs.example.org/x",
    ]
    copied = found["Copy the code python · 2 lines · print(1)"]
    assert copied == Deed("copy", "print(1)\nprint(2)", "the code (2 lines)")
    assert found["Copy all of it 6 lines"].text == answer.text


def test_pieces_of_code_that_begin_alike_are_told_apart() -> None:
    answer = Talk().answer("```python\nimport os\n```\n\nor\n\n```python\nimport os\nos.abort()\n```")
    found = rows(answer, foldable=False)
    assert list(found)[1:] == [
        "Copy code 1 of 2 python · 1 line · import os",
        "Copy code 2 of 2 python · 2 lines · import os",
    ]
    assert found["Copy code 2 of 2 python · 2 lines · import os"].name == "code 2 of 2 (2 lines)"


def test_a_command_gives_itself_and_its_output() -> None:
    block = Talk().tool("bash", "a\tb\nc\x1b[31m\n", command="make all\n")
    block.details = {"fullOutputPath": "/tmp/pi-bash-1.log"}
    found = rows(block)
    assert list(found) == [
        "Open it",
        "Read the full output /tmp/pi-bash-1.log",
        "Copy all of it 3 lines",
        "Copy the command make all",
        "Copy the output 2 lines",
    ]
    assert found["Copy the command make all"].text == "make all"
    assert found["Copy the output 2 lines"].text == "a\tb\nc"


def test_a_file_that_was_read_gives_its_path() -> None:
    assert rows(Talk().tool(output="x", path="src/a.py"))["Copy the path src/a.py"] == Deed("copy", "src/a.py")


def test_an_edit_gives_its_change_and_a_write_its_text() -> None:
    edit = Talk().tool("edit", "Successfully replaced 1 block(s)", path="a.py")
    edit.details = {"patch": "--- a\n+++ a\n@@ -1 +1 @@\n-\told\n+\tnew\n"}
    found = rows(edit, folded=False)
    assert found["Copy the change 5 lines"].text == "--- a\n+++ a\n@@ -1 +1 @@\n-\told\n+\tnew"
    assert found["Copy all of it 6 lines"].text == "edit a.py +1 -1\n" + found["Copy the change 5 lines"].text
    write = rows(Talk().tool("write", "Wrote 8 bytes", path="a.py", content="one\ntwo\n"), folded=False)
    assert write["Copy the file's text 2 lines"].text == "one\ntwo"
    assert write["Copy all of it 3 lines"].text == "write a.py (2 lines)\none\ntwo"


def test_a_command_of_the_person_has_the_same() -> None:
    block = BashBlock(id=1, command="ls", full_output_path="/tmp/all")
    block.append("a\nb")
    assert list(rows(block)) == [
        *("Open it", "Read the full output /tmp/all", "Copy all of it 3 lines", "Copy the command ls"),
        "Copy the output 2 lines",
    ]


def test_what_is_left_out_can_be_shown_once_it_is_open() -> None:
    block = Talk().tool(output="x")
    assert "Show all of it" not in rows(block, more=True)
    found = rows(block, folded=False, more=True)
    assert list(found)[:2] == ["Fold it", "Show all of it"]


def test_a_picture_tells_what_it_is() -> None:
    block = Talk().tool()
    block.output = [TextPart(text="Read image"), ImagePart(data=PNG, mime_type="image/png")]
    assert Deed("tell", "image/png, 84 B, 640 x 480 pixels") in rows(block).values()
    strange = PromptBlock(id=1, images=[ImagePart(data="?", mime_type="\x1b[31m")])
    assert rows(strange, foldable=False) == {
        "Tell of the picture of an unknown kind, 0 B": Deed("tell", "of an unknown kind, 0 B")
    }


def test_what_a_run_took_has_nothing_to_do() -> None:
    assert rows(TurnBlock(id=1, tools={"read": 1}), foldable=False) == {}
