"""All that the doctor finds, in words or as JSON."""

import json
import shutil
import textwrap
from collections.abc import AsyncIterator, Iterator, Sequence

from pitui.doctor import machine, terminal
from pitui.doctor.check import Check

SIGNS = {"ok": "✓", "warning": "!", "error": "✗"}
NAMES = 16
"""Cells for the sign and the name; a check is told before the names of the next are known."""
NARROWEST, WIDEST = 40, 100


async def examine(option: str) -> AsyncIterator[Check]:
    """Every check as soon as it is done; `option` is how to run pi, as ``--pi`` has it."""
    for check in (*machine.checks(), *terminal.checks()):
        yield check
    async for check in machine.checks_of_pi(option):
        yield check


def in_words(check: Check) -> str:
    """Wrapped for the width of the terminal."""
    width = min(max(shutil.get_terminal_size((WIDEST, 24)).columns, NARROWEST), WIDEST) - NAMES
    indent = " " * NAMES
    said = _wrap(check.found, width) or [""]
    lines = [f"{SIGNS[check.level]} {check.name} ".ljust(NAMES) + said[0], *(indent + line for line in said[1:])]
    return "\n".join([*lines, *(indent + line for line in _remedy(check.remedy, width))])


def in_sum(checks: Sequence[Check]) -> str:
    """What all of them come to."""
    errors = sum(check.level == "error" for check in checks)
    warnings = sum(check.level == "warning" for check in checks)
    if errors:
        return f"\npitui cannot work with pi until {'that is' if errors == 1 else 'those are'} mended: ✗"
    return "\npitui works here. What has a ! could be better." if warnings else "\nAll is well."


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _remedy(text: str, width: int) -> Iterator[str]:
    """Sentences are wrapped. A line that is indented is to be pasted, and stays one."""
    for number, line in enumerate(text.splitlines()):
        if line.startswith("  "):
            yield "  " + line
            continue
        for part, said in enumerate(_wrap(line, width - 2)):
            yield ("→ " if number == part == 0 else "  ") + said


def as_json(checks: Sequence[Check]) -> str:
    """A list of objects with the fields of `Check`."""
    return json.dumps([check._asdict() for check in checks], indent=2)
