"""How a block is to be drawn: the other half of a cache key, beside the block and its version."""

from dataclasses import dataclass, replace
from functools import lru_cache

from pitui.render.palette import Palette

SIDE_BY_SIDE = 160
"""Cells from which both sides of a diff stand beside each other by themselves."""
SIDES_AT_LEAST = 77
"""Cells that both sides need: those of a terminal of 80."""


@dataclass(frozen=True, slots=True)
class Look:
    """`folded` shows a block in a line or a few, `full` all of a long output or diff instead of a part of it.

    `width` is cells, 1 or more. `now` is the caller's clock in seconds, for what still runs. `times` adds the time of
    day to prompts, and tokens and cost to what a run took. `sides` wants the two sides of a diff beside each other, or
    does not; None leaves that to the width. `growing` tells that what is drawn has not ended.
    """

    width: int
    palette: Palette
    folded: bool = False
    full: bool = False
    now: float = 0
    times: bool = False
    sides: bool | None = None
    growing: bool = False

    @property
    def whole(self) -> bool:
        """Whether all of a long text is drawn; of one that still grows only a part is, for it is drawn ever again."""
        return self.full and not self.growing

    @property
    def beside(self) -> bool:
        """Whether both sides of a diff stand beside each other."""
        return self.width >= SIDE_BY_SIDE if self.sides is None else self.sides and self.width >= SIDES_AT_LEAST

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
