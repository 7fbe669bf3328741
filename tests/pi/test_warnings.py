"""What pi warns of where nobody looks."""

from pitui.pi.warnings import warning_in


def test_a_warning_is_told_in_a_line_and_the_rest_is_counted() -> None:
    one = 'Warning: Invalid thinking level "banana".  Valid values: off\n'
    assert warning_in(one) == 'pi warns: Invalid thinking level "banana". Valid values: off (/stderr)'
    assert warning_in("Debugger attached.\n" + one + "Error: no\nWarning: b").endswith("off (/stderr, and 2 more)")


def test_what_is_no_warning_of_pi_is_not_told() -> None:
    assert warning_in("") == ""
    assert warning_in("(node:1) ExperimentalWarning: SQLite is new\n[my extension] Warning: hello\n") == ""


def test_that_there_is_no_model_is_told_elsewhere() -> None:
    missing = "Warning: No models available. Use /login to log in. See:\n  /docs/models.md\n"
    assert warning_in(missing, has_no_model=True) == ""
    assert warning_in(missing + "Warning: more", has_no_model=True) == "pi warns: more (/stderr)"
    assert "No models" in warning_in(missing)
