"""What was cut out of an editor, to be put in again: as in Emacs, and in pi."""


class KillRing:
    """Texts, the newest last. Those that were killed one right after the other are one."""

    LIMIT = 60

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._at = -1

    def kill(self, text: str, *, joined: bool, before: bool) -> None:
        """Keep `text`; `joined` to the newest one, at its end or `before` it."""
        if not text:
            return
        if joined and self._texts:
            self._texts[-1] = text + self._texts[-1] if before else self._texts[-1] + text
        else:
            self._texts = [*self._texts, text][-self.LIMIT :]
        self._at = -1

    def newest(self) -> str:
        """What to yank; empty when nothing was killed."""
        self._at = -1
        return self._texts[-1] if self._texts else ""

    def older(self) -> str:
        """What to yank instead of what was yanked last, round and round."""
        if not self._texts:
            return ""
        self._at = -1 if -self._at >= len(self._texts) else self._at - 1
        return self._texts[self._at]
