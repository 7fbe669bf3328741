"""Markdown as lines. Nothing of the text is left out: HTML, footnotes and references are shown as written.

Every row is decided by the block it stands in alone. That is why no reference is resolved: a definition further down
would change what has long been drawn, and a text that streams must look as it does when it is drawn at once.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.code import SLICE_LINES, code_rows, highlighted, wrap_code
from pitui.render.cuts import PART, Container, Cut, Opening, after_place, first_line, held_place, parts
from pitui.render.inline import Lines, draw_inline, with_task
from pitui.render.lines import SHOW_ALL, Line
from pitui.render.look import Look
from pitui.render.tables import GAP, SETTLING_ROWS, read_table
from pitui.render.text import Row, cells, clean, truncate, wrap

DEEPEST = 90
"""Levels of nesting up to which marks are read; deeper ones are text. A list is two levels, a quote one."""

WHOLE_LINES = 100
"""Lines up to which the code of a fence is highlighted as one, once it has its end."""

SLICE_ROWS = 10
"""Rows of a table after which it can be cut."""

_OPENS = re.compile(r">|(?:[-+*]|\d{1,9}[.)])(?: |$)")


def draw_markdown(text: str, look: Look) -> list[Line]:
    """The rows of a Markdown text; none for an empty one."""
    return draw_page(clean(text), look).lines


def draw_page(text: str, look: Look, opening: Opening = Opening()) -> "Page":  # noqa: B008 - it is frozen
    """A clean text that starts with that of its opening."""
    page = Page(look, text.split("\n"), opening)
    page.draw(_parser().parse(text))
    return page


@lru_cache(1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST + 10}).enable("table")
    parser.disable(["reference", "inline", "text_join"])  # what stands inside of a block is parsed when it is drawn
    for name in ("blockquote", "list"):
        _limit(parser, name, lambda state, _: state.level < DEEPEST)  # where the parser would drop what stands there
    _limit(parser, "table", _may_be_header)
    return parser


def _may_be_header(state: StateBlock, line: int) -> bool:
    """Whether a line may be the first one of a table: not a long one, and none that opens a quote or a list."""
    start, end = state.bMarks[line], state.eMarks[line]
    return end - start <= PART and not _OPENS.match(state.src, start + state.tShift[line], end)


def _limit(parser: MarkdownIt, name: str, allowed: Callable[[Any, int], bool]) -> None:
    """Let a rule of the parser read only where it is `allowed` in this state at this line."""
    ruler = parser.block.ruler
    rule = next(known for known in ruler.__rules__ if known.name == name)
    read = rule.fn

    def limited(state: Any, start: int, end: int, silent: bool) -> bool:
        return allowed(state, start) and read(state, start, end, silent)

    ruler.at(name, limited, {"alt": rule.alt})


class Page:
    """Rows as they are made. `cuts` tells where the source can be cut: more text changes nothing before them."""

    def __init__(self, look: Look, source: list[str], opening: Opening) -> None:
        self.lines: list[Line] = []
        self.cuts: list[Cut] = []
        self.source = source
        self._width = look.width
        self._palette = look.palette
        self._full = look.full
        self._opening = opening
        self._skip = opening.text.count("\n") + (opening.text[-1:] not in ("", "\n"))  # lines that are not drawn
        self._containers = [Container(Segment("  "), -1)]
        self._end = 0  # the line after the last one that was drawn
        self._fresh = True  # nothing was drawn
        self._task = False  # what comes next is the first paragraph of an item

    def _complete(self, line: int) -> bool:
        """Whether a line of the source has its end."""
        return line < len(self.source) - 1

    def _cut(
        self, line: int, *, gap: bool = False, column: int = 0, leaf: str = "", widths: Sequence[int] = ()
    ) -> None:
        """It can be cut here."""
        if (column or self._complete(line)) and not any(container.pending for container in self._containers):
            containers = tuple(self._containers[1:])
            self.cuts.append(Cut(line, len(self.lines), containers, gap, column, leaf, widths))

    def draw(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            index = self._block(tokens, index)

    def _block(self, tokens: Sequence[Token], index: int) -> int:
        """Draw what starts at `index`, and say where the next block is."""
        token = tokens[index]
        palette = self._palette
        if token.map and token.nesting >= 0 and not self._reopens(token):
            self._begin(token)
        match token.type:
            case "paragraph_open":
                self._paragraph(token, tokens[index + 1].content)
                index += 2
            case "heading_open":
                self._heading(token, tokens[index + 1].content)
                index += 2
            case "fence" | "code_block":
                self._code(token)
            case "html_block":
                self._html(token)
            case "hr":
                self._put([[Segment("─" * min(self._room(), 40), palette.rule)]])
            case "table_open":
                close = _closing(tokens, index)
                self._table(token, tokens[index:close])
                index = close
            case "blockquote_open":
                self._containers.append(Container(Segment("│ ", palette.quote), _first_line(token)))
                self._empty_container(tokens[index + 1])
            case "list_item_open":
                mark = Segment(f"{token.info}{token.markup} ", palette.marker)
                self._containers.append(Container(mark, _first_line(token), True, not self._reopens(token)))
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
        """Leave a row empty where the source has empty lines, and remember that a block starts here."""
        start = _first_line(token)
        gap = self._opening.gap if self._fresh else start > self._end
        if gap or token.type != "table_open" or self._complete(start + 1):  # or its first line may be text as yet
            self._cut(start, gap=gap)
        if gap:
            self.lines.append(self._empty())
        self._fresh = False
        self._end = max(self._end, start)

    def _reopens(self, token: Token) -> bool:
        """Whether a block has begun before what is drawn here."""
        return _first_line(token) < self._skip

    def _empty(self) -> Line:
        """A row between blocks: only the bars of quotes go through it."""
        frame = [container.take() for container in self._fitting() if not container.pending]
        while frame and frame[-1].text.isspace():
            frame.pop()
        return Line(Strip(frame), sum(cells(segment.text) for segment in frame))

    def _fitting(self) -> list[Container]:
        """The innermost containers, as many as leave half of the width to the text."""
        room = self._width // 2
        fitting: list[Container] = []
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

    def _put(self, content: Lines, *, code: bool = False) -> None:
        """Rows of clean lines within their containers. Marks for which there is no room go before the text."""
        self._fresh = False
        fitting = self._fitting()
        lost = [container.take() for container in self._containers if container.pending and container not in fitting]
        if lost:
            content = [[*lost, *content[0]], *content[1:]]
        gutter = _gutter(fitting)
        for line in content:
            frame = [container.take() for container in fitting]
            width = sum(cells(segment.text) for segment in frame)
            room = self._width - width
            wrapped = wrap_code(line, room, self._palette) if code else _unhung(wrap(line, room))
            for row, hang, joint in wrapped:
                self.lines.append(Line(Strip([*frame, *row]), (width if gutter is None else gutter) + hang, joint))
                frame = [container.take() for container in fitting]
                gutter = None

    def _as_written(self, lines: Sequence[str]) -> None:
        style = self._text_style()
        self._put([[Segment(line, style)] for line in lines])

    def _paragraph(self, token: Token, content: str) -> None:
        line = _first_line(token)
        if self._reopens(token):
            content = after_place(self._opening.text, content)
            line += content.startswith("\n")
            content = content.removeprefix("\n")
            if not content:  # what went on there has turned out to be something else
                return
        lines = content.split("\n")
        for part in parts(lines):
            if part.line or part.column:
                column = (
                    part.column
                    and len(self.source[line + part.line].rstrip()) - len(lines[part.line].rstrip()) + part.column
                )
                self._cut(line + part.line, column=column, leaf=held_place(self.source, self._containers[1:], column))
            drawn = draw_inline(part.text, self._palette, self._text_style())
            self._put(with_task(drawn, self._palette) if self._task else drawn)
            self._task = False
            self.lines[-1].joint = part.joint

    def _heading(self, token: Token, content: str) -> None:
        palette = self._palette
        if token.markup in ("=", "-") and len(content) > PART:  # too long to wait for the line under it
            self._paragraph(token, content)
            self._as_written([self.source[_last_line(token, ()) - 1].strip()])
        elif not self._reopens(token):
            style = palette.heading if token.tag in ("h1", "h2") else self._text_style() + palette.strong
            before = len(self.lines)
            self._put(draw_inline(content, palette, style))
            if token.markup.startswith("#"):
                self.lines[before].unseen = f"{token.markup} "

    def _html(self, token: Token) -> None:
        lines = token.content.removesuffix("\n").split("\n")
        first = _first_line(token)
        start = int(self._reopens(token))
        for at in range(start, len(lines), SLICE_LINES):
            if at > start:
                self._cut(first + at, leaf=first_line(self.source, self._containers[1:], first))
            self._as_written(lines[at : at + SLICE_LINES])

    def _table(self, token: Token, tokens: Sequence[Token]) -> None:
        """A table in slices, once its columns are settled; as records where there is no room for all of them."""
        table = read_table(tokens, self._palette)
        start, reopens = _first_line(token), self._reopens(token)
        widths = self._opening.widths if reopens else table.widths(self._room())
        hidden = len(table.header) - len(widths)
        records = self._full and hidden > 0
        if not reopens and not records:
            self._put(table.row(table.header, widths))
            self._rule(sum(widths) + GAP * (len(widths) - 1), hidden)
        body = table.body or ([[[]] * len(table.header)] if records else [])
        for at, row in enumerate(body):
            if at and at % SLICE_ROWS == 0 and (reopens or at >= SETTLING_ROWS):
                leaf = "".join(first_line(self.source, self._containers[1:], line) for line in (start, start + 1))
                self._cut(start + 2 + at, leaf=leaf, widths=widths)
            if records and (at or reopens):
                self.lines.append(self._empty())
            self._put(table.record(row) if records else table.row(row, widths))

    def _rule(self, length: int, hidden: int) -> None:
        """The row under the header of a table, which says how many columns there is no room for."""
        palette, room = self._palette, self._room()
        rule = [Segment("─" * length, palette.rule)]
        if hidden:
            words = f"… {hidden} more {'column' if hidden == 1 else 'columns'} {SHOW_ALL}"
            if cells(words) > room:
                words = truncate(f"… {hidden} {SHOW_ALL}", room)
            rule = [Segment("─" * (room - cells(words) - 1) + " ", palette.rule)] if cells(words) < room else []
            rule.append(Segment(words, palette.dim))
        self._put([rule])
        line = self.lines[-1]
        line.gutter, line.joint = line.strip.cell_length, ""
        line.leads = "all" if hidden else ""

    def _code(self, token: Token) -> None:
        """Code in slices; a fence as one while it is short, and then there is no cut in it until it is long."""
        lines = token.content.removesuffix("\n").split("\n")
        start, end = token.map or (0, 0)
        fence, reopens = token.type == "fence", self._reopens(token)
        first, lines = (start + 1, lines) if fence else (start + reopens, lines[reopens:])
        short = fence and not reopens and len(lines) <= WHOLE_LINES
        closed = end - first > (len(lines) if token.content else 0)
        size = WHOLE_LINES if short and closed else SLICE_LINES
        sure = not fence or reopens or self._complete(first + WHOLE_LINES)
        language = token.info.strip().partition(" ")[0]
        code = Container(Segment("  "))
        for at in range(0, len(lines), size):
            if at and sure and not short:
                self._cut(first + at, leaf=first_line(self.source, self._containers[1:], start))
            self._containers.append(code)
            self._slice("\n".join(lines[at : at + size]), language)
            self._containers.pop()

    def _slice(self, text: str, language: str) -> None:
        """Rows of code, the same ones as before where the same code stands at the same place."""
        if any(container.pending for container in self._containers):
            self._put(highlighted(text, language, self._palette), code=True)
            return
        self._fresh = False
        frame = tuple(container.take() for container in self._fitting())
        self.lines += code_rows(text, language, self._palette, self._width, frame)


def _unhung(rows: Sequence[Row]) -> Iterator[tuple[list[Segment], int, str]]:
    return ((row, 0, joint) for row, joint in rows)


def _first_line(token: Token) -> int:
    return token.map[0] if token.map else 0


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


def _gutter(containers: Sequence[Container]) -> int | None:
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
