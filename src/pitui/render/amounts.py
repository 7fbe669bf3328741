"""Durations, sizes, numbers, tokens and dollars in a few cells."""

from datetime import datetime

DAY = 86_400
MOST_DAYS = 99_999


def duration(seconds: float) -> str:
    """``0.4s``, ``12s``, ``1m 03s``, ``2h 05m``, ``5d``; never more than six cells or so."""
    seconds = max(0.0, min(seconds, float(MOST_DAYS * DAY)))
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02}s"
    if whole >= 4 * DAY:
        return f"{whole // DAY}d"
    return f"{whole // 3600}h {whole % 3600 // 60:02}m"


def time_of_day(milliseconds: float) -> str:
    """``14:05`` here, of a time since 1970; nothing for a time that no calendar has."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000):%H:%M}"
    except (ValueError, OverflowError, OSError):
        return ""


def size(count: int) -> str:
    """Bytes, as ``512 B``, ``12 KB``, ``3.4 MB``."""
    if count < 1000:
        return f"{count} B"
    if count < 1_000_000:
        return f"{round(count / 1000)} KB"
    return f"{count / 1_000_000:.1f} MB"


def number(count: int, noun: str, plural: str = "") -> str:
    """``1 line``, ``1,204 lines``; `plural` where that is not the noun with an s."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def tokens_in_words(count: int) -> str:
    """In at most five cells: ``842``, ``12.3k``, ``123k``, ``1.2M``."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size * 0.9995:
            amount = count / size
            return f"{amount:.1f}{unit}" if amount < 99.95 else f"{amount:.0f}{unit}"
    return str(count)


def cost_in_words(dollars: float) -> str:
    """In six cells: ``$0.012``, ``$12.34``, ``$123.4``."""
    digits = 3 if dollars < 9.9995 else 2 if dollars < 99.995 else 1
    return f"${dollars:.{digits}f}"
