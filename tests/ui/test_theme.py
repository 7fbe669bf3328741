"""Every theme gives a palette that can be read."""

from dataclasses import fields
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from pitui.config import Settings
from pitui.render.palette import Palette
from pitui.ui.theme import ANSI, DARK, DIM_CONTRAST, LIGHT, TEXT_CONTRAST, contrast, palette_of
from tests.ui.person import Person, at_the_demo

COLOURED = [theme for theme in (DARK, LIGHT, *BUILTIN_THEMES.values()) if not theme.ansi]
DIM_ROLES = {"faint", "rule", "line_number"}


def styles(palette: Palette) -> dict[str, Style]:
    return {each.name: value for each in fields(palette) if isinstance(value := getattr(palette, each.name), Style)}


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_every_role_can_be_read_on_its_ground(theme: Theme) -> None:
    background = Color.parse(theme.to_color_system().generate()["background"])
    text = styles(palette_of(theme))["text"].color
    assert text is not None
    for role, style in styles(palette_of(theme)).items():
        ground = Color.from_rich_color(style.bgcolor) if style.bgcolor else background
        ink = Color.from_rich_color(style.color or text)
        assert contrast(ink, ground) >= (DIM_CONTRAST if role in DIM_ROLES else TEXT_CONTRAST), role


def test_contrast_is_what_wcag_says() -> None:
    assert contrast(Color.parse("#fff"), Color.parse("#000")) == pytest.approx(21)
    assert contrast(Color.parse("#777"), Color.parse("#fff")) == pytest.approx(4.48, abs=0.01)


def test_the_terminals_own_colours_are_kept() -> None:
    for style in styles(palette_of(ANSI)).values():
        for color in (style.color, style.bgcolor):
            assert color is None or color.triplet is None


def test_no_color_means_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert palette_of(DARK) == Palette.plain()
    assert all(style.color is None and style.bgcolor is None for style in styles(palette_of(DARK)).values())


async def test_in_the_terminals_own_colours_what_is_less_important_is_dim(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path, settings=Settings(theme=ANSI.name)) as person:
        await person.sends("!echo quiet-output")
        await person.until(lambda: not person.agent.session.bashes)
        person.app.main.transcript.toggle_kind("bash")
        await person.sees("  quiet-output")
        for words in ("Write to pi", "  quiet-output"):
            assert all(segment.style and segment.style.dim for segment in shown(person, words)), words


def shown(person: Person, words: str) -> list[Segment]:
    """The segments in which these words are on the screen."""
    rows = person.app.screen._compositor.render_strips()
    found = next(strip for strip in rows if words in strip.text)
    start = found.text.index(words)
    return [segment for segment in found.crop(start, start + len(words)) if segment.text.strip()]
