"""Select Graphic Rendition: the codes with which programs colour their output."""

import re
from functools import lru_cache
from typing import Any

from rich.color import Color
from rich.style import Style

SGR = re.compile("\x1b\\[([0-9;:]*)m")

_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike", 21: "underline2", 53: "overline"}
_OFF = {
    22: ("bold", "dim"),
    23: ("italic",),
    24: ("underline", "underline2"),
    27: ("reverse",),
    29: ("strike",),
    39: ("color",),
    49: ("bgcolor",),
    55: ("overline",),
}

State = tuple[tuple[str, Any], ...]


class Pen:
    """What the codes so far have made of a base style. Blinking and hidden text are left out: both are tricks."""

    def __init__(self, base: Style) -> None:
        self._base = base
        self._set: State = ()
        self.style = base

    def take(self, codes: str) -> None:
        """Apply the parameters of one sequence, such as ``1;38;5;208``."""
        self._set = _after(self._set, codes)
        self.style = _styled(self._base, self._set)


@lru_cache(1024)
def _styled(base: Style, state: State) -> Style:
    return base + Style(**dict(state))


@lru_cache(1024)
def _after(state: State, codes: str) -> State:
    now = dict(state)
    numbers = [int(number[:4]) if number else 0 for number in re.split("[;:]", codes)]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            now.clear()
        elif code in _ON:
            now[_ON[code]] = True
        elif code in _OFF:
            for name in _OFF[code]:
                now.pop(name, None)
        elif code in (38, 48):
            colour = _colour(numbers)
            if colour is not None:
                now["color" if code == 38 else "bgcolor"] = colour
        elif 30 <= code <= 37 or 90 <= code <= 97:
            now["color"] = _basic(code)
        elif 40 <= code <= 47 or 100 <= code <= 107:
            now["bgcolor"] = _basic(code - 10)
    return tuple(now.items())


def _basic(code: int) -> Color:
    return Color.from_ansi(code - 30 if code < 90 else code - 82)


def _colour(numbers: list[int]) -> Color | None:
    """The colour that follows a 38 or 48, taken off the front of `numbers`."""
    kind = numbers.pop(0) if numbers else 0
    if kind == 5 and numbers:
        return Color.from_ansi(min(numbers.pop(0), 255))
    if kind == 2 and len(numbers) >= 3:
        red, green, blue = (min(number, 255) for number in numbers[:3])
        del numbers[:3]
        return Color.from_rgb(red, green, blue)
    return None
