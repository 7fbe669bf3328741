"""From chunks of bytes to lines."""


class Framer:
    """Cuts a stream at LF and nothing else: JSON strings may hold U+2028, U+2029 and U+0085.

    Works on bytes, so that a character torn between two chunks is whole again before anyone decodes it. A line of any
    length costs time linear in its length, however small the chunks.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completes, without their LF or CRLF; blank ones are dropped."""
        first, *rest = chunk.split(b"\n")
        self._pieces.append(first)
        if not rest:
            return []
        lines = [b"".join(self._pieces), *rest[:-1]]
        self._pieces = [rest[-1]]
        return [line for line in map(_without_return, lines) if line.strip()]

    def finish(self) -> bytes | None:
        """What came after the last LF, at the end of the stream; None when that is nothing."""
        line = _without_return(b"".join(self._pieces))
        self._pieces = []
        return line if line.strip() else None


def _without_return(line: bytes) -> bytes:
    return line.removesuffix(b"\r")
