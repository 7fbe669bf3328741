"""A row as it is written to the terminal: with half the bytes that Textual's strip writes."""

from functools import lru_cache

from rich.color import Color, ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style
from textual.strip import Strip


class Painted(Strip):
    """A strip that says only what changes from one segment to the next, and writes blanks in whatever ink there is.

    A `Strip` resets everything after each segment and names both colours for the next one, which in highlighted code
    are several times the bytes of the text.
    """

    def render(self, console: Console) -> str:
        if self._render_cache is None:
            self._render_cache = _written(self, COLOR_SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR))
        return self._render_cache


def _written(strip: Strip, system: ColorSystem) -> str:
    pieces: list[str] = []
    pen: Style | None = None
    for text, style in _inked(strip):
        if pen is None or not (text.isspace() and _same_blank(pen, style)):
            pieces.append(_change(pen, style, system))
            pen = style
        if style.link:
            pieces.append(f"\x1b]8;id={style.link_id};{style.link}\x1b\\{text}\x1b]8;;\x1b\\")
        else:
            pieces.append(text)
    pieces.append("\x1b[0m")
    return "".join(pieces)


def _inked(strip: Strip) -> list[tuple[str, Style]]:
    """The segments, blanks in the ink of what comes after them wherever that cannot be seen."""
    inked: list[tuple[str, Style]] = []
    after = Style.null()
    for text, own, control in reversed(list(strip)):
        if control or not text:
            continue
        style = own or Style.null()
        if text.isspace() and _same_blank(after, style):
            style = after
        after = style
        inked.append((text, style))
    inked.reverse()
    return inked


@lru_cache(4096)
def _change(before: Style | None, after: Style, system: ColorSystem) -> str:
    """The sequence that makes a terminal write in the style `after`; with no `before` nothing is set yet."""
    if before is None or before.without_color.clear_meta_and_links() != after.without_color.clear_meta_and_links():
        codes = Strip.render_ansi(after, system)
        if before is not None:
            codes = f"0;{codes}" if codes else "0"
        return f"\x1b[{codes}m" if codes else ""
    codes = ";".join(
        _colour(new, system, foreground)
        for old, new, foreground in ((before.color, after.color, True), (before.bgcolor, after.bgcolor, False))
        if old != new
    )
    return f"\x1b[{codes}m" if codes else ""


def _colour(color: Color | None, system: ColorSystem, foreground: bool) -> str:
    return ";".join((color or Color.default()).downgrade(system).get_ansi_codes(foreground))


@lru_cache(4096)
def _same_blank(before: Style, after: Style) -> bool:
    """Whether a blank looks the same in both styles."""
    return before.bgcolor == after.bgcolor and not any(
        style.underline or style.underline2 or style.reverse or style.strike or style.overline or style.link
        for style in (before, after)
    )
