"""A tool run: one line while folded, and what it was asked and what it gave indented under it while open."""

import base64
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.amounts import duration, number, size
from pitui.render.arguments import arguments, field, text_field
from pitui.render.code import SLICE_LINES, code_rows, draw_code, lexer_of_path
from pitui.render.diff import changed_lines, changes, diff_pieces
from pitui.render.lines import ROOM, Line, frame_width, framed, note, output_note, styled
from pitui.render.look import Look
from pitui.render.output import TAIL, output_pieces, part, part_pieces
from pitui.render.pieces import Piece, joined, whole
from pitui.render.text import cells, clean, clean_line, coloured, truncate
from pitui.render.titles import LIMIT, tool_title, word
from pitui.rpc.messages import ImagePart, TextPart
from pitui.session.blocks import CHANGING, SHELLS, BashBlock, Block, ToolBlock, ToolState

INDENT = Segment("  ")
TITLED = frozenset({"read", "grep", "find", "ls", "edit", "write"})
"""Tools whose title tells what no line below tells again."""
WRITTEN = (120, 12_000)
"""Lines and characters of a long argument that are shown."""

_SIGNS = {
    ToolState.WRITING: "…",
    ToolState.WAITING: "○",
    ToolState.RUNNING: "●",
    ToolState.DONE: "✓",
    ToolState.FAILED: "✗",
    ToolState.SKIPPED: "⊘",
    ToolState.LOST: "?",
}


def folds(block: ToolBlock) -> bool:
    """Whether it is folded until someone opens it: edits, writes and failures are open."""
    return block.name not in CHANGING and block.state is not ToolState.FAILED


def tool_pieces(block: ToolBlock, look: Look) -> Iterator[Piece]:
    look = replace(look, growing=not block.state.over)
    name, what = tool_title(block)
    first = heading(_sign(block, look), name, what, look, took=_took(block, look), depth=block.depth)
    if look.folded:
        return joined(whole([first]), _last_lines(block, look) if block.name in SHELLS else ())
    asked = _asked(block, look, cut=is_cut(what, first))
    return joined(whole([first]), asked, _output(block, look), _remarks(block, look))


def heading(sign: Segment, name: str, what: str, look: Look, *, took: str = "", depth: int = 0) -> Line:
    """Sign, name and what, as much of it as fits, and how long it took at the right edge. All on one row."""
    width = look.width
    left = f"{'  ' * min(depth, 8)}{sign.text} "
    if cells(left) + ROOM > width:
        left = ""
    if took and width < cells(left) + cells(took) + 2 * ROOM:
        took = ""
    room = width - cells(left) - (cells(took) + 2 if took else 0)
    name = truncate(name, room)
    what = truncate(what, room - cells(name) - 1) if room > cells(name) + 1 else ""
    row = [Segment(left, sign.style)] if left else []
    row.append(Segment(name, look.palette.tool_name))
    if what:
        row += [Segment(" ", look.palette.tool_title), Segment(what, look.palette.tool_title)]
    used = sum(cells(segment.text) for segment in row)
    if took:
        row += [Segment(" " * (width - used - cells(took))), Segment(took, look.palette.dim)]
    line = Line(Strip(row), cells(left))
    line.end = used
    return line


def is_cut(what: str, line: Line) -> bool:
    """Whether a heading shows less than that, or that is not all of it."""
    return len(what) >= LIMIT or what not in line.strip.text


def _sign(block: ToolBlock, look: Look) -> Segment:
    palette = look.palette
    style = {
        ToolState.RUNNING: palette.accent,
        ToolState.DONE: palette.success,
        ToolState.FAILED: palette.error,
    }.get(block.state, palette.dim)
    return Segment(_SIGNS[block.state], style)


def _took(block: ToolBlock, look: Look) -> str:
    if block.duration is not None:
        return duration(block.duration)
    if block.state is ToolState.RUNNING and block.started_at is not None and look.now > block.started_at:
        return duration(look.now - block.started_at)
    return {ToolState.SKIPPED: "not run", ToolState.LOST: "no result"}.get(block.state, "")


def output_text(block: ToolBlock) -> str:
    """The text of its output, raw; pictures are not in it."""
    return "\n".join(item.text for item in block.output if isinstance(item, TextPart))


def made_text(block: ToolBlock) -> str:
    """What an edit changed, as a patch, or the text that a write wrote, raw; empty for other tools."""
    known = arguments(block)
    match block.name:
        case "edit":
            told = text_field(block.details, "patch") or text_field(block.details, "diff")
            return told or "\n".join(f"{change.sign}{change.text}" for change in changes(None, known))
        case "write":
            return word(known, "content")
        case _:
            return ""


def image_facts(image: ImagePart) -> str:
    """``image/png, 12 KB, 640 x 480 pixels``: what is known of a picture without drawing it."""
    data = image.data
    facts = [clean_line(image.mime_type, 80) or "of an unknown kind", size(len(data) * 3 // 4)]
    try:
        head = base64.b64decode(data[:64])
    except ValueError:
        head = b""
    if head.startswith(b"\x89PNG") and len(head) >= 24:
        facts.append("{} x {} pixels".format(*struct.unpack(">II", head[16:24])))
    elif head.startswith(b"GIF8") and len(head) >= 10:
        facts.append("{} x {} pixels".format(*struct.unpack("<HH", head[6:10])))
    return ", ".join(facts)


def image_line(image: ImagePart) -> str:
    """``[image png 12 KB]``: what a picture is, never what is in it."""
    kind = clean_line(image.mime_type.removeprefix("image/"), 40)
    return f"[image {kind} {size(len(image.data) * 3 // 4)}]" if kind else f"[image {size(len(image.data) * 3 // 4)}]"


def _asked(block: ToolBlock, look: Look, *, cut: bool) -> Iterable[Piece]:
    """The arguments, where the title does not tell all of them or is `cut`."""
    known = arguments(block)
    title = _plain(tool_title(block, None)[1], look.palette.text, look) if cut and block.name in TITLED else ()
    match block.name:
        case "edit":
            undone = block.state is ToolState.FAILED and changed_lines(block.details, known) != (0, 0)
            told = whole([note("  not applied:", look)]) if undone else ()
            return joined(title, told, diff_pieces(block.details, known, look))
        case "write":
            code = _written(word(known, "content"), lexer_of_path(word(known, "path")), block, look)
            return joined(title, code)
        case "codemode":
            return _written(word(known, "code"), "javascript", block, look)
        case "bash" | "powershell":
            command = word(known, "command").strip()
            return _plain(command, look.palette.text, look) if "\n" in command or cut else ()
        case name if name in TITLED:
            return title
        case _:
            return joined(*(_argument(key, value, look) for key, value in known.items()))


def _written(text: str, lexer: str, block: ToolBlock, look: Look) -> Iterable[Piece]:
    """Code that the model wrote. While it is still being written the last of it, later the first."""

    frame = (INDENT,) if frame_width(INDENT, look.width) else ()

    def draw(shown: str) -> list[Line]:
        return draw_code(clean(shown), lexer, look.palette, look.width, frame)

    def draw_slices(shown: str) -> list[Line]:
        lines = clean(shown).split("\n")
        slices = ("\n".join(lines[at : at + SLICE_LINES]) for at in range(0, len(lines), SLICE_LINES))
        return [row for code in slices for row in code_rows(code, lexer, look.palette, look.width, frame)]

    if not text:
        return ()
    if block.state is not ToolState.WRITING:
        return part_pieces(text.strip("\n"), look, "first", WRITTEN, draw)
    lines, characters = WRITTEN
    return part_pieces(text, look, "last", (lines + text.count("\n") % SLICE_LINES, characters), draw_slices)


def _plain(text: str, style: Style, look: Look) -> Iterable[Piece]:
    """A text of theirs as it is, a long one in part."""

    def draw(shown: str) -> list[Line]:
        return framed(styled(clean(shown), style), look.width, INDENT, words=False)

    return part_pieces(text, look, "first", WRITTEN, draw)


def _argument(key: str, value: Any, look: Look) -> Iterable[Piece]:
    text = value if isinstance(value, str) else word({key: value}, key)
    name = [Segment(f"{clean_line(key, 80)}: ", look.palette.dim)]

    def draw(shown: str) -> list[Line]:
        first, *others = styled(clean(shown), look.palette.text)
        lines = framed([[*name, *first], *others], look.width, INDENT, words=False)
        name.clear()
        return lines

    return part_pieces(text, look, "first", WRITTEN, draw)


def shown_text(block: ToolBlock) -> str:
    """The output as it is shown: nothing of an edit that went well, and not pi's line about what it left out.

    Under a command of which it keeps the end pi writes ``[Showing lines 3002-5001 of 5001. Full output: PATH]`` (seen
    with pi 1.6.0). `_remarks` tells the same.
    """
    text = output_text(block)
    if block.name in CHANGING and block.state is not ToolState.FAILED:
        return ""
    if block.name in SHELLS and (path := full_output_path(block)) and _missing_lines(block):
        start, last = text.rfind("\n[Showing lines "), f". Full output: {path}]"
        end = text.find(last, start)
        if 0 <= start < end:
            return text[:start].rstrip("\n") + text[end + len(last) :]
    return text


def _missing_lines(block: ToolBlock) -> int:
    """How many lines of the output pi has kept to itself, as far as it tells."""
    truncation = field(block.details, "truncation")
    kept, total = field(truncation, "outputLines"), field(truncation, "totalLines")
    if field(truncation, "truncated") is not True or not isinstance(kept, int) or not isinstance(total, int):
        return 0
    return max(0, total - kept)


def _last_lines(block: ToolBlock, look: Look) -> Iterable[Piece]:
    """The end of a command's output, and how many lines come before it, with those that pi has kept to itself."""
    text, missing = shown_text(block).strip("\n"), _missing_lines(block)
    if not text or not missing:
        return output_pieces(text, look, "last", look.palette.output, INDENT)
    shown = part(text, "last", TAIL, TAIL * max(look.width, 40))
    lines = framed(coloured(shown.text, look.palette.output), look.width, INDENT, words=False)
    return whole([note(f"  … {number(shown.lines + missing, 'earlier line')}", look), *lines])


def _output(block: ToolBlock, look: Look) -> Iterable[Piece]:
    failed = block.state is ToolState.FAILED
    text = shown_text(block)
    last = block.name in SHELLS or block.state is ToolState.RUNNING
    style = look.palette.error if failed and block.name not in SHELLS else look.palette.output
    images = [_plain(image_line(item), look.palette.dim, look) for item in block.output if isinstance(item, ImagePart)]
    return joined(output_pieces(text, look, "last" if last else "first", style, INDENT), *images)


def _remarks(block: ToolBlock, look: Look) -> Iterable[Piece]:
    """What pi says about an output that it shortened."""
    path = full_output_path(block)
    truncation = field(block.details, "truncation")
    told: list[str] = []
    if field(truncation, "truncated") is True:
        kept, total = field(truncation, "outputLines"), field(truncation, "totalLines")
        told.append(
            f"pi kept {kept} of {total} lines"
            if isinstance(kept, int) and isinstance(total, int)
            else "shortened by pi"
        )
    lines = _plain("; ".join(told), look.palette.dim, look) if told else ()
    return joined(lines, whole([output_note(clean_line(path), look)])) if path else lines


def full_output_path(block: Block) -> str:
    """Where pi keeps the whole output of which the block has a part; empty where it does not."""
    match block:
        case ToolBlock():
            return text_field(block.details, "fullOutputPath")
        case BashBlock():
            return block.full_output_path
        case _:
            return ""


def bash_pieces(block: BashBlock, look: Look) -> Iterator[Piece]:
    """A command of the person."""
    palette = look.palette
    look = replace(look, growing=block.running)
    failed = bool(block.error) or block.exit_code not in (None, 0)
    if block.running:
        sign = Segment("●", palette.accent)
    elif failed or block.cancelled:
        sign = Segment("✗", palette.error)
    else:
        sign = Segment("✓", palette.success)
    took = ""
    if block.duration is not None:
        took = duration(block.duration)
    elif block.running and block.started_at is not None and look.now > block.started_at:
        took = duration(look.now - block.started_at)
    what, command = clean_line(block.command), block.command.strip()
    first = heading(sign, "$", what, look, took=took)
    parts: list[Iterable[Piece]] = [whole([first])]
    if not look.folded and ("\n" in command or is_cut(what, first)):
        parts.append(_plain(command, palette.text, look))
    parts.append(output_pieces(block.text, look, "last", palette.output, INDENT))
    if told := _ended(block):
        parts.append(_plain(told, palette.error if failed else palette.dim, look))
    if block.full_output_path:
        parts.append(whole([output_note(clean_line(block.full_output_path), look)]))
    if block.excluded:
        parts.append(_plain("not shown to the model", palette.dim, look))
    return joined(*parts)


def _ended(block: BashBlock) -> str:
    """How a command ended, unless it did well."""
    told: list[str] = []
    if block.error:
        told.append(block.error)
    if block.cancelled:
        told.append("stopped")
    elif block.exit_code:
        told.append(f"exit code {block.exit_code}")
    if block.truncated and not block.full_output_path:
        told.append("shortened by pi")
    return "\n".join(told)
