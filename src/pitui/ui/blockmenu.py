"""What can be done with a block of the chat: the rows of its menu."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pitui import render
from pitui.render.amounts import number
from pitui.render.arguments import arguments
from pitui.render.text import clean, clean_line
from pitui.render.titles import word
from pitui.render.tools import full_output_path, image_facts, made_text, output_text
from pitui.rpc.messages import ImagePart
from pitui.session.blocks import SHELLS, BashBlock, Block, CustomBlock, PromptBlock, ToolBlock
from pitui.ui.screens.picker import Choice
from pitui.ui.widgets.transcript.sources import code_lines, code_name, codes, links


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to do: `what` it is, and with which text, if any; `name` is what is told of the text."""

    what: Literal["fold", "whole", "less", "copy", "read", "open", "tell"]
    text: str = ""
    name: str = ""


CODES = 20
"""Pieces of code of one block that the menu lists."""


def block_menu(
    block: Block, *, foldable: bool, folded: bool, more: bool, whole: bool, selected: str = ""
) -> list[Choice[Deed]]:
    """What makes sense for this block. `more` when a part is left out, or shown because it is `whole`.

    `selected` is what is selected, in this block or in others.
    """
    rows: list[Choice[Deed]] = []
    if selected:
        rows.append(Choice(Deed("copy", selected), "Copy what is selected", _size_of(selected), "Ctrl+C"))
    if foldable:
        rows.append(Choice(Deed("fold"), "Open it" if folded else "Fold it", note="Enter"))
    if more and not folded:
        rows.append(Choice(Deed("less"), "Show less") if whole else Choice(Deed("whole"), "Show all of it", note="→"))
    if path := full_output_path(block):
        rows.append(Choice(Deed("read", path), "Read the full output", clean_line(path)))
    if source := render.blocks.source(block):
        key = "" if selected else "Ctrl+C"
        rows.append(Choice(Deed("copy", source), "Copy all of it", _size_of(source), key))
    rows += _parts(block)
    found = codes(block)
    for at, code in enumerate(found[:CODES]):
        name, lines = code_name(found, at), code_lines(code)
        said = (clean_line(code.language, 30), lines, clean_line(code.text.split("\n", 1)[0], 200))
        copied = Deed("copy", code.text, f"{name} ({lines})")
        rows.append(Choice(copied, f"Copy {name}", " · ".join(filter(None, said)), "" if at else "Ctrl+Y"))
    rows += [Choice(Deed("open", address), f"Open {_host(address)}", address) for address in links(block)]
    for image in images(block):
        facts = image_facts(image)
        rows.append(Choice(Deed("tell", facts), "Tell of the picture", facts))
    return rows


def _parts(block: Block) -> Iterator[Choice[Deed]]:
    """Single parts of a tool run or a command to copy."""
    match block:
        case ToolBlock():
            known = arguments(block)
            parts = [("command", word(known, "command") if block.name in SHELLS else "")]
            parts += [("file's text" if block.name == "write" else "change", made_text(block))]
            parts += [("path", word(known, "path")), ("output", output_text(block))]
        case BashBlock():
            parts = [("command", block.command), ("output", block.text)]
        case _:
            return
    for name, text in parts:
        copied = clean(text, tab_size=0, progress=name == "output").strip("\n")
        if copied.strip():
            said = clean_line(copied, 200) if name in ("command", "path") else _size_of(copied)
            yield Choice(Deed("copy", copied), f"Copy the {name}", said)


def images(block: Block) -> Sequence[ImagePart]:
    match block:
        case PromptBlock() | CustomBlock():
            return block.images
        case ToolBlock():
            return [part for part in block.output if isinstance(part, ImagePart)]
        case _:
            return ()


def _size_of(text: str) -> str:
    return number(text.count("\n") + 1, "line") if "\n" in text else number(len(text), "character")


def _host(address: str) -> str:
    try:
        found = urlsplit(address)
        return found.hostname or found.path or address
    except ValueError:
        return address
