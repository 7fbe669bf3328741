"""From the bytes of one line to a typed value, never giving up on more than what is wrong with it.

pi sends plain ``JSON.stringify`` output, but extensions, older versions and damaged sessions put values in it that no
document names. A field of the wrong type is read as if it were absent; an object of an unknown ``type`` or ``role``
becomes the ``"?"`` arm of its union, which keeps it whole.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from pitui.rpc.nested import NestedTooDeepError, read_nested

T = TypeVar("T")

UNKNOWN = "?"
REPAIRS = 64

Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
"""A whole number that pi can hold exactly; a larger one is absent."""
Amount = Annotated[float, Field(ge=-1e16, le=1e16, allow_inf_nan=False)]
"""A number that means something as a time, a length of time or a cost; any other is absent."""


class UnreadableError(Exception):
    """The line is not JSON, or is nested deeper than anything pi can mean."""


SHAPE = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True, defer_build=True)


class Wire(BaseModel):
    """What every shape on the wire has in common: camelCase names, nothing undeclared kept, never changed."""

    model_config = SHAPE


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The same of what a session is made of and stays in memory by the ten thousand.

    A plain dataclass takes a quarter of the memory of a pydantic model, and half the time to read.
    """

    __pydantic_config__: ClassVar[ConfigDict] = SHAPE


def read(adapter: TypeAdapter[T], line: bytes) -> T:
    """The value of one line.

    Raises UnreadableError when the line is no JSON and ValidationError when it cannot be the wanted shape at all.
    """
    try:
        return adapter.validate_json(line)
    except ValidationError:
        return read_value(adapter, load(line))


def load(line: bytes) -> Any:
    """The line as plain objects, however deep it nests; what cannot be encoded again is replaced by U+FFFD."""
    text = line.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except RecursionError:
        try:
            value = read_nested(text)
        except (NestedTooDeepError, ValueError) as error:
            raise UnreadableError(str(error)) from error
    except ValueError as error:
        raise UnreadableError(str(error)) from error
    return _without_lone_surrogates(value) if "\\ud" in text or "\\uD" in text else value


def read_value(adapter: TypeAdapter[T], value: Any) -> T:
    """`value`, a line as plain objects, in the wanted shape; changes `value` where it has to be repaired.

    Raises ValidationError when it cannot be that shape at all.
    """
    for _ in range(REPAIRS):
        try:
            return adapter.validate_python(value)
        except ValidationError as error:
            repaired = False
            for fault in error.errors(include_url=False, include_context=False, include_input=False):
                value, done = _repair(value, fault["loc"], unknown=fault["type"].startswith("union_tag"))
                repaired = repaired or done
            if not repaired:
                raise
    return adapter.validate_python(value)


def _repair(value: Any, location: tuple[int | str, ...], *, unknown: bool) -> tuple[Any, bool]:
    """`value` with the fault at `location` removed, or wrapped as unknown; and whether anything was changed."""
    holder: Any = None
    key: int | str = 0
    here: Any = value
    tags: set[str] = set()
    for step in location:
        if isinstance(here, dict):
            record = cast(dict[str, Any], here)
            named = {record.get(name) for name in ("type", "role", "method") if isinstance(record.get(name), str)}
            if step in named and step not in tags:
                tags.add(cast(str, step))
                continue
            if step not in record:
                return value, False
        elif not (isinstance(here, list) and isinstance(step, int) and step < len(cast(list[Any], here))):
            return value, False
        holder, key, tags = cast(Any, here), step, set()
        here = holder[key]
    if unknown or (isinstance(holder, list) and not isinstance(here, dict)):
        here = as_unknown(here)
        if holder is None:
            return here, True
        cast(Any, holder)[key] = here
        return value, True
    if isinstance(holder, dict):
        del holder[key]
        return value, True
    return value, False


def as_unknown(value: Any) -> dict[str, Any]:
    """`value` as the object that every union of the wire takes for something it does not know.

    An entry keeps its place in the tree: without it, everything before it would be lost.
    """
    name, place = "", {}
    if isinstance(value, Mapping):
        record = cast(Mapping[str, Any], value)
        found = record.get("role") or record.get("method") or record.get("type")
        name = found if isinstance(found, str) else ""
        place = {key: record[key] for key in ("id", "parentId", "timestamp") if key in record}
    return {**place, "type": UNKNOWN, "role": UNKNOWN, "name": name, "raw": value}


def _without_lone_surrogates(value: Any) -> Any:
    """A copy of `value` whose strings can all be encoded; without recursion, as `value` may nest deeply."""
    root: list[Any] = [value]
    waiting: list[Any] = [root]
    while waiting:
        holder = waiting.pop()
        named = isinstance(holder, dict)
        pairs: list[tuple[Any, Any]] = list(cast(Any, holder.items() if named else enumerate(holder)))
        if named:
            holder.clear()
        for key, item in pairs:
            holder[_encodable(key) if named else key] = _encodable(item) if isinstance(item, str) else item
            if isinstance(item, dict | list):
                waiting.append(item)
    return root[0]


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
