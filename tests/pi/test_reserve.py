"""How much of the window pi keeps free, as its settings say."""

import json
from pathlib import Path
from typing import Any

import pytest

from pitui.pi.reserve import USUAL, reserve_tokens


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "project").mkdir()
    return {"PI_CODING_AGENT_DIR": str(tmp_path / "agent")}


def write(folder: Path, **compaction: Any) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({"compaction": compaction}), "utf-8")


def reserve(tmp_path: Path, environ: dict[str, str], *options: str) -> int:
    return reserve_tokens("fake/fake-1", tmp_path / "project", options, environ)


def test_without_a_word_it_is_what_pi_usually_keeps(tmp_path: Path, environ: dict[str, str]) -> None:
    assert reserve(tmp_path, environ) == USUAL


def test_the_settings_of_the_folder_go_before_pis_own_where_it_is_trusted(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    write(tmp_path / "agent", reserveTokens=20_000)
    assert reserve(tmp_path, environ) == 20_000
    write(tmp_path / "project" / ".pi", reserveTokens=30_000)
    assert reserve(tmp_path, environ) == 20_000
    assert reserve(tmp_path, environ, "--approve") == 30_000


def test_what_is_set_for_the_model_goes_before_the_rest(tmp_path: Path, environ: dict[str, str]) -> None:
    write(tmp_path / "agent", reserveTokens=1, modelOverrides={"fake/fake-1": {"reserveTokens": 5}, "x/y": {}})
    assert reserve(tmp_path, environ) == 5


@pytest.mark.parametrize("value", [-1, "many", None, 1.5, True, {}])
def test_what_is_no_number_of_tokens_is_left_out(value: Any, tmp_path: Path, environ: dict[str, str]) -> None:
    write(tmp_path / "agent", reserveTokens=value, modelOverrides={"fake/fake-1": value})
    assert reserve(tmp_path, environ) == USUAL
