"""The pictures of the README are what pitui draws."""

import difflib
from pathlib import Path

import pytest

from tests import screenshots


@pytest.mark.parametrize("name", screenshots.NAMES)
async def test_a_picture_is_what_the_code_draws(name: str, tmp_path: Path) -> None:
    kept = (screenshots.FOLDER / f"{name}.svg").read_text("utf-8").splitlines()
    drawn = (await screenshots.draw(name, tmp_path)).splitlines()
    changed = "\n".join(difflib.unified_diff(kept, drawn, "screenshots", "drawn", lineterm="", n=0))
    assert not changed, f"`python -m tests.screenshots {name}` draws it anew; look at it then.\n{changed[:2000]}"


def test_there_is_no_other_picture() -> None:
    assert {path.stem for path in screenshots.FOLDER.iterdir()} == set(screenshots.NAMES)
