"""What is written is shorter than what Textual would write, and looks the same."""

import io

import pyte
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.ui.widgets.transcript.painted import Painted

CONSOLE = Console(file=io.StringIO(), color_system="truecolor", force_terminal=True, legacy_windows=False)
COLOURS = st.sampled_from([None, "#102030", "#d0e0f0", "red", "default"])
FLAGS = st.sampled_from([None, True, False])
STYLES = st.builds(Style, color=COLOURS, bgcolor=COLOURS, bold=FLAGS, italic=FLAGS, underline=FLAGS, reverse=FLAGS)
SEGMENTS = st.lists(st.tuples(st.sampled_from(["  ", "word", "a b", "漢"]), STYLES), max_size=6)


def shown(written: str) -> list[object]:
    """What a terminal shows, where a blank has no ink of its own."""
    screen = pyte.Screen(40, 1)
    pyte.Stream(screen).feed(written)
    cells = [screen.buffer[0][x] for x in range(40)]
    return [cell if cell.data.strip() or cell.reverse or cell.underscore else (cell.data, cell.bg) for cell in cells]


@given(SEGMENTS)
def test_every_cell_looks_the_same(pieces: list[tuple[str, Style]]) -> None:
    segments = [Segment(text, style) for text, style in pieces]
    assert shown(Painted(segments).render(CONSOLE)) == shown(Strip(segments).render(CONSOLE))


def test_it_takes_less_than_half_the_bytes_for_words_of_many_colours() -> None:
    ground = Style(bgcolor="#16181d")
    inks = [ground + Style(color=color) for color in ("#d6d9de", "#7aa8d8", "#8fbf7f")]
    segments = [
        Segment(text, inks[number % 3]) for number, text in enumerate(["def", " ", "apply", "(", "it", ")", ":"] * 3)
    ]
    assert len(Painted(segments).render(CONSOLE)) < len(Strip(segments).render(CONSOLE)) / 2


def test_links_stay_links() -> None:
    written = Painted([Segment("a "), Segment("page", Style(link="https://example.org"))]).render(CONSOLE)
    assert ";https://example.org\x1b\\page\x1b]8;;\x1b\\" in written
