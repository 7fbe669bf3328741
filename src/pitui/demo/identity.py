"""Ids and times in the shapes that pi gives them, and the folder for what need not last."""

import os
import time
from datetime import UTC, datetime

TEMPORARY = os.environ.get("TMPDIR", "/tmp")  # tempfile would cost a tenth of the start-up


def milliseconds() -> int:
    """Now, as the messages of pi carry it."""
    return int(time.time() * 1000)


def iso_time() -> str:
    """Now, as the entries of a session carry it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def as_milliseconds(iso: str) -> int:
    return int(datetime.fromisoformat(iso).timestamp() * 1000)


def new_id(length: int = 8) -> str:
    return os.urandom(length // 2).hex()


def new_uuid() -> str:
    digits = new_id(32)
    return "-".join((digits[:8], digits[8:12], "7" + digits[13:16], "8" + digits[17:20], digits[20:]))


def new_call_id() -> str:
    return f"tool:{milliseconds()}:{new_id(10)}"
