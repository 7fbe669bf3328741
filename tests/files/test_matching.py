"""Which paths a few letters mean."""

import random

import pytest

from pitui.files.matching import Matches

PATHS = [
    "README.md",
    "docs/",
    "docs/prompt.md",
    "src/",
    "src/ui/",
    "src/ui/prompt.py",
    "src/ui/widgets/prompts.py",
    "src/ui/widgets/repro_map_tool.py",
    "src/prompt/",
    "src/prompt/words.py",
    "tests/Test_Prompt.py",
]


def best(query: str, *paths: str, used: dict[str, float] | None = None, limit: int = 50, **options: bool) -> list[str]:
    matches = Matches(query, limit, used or {}, **options)
    given = paths or PATHS
    for path in given:  # as they come
        matches.feed([path], [path.lower()])
    return matches.paths


def test_the_name_itself_comes_before_beginnings_then_parts_then_the_path_then_letters_in_order() -> None:
    found = best("prompt")
    assert found == [
        "src/prompt/",
        "docs/prompt.md",
        "src/ui/prompt.py",
        "src/ui/widgets/prompts.py",
        "tests/Test_Prompt.py",
        "src/prompt/words.py",
        "src/ui/widgets/repro_map_tool.py",
    ]
    assert best("rpmptz") == []
    assert best("prmpt")[-2:] == ["src/ui/widgets/repro_map_tool.py", "src/prompt/words.py"]


def test_capitals_do_not_matter() -> None:
    assert best("readme") == best("README") == ["README.md"]


def test_letters_that_stand_together_are_better() -> None:
    assert best("abc", "a/b/c", "xabyc", "ab_c") == ["ab_c", "xabyc", "a/b/c"]


def test_a_path_is_found_by_parts_of_its_folders() -> None:
    assert best("ui/pro")[0] == "src/ui/prompt.py"
    assert best("swpy") == ["src/prompt/words.py", "src/ui/widgets/prompts.py", "src/ui/widgets/repro_map_tool.py"]


def test_without_letters_comes_what_lies_in_the_folder_itself() -> None:
    assert best("") == ["docs/", "src/", "README.md"]


def test_what_was_chosen_before_comes_first() -> None:
    used = {"src/ui/widgets/prompts.py": 1.5, "src/ui/": 0.5}
    assert best("prompt", used=used)[0] == "src/ui/widgets/prompts.py"
    assert best("", used=used)[:2] == ["src/ui/widgets/prompts.py", "src/ui/"]


def test_what_was_chosen_often_does_not_hide_the_file_of_that_name() -> None:
    assert best("words.py", "words.py", "a/w_o_r_d_s_.py", used={"a/w_o_r_d_s_.py": 9.0})[0] == "words.py"


def test_a_name_may_only_go_on() -> None:
    names = "src/", "Source.txt", "resource"
    assert best("so", *names, beginnings=True) == ["Source.txt"]
    assert best("", *names, beginnings=True) == ["src/", "Source.txt", "resource"]


def test_strange_names_are_names() -> None:
    strange = ["a\nb", "[red]", "no\udcfftext", "(x).*", "日本語.txt"]
    for path in strange:
        assert best(path[:3], *strange)[0] == path


@pytest.mark.parametrize("query", ["", "a", "ab", "b/a", "abcd"])
def test_in_pieces_it_is_the_same_as_in_one(query: str) -> None:
    chance = random.Random(1)
    paths = ["".join(chance.choices("abcd/", k=8)).strip("/") + str(number) for number in range(500)]
    whole = Matches(query, 500, {})
    whole.feed(paths, paths)
    assert best(query, *paths, limit=500) == whole.paths
    assert best(query, *paths, limit=3) == whole.paths[:3]
