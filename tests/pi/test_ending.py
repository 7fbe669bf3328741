"""A pi that ends before it is ready leaves words that help."""

from pitui.pi.ending import LINE, LINES, explain_ending


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
    assert len(why.splitlines()) == LINES + 1


NO_SESSIONS = """\
node:fs:1372
  const result = binding.mkdir(
                         ^

Error: EACCES: permission denied, mkdir '/elsewhere/sessions'
    at Object.mkdirSync (node:fs:1372:26)
    at file:///usr/lib/node_modules/pi/dist/cli.js:12:3 {
  errno: -13,
  code: 'EACCES',
  syscall: 'mkdir',
  path: '/elsewhere/sessions'
}

Node.js v24.19.0
"""


def test_of_a_stack_of_node_only_the_error_is_shown_and_what_to_do_about_it() -> None:
    problem = explain_ending(1, NO_SESSIONS)
    assert problem.why == "It said:\n  Error: EACCES: permission denied, mkdir '/elsewhere/sessions'"
    assert "writable" in problem.remedy


def test_an_error_of_many_lines_before_a_stack_is_shown_whole() -> None:
    assert "first\n  second" in explain_ending(1, "first\nsecond\n    at somewhere (a.js:1:1)\n").why


def test_a_long_line_is_cut() -> None:
    assert len(explain_ending(1, "x" * 100_000).why) < LINE + 20


def test_a_pi_that_is_not_on_the_path_is_named_as_it_can_be_typed() -> None:
    problem = explain_ending(1, "Error: Unknown option: --plam\n", ("/opt/node", "/own pi/cli.js"))
    assert "/opt/node '/own pi/cli.js' --help" in problem.remedy
