"""The demo agent and the real pi say the same: the same records, in the same order, with the same fields."""

import json
from pathlib import Path

import pytest

from tests.e2e.agreement import comparable
from tests.e2e.conversation import Line, demo_command, play
from tests.e2e.scenarios import SCENARIOS
from tests.record import FOLDER, bounded


def recorded(name: str) -> list[Line]:
    lines = Path(FOLDER, f"{name}.jsonl").read_text("utf-8").splitlines()
    return [Line(**json.loads(line)) for line in lines]


def played(name: str, command: list[str]) -> list[Line]:
    return [Line(line.t, line.to, bounded(line.record)) for line in play(SCENARIOS[name], command)]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_demo_agent_says_what_pi_said(name: str) -> None:
    assert comparable(played(name, demo_command())) == comparable(recorded(name))


@pytest.mark.parametrize("name", SCENARIOS)
def test_pi_still_says_what_was_recorded(name: str, real_pi: list[str]) -> None:
    assert comparable(played(name, real_pi)) == comparable(recorded(name))
