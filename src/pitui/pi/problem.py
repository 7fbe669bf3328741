"""What is said when a start cannot go on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """What happened, why, and what the person can do about it; each in sentences of its own."""

    what: str
    why: str
    remedy: str

    def __str__(self) -> str:
        return "\n".join(line for line in (self.what, self.why, self.remedy) if line)
