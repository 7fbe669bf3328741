"""What can be taken out of blocks: code, links, the last answer."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pitui import render
from pitui.render.amounts import number
from pitui.session.blocks import (
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    PromptBlock,
    TextBlock,
    ThinkingBlock,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`|\\]*[^\s<>\"'`|\\.,;:!?)\]}]", re.IGNORECASE)
_LINK = re.compile(r"(?:https?://|mailto:)[!-~]+", re.IGNORECASE)
LINKS = 30
"""Links of one block that are found."""
SEARCHED = 200_000
"""Characters of a block in which code and links are looked for."""


class Code(NamedTuple):
    """A block of code: what it says it is written in, and the code without a line break at the end."""

    language: str
    text: str


def can_be_opened(address: str) -> bool:
    """Whether a link leads to the web or to mail; no other may be followed."""
    return _LINK.fullmatch(address) is not None


def codes(block: Block) -> list[Code]:
    """All fenced and indented code of a block that is Markdown, also within lists and quotes."""
    return [
        Code((token.info.split() or [""])[0], token.content.rstrip("\n"))
        for token in _tokens(block)
        if token.type in ("fence", "code_block") and token.content.strip()
    ]


def code_name(found: Sequence[Code], at: int) -> str:
    """A piece among all of a block: ``code 2 of 4``, or ``the code`` when there is no other."""
    return f"code {at + 1} of {len(found)}" if len(found) > 1 else "the code"


def code_lines(code: Code) -> str:
    """``12 lines``."""
    return number(code.text.count("\n") + 1, "line")


def links(block: Block) -> list[str]:
    """The addresses in a block that can be opened, each once, as they come: behind words, and written out."""
    source = render.blocks.source(block)[:SEARCHED]
    found = [str(child.attrGet("href") or "") for token in _tokens(block) for child in token.children or ()]
    found += _ADDRESS.findall(source)
    return sorted(filter(can_be_opened, dict.fromkeys(found)), key=source.find)[:LINKS]


def _tokens(block: Block) -> "Iterator[Token]":
    if isinstance(block, PromptBlock | TextBlock | ThinkingBlock | CustomBlock | CompactionBlock | BranchSummaryBlock):
        from markdown_it import MarkdownIt  # late: the first screen has no Markdown

        yield from MarkdownIt("commonmark").parse(render.blocks.source(block)[:SEARCHED])


def last_answer(blocks: Sequence[Block]) -> str:
    """Markdown of the last answer: all of its parts up to the next thing that is not text."""
    parts: list[str] = []
    for block in reversed(blocks):
        if isinstance(block, TextBlock):
            parts.append(block.text)
        elif parts:
            break
    return "\n\n".join(reversed(parts))


def joined(blocks: Sequence[Block]) -> str:
    """The sources of several blocks, one after another."""
    return "\n\n".join(filter(None, map(render.blocks.source, blocks)))
