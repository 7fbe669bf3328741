"""What is wrong in pitui.toml is told and left out; the rest holds, and pitui starts."""

import tomllib
from pathlib import Path

import pytest

from pitui.config import Settings, load_settings, settings_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pitui.toml"


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    assert load_settings(file) == (Settings(), [])


def test_all_settings_are_read(file: Path) -> None:
    file.write_text(
        "\ufefftheme = 'nord'\nmouse = false\nsidebar = false\nshow_thinking = true\ntimes = true\nsides = true\n"
        "[keys]\n'model.pick' = 'f7'\nhelp = ['f1', 'f12']\nsuspend = []\n",
        "utf-8",
    )
    settings, problems = load_settings(file)
    assert problems == []
    assert settings == Settings(
        theme="nord",
        mouse=False,
        sidebar=False,
        show_thinking=True,
        times=True,
        sides=True,
        keys={"model.pick": ("f7",), "help": ("f1", "f12"), "suspend": ()},
    )


def test_a_mistake_is_told_with_its_key_and_what_is_allowed_and_the_rest_holds(file: Path) -> None:
    file.write_text(
        "mouse = 'no'\ntheme = 3\ncolour = 'red'\nsidebar = false\n[keys]\nhlep = 'f1'\nhelp = 'f12'\nquit = 3\n"
    )
    settings, problems = load_settings(file)
    assert settings == Settings(sidebar=False, keys={"help": ("f12",)})
    told = {problem.split(": ")[1]: problem for problem in problems}
    assert set(told) == {"mouse", "theme", "colour", "keys.hlep", "keys.quit"}
    assert all(str(file) in problem for problem in problems)
    assert "true or false" in told["mouse"] and "quotation marks" in told["theme"]
    assert "a key or a list of keys" in told["keys.quit"]
    assert "show_thinking" in told["colour"]
    assert "no action “hlep”" in told["keys.hlep"]


@pytest.mark.parametrize("content", [b"mouse = ", b"\xff\xfe\x00", b"a = " + b"[" * 100_000])
def test_a_file_that_is_not_toml_is_told(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    settings, [problem] = load_settings(file)
    assert settings == Settings()
    assert str(file) in problem


@pytest.mark.parametrize("content", ["keys = 3", "keys = [1]", "[keys]\nhelp = {a = 1}", "[[keys]]\nhelp = 'f1'"])
def test_keys_of_any_wrong_shape_leave_the_defaults(file: Path, content: str) -> None:
    file.write_text(content)
    settings, problems = load_settings(file)
    assert settings == Settings()
    assert problems


def test_a_folder_in_its_place_is_told(file: Path) -> None:
    file.mkdir()
    settings, [problem] = load_settings(file)
    assert settings == Settings()
    assert "directory" in problem


def test_the_environment_names_another_file(tmp_path: Path) -> None:
    assert settings_file({"PITUI_CONFIG": str(tmp_path / "x.toml")}) == tmp_path / "x.toml"
    assert settings_file({}).name == "pitui.toml"


def test_the_example_in_the_readme_sets_everything_and_has_no_mistake(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    file = tmp_path / "pitui.toml"
    file.write_text(example, "utf-8")
    assert load_settings(file).problems == []
    assert set(tomllib.loads(example)) == set(Settings.__dataclass_fields__)
