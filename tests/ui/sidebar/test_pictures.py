"""Pictures of the side bar and of what extensions show around the prompt."""

from typing import Any

import pytest
from textual.theme import Theme

from pitui.session import facts
from pitui.ui.theme import DARK, LIGHT
from tests.ui.sidebar.side import Happening, Side, ends, queue, starts, widget

SIZES = {"120x40": (120, 40), "80x24": (80, 24), "40x12": (40, 12)}
LOOKS = {"dark": DARK, "light": LIGHT}
HAPPENINGS: list[Happening] = [
    {"type": "agent_start"},
    starts("1", "", toolName="read", args={"path": "src/parser/state_machine.py", "offset": 1, "limit": 80}),
    ends("1", milliseconds=12),
    starts("2", "pytest -q tests/parser --maxfail=1 -k 'not slow'"),
    ends("2", failed=True, milliseconds=63_000),
    starts("3", "", toolName="agent", args={"task": "find every caller"}),
    starts("4", "", "3", toolName="grep", args={"pattern": "parse\\(", "path": "src"}),
    ends("4", milliseconds=310),
    starts("5", "", "3", toolName="mcp__tracker__search", args={"query": "parser"}),
    *[record for number in range(6, 30) for record in (starts(str(number), f"make step-{number}"), ends(str(number)))],
    starts("30", "make -j2 all"),
    queue(["Look at the tests first", ""], ["Then write the changelog, with all that has changed since the last one"]),
    widget("git", ["\x1b[32m●\x1b[0m main  \x1b[33m3 changed\x1b[0m", "  src/parser/state_machine.py"]),
    widget("tasks", [f"{'☑' if number < 4 else '☐'} step {number}" for number in range(13)]),
    widget("clock", ["\x1b[2mlast check 2 minutes ago\x1b[0m"], below=True),
]


@pytest.mark.parametrize("size", SIZES)
def test_in_the_middle_of_work(snap_compare: Any, size: str) -> None:
    assert snap_compare(Side(HAPPENINGS), terminal_size=SIZES[size], run_before=at_the_tools)


@pytest.mark.parametrize("look", LOOKS)
def test_in_every_look(snap_compare: Any, look: str) -> None:
    theme: Theme = LOOKS[look]
    assert snap_compare(Side(HAPPENINGS, theme), terminal_size=(100, 30), run_before=at_the_tools)


def test_before_anything_has_happened(snap_compare: Any) -> None:
    assert snap_compare(Side(), terminal_size=(100, 20))


def test_when_pi_has_ended(snap_compare: Any) -> None:
    assert snap_compare(Side([*HAPPENINGS, facts.Exited(1, "")]), terminal_size=(100, 20))


async def at_the_tools(pilot: Any) -> None:
    pilot.app.tools.focus()
    await pilot.press("up")
