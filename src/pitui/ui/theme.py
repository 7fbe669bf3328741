"""pitui's own themes, and the styles of the chat made of any theme."""

import os

from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from pitui.render.palette import Palette

DARK = Theme(
    name="pitui-dark",
    primary="#7aa8d8",
    secondary="#8b95a7",
    accent="#7aa8d8",
    foreground="#d6d9de",
    background="#16181d",
    surface="#1c1f25",
    panel="#22262d",
    success="#8fbf7f",
    warning="#d9b26a",
    error="#e08080",
    dark=True,
)
LIGHT = Theme(
    name="pitui-light",
    primary="#2a659c",
    secondary="#5b6472",
    accent="#2a659c",
    foreground="#2a2d33",
    background="#faf9f6",
    surface="#f2f1ec",
    panel="#e9e8e2",
    success="#356e2f",
    warning="#835a00",
    error="#ad3030",
    dark=False,
)
ANSI = Theme(
    name="ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_blue",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    variables={"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"},
)
"""The colours of the terminal itself, whatever they are."""

THEMES = (DARK, LIGHT, ANSI)

TEXT_CONTRAST = 4.5
DIM_CONTRAST = 3.0
"""What WCAG asks of text, and of what is less than text."""


def palette_of(source: App[object] | Theme) -> Palette:
    """The styles for a theme, or for the one an app has now. None of them has a colour where ``NO_COLOR`` is set."""
    if "NO_COLOR" in os.environ:
        return Palette.plain()
    theme = source if isinstance(source, Theme) else source.current_theme
    return _terminal(theme) if theme.ansi else _coloured(theme)


def contrast(one: Color, other: Color) -> float:
    """How well two colours can be told apart: 1 to 21, as WCAG reckons."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _readable(color: Color, background: Color, ratio: float) -> Color:
    """`color`, if need be with as much black or white in it as it takes to be read on `background`."""
    ink = background.get_contrast_text(1).rgb
    target = Color(*ink)
    for step in range(21):
        mixed = color.blend(target, step / 20, alpha=1)
        if contrast(mixed, background) >= ratio:
            return mixed
    return target


def _coloured(theme: Theme) -> Palette:
    names = theme.to_color_system().generate()
    background = Color.parse(names["background"])

    def ink(name: str, ratio: float = TEXT_CONTRAST) -> Color:
        return _readable(Color.parse(names[name]), background, ratio)

    def grey(strength: float, ratio: float) -> Color:
        return _readable(background.blend(ink("foreground"), strength, alpha=1), background, ratio)

    def tint(color: Color, strength: float) -> Color:
        return background.blend(color, strength, alpha=1)

    def on(ground: Color, color: Color) -> Style:
        return _style(_readable(color, ground, TEXT_CONTRAST), ground)

    text, accent = ink("foreground"), ink("accent")
    success, warning, error = ink("success"), ink("warning"), ink("error")
    shades = (tint(text, strength) for strength in (0.07, 0.04, 0.02, 0))
    dim, faint = grey(0.62, TEXT_CONTRAST), grey(0.4, DIM_CONTRAST)
    return Palette(
        text=_style(text),
        dim=_style(dim),
        faint=_style(faint),
        accent=_style(accent),
        prompt=_style(text),
        prompt_bar=_style(accent),
        thinking=_style(dim, italic=True),
        heading=_style(accent, bold=True),
        strong=_style(text, bold=True),
        emphasis=_style(text, italic=True),
        strike=_style(dim, strike=True),
        code=_style(accent),
        code_block=_style(text),
        link=_style(accent, underline=True),
        quote=_style(dim),
        rule=_style(faint),
        marker=_style(accent),
        tool_name=_style(text, bold=True),
        tool_title=_style(dim),
        output=_style(dim),
        success=_style(success),
        warning=_style(warning),
        error=_style(error),
        added=on(tint(success, 0.12), text),
        removed=on(tint(error, 0.12), text),
        added_word=on(tint(success, 0.32), text),
        removed_word=on(tint(error, 0.32), text),
        line_number=_style(faint),
        search_hit=on(tint(warning, 0.35), text),
        search_current=on(warning, background),
        selection=on(tint(accent, 0.3), text),
        cursor=_style(None, next(ground for ground in shades if contrast(text, ground) >= TEXT_CONTRAST)),
        syntax="one-dark" if theme.dark else "xcode",
        dark=theme.dark,
    )


def _style(
    color: Color | None,
    background: Color | None = None,
    *,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strike: bool | None = None,
) -> Style:
    return Style(
        color=None if color is None else color.rich_color,
        bgcolor=None if background is None else background.rich_color,
        bold=bold,
        italic=italic,
        underline=underline,
        strike=strike,
    )


def _terminal(theme: Theme) -> Palette:
    """Only the sixteen colours of the terminal; what is less important is dim."""

    def ink(color: str | None) -> Style:
        return Style(color=(color or "ansi_default").removeprefix("ansi_"))

    text, dim, accent = Style(), Style(dim=True), ink(theme.accent or theme.primary)
    success, warning, error = ink(theme.success), ink(theme.warning), ink(theme.error)
    return Palette(
        text=text,
        dim=dim,
        faint=dim,
        accent=accent,
        prompt=text,
        prompt_bar=accent,
        thinking=Style(dim=True, italic=True),
        heading=accent + Style(bold=True),
        strong=Style(bold=True),
        emphasis=Style(italic=True),
        strike=Style(dim=True, strike=True),
        code=accent,
        code_block=text,
        link=accent + Style(underline=True),
        quote=dim,
        rule=dim,
        marker=accent,
        tool_name=Style(bold=True),
        tool_title=text,
        output=dim,
        success=success,
        warning=warning,
        error=error,
        added=success,
        removed=error,
        added_word=success + Style(bold=True, underline=True),
        removed_word=error + Style(bold=True, underline=True),
        line_number=dim,
        search_hit=warning + Style(underline=True),
        search_current=warning + Style(reverse=True),
        selection=Style(reverse=True),
        cursor=Style(bold=True),
        syntax="",
        dark=theme.dark,
    )
