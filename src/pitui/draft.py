"""What is being written: words, and among them pastes and pictures, each of which is one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart

MANY_LINES, MANY_CHARACTERS = 10, 1000
"""A paste of more than this is one thing, and not words: as in pi."""
OPENING, CLOSING = "([{<=:@", ")]}>,.;:!?"
"""Marks that stand right before a path, and right after one."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """Text that is one thing until it is opened."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that goes with the words."""

    name: str
    image: ImagePart
    path: str = ""
    """The file as the person has named it, which stands in the words that are sent; empty for one without a file."""


Chip: TypeAlias = Pasted | Picture
Part: TypeAlias = str | Chip


def is_long(text: str) -> bool:
    """Whether a paste of this is better one thing."""
    return len(text) > MANY_CHARACTERS or text.count("\n") >= MANY_LINES


@dataclass(frozen=True, slots=True)
class Draft:
    """Parts in the order in which they stand. Words are next to no other words, and never empty."""

    parts: tuple[Part, ...] = ()

    @classmethod
    def of(cls, *parts: Part) -> Draft:
        """The draft of these parts, whatever of them are words."""
        joined: list[Part] = []
        for part in parts:
            if isinstance(part, str) and joined and isinstance(before := joined[-1], str):
                joined[-1] = before + part
            elif part != "":
                joined.append(part)
        return cls(tuple(joined))

    @property
    def text(self) -> str:
        """Everything written out: what is sent. The place of a picture parts words as it does where it is seen."""
        written: list[str] = []
        after_picture = False
        for part in self.parts:
            words, is_picture = written_out(part), isinstance(part, Picture)
            if (after_picture or is_picture) and written and are_glued(written[-1], words):
                written.append(" ")
            after_picture = is_picture or (after_picture and not words)
            written += [words] if words else []
        return "".join(written)

    @property
    def images(self) -> tuple[ImagePart, ...]:
        """What is sent with the text."""
        return tuple(part.image for part in self.parts if isinstance(part, Picture))

    @property
    def chips(self) -> tuple[Chip, ...]:
        return tuple(part for part in self.parts if not isinstance(part, str))

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to send."""
        return not any(isinstance(part, Picture) or written_out(part).strip() for part in self.parts)

    def __add__(self, other: Draft) -> Draft:
        return Draft.of(*self.parts, *other.parts)

    def to_json(self) -> list[Any]:
        """As `from_json` takes it: words are strings, pastes and pictures are objects."""
        return [_to_json(part) for part in self.parts]

    @classmethod
    def from_json(cls, value: object) -> Draft:
        """What `to_json` gave. Raises ValueError for anything else."""
        if not isinstance(value, list):
            raise ValueError("a list of parts is expected")
        return cls.of(*map(_from_json, cast("list[object]", value)))


def are_glued(before: str, after: str) -> bool:
    """Whether a path at the end of one text, or the start of the other, could be taken for a part of what is beside."""
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return False
    return before[-1] not in OPENING and after[0] not in CLOSING


def written_out(part: Part) -> str:
    """What of a part is sent as text."""
    match part:
        case Pasted(text):
            return text
        case Picture(path=path):
            return path
        case _:
            return part


def folded(text: str, images: Sequence[ImagePart], known: Iterable[Chip]) -> Draft:
    """`text` that was written out and `images` that went with it, as a draft again.

    Where the text of a `known` chip stands it is that chip. An image for which there is none comes at the end.
    """
    left = list(images)
    parts: list[Part] = [text]
    elsewhere: list[Picture] = []
    for chip in known:
        if isinstance(chip, Picture) and chip.image not in left:
            continue
        if found := _with_chip(parts, chip):
            parts = found
            if isinstance(chip, Picture):
                left.remove(chip.image)
        elif isinstance(chip, Picture):
            elsewhere.append(chip)
    for chip in sorted(elsewhere, key=lambda chip: bool(chip.path)):  # the same picture may have several names
        if chip.image in left:
            left.remove(chip.image)
            parts.append(chip)
    return Draft.of(*parts, *(Picture("picture", image) for image in left))


def _with_chip(parts: Sequence[Part], chip: Chip) -> list[Part] | None:
    """The parts with the chip where its text stands first in their words; None where that is nowhere."""
    text = written_out(chip)
    for number, part in enumerate(parts):
        if text and isinstance(part, str) and text in part:
            before, _, after = part.partition(text)
            return [*parts[:number], before, chip, after, *parts[number + 1 :]]
    return None


def _to_json(part: Part) -> Any:
    match part:
        case Pasted(text):
            return {"paste": text}
        case Picture(name, image, path):
            return {"picture": name, "path": path, "type": image.mime_type, "data": image.data}
        case _:
            return part


def _from_json(value: object) -> Part:
    match value:
        case str():
            return value
        case {"paste": str(text)}:
            return Pasted(text)
        case {"picture": str(name), "path": str(path), "type": str(mime_type), "data": str(data)}:
            from pitui.rpc.messages import ImagePart

            return Picture(name, ImagePart(data=data, mime_type=mime_type), path)
        case _:
            raise ValueError("a part is words, a paste or a picture")
