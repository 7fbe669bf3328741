"""A block of a conversation as lines. Blank rows between blocks are not drawn: `gap` says how many belong there."""

import json
from collections.abc import Iterable, Sequence

from rich.segment import Segment

from pitui.render.amounts import cost_in_words, duration, size, time_of_day, tokens_in_words
from pitui.render.arguments import arguments
from pitui.render.lines import SHOW_ALL, Line, framed, note, styled
from pitui.render.look import Look
from pitui.render.markdown import draw_markdown
from pitui.render.output import output_pieces
from pitui.render.pieces import STEP, Piece, Prose, joined, lines_of, whole
from pitui.render.streaming import decided
from pitui.render.text import clean, clean_line, truncate, unmarked
from pitui.render.titles import tool_name, tool_title
from pitui.render.tools import INDENT, bash_pieces, heading, image_line, made_text, output_text, tool_pieces
from pitui.render.tools import folds as tool_folds
from pitui.rpc.messages import ImagePart, TextPart
from pitui.session.blocks import (
    SHELLS,
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

__all__ = ["Look", "draw", "duration", "folds_by_default", "gap", "source", "title"]

LONGEST_ANSWER = 1_000_000
"""Characters; what no model says, and what would keep the screen waiting for many seconds."""
LONG_SECONDS = 10.0
"""From this on a run without a tool says how long it took."""
_BAR = "▌ "
_REDACTED = "thinking that the provider keeps to itself"


def draw(block: Block, look: Look) -> list[Line]:
    """The rows of a block; none at all for an empty one. Pure and never wider than `look.width`."""
    return lines_of(pieces(block, look))


def pieces(block: Block, look: Look) -> Iterable[Piece]:
    """The same, a few screens of something long at a time."""
    match block:
        case PromptBlock():
            return whole(_prompt(block, look))
        case TextBlock():
            return _answer(_said(block), look)
        case ThinkingBlock():
            return _thinking(block, look)
        case ToolBlock():
            return tool_pieces(block, look)
        case BashBlock():
            return bash_pieces(block, look)
        case CompactionBlock():
            return _compaction(block, look)
        case BranchSummaryBlock():
            return _summary("branch left behind", "", block.summary, look)
        case CustomBlock():
            return _custom(block, look)
        case NoticeBlock():
            return whole(_notice(block, look))
        case TurnBlock():
            return whole(_turn(block, look))
        case UnknownBlock():
            return _unknown(block, look)
        case _:
            return ()


def folds_by_default(block: Block) -> bool:
    """Whether a block is folded until someone opens it."""
    if isinstance(block, ToolBlock):
        return tool_folds(block)
    return isinstance(block, ThinkingBlock | BashBlock | CompactionBlock | BranchSummaryBlock | UnknownBlock)


def gap(previous: Block | None, block: Block, *, previous_folded: bool) -> int:
    """Blank rows between two blocks: one, but none before the first, and none below a run that is only a title.

    Such runs stand together as a list; one that shows more is parted from the next one.
    """
    if previous is None:
        return 0
    both_run = isinstance(previous, ToolBlock | BashBlock) and isinstance(block, ToolBlock | BashBlock)
    return int(not both_run or _shows_more(previous, previous_folded))


def _shows_more(block: Block, folded: bool) -> bool:
    """Whether a run has rows below its title. Nothing of a long output is read for that."""
    match block:
        case ToolBlock():
            texts = (part.text for part in block.output if isinstance(part, TextPart)) if block.name in SHELLS else ()
            return not folded or any(text and not text.isspace() for text in texts)
        case BashBlock():
            told = block.error or block.cancelled or block.exit_code or block.full_output_path or block.excluded
            return bool(told or (block.text and not block.text.isspace()) or (not folded and "\n" in block.command))
        case _:
            return True


def source(block: Block) -> str:
    """What copying the whole block gives: the text as it was said or put out, tabs and all, and nothing of ours.

    Controls are left out of that too: what is copied may be pasted into a terminal.
    """
    match block:
        case ToolBlock():
            command = arguments(block).get("command") if block.name in SHELLS else None
            asked = f"$ {command}" if isinstance(command, str) else " ".join(tool_title(block))
            made = made_text(block)
            output = "" if made and block.state is not ToolState.FAILED else output_text(block)
            parts = (_kept(asked).strip(), _kept(made).strip("\n"), _kept(output, progress=True).strip("\n"))
            return "\n".join(filter(None, parts))
        case BashBlock():
            return f"$ {_kept(block.command)}\n{_kept(block.text, progress=True)}".strip("\n")
        case CompactionBlock() | BranchSummaryBlock():
            return _kept(block.summary)
        case UnknownBlock():
            return _kept(_json(block.raw))
        case PromptBlock() | TextBlock() | ThinkingBlock() | CustomBlock() | NoticeBlock():
            return _kept(block.text)
        case _:
            return ""


def _kept(text: str, *, progress: bool = False) -> str:
    return clean(text, tab_size=0, progress=progress)


def title(block: Block, width: int) -> str:
    """A block in a few words, on one clean line of at most `width` cells."""
    match block:
        case ToolBlock():
            words = " ".join(tool_title(block))
        case BashBlock():
            words = f"$ {clean_line(block.command, 400)}"
        case CompactionBlock():
            words = "compaction"
        case BranchSummaryBlock():
            words = "branch summary"
        case CustomBlock():
            words = clean_line(block.custom_type, 80) or "extension"
        case UnknownBlock():
            words = clean_line(block.what, 400) or "unknown"
        case TextBlock() | ThinkingBlock():
            words = clean_line(unmarked(block.text[:800].lstrip()), 400)
        case _:
            words = clean_line(source(block).lstrip(), 400)
    return truncate(words.strip(), width)


def _prompt(block: PromptBlock, look: Look) -> list[Line]:
    palette = look.palette
    if block.delivery is Delivery.HANDLED:  # an extension has taken it; pi does not remember it
        words = truncate(clean_line(block.text, 400), max(0, look.width - 2))
        return framed(styled(words, palette.dim), look.width, INDENT) if words else []
    style = palette.dim if block.delivery in (Delivery.HELD, Delivery.SENDING, Delivery.ACCEPTED) else palette.prompt
    content = styled(clean(block.text).strip("\n"), style) if block.text.strip() else []
    content += [[Segment(image_line(image), palette.dim)] for image in block.images]
    told = {
        Delivery.HELD: "not sent yet",
        Delivery.SENDING: "sending",
        Delivery.ACCEPTED: "accepted",
        Delivery.FAILED: "not delivered: the text went back to the prompt",
    }.get(block.delivery)
    if told:
        content.append([Segment(told, palette.error if block.delivery is Delivery.FAILED else palette.dim)])
    if look.times and block.timestamp and (when := time_of_day(block.timestamp)):
        content.append([Segment(when, palette.faint)])
    return framed(content, look.width, Segment(_BAR, palette.prompt_bar))


def _markdown(text: str, look: Look) -> Iterable[Piece]:
    return whole(draw_markdown(text, look)) if len(text) <= STEP else Prose(look).pieces(text)


def _answer(text: str, look: Look) -> Iterable[Piece]:
    if look.full or len(text) <= LONGEST_ANSWER:
        return _markdown(text, look)
    cut = text.rfind("\n", LONGEST_ANSWER // 2, LONGEST_ANSWER) + 1 or LONGEST_ANSWER
    rest = note(f"  … {size(len(text) - cut)} more {SHOW_ALL}", look)
    return joined(_markdown(text[:cut], look), whole([rest]))


def prose(block: Block, look: Look) -> tuple[str, Look] | None:
    """The text of a block that is Markdown and nothing else, and its look: what can be drawn as it grows."""
    match block:
        case TextBlock():
            return _said(block), look
        case ThinkingBlock() if not look.folded and block.text and not block.text.isspace():
            return _said(block), look.thinking()
        case _:
            return None


def _said(block: TextBlock | ThinkingBlock) -> str:
    """Its text, but while it grows not what may be the start of a table."""
    return block.text if block.finished else decided(block.text)


def _thinking(block: ThinkingBlock, look: Look) -> Iterable[Piece]:
    palette = look.palette
    if not block.text or block.text.isspace():
        hidden = [[Segment(_REDACTED, palette.thinking)]]
        return whole(framed(hidden, look.width, INDENT)) if block.redacted else ()
    if look.folded:
        thoughts = block.text.lstrip()[:800] if block.finished else block.text[-200:]
        words = clean_line(" ".join(unmarked(thoughts).split()), 400)
        return whole([heading(Segment("·", palette.thinking), "thinking", words, look)])
    return _markdown(_said(block), look.thinking())


def _compaction(block: CompactionBlock, look: Look) -> Iterable[Piece]:
    before, after = block.tokens_before, block.tokens_after
    tokens = f"{before:,} tokens" if before is not None else ""
    if tokens and after is not None:
        tokens = f"{before:,} to {after:,} tokens"
    match block.state:
        case "running":
            return _summary("compacting", tokens, "", look)
        case "cancelled":
            return _summary("compaction stopped", tokens, "", look)
        case "failed":
            why = framed(styled(clean(block.error), look.palette.error), look.width, INDENT)
            return joined(_summary("compaction failed", tokens, "", look), whole(why))
        case "done":
            return _summary("compacted", tokens, block.summary, look)


def _summary(name: str, what: str, summary: str, look: Look) -> Iterable[Piece]:
    title = whole([heading(Segment("≡", look.palette.dim), name, what, look)])
    return title if look.folded or not summary.strip() else joined(title, _markdown(summary, look))


def _custom(block: CustomBlock, look: Look) -> Iterable[Piece]:
    kind = clean_line(block.custom_type, 80) or "extension"
    title = whole([heading(Segment("◆", look.palette.accent), kind, "", look)])
    if look.folded:
        return title
    return joined(title, _markdown(block.text, look), whole(_images(block.images, look)))


def _images(images: Sequence[ImagePart], look: Look) -> list[Line]:
    return framed([[Segment(image_line(image), look.palette.dim)] for image in images], look.width, INDENT)


def _notice(block: NoticeBlock, look: Look) -> list[Line]:
    palette = look.palette
    sign, style = {"info": ("·", palette.dim), "warning": ("!", palette.warning), "error": ("✗", palette.error)}[
        block.level
    ]
    text = clean(block.text).strip("\n")
    if not text.strip():
        return []
    return framed(styled(text, style), look.width, Segment(f"{sign} ", style), INDENT)


def is_shown(block: TurnBlock, times: bool) -> bool:
    """Whether there is something to tell of a run: not of a short answer without a tool, unless `times` are wanted."""
    long = block.duration is not None and block.duration >= LONG_SECONDS
    return times or bool(block.tools) or block.outcome != "done" or long


def _turn(block: TurnBlock, look: Look) -> list[Line]:
    if not is_shown(block, look.times):
        return []
    took = "" if block.duration is None else duration(block.duration)
    words = {"stopped": "stopped after", "failed": "failed after"}.get(block.outcome, "")
    told = [f"{words} {took}".strip() if took else words.removesuffix(" after")]
    told += [tool_name(name) + (f" \u00d7{count}" if count > 1 else "") for name, count in block.tools.items()]
    if look.times:
        if block.timestamp:
            told.append(time_of_day(block.timestamp))
        told.append(f"{tokens_in_words(block.tokens_sent)}↑ {tokens_in_words(block.tokens_received)}↓")
        told.append(cost_in_words(block.cost))
    return [note("  " + " · ".join(filter(None, told)), look)]


def _unknown(block: UnknownBlock, look: Look) -> Iterable[Piece]:
    what = clean_line(block.what, 80) or "something"
    title = whole([heading(Segment("?", look.palette.warning), what, "is not known to pitui", look)])
    if look.folded:
        return title
    return joined(title, output_pieces(_json(block.raw), look, "first", look.palette.output, INDENT))


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=1, default=str)
    except (ValueError, RecursionError):
        return str(type(value).__name__)
