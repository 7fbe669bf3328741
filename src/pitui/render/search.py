"""What search looks through: all of a block's text, also what is folded or cut."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pitui.render.arguments import arguments, text_field
from pitui.render.blocks import source, title
from pitui.render.diff import changes
from pitui.render.text import clean
from pitui.render.titles import LIMIT, tool_title, word
from pitui.render.tools import TITLED, image_line, shown_text
from pitui.session.blocks import (
    SHELLS,
    BashBlock,
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    PromptBlock,
    TextBlock,
    ThinkingBlock,
    ToolBlock,
    TurnBlock,
    UnknownBlock,
)

PIECE = 200_000
"""Characters that are looked through at once."""
_HIDDEN = re.compile(r"\*+|~~|`+|!?\[|\\(?=[!-/:-@\[-`{-~])")


class Piece(NamedTuple):
    """A part of a text that ends where a line ends: as it was said, and about as it is drawn when it is open."""

    source: str
    shown: str


def searchable(block: Block) -> Iterator[Piece]:
    """Everything that a drawing of the block shows when it is open, piece by piece, and what Markdown hides of it."""
    match block:
        case TextBlock() | ThinkingBlock() | BranchSummaryBlock():
            yield _markdown(source(block))
        case CompactionBlock():
            yield _markdown(source(block))
            yield _plain(block.error)
        case CustomBlock():
            yield _plain(title(block, 400))
            yield _markdown(source(block))
            yield from map(_plain, map(image_line, block.images))
        case PromptBlock():
            yield _plain(source(block))
            yield from map(_plain, map(image_line, block.images))
        case ToolBlock():
            yield _plain(title(block, 400))
            yield _plain(_asked(block))
            yield from _output(shown_text(block))
            yield _plain(text_field(block.details, "fullOutputPath"))
        case BashBlock():
            yield _plain(f"{block.command}\n{block.error}\n{block.full_output_path}")
            yield from _output(block.text)
        case UnknownBlock() | TurnBlock():
            yield _plain(f"{title(block, 400)}\n{source(block)}")
        case _:
            yield _plain(source(block))


def _plain(text: str) -> Piece:
    text = clean(text)
    return Piece(text, text)


def _markdown(text: str) -> Piece:
    text = clean(text)
    return Piece(text, _HIDDEN.sub("", text.replace("](", " (")))


def _output(text: str) -> Iterator[Piece]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + PIECE)
        end = len(text) if end < 0 else end
        piece = clean(text[start:end], progress=True)
        yield Piece(piece, piece)
        start = end + 1


def _asked(block: ToolBlock) -> str:
    """The arguments, of tools that show more of them than their title."""
    known = arguments(block)
    what = tool_title(block, None)[1] if block.name in TITLED else ""
    whole = [what] if len(what) > LIMIT else []
    match block.name:
        case "edit":
            return "\n".join([*whole, *(change.text for change in changes(block.details, known))])
        case "write":
            return "\n".join([*whole, word(known, "content")])
        case "codemode":
            return word(known, "code")
        case name if name in SHELLS:
            command = word(known, "command")
            return command if "\n" in command or len(command) > LIMIT else ""
        case name if name in TITLED:
            return "\n".join(whole)
        case _:
            return "\n".join(f"{key}: {_argument(value)}" for key, value in known.items())


def _argument(value: Any) -> str:
    return value if isinstance(value, str) else word({"": value}, "")
