"""What is shown of a file, and what is put in."""

from pitui.ui.suggestions import of_paths, of_values
from pitui.ui.wanted import Wanted

FILE = Wanted("file", "m", 2)


def test_nothing_in_a_name_hides() -> None:
    (found,) = of_paths(["a\x1b[2J/m\x1b[31m\n.txt"], FILE)
    assert (found.label, found.detail) == ("m␛[31m⏎.txt", "a␛[2J/")
    assert found.text == '@"a\\x1b[2J/m\\x1b[31m\\n.txt" '


def test_a_folder_goes_on_within_its_quotes() -> None:
    (found,) = of_paths(["my docs/"], FILE)
    assert (found.text, found.back, found.goes_on, found.label) == ('@"my docs/"', 1, True, "my docs/")


def test_a_path_that_is_an_argument_is_the_rest_of_the_line() -> None:
    (found,) = of_paths(["my docs/a b.html"], Wanted("argument", "my", 2, "export"))
    assert found.text == "my docs/a b.html"


def test_what_is_written_out_is_not_offered() -> None:
    assert of_paths(["m"], FILE) == []
    assert len(of_paths(["m", "mm"], FILE)) == 2


def test_values_that_begin_as_typed_come_first() -> None:
    assert [one.text for one in of_values([("high", ""), ("off", ""), ("hi", "")], "H")] == ["high", "hi"]
    assert [one.text for one in of_values([("one-at-a-time", ""), ("all", ""), ("at", "")], "at")] == [
        "at",
        "one-at-a-time",
    ]
