"""All that the doctor finds, in words or as JSON."""

import json
import textwrap
from collections.abc import Iterator, Sequence

from pitui.doctor import machine, terminal
from pitui.doctor.check import Check

SIGNS = {"ok": "✓", "warning": "!", "error": "✗"}
WIDTH = 100


async def examine(option: str) -> list[Check]:
    """Every check; `option` is how to run pi, as ``--pi`` has it."""
    return [*await machine.checks(option), *terminal.checks()]


def in_words(checks: Sequence[Check]) -> str:
    column = max(len(check.name) for check in checks) + 4
    lines = [line for check in checks for line in _lines(check, column)]
    errors = sum(check.level == "error" for check in checks)
    warnings = sum(check.level == "warning" for check in checks)
    if errors:
        end = f"pitui cannot work with pi until {'that is' if errors == 1 else 'those are'} mended: ✗"
    else:
        end = "pitui works here. What has a ! could be better." if warnings else "All is well."
    return "\n".join([*lines, "", end])


def _lines(check: Check, column: int) -> list[str]:
    indent = " " * column
    said = textwrap.wrap(check.found, WIDTH - column, break_long_words=False, break_on_hyphens=False) or [""]
    lines = [f"{SIGNS[check.level]} {check.name}".ljust(column) + said[0], *(indent + line for line in said[1:])]
    return [*lines, *(indent + line for line in _remedy(check.remedy, WIDTH - column))]


def _remedy(text: str, width: int) -> Iterator[str]:
    """Sentences are wrapped. A line that is indented is to be pasted, and stays one."""
    for number, line in enumerate(text.splitlines()):
        if line.startswith("  "):
            yield "  " + line
            continue
        for part, said in enumerate(textwrap.wrap(line, width - 2, break_long_words=False, break_on_hyphens=False)):
            yield ("→ " if number == part == 0 else "  ") + said


def as_json(checks: Sequence[Check]) -> str:
    """A list of objects with the fields of `Check`."""
    return json.dumps([check._asdict() for check in checks], indent=2)
