"""What every kind of block looks like, copies and can be found by."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render.blocks import draw, folds_by_default, gap, source, title
from pitui.render.search import searchable
from pitui.render.text import cells, clean
from pitui.rpc.messages import ImagePart, TextPart
from pitui.session.blocks import (
    BashBlock,
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    Delivery,
    NoticeBlock,
    PromptBlock,
    TextBlock,
    ThinkingBlock,
    ToolBlock,
    ToolState,
    TurnBlock,
    UnknownBlock,
)
from tests.render.samples import CONTROLS, HOSTILE, assert_sound, copied, foreign, look, markdown, rows


def words_of(block: Block) -> str:
    """What search looks through."""
    return "\n".join(text for piece in searchable(block) for text in piece)


TYPED = (
    '+\n7. seven\n3. three\nC:\\new\\table \\"q\\" __init__ *args **kw <b>x</b> # not a title\n    indented\n---\n~~~'
)


def grown(block: Any, text: str) -> Any:
    block.append(text)
    return block


def blocks(text: str) -> list[Block]:
    """One of every kind, all of them made of `text`."""
    image = ImagePart(data="AAAA", mime_type=text)
    return [
        PromptBlock(id=1, text=text, images=[image], delivery=Delivery.FAILED, timestamp=1_700_000_000_000),
        grown(TextBlock(id=2), text),
        grown(ThinkingBlock(id=3), text),
        ThinkingBlock(id=4, redacted=True),
        ToolBlock(id=5, name=text, arguments={text: text}, output=[TextPart(text=text), image], state=ToolState.FAILED),
        ToolBlock(
            id=6, name="bash", arguments={"command": text}, output=[TextPart(text=text)], state=ToolState.RUNNING
        ),
        grown(BashBlock(id=7, command=text, error=text, full_output_path=text, excluded=True), text),
        CompactionBlock(id=8, state="done", summary=text, tokens_before=97_359),
        CompactionBlock(id=9, state="failed", error=text),
        BranchSummaryBlock(id=10, summary=text),
        CustomBlock(id=11, custom_type=text, text=text, images=[image]),
        NoticeBlock(id=12, level="error", text=text),
        TurnBlock(id=14, outcome="stopped", duration=4e9, tools={text: 2, "read": 1}),
        UnknownBlock(id=13, what=text, raw={text: [text]}),
    ]


@given(foreign, st.integers(1, 200), st.booleans(), st.booleans())
def test_no_block_has_a_row_that_is_too_wide_or_can_be_obeyed(text: str, width: int, folded: bool, full: bool) -> None:
    for block in blocks(text):
        assert_sound(draw(block, look(width, folded=folded, full=full)), width)
        words = title(block, width)
        assert cells(words) <= width
        assert not any(control in words or control in words_of(block) for control in CONTROLS if control != "\t")


@pytest.mark.parametrize("width", range(1, 201))
def test_every_width_from_one_up_can_be_drawn(width: int) -> None:
    for block in blocks(HOSTILE + " 漢字 👩\u200d👩\u200d👧 \n\n- list\n\n```py\nx = 1\n```"):
        for folded in (True, False):
            assert_sound(draw(block, look(width, folded=folded)), width)


def test_what_the_person_typed_is_shown_as_typed() -> None:
    lines = draw(PromptBlock(id=1, text=TYPED), look(100))
    assert rows(lines) == [f"▌ {line}" for line in TYPED.split("\n")]
    assert copied(lines) == f"{TYPED}\n"


@given(st.one_of(markdown, st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]))).filter(str.strip))
def test_no_prompt_is_read_as_markdown(text: str) -> None:
    typed = clean(text).strip("\n")
    for width in (1000, 40):
        assert copied(draw(PromptBlock(id=1, text=text), look(width))) == f"{typed}\n"


def test_a_long_prompt_wraps_and_copies_as_one_line() -> None:
    text = "a question that is too long for one row of the pane and so goes on in the next one"
    lines = draw(PromptBlock(id=1, text=text), look(30))
    assert len(lines) > 2
    assert all(row.startswith("▌ ") for row in rows(lines))
    assert copied(lines) == f"{text}\n"


def test_old_line_breaks_hide_nothing_of_a_prompt() -> None:
    assert rows(draw(PromptBlock(id=1, text="one\rtwo\r\nthree\u2028four"), look())) == [
        "▌ one",
        "▌ two",
        "▌ three",
        "▌ four",
    ]


def test_a_prompt_tells_its_pictures_and_what_became_of_it() -> None:
    block = PromptBlock(id=1, text="see", images=[ImagePart(data="A" * 200_000, mime_type="image/png")])
    assert rows(draw(block, look())) == ["▌ see", "▌ [image png 150 KB]"]
    assert source(block) == "see"
    only = PromptBlock(id=1, images=[ImagePart(data="AAAA", mime_type="image/jpeg")])
    assert rows(draw(only, look())) == ["▌ [image jpeg 3 B]"]
    for delivery, told in (
        (Delivery.SENDING, "sending"),
        (Delivery.FAILED, "not delivered"),
    ):
        assert told in rows(draw(PromptBlock(id=1, text="x", delivery=delivery), look()))[-1]


def test_what_an_extension_took_is_one_dim_line() -> None:
    block = PromptBlock(id=1, text="/ask-select\nnow", delivery=Delivery.HANDLED)
    (line,) = draw(block, look())
    assert line.strip.text.rstrip() == "  /ask-select⏎now"
    assert all(segment.style and segment.style.dim for segment in line.strip if segment.text.strip())


def test_thinking_is_one_line_until_it_is_opened() -> None:
    block = grown(ThinkingBlock(id=1, finished=True), "**Plan**\n\nFirst look at the files.")
    assert folds_by_default(block)
    assert rows(draw(block, look(folded=True))) == ["· thinking Plan First look at the files."]
    assert rows(draw(block, look())) == ["  Plan", "", "  First look at the files."]
    assert all(
        segment.style and segment.style.dim and segment.style.italic
        for line in draw(block, look())
        for segment in line.strip
        if segment.text.strip()
    )


def test_hidden_thinking_is_said_and_empty_thinking_is_nothing() -> None:
    assert "keeps to itself" in rows(draw(ThinkingBlock(id=1, redacted=True), look(folded=True)))[0]
    assert draw(ThinkingBlock(id=1), look()) == []
    assert draw(TextBlock(id=1), look()) == []


def test_a_compaction_says_what_it_saved_and_opens_its_summary() -> None:
    block = CompactionBlock(id=1, state="done", summary="# Goal\ntext", tokens_before=97_359, tokens_after=12_000)
    assert folds_by_default(block)
    assert rows(draw(block, look(folded=True))) == ["≡ compacted 97,359 to 12,000 tokens"]
    assert rows(draw(block, look()))[1:] == ["  Goal", "  text"]
    assert rows(draw(CompactionBlock(id=1), look())) == ["≡ compacting"]
    assert rows(draw(CompactionBlock(id=1, state="cancelled"), look())) == ["≡ compaction stopped"]
    assert rows(draw(CompactionBlock(id=1, state="failed", error="too small"), look())) == [
        "≡ compaction failed",
        "  too small",
    ]


@pytest.mark.parametrize(("level", "sign"), [("info", "·"), ("warning", "!"), ("error", "✗")])
def test_a_notice_has_a_sign_beside_its_colour(level: Any, sign: str) -> None:
    block = NoticeBlock(id=1, level=level, text="529 overloaded [/] \x1b[31m\nsecond")
    assert rows(draw(block, look())) == [f"{sign} 529 overloaded [/]", "  second"]


def test_messages_of_extensions_and_unknown_things_are_shown() -> None:
    assert rows(draw(CustomBlock(id=1, custom_type="note", text="**x**"), look())) == ["◆ note", "  x"]
    unknown = UnknownBlock(id=1, what="hologram", raw={"a": 1})
    assert folds_by_default(unknown)
    assert rows(draw(unknown, look(folded=True))) == ["? hologram is not known to pitui"]
    assert '"a": 1' in "".join(rows(draw(unknown, look())))


def test_blocks_are_parted_by_a_row_but_not_runs_that_are_only_a_title() -> None:
    prompt, tool, bash = PromptBlock(id=1), ToolBlock(id=2, name="read", output=[TextPart(text="x")]), BashBlock(id=3)
    assert gap(None, prompt, previous_folded=False) == 0
    assert gap(prompt, tool, previous_folded=False) == 1
    assert gap(tool, bash, previous_folded=True) == 0
    assert gap(tool, bash, previous_folded=False) == 1
    assert gap(bash, tool, previous_folded=True) == 0
    assert gap(bash, prompt, previous_folded=True) == 1


def test_a_run_whose_output_is_seen_is_parted_from_the_next_one() -> None:
    tool = ToolBlock(id=2, name="read")
    shell = ToolBlock(id=3, name="bash", output=[TextPart(text="\nout\n")])
    for shows in (shell, grown(BashBlock(id=4), "out"), BashBlock(id=5, exit_code=1)):
        assert len(draw(shows, look(folded=True))) > 1
        assert gap(tool, shows, previous_folded=True) == 0
        assert gap(shows, tool, previous_folded=True) == 1


def test_a_block_copies_its_source() -> None:
    text = "# Title\n\n- a\n\n```py\n\tx = 1\n```"
    assert source(grown(TextBlock(id=1), text)) == text
    assert source(BranchSummaryBlock(id=1, summary=text)) == text
    run = ToolBlock(id=1, name="bash", arguments={"command": "ls"}, output=[TextPart(text="\x1b[31ma\x1b[0m\n")])
    assert source(run) == "$ ls\na"


def test_all_of_a_block_can_be_found_also_what_is_folded() -> None:
    run = ToolBlock(
        id=1, name="edit", arguments={"path": "a.py", "edits": [{"oldText": "needle"}]}, output=[TextPart(text="done")]
    )
    assert "needle" in words_of(run) and "a.py" in words_of(run)
    assert "done" not in words_of(run)  # no drawing shows it
    assert "needle" in words_of(CompactionBlock(id=1, summary="needle"))
    assert "needle" in words_of(grown(BashBlock(id=1, command="x"), "needle"))


def test_a_drawing_depends_on_nothing_but_block_and_look() -> None:
    for block in blocks(HOSTILE):
        version = block.version
        assert draw(block, look()) == draw(block, look())
        assert block.version == version


def test_an_endless_answer_is_cut_with_a_way_to_see_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitui.render.blocks.LONGEST_ANSWER", 1000)
    answer = TextBlock(id=1, finished=True)
    answer.replace("".join(f"line {number}\n\n" for number in range(200)))
    cut, whole = rows(draw(answer, look(60))), rows(draw(answer, look(60, full=True)))
    assert cut[-1].endswith("(show all)")
    assert "line 199" in whole[-1]
    assert whole[: len(cut) - 2] == cut[:-2]


def test_a_run_says_how_long_it_took_and_which_tools_ran() -> None:
    turn = TurnBlock(id=1, duration=12.3, tools={"read": 3, "bash": 1, "mcp__docs__search": 2})
    assert rows(draw(turn, look())) == ["  12s · read \u00d73 · bash · docs/search \u00d72"]
    assert copied(draw(turn, look())) == source(turn) == ""


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (TurnBlock(id=1, duration=2), []),
        (TurnBlock(id=1, duration=63), ["  1m 03s"]),
        (TurnBlock(id=1, duration=8.2, outcome="stopped"), ["  stopped after 8.2s"]),
        (TurnBlock(id=1, duration=8.2, outcome="failed"), ["  failed after 8.2s"]),
        (TurnBlock(id=1, outcome="stopped", tools={"bash": 1}), ["  stopped · bash"]),
    ],
)
def test_a_short_answer_without_a_tool_has_nothing_to_say(turn: TurnBlock, told: list[str]) -> None:
    assert rows(draw(turn, look())) == told


def test_with_times_every_run_tells_when_it_ended_and_what_it_cost() -> None:
    turn = TurnBlock(id=1, duration=2, tokens_sent=12_345, tokens_received=678, cost=0.0312, timestamp=1)
    (row,) = rows(draw(turn, replace(look(), times=True)))
    assert re.fullmatch(r"  2\.0s · \d\d:\d\d · 12\.3k↑ 678↓ · \$0\.031", row)
