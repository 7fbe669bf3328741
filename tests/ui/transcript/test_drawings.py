"""Blocks that grow are drawn as they are when they have ended, and only their end is drawn again."""

import pytest

from pitui.render import blocks, streaming
from pitui.render.look import Look
from pitui.session.blocks import TextBlock, ThinkingBlock
from pitui.ui.widgets.transcript.drawings import Drawings
from tests.render.samples import look

TEXT = "\n# One\n\nSome **words** of\nit.\n\n- a\n  - b\n\n  ```py\n  x = 1\n  ```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
Growing = type[TextBlock] | type[ThinkingBlock]


@pytest.mark.parametrize("kind", [TextBlock, ThinkingBlock])
@pytest.mark.parametrize("folded", [False, True])
def test_what_grows_looks_at_any_time_as_if_drawn_at_once(kind: Growing, folded: bool) -> None:
    drawings, block = Drawings(), kind(id=1)
    for character in TEXT:
        block.append(character)
        drawn = drawings.get(block, look(40, folded=folded))
        assert drawn.lines == blocks.draw(block, look(40, folded=folded))


@pytest.mark.parametrize("kind", [TextBlock, ThinkingBlock])
def test_not_a_line_changes_when_it_ends(kind: Growing) -> None:
    drawings, block = Drawings(), kind(id=1)
    block.append(TEXT * 20)
    before = list(drawings.get(block, look(40)).lines)
    block.finished = True
    after = drawings.get(block, look(40)).lines
    assert len(after) == len(before)
    assert all(new is old for new, old in zip(after, before, strict=True))


@pytest.mark.parametrize("kind", [TextBlock, ThinkingBlock])
@pytest.mark.parametrize("folded", [False, True])
def test_of_a_long_one_only_the_end_is_read(kind: Growing, folded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawings, block = Drawings(), kind(id=1)
    block.append(TEXT * 100)
    drawings.get(block, look(40, folded=folded), 10_000)
    read: list[int] = []

    def counted(text: str, look: Look, *opening: object) -> object:
        read.append(len(text))
        return drawn(text, look, *opening)  # type: ignore[arg-type]

    drawn = streaming.draw_page
    monkeypatch.setattr(streaming, "draw_page", counted)
    monkeypatch.setattr(blocks, "draw_markdown", counted)
    for piece in ("and", " so", " on.", ""):
        block.append(piece)
        block.finished = not piece
        drawings.get(block, look(40, folded=folded))
    assert max(read, default=0) < len(TEXT) * 2
    assert read or (folded and kind is ThinkingBlock)
