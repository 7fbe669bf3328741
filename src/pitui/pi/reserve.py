"""When pi compacts by itself: the tokens of the window that it keeps free (pi's ``compaction.md``)."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pitui.pi.folders import agent_folder, read_settings
from pitui.pi.trust import look

USUAL = 16_384
"""What pi keeps free unless it is told otherwise."""


def reserve_tokens(model: str, folder: Path, argv: Sequence[str] = (), environ: Mapping[str, str] = os.environ) -> int:
    """So many tokens of the window of `model`, as ``provider/id``, a pi keeps free that works in `folder`.

    The settings of the folder count where it is trusted. They are files: this is for a thread.
    """
    kept = USUAL
    overrides: list[Any] = []
    own = [folder / ".pi"] if look(folder, argv, environ).trusted else []
    for place in (agent_folder(environ), *own):
        compaction = _fields(read_settings(place).get("compaction"))
        kept = _tokens(compaction, kept)
        overrides.append(_fields(compaction.get("modelOverrides")).get(model))
    for override in overrides:
        kept = _tokens(_fields(override), kept)
    return kept


def _tokens(compaction: Mapping[str, Any], otherwise: int) -> int:
    value = compaction.get("reserveTokens")
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise


def _fields(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
