"""What tests share: the agents that a test can run."""

import os

import pytest

from tests.realpi import UnavailableError, pi_command


@pytest.fixture(scope="session")
def real_pi() -> list[str]:
    """The command of the real pi. Where it cannot be installed the test is skipped, but under ``CI`` it fails."""
    try:
        return pi_command()
    except UnavailableError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
