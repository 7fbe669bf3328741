"""Foreign text in a sentence of ours: a few of its words on one line, however long it is."""

LIMIT = 60


def brief(text: str, limit: int = LIMIT) -> str:
    """The first words, with … where they were cut."""
    words = " ".join(text[: 4 * limit].split())
    cut = len(words) > limit or len(text.strip()) > 4 * limit
    return words[: limit - 1].rstrip() + "…" if cut else words


def quoted(text: str, limit: int = LIMIT) -> str:
    """The same in quotation marks."""
    return f"“{brief(text, limit)}”"
