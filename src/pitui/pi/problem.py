"""What is said when a start cannot go on."""

from typing import NamedTuple


class Problem(NamedTuple):
    """What happened, why, and what the person can do about it; each in sentences of its own."""

    what: str
    why: str
    remedy: str

    def __str__(self) -> str:
        return "\n".join(line for line in (self.what, self.why, self.remedy) if line)


class NoPi(Problem):
    """There is no pi that could run, and pitui can get one."""
