"""The inside of a paragraph, a heading or a cell as lines of segments, from markdown-it's inline tokens."""

import re
from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from rich.segment import Segment
from rich.style import Style

from pitui.render.amounts import size
from pitui.render.palette import Palette
from pitui.render.text import clean

_ADDRESS = re.compile(r"https?://[^\s<>\"'`|]*[^\s<>\"'`|.,;:!?)\]}]")
_LINKED = re.compile(r"(?:https?://|mailto:)[!-~]+", re.IGNORECASE)
_TASK = re.compile(r"\[[ xX]\] ")
_FORMULA = re.compile(r"\$\$.+?\$\$|\$(?![\s$])[^$\n]*(?<![\s\\])\$(?!\d)|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
"""LaTeX. A dollar before a space or after one, or before a digit, is money."""

Lines = Sequence[Sequence[Segment]]


class Inline:
    """Draws inline tokens; what they hold is cleaned once more, for entities and addresses can spell controls."""

    def __init__(self, palette: Palette, base: Style) -> None:
        self._palette = palette
        self._lines: list[list[Segment]] = [[]]
        self._styles = [base]
        self._targets: list[str] = []
        self._opened = 0

    def draw(self, tokens: Sequence[Token]) -> Lines:
        for token in tokens:
            self._draw(token)
        return self._lines

    def _draw(self, token: Token) -> None:
        palette = self._palette
        match token.type:
            case "text" | "text_special":
                self._text(token.content)
            case "code_inline":
                self._put(token.content, self._styles[-1] + palette.code)
            case "formula":
                self._formula(token.content)
            case "softbreak" | "hardbreak":
                self._lines.append([])
            case "strong_open":
                self._styles.append(self._styles[-1] + palette.strong)
            case "em_open":
                self._styles.append(self._styles[-1] + palette.emphasis)
            case "s_open":
                self._styles.append(self._styles[-1] + palette.strike)
            case "link_open":
                self._open_link(str(token.attrGet("href") or ""))
            case "link_close":
                self._close_link()
            case "strong_close" | "em_close" | "s_close":
                self._styles.pop()
            case "image":
                self._image(token)
            case _:  # tags, and whatever else there may be, as written
                self._put(token.content, self._styles[-1])

    def _put(self, text: str, style: Style) -> None:
        text = clean(text).replace("\n", " ")
        if text:
            self._lines[-1].append(Segment(text, style))

    def _text(self, text: str) -> None:
        style = self._styles[-1]
        if self._targets or "://" not in text:
            self._put(text, style)
            return
        at = 0
        for match in _ADDRESS.finditer(text):
            self._put(text[at : match.start()], style)
            self._put(match.group(), style + linked(match.group(), self._palette))
            at = match.end()
        self._put(text[at:], style)

    def _formula(self, text: str) -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                self._lines.append([])
            self._put(line, self._styles[-1])

    def _open_link(self, target: str) -> None:
        self._targets.append(target)
        self._styles.append(self._styles[-1] + linked(target, self._palette))
        self._opened = sum(map(len, self._lines))

    def _close_link(self) -> None:
        """Say where it leads, unless its text has said so."""
        target = self._targets.pop()
        self._styles.pop()
        segments = [segment for line in self._lines for segment in line][self._opened :]
        said = "".join(segment.text for segment in segments)
        if target.removeprefix("mailto:") != said and target:
            self._put(f" ({target})" if said else target, self._styles[-1] + self._palette.dim)

    def _image(self, token: Token) -> None:
        target = str(token.attrGet("src") or "")
        if target.startswith("data:"):
            kind = target[5:25].partition(";")[0].removeprefix("image/")
            target = f"{kind} {size(len(target) * 3 // 4)}"
        words = " ".join(filter(None, ["image", token.content]))
        self._put(f"[{words}]" + (f" ({target})" if target else ""), self._styles[-1] + self._palette.dim)


def linked(target: str, palette: Palette) -> Style:
    """The style of a link, which can be followed only where it leads to the web or to mail."""
    return palette.link + Style(link=target) if _LINKED.fullmatch(target) else palette.link


@lru_cache(4096)
def draw_inline(text: str, palette: Palette, base: Style) -> Lines:
    """The lines of what stands inside of a block, at least one."""
    tokens: list[Token] = []
    parser = _parser()
    parser.inline.parse(text, parser, {}, tokens)
    return Inline(palette, base).draw(tokens)


@lru_cache(1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("strikethrough")
    parser.inline.ruler.before("escape", "formula", _read_formula)
    return parser


def _read_formula(state: StateInline, silent: bool) -> bool:
    """A rule of the parser: a formula is one token, and what would be marks or escapes in it is text."""
    match = _FORMULA.match(state.src, state.pos, state.posMax) if state.src[state.pos] in "$\\" else None
    if match is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = match.group()
    state.pos = match.end()
    return True


def with_task(lines: Lines, palette: Palette) -> Lines:
    """The box of a task at the start of a list item, set off from its text."""
    first = lines[0]
    if not first or not _TASK.match(first[0].text):
        return lines
    box, rest = first[0].text[:3], first[0].text[3:]
    return [[Segment(box, palette.accent), Segment(rest, first[0].style), *first[1:]], *lines[1:]]
