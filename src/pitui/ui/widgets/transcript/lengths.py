"""How high a block will about be, without drawing it: for the scroll bar, until it is seen."""

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
)

BASH_TAIL = 5


def estimate(block: Block, folded: bool, width: int) -> int:
    """Rows of `block` at `width` cells, none for an empty text."""
    match block:
        case TextBlock() | PromptBlock() | CustomBlock() | NoticeBlock():
            return 1 if folded else _wrapped(block.text, width)
        case BashBlock():
            return 1 + (min(BASH_TAIL, _wrapped(block.text, width)) if folded else _wrapped(block.text, width))
        case ThinkingBlock():
            return 1 if folded or not block.text else 1 + _wrapped(block.text, width)
        case ToolBlock():
            characters = sum(len(part.text) for part in block.output if part.type == "text")
            return 1 if folded else 2 + characters // max(1, width // 2)
        case CompactionBlock() | BranchSummaryBlock():
            return 1 if folded else 1 + _wrapped(block.summary, width)
        case _:
            return 1


def _wrapped(text: str, width: int) -> int:
    """Prose fills about three quarters of its lines."""
    return 1 + text.count("\n") + len(text) * 4 // (3 * max(1, width) + 1) if text else 0
