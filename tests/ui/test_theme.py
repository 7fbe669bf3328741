"""Every theme gives a palette that can be read."""

from dataclasses import fields

import pytest
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from pitui.render.palette import Palette
from pitui.ui.theme import ANSI, DARK, DIM_CONTRAST, LIGHT, TEXT_CONTRAST, contrast, palette_of

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
