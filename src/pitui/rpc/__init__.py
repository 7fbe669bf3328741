"""The wire: bytes to typed records, requests to bytes, the child process, request and answer, recording.

Imports nothing else of pitui, and never Textual or Rich: it can be used and tested without a screen.

The models take as long to load as a whole screen. Who names a module as ``rpc.records`` loads it with the first use.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitui.rpc import (
        client,
        companion,
        entries,
        errors,
        messages,
        process,
        recorder,
        records,
        replay,
        requests,
        results,
    )

__all__ = [
    "client",
    "companion",
    "entries",
    "errors",
    "messages",
    "process",
    "recorder",
    "records",
    "replay",
    "requests",
    "results",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
