"""A pi that ends before it is ready leaves words that help."""

from pitui.pi.ending import STDERR_LINES, explain_ending


def test_what_pi_said_is_shown_with_how_it_ended() -> None:
    text = str(explain_ending(1, "Error: Unknown option: --plam\n"))
    assert "exit code 1" in text
    assert "Unknown option: --plam" in text
    assert "pi --help" in text


def test_a_missing_node_is_named() -> None:
    assert "Node.js" in explain_ending(127, "env: 'node': No such file or directory\n").remedy


def test_an_end_without_an_error_points_at_extensions() -> None:
    assert "--no-extensions" in explain_ending(0, "").remedy


def test_a_signal_is_called_one() -> None:
    assert "signal 9" in explain_ending(-9, "").what


def test_a_flood_is_cut_to_its_end() -> None:
    why = explain_ending(1, "".join(f"line {number}\n" for number in range(1000))).why
    assert "line 999" in why
    assert len(why.splitlines()) == STDERR_LINES + 1
