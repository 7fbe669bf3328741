"""Amounts take few cells and say enough."""

import pytest

from pitui.render.amounts import cost_in_words, duration, number, size, time_of_day, tokens_in_words


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0.0s"),
        (0.42, "0.4s"),
        (9.94, "9.9s"),
        (9.96, "10s"),
        (12.3, "12s"),
        (59.6, "1m 00s"),
        (63, "1m 03s"),
        (7500, "2h 05m"),
        (86_400 * 5.5, "5d"),
        (1e300, "99999d"),
        (-1, "0.0s"),
    ],
)
def test_a_duration_gets_coarser_the_longer_it_is(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize(("count", "told"), [(0, "0 B"), (999, "999 B"), (12_300, "12 KB"), (3_400_000, "3.4 MB")])
def test_a_size_is_told_in_the_unit_that_fits(count: int, told: str) -> None:
    assert size(count) == told


@pytest.mark.parametrize("milliseconds", [1e16, -1e16, 253402300800000])
def test_a_time_that_no_calendar_has_is_not_told(milliseconds: float) -> None:
    assert time_of_day(milliseconds) == ""


def test_one_is_not_many() -> None:
    assert number(1, "line") == "1 line"
    assert number(1204, "line") == "1,204 lines"


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (99_949, "99.9k"),
        (99_950, "100k"),
        (999_499, "999k"),
        (1_250_000, "1.2M"),
    ],
)
def test_tokens_take_five_cells_at_most(count: int, words: str) -> None:
    assert tokens_in_words(count) == words
    assert len(words) <= 5


@pytest.mark.parametrize("dollars", [0, 0.0042, 1, 9.9994, 9.9996, 45.5, 99.996, 123.4])
def test_a_cost_takes_six_cells(dollars: float) -> None:
    assert len(cost_in_words(dollars)) == 6
