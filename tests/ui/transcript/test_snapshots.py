"""Pictures of every kind of block at three widths, dark, light and without colour."""

from typing import Any

import pytest
from textual.theme import Theme

from pitui.rpc.messages import ImagePart
from pitui.session.blocks import (
    BashBlock,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    Delivery,
    NoticeBlock,
    PromptBlock,
    ToolBlock,
    ToolState,
    UnknownBlock,
)
from pitui.ui.theme import DARK, LIGHT
from tests.ui.transcript.talk import Chat, Talk

MARKDOWN = """\
# What I found

The parser takes *whole lines* and keeps **what it does not know**; see `session/apply.py` and
[the protocol](https://example.org/protocol), ~~the old one~~. It gives a `Vec<T>`, never <b>HTML</b>.

1. First the type
   - the text
     - and its place
2. Then the fields
- [x] read
- [ ] written

> It is said that a page that stands still
> is read to its end.

```python
def apply(session: Session, record: Record) -> None:
    match record:
        case MessageStart():  # one block for each part
            session.open(record.message, limit=4096)
```

| name | bytes | kept |
|:-----|------:|:----:|
| delta | 282 | no |
| end of a message, with all that it says | 4,096 | yes |

漢字とかな, 👩‍👩‍👧 and 🇩🇪, and $e^{i\\pi}$ stays as it is.

---
"""
PATCH = "\n".join(
    [
        "--- a/notes.py",
        "+++ b/notes.py",
        "@@ -1,4 +1,4 @@",
        " def greet(name):",
        '-    print("Hello " + name)',
        '+    print(f"Hello {name}!")',
        " ",
        ' greet("world")',
    ]
)


def said() -> Talk:
    """Conversation: prompts, thinking, an answer, notices."""
    talk = Talk()
    talk.prompt(
        "Please look at the parser.\nThen *say* what is wrong with it, in one or two sentences, not more than that."
    )
    picture = ImagePart(data="iVBORw0KGgo" + "A" * 4000, mime_type="image/png")
    talk.add(PromptBlock(id=talk.next_id, text="And this one", images=[picture], delivery=Delivery.SENDING))
    talk.thinking("The person wants two sentences.\n\nSo I look at the **parser** first.")
    talk.answer(MARKDOWN)
    for level in ("info", "warning", "error"):
        talk.add(NoticeBlock(id=talk.next_id, level=level, text=f"something to know: {level}", finished=True))
    return talk


def done() -> Talk:
    """What tools and commands did."""
    talk = Talk()
    talk.tool("read", output="one\ntwo", path="src/pitui/session/apply.py")
    talk.tool("bash", output="\n".join(f"test {number} passed" for number in range(12)), command="pytest -q")
    edit = talk.tool("edit", path="notes.py", edits=[])
    edit.details = {"patch": PATCH, "diff": PATCH, "firstChangedLine": 2}
    failed = talk.tool(
        "bash",
        output="cat: nothing.txt: No such file or directory\n\nCommand exited with code 1",
        command="cat nothing.txt",
    )
    failed.state = ToolState.FAILED
    running = talk.tool("bash", output="\x1b[32mcompiling\x1b[0m 3 of 9", command="make -j2")
    running.state, running.finished, running.started_at, running.duration = ToolState.RUNNING, False, 58.0, None
    nested = talk.tool("grep", output="a.py:1: x", pattern="x")
    nested.depth = 1
    writing = ToolBlock(id=talk.next_id, name="write")
    writing.write('{"path": "a.txt", "content": "hel')
    talk.add(writing)
    bash = BashBlock(id=talk.next_id, command="ls", exit_code=0, finished=True, duration=0.1)
    bash.append("README.md\nsrc\ntests")
    talk.add(bash)
    excluded = BashBlock(id=talk.next_id, command="git push", excluded=True, exit_code=1, finished=True, duration=2.5)
    excluded.append("rejected")
    talk.add(excluded)
    talk.add(
        CompactionBlock(
            id=talk.next_id,
            state="done",
            reason="threshold",
            summary="We did *much*.",
            tokens_before=180_000,
            tokens_after=12_000,
            finished=True,
        )
    )
    talk.add(CompactionBlock(id=talk.next_id, state="failed", reason="manual", error="no model", finished=True))
    talk.add(BranchSummaryBlock(id=talk.next_id, summary="On that branch we tried tabs.", finished=True))
    talk.add(CustomBlock(id=talk.next_id, custom_type="weather", text="**Sunny**, 21 degrees", finished=True))
    talk.add(UnknownBlock(id=talk.next_id, what="hologram", raw={"type": "hologram", "size": 3}, finished=True))
    return talk


NESTED = """\
- a list
  1. in a list
     > with a quote
     > - and a list in it
     >   - [x] done
     >   - [ ] not yet

A claim[^1], [a link](https://example.org/a/long/path?with=a#place), mail@example.org, and:

$$\\int_0^1 x^2\\,dx = \\tfrac13$$

[^1]: and where it comes from
"""


def deep() -> Talk:
    """What stands within something else, pictures, and what has not ended."""
    talk = Talk()
    picture = ImagePart(data="A" * 40_000, mime_type="image/png")
    talk.answer(NESTED)
    shot = talk.tool("read", path="shot.png")
    shot.output = [picture]
    talk.tool("weather_at", output="21 degrees", place="Bonn", days=3)
    talk.add(CustomBlock(id=talk.next_id, custom_type="chart", text="See:", images=[picture], finished=True))
    talk.add(CompactionBlock(id=talk.next_id, reason="manual"))
    talk.answer("It goes on with\n\n```python\ndef half(", finished=False)
    return talk


SIZES = {"wide": (120, 60), "usual": (80, 60), "narrow": (40, 60)}
LOOKS: dict[str, Theme | None] = {"dark": DARK, "light": LIGHT, "plain": None}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("talk", [said, done], ids=["said", "done"])
def test_every_kind_of_block(
    snap_compare: Any, monkeypatch: pytest.MonkeyPatch, talk: Any, look: str, size: str
) -> None:
    if look == "plain":
        monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(Chat(talk(), LOOKS[look] or DARK), terminal_size=SIZES[size], run_before=from_the_top)


@pytest.mark.parametrize("talk", [said, done], ids=["said", "done"])
def test_every_kind_of_block_open(snap_compare: Any, talk: Any) -> None:
    async def open_all(pilot: Any) -> None:
        transcript = pilot.app.transcript
        for kind in ("tool", "thinking", "bash", "compaction", "branch_summary", "unknown"):
            if transcript.viewport.folds.any_folded(kind, transcript.viewport.blocks):
                transcript.toggle_kind(kind)
        transcript.top()
        await pilot.pause()

    assert snap_compare(Chat(talk()), terminal_size=(100, 90), run_before=open_all)


@pytest.mark.parametrize("size", SIZES)
def test_what_stands_within_something_else(snap_compare: Any, size: str) -> None:
    columns, _ = SIZES[size]
    assert snap_compare(Chat(deep()), terminal_size=(columns, 36), run_before=from_the_top)


def test_what_is_put_over_the_text(snap_compare: Any) -> None:
    """Selection, hits, the block cursor, the ruler, and the marker of what is new."""

    async def everything(pilot: Any) -> None:
        transcript, talk = pilot.app.transcript, pilot.app.talk
        await pilot.pause()
        transcript.top()
        transcript.search("what")
        await pilot.mouse_down(transcript, offset=(4, 8))
        await pilot.hover(transcript, offset=(20, 10))
        await pilot.mouse_up(transcript, offset=(20, 10))
        transcript.focus()
        talk.answer("something new\n\n" * 20)
        pilot.app.sync()
        await pilot.pause()

    assert snap_compare(Chat(said()), terminal_size=(80, 24), run_before=everything)


def test_an_empty_conversation(snap_compare: Any) -> None:
    assert snap_compare(
        Chat(Talk(), empty="Nothing has been said yet.\nType below; F1 tells the keys."), terminal_size=(60, 12)
    )


async def from_the_top(pilot: Any) -> None:
    pilot.app.transcript.top()
    await pilot.pause()
