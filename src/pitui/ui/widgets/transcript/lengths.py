"""How high a block will about be, without drawing it: for the scroll bar, until it is seen."""

from typing import NamedTuple

from pitui import render
from pitui.session.blocks import (
    BashBlock,
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    NoticeBlock,
    PromptBlock,
    TextBlock,
    ThinkingBlock,
    ToolBlock,
    TurnBlock,
)

BASH_TAIL = 5


class Length(NamedTuple):
    """Rows that a block takes at any width, with a blank one above, and characters that fill further ones."""

    rows: int
    characters: int = 0

    def height(self, width: int) -> int:
        """Prose fills about three quarters of its rows."""
        return self.rows + self.characters * 4 // (3 * width)


EMPTY = Length(0)
FOLDED = Length(2)


def length(block: Block, folded: bool, times: bool) -> Length:
    match block:
        case TextBlock() | PromptBlock() | CustomBlock() | NoticeBlock():
            return _of_text(block.text) if block.text else EMPTY
        case ThinkingBlock() if not block.text:
            return FOLDED if block.redacted else EMPTY
        case BashBlock() if folded:
            return Length(2 + min(BASH_TAIL, block.text.count("\n")))
        case _ if folded:
            return FOLDED
        case ThinkingBlock() | BashBlock():
            return _of_text(block.text, 1)
        case ToolBlock():
            return Length(2, sum(len(part.text) for part in block.output if part.type == "text") * 2)
        case TurnBlock():
            return FOLDED if render.blocks.is_shown(block, times) else EMPTY
        case CompactionBlock() | BranchSummaryBlock():
            return _of_text(block.summary, 1)
        case _:
            return FOLDED


def _of_text(text: str, more: int = 0) -> Length:
    return Length(2 + more + text.count("\n"), len(text))
