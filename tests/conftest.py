"""What tests share: the agents that a test can run."""

import os
from pathlib import Path

import pytest

from tests.realpi import PI_VERSION, UnavailableError, pi_command


@pytest.fixture(autouse=True)
def state_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes what a person has in pitui's state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state-home"))


@pytest.fixture(scope="session")
def real_pi() -> list[str]:
    """The command of the real pi. Where it cannot be installed the test is skipped, but under ``CI`` it fails."""
    return installed(PI_VERSION)


def installed(version: str) -> list[str]:
    """The command of the real pi of this version; the test is skipped, or fails, where it cannot be installed."""
    try:
        return pi_command(version)
    except UnavailableError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
