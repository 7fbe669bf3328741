"""Why a pi ended before it was ready, as far as its exit code and its stderr tell."""

from pitui.pi.problem import Problem

STDERR_LINES = 20


def explain_ending(code: int | None, stderr: str) -> Problem:
    """What to say of a pi that ended with `code` (negative: a signal) before it answered anything."""
    lines = [line.rstrip() for line in stderr.splitlines() if line.strip()]
    said = "\n".join(f"  {line}" for line in lines[-STDERR_LINES:])
    return Problem(
        f"pi ended at once ({_how(code)}).",
        f"It said:\n{said}" if said else "It said nothing.",
        _remedy(code, stderr),
    )


def _how(code: int | None) -> str:
    if code is None:
        return "it could not be run"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _remedy(code: int | None, stderr: str) -> str:
    if "node" in stderr and ("No such file" in stderr or "not found" in stderr):
        return "pi needs Node.js: put “node” on PATH, and try again."
    if "nknown option" in stderr:
        return "Leave that option out; “pi --help” lists those that this pi knows."
    if code == 0:
        return (
            "An extension that asks something while pi starts gets no answer in RPC mode and ends it so.\n"
            "Try again with --no-extensions to see whether it is one."
        )
    return "Mend what it says and try again; “pi --version” shows whether it runs at all."
