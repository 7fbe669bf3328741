"""The styles a block is drawn with, by what they mean. `pitui.ui.theme` makes them of a theme."""

from dataclasses import dataclass, field, fields

from rich.style import Style


@dataclass(frozen=True, slots=True)
class Palette:
    """`syntax` names a style of Pygments; `dark` says what the background is. Hashable, as part of cache keys."""

    text: Style
    dim: Style
    faint: Style
    accent: Style
    # what is said
    prompt: Style
    prompt_bar: Style
    thinking: Style
    heading: Style
    strong: Style
    emphasis: Style
    strike: Style
    code: Style
    code_block: Style
    link: Style
    quote: Style
    rule: Style
    marker: Style
    # what is done
    tool_name: Style
    tool_title: Style
    output: Style
    success: Style
    warning: Style
    error: Style
    added: Style
    removed: Style
    added_word: Style
    removed_word: Style
    line_number: Style
    # what the transcript puts over it
    search_hit: Style
    search_current: Style
    selection: Style
    cursor: Style
    # highlighted code
    syntax: str = "default"
    dark: bool = True
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        values = tuple(getattr(self, known.name) for known in fields(self) if known.compare)
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def plain(cls) -> "Palette":
        """Attributes only, no colour at all."""
        none, bold, dim, reverse = Style(), Style(bold=True), Style(dim=True), Style(reverse=True)
        return cls(
            text=none,
            dim=dim,
            faint=dim,
            accent=bold,
            prompt=none,
            prompt_bar=bold,
            thinking=Style(dim=True, italic=True),
            heading=bold,
            strong=bold,
            emphasis=Style(italic=True),
            strike=Style(strike=True),
            code=bold,
            code_block=none,
            link=Style(underline=True),
            quote=dim,
            rule=dim,
            marker=dim,
            tool_name=bold,
            tool_title=none,
            output=dim,
            success=none,
            warning=bold,
            error=bold,
            added=none,
            removed=dim,
            added_word=Style(bold=True, underline=True),
            removed_word=Style(dim=True, underline=True),
            line_number=dim,
            search_hit=Style(underline=True),
            search_current=reverse,
            selection=reverse,
            cursor=bold,
            syntax="",
            dark=True,
        )
