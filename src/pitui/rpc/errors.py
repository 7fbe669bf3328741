"""How a request can fail. All texts are for people."""


class RequestError(Exception):
    """A request brought no answer; the text is for people."""


class RequestRefused(RequestError):  # noqa: N818 - what happened, in the words of the protocol
    """pi answered ``success: false``."""

    def __init__(self, command: str, error: str) -> None:
        super().__init__(error or f"pi refused {command}")
        self.command = command
        self.error = error


class RequestTimedOut(RequestError):  # noqa: N818
    def __init__(self, command: str, timeout: float) -> None:
        super().__init__(f"pi did not answer {command} within {timeout:g} s")
        self.command = command


class AnswerUnreadable(RequestError):  # noqa: N818
    def __init__(self, command: str, reason: str) -> None:
        super().__init__(f"the answer to {command} cannot be read: {reason}")
        self.command = command
        self.reason = reason


class PiGone(RequestError):  # noqa: N818
    """pi has ended, or reads no more. `code` is as in `subprocess`, None when unknown; `stderr` its last words."""

    def __init__(self, code: int | None, stderr: str) -> None:
        super().__init__("pi has ended" if code is None else f"pi has ended ({code})")
        self.code = code
        self.stderr = stderr
