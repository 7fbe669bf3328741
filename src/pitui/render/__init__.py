"""Pure drawing: a block, a width and a palette give lines. No app, no widget, no I/O.

Markdown, code and differences take long to load, and the first screen has none. Who names a module as
``render.blocks`` loads it with the first use.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitui.render import blocks, pieces, search, titles

__all__ = ["blocks", "pieces", "search", "titles"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
