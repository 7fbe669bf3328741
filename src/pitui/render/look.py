"""How a block is to be drawn: the other half of a cache key, beside the block and its version."""

from dataclasses import dataclass, replace
from functools import lru_cache

from pitui.render.palette import Palette


@dataclass(frozen=True, slots=True)
class Look:
    """`folded` shows a block in a line or a few, `full` all of a long output or diff instead of a part of it.

    `width` is cells, 1 or more. `now` is the caller's clock in seconds, for what still runs. `times` adds the time of
    day to prompts.
    """

    width: int
    palette: Palette
    folded: bool = False
    full: bool = False
    now: float = 0
    times: bool = False

    def thinking(self) -> "Look":
        """The same for the thoughts of the model, which are Markdown too, but quieter."""
        return replace(self, palette=_thinking(self.palette))


@lru_cache(8)
def _thinking(palette: Palette) -> Palette:
    quiet = palette.thinking
    return replace(
        palette,
        text=quiet,
        heading=quiet,
        strong=quiet + palette.strong,
        code=quiet,
        code_block=quiet,
        quote=quiet,
        syntax="",
    )
