"""Markdown as lines. Nothing of the text is left out: HTML, footnotes and references are shown as written.

Every row is decided by the block it stands in alone. That is why no reference is resolved: a definition further down
would change what has long been drawn, and a text that streams must look as it does when it is drawn at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.code import highlighted
from pitui.render.inline import Lines, draw_inline, with_task
from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.palette import Palette
from pitui.render.tables import draw_table
from pitui.render.text import cells, clean, wrap

DEEPEST = 90
"""Levels of nesting up to which marks are read; deeper ones are text. A list is two levels, a quote one."""

WHOLE_LINES = 100
"""Lines up to which the code of a fence is highlighted as one, once it has its end."""
SLICE_LINES = 20
"""Lines of a slice of any other code, which is highlighted by itself, so that more code never changes it."""


def draw_markdown(text: str, look: Look) -> list[Line]:
    """The rows of a Markdown text; none for an empty one."""
    return draw_page(clean(text), look).lines


@dataclass(frozen=True, slots=True)
class Start:
    """Where a block of the top level, or an item of a list there, starts: its line in the source and its row.

    `gap` says that an empty row stands before it; `row` does not count that one.
    """

    source: int
    row: int
    gap: bool
    kind: str


def draw_page(text: str, look: Look, *, gap: bool = False, sliced: bool = False) -> "Page":
    """A clean text. `gap` puts an empty row before it, `sliced` says that its first fence goes on from before."""
    page = Page(look, text.split("\n"), gap, sliced)
    page.draw(_parser().parse(text))
    return page


@lru_cache(1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST + 10}).enable("table")
    parser.disable(["reference", "inline", "text_join"])  # what stands inside of a block is parsed when it is drawn
    for name in ("blockquote", "list"):
        _limit(parser, name)
    return parser


def _limit(parser: MarkdownIt, name: str) -> None:
    """Let a rule of nesting blocks read no deeper than `DEEPEST`, where the parser would drop what stands there."""
    ruler = parser.block.ruler
    rule = next(known for known in ruler.__rules__ if known.name == name)
    nested = rule.fn

    def limited(state: Any, start: int, end: int, silent: bool) -> bool:
        return state.level < DEEPEST and nested(state, start, end, silent)

    ruler.at(name, limited, {"alt": rule.alt})


@dataclass(slots=True, eq=False)
class _Container:
    """A quote or an item of a list around what is drawn: a bar in every row, or a mark in the first and then blanks."""

    mark: Segment
    item: bool = False
    pending: bool = False

    def take(self) -> Segment:
        """What stands at the left of the next row."""
        if self.item and not self.pending:
            return Segment(" " * cells(self.mark.text))
        self.pending = False
        return self.mark


class Page:
    """Rows as they are made. `starts` and `slices` tell where the text can be cut."""

    def __init__(self, look: Look, source: list[str], gap: bool, sliced: bool) -> None:
        self.lines: list[Line] = []
        self.starts: list[Start] = []
        self.fence: Fence | None = None
        """The first one, where it is the first block."""
        self.open_fence: Fence | None = None
        """The last one, where it stands at the top level and has no end yet."""
        self._width = look.width
        self._palette = look.palette
        self.source = source
        self._containers = [_Container(Segment("  "))]
        self._end = 0  # the line after the last one that was drawn
        self._gap = gap
        self._sliced = sliced
        self._task = False  # what comes next is the first paragraph of an item

    def settled(self, start: Start) -> bool:
        """Whether more text can no longer move the start of a block: its first line has its end, or two of a table."""
        lines = 2 if start.kind == "table_open" and not start.gap else 1
        return self.complete(start.source + lines - 1)

    def complete(self, line: int) -> bool:
        """Whether a line of the source has its end."""
        return line < len(self.source) - 1

    def draw(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            index = self._block(tokens, index)

    def _block(self, tokens: Sequence[Token], index: int) -> int:
        """Draw what starts at `index`, and say where the next block is."""
        token = tokens[index]
        palette = self._palette
        if token.map and token.nesting >= 0:
            self._begin(token)
        match token.type:
            case "paragraph_open":
                lines = draw_inline(tokens[index + 1].content, palette, self._text_style())
                self._put(with_task(lines, palette) if self._task else lines)
                index += 2
            case "heading_open":
                style = palette.heading if token.tag in ("h1", "h2") else self._text_style() + palette.strong
                self._put(draw_inline(tokens[index + 1].content, palette, style))
                index += 2
            case "fence" | "code_block":
                self._code(token)
            case "html_block":
                self._as_written(token.content.removesuffix("\n").split("\n"))
            case "hr":
                self._put([[Segment("─" * min(self._room(), 40), palette.rule)]])
            case "table_open":
                close = _closing(tokens, index)
                self._table(token, tokens[index:close])
                index = close
            case "blockquote_open":
                self._containers.append(_Container(Segment("│ ", palette.quote)))
                self._empty_container(tokens[index + 1])
            case "list_item_open":
                mark = Segment(f"{token.info}{token.markup} ", palette.marker)
                self._containers.append(_Container(mark, item=True, pending=True))
                self._empty_container(tokens[index + 1])
            case "blockquote_close" | "list_item_close":
                self._containers.pop()
            case _:
                pass
        self._task = token.type == "list_item_open"
        if token.map:
            self._end = max(self._end, _last_line(token, tokens[index + 1 : index + 2]))
        return index + 1

    def _empty_container(self, following: Token) -> None:
        if following.type in ("blockquote_close", "list_item_close"):
            self._put([[]])

    def _begin(self, token: Token) -> None:
        """Leave a row empty where the source has empty lines, and remember where the block starts."""
        start = token.map[0] if token.map else 0
        gap = self._gap or (start > self._end and (token.level > 0 or bool(self.lines)))
        if token.level == 0 or (token.type == "list_item_open" and token.level == 1):
            self.starts.append(Start(start, len(self.lines), gap, token.type))
        if gap:
            self.lines.append(self._empty())
        self._gap = False
        self._end = max(self._end, start)

    def _empty(self) -> Line:
        """A row between blocks: only the bars of quotes go through it."""
        frame = [container.take() for container in self._fitting() if not container.pending]
        while frame and frame[-1].text.isspace():
            frame.pop()
        return Line(Strip(frame), sum(cells(segment.text) for segment in frame))

    def _fitting(self) -> list[_Container]:
        """The innermost containers, as many as leave half of the width to the text."""
        room = self._width // 2
        fitting: list[_Container] = []
        for container in reversed(self._containers):
            room -= cells(container.mark.text)
            if room < 0:
                break
            fitting.insert(0, container)
        return fitting

    def _room(self) -> int:
        """Cells for text."""
        return self._width - sum(cells(container.mark.text) for container in self._fitting())

    def _text_style(self) -> Style:
        quoted = any(not container.item for container in self._containers[1:])
        return self._palette.quote if quoted else self._palette.text

    def _put(self, content: Lines, *, words: bool = True) -> None:
        """Rows of clean lines within their containers. Marks for which there is no room go before the text."""
        fitting = self._fitting()
        lost = [container.take() for container in self._containers if container.pending and container not in fitting]
        if lost:
            content = [[*lost, *content[0]], *content[1:]]
        gutter = _gutter(fitting)
        for line in content:
            frame = [container.take() for container in fitting]
            width = sum(cells(segment.text) for segment in frame)
            for row, joint in wrap(line, self._width - width, words=words):
                self.lines.append(Line(Strip([*frame, *row]), width if gutter is None else gutter, joint))
                frame = [container.take() for container in fitting]
                gutter = None

    def _as_written(self, lines: Sequence[str]) -> None:
        style = self._text_style()
        self._put([[Segment(line, style)] for line in lines])

    def _table(self, token: Token, tokens: Sequence[Token]) -> None:
        lines = draw_table(tokens, self._palette, self._room())
        if lines is not None:
            self._put(lines)
        elif token.map:
            self._as_written([line.strip() for line in self.source[token.map[0] : token.map[1]]])

    def _code(self, token: Token) -> None:
        fence = _fence_of(token, self._sliced)
        if not self.lines:
            self.fence = fence
        self._sliced = False
        self._containers.append(_Container(Segment("  ")))
        language = token.info.strip().partition(" ")[0]
        for slice_ in fence.slices:
            fence.rows.append(len(self.lines))
            self._slice(slice_, language)
        self._containers.pop()
        self.open_fence = fence if token.level == 0 and not fence.closed and token.type == "fence" else None

    def _slice(self, text: str, language: str) -> None:
        """Rows of code, the same ones as before where the same code stands at the same place."""
        if any(container.pending for container in self._containers):
            self._put(highlighted(text, language, self._palette), words=False)
            return
        frame = tuple(container.take() for container in self._fitting())
        self.lines += _code_rows(text, language, self._palette, self._width, frame)


@dataclass(slots=True)
class Fence:
    """A block of code: where its code starts in the source, its slices, and the row of each."""

    source: int
    slices: list[str]
    closed: bool
    count: int
    """Lines of code."""
    rows: list[int] = field(default_factory=list[int])


def _fence_of(token: Token, sliced: bool) -> Fence:
    start, end = token.map or (0, 0)
    lines = token.content.removesuffix("\n").split("\n")
    count = len(lines) if token.content else 0
    closed = token.type == "code_block" or end - start - 1 > count
    if closed and not sliced and count <= WHOLE_LINES:
        slices = ["\n".join(lines)]
    else:
        slices = ["\n".join(lines[at : at + SLICE_LINES]) for at in range(0, len(lines), SLICE_LINES)]
    return Fence(start + 1, slices, closed, count)


@lru_cache(512)
def _code_rows(text: str, language: str, palette: Palette, width: int, frame: tuple[Segment, ...]) -> list[Line]:
    gutter = sum(cells(segment.text) for segment in frame)
    return [
        Line(Strip([*frame, *row]), gutter, joint)
        for line in highlighted(text, language, palette)
        for row, joint in wrap(line, width - gutter, words=False)
    ]


def _last_line(token: Token, following: Sequence[Token]) -> int:
    """The line after what a token has drawn: all of a leaf, of a container only its mark."""
    start, end = token.map or (0, 0)
    match token.type:
        case "bullet_list_open" | "ordered_list_open":
            return start
        case "list_item_open":
            return start + 1
        case "blockquote_open":
            return end if following[0].type == "blockquote_close" else start
        case _:
            return end


def _gutter(containers: Sequence[_Container]) -> int | None:
    """The cells that are not copied of a row with marks: those before the first item; None where there is no mark."""
    if not any(container.pending for container in containers):
        return None
    gutter = 0
    for container in containers:
        if container.item:
            break
        gutter += cells(container.mark.text)
    return gutter


def _closing(tokens: Sequence[Token], index: int) -> int:
    level = tokens[index].level
    return next(at for at in range(index + 1, len(tokens)) if tokens[at].level == level and tokens[at].nesting < 0)
