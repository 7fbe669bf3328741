"""What the person has set, from ``pitui.toml``. A mistake in it is reported and never keeps pitui from starting."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_type_hints

from pitui import actions, pane_actions
from pitui.paths import config_folder

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting and its default. It is read before the first frame, and so no model of pydantic."""

    theme: str = ""
    """The name of a theme, as /theme lists them; empty for pitui's own."""
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Other keys for actions: an action's id and one key or a list; an empty list for none."""
    mouse: bool = True
    """Whether clicks and the wheel go to pitui. Without it the terminal selects text by itself."""
    sidebar: bool = True
    """Whether the side bar is open at the start, where there is room for it."""
    sidebar_tree: bool = False
    """Whether the tree of the session is in the side bar at the start."""
    show_thinking: bool = False
    """Whether the model's thinking is unfolded at the start."""
    times: bool = False
    """Whether the time of day stands at prompts, and tokens and cost with what each run took."""
    sides: bool | None = None
    """Whether old and new of a change stand side by side, where there is room; None leaves that to the width."""
    title: bool = True
    """Whether the window's title names the session and, while the terminal is not in focus, says how it stands."""
    bell: bool = True
    """Whether the bell rings when pi is done or asks, while the terminal is not in focus."""
    notifications: Literal["auto", "osc9", "osc99", "osc777", "off"] = "auto"
    """How the desktop is told of that; "auto" goes by the terminal."""
    progress: bool = True
    """Whether a terminal that is not in focus, and can, shows that pi works."""


EXPECTED = {
    "bool_type": "true or false is expected",
    "dict_type": "a table is expected, [keys]",
    "string_type": "a text is expected, in quotation marks",
    "tuple_type": "a key or a list of keys is expected",
}
"""What is wrong, by pydantic's name of it, where its own words are those of Python."""


class Loaded(NamedTuple):
    """The settings in force, and what is to be told of the file, one sentence each."""

    settings: Settings
    problems: list[str]


def settings_file(environ: Mapping[str, str] = os.environ) -> Path:
    """``PITUI_CONFIG``, else ``pitui.toml`` in the folder for configuration."""
    named = environ.get("PITUI_CONFIG")
    return Path(named).expanduser() if named else config_folder() / "pitui.toml"


def load_settings(file: Path) -> Loaded:
    """What `file` sets. What is wrong in it is left at its default, and reported with what would be right."""
    try:
        text = file.read_text("utf-8-sig")
        import tomllib  # late, as pydantic below: most people have no such file

        values = tomllib.loads(text)
    except FileNotFoundError:
        return Loaded(Settings(), [])
    except OSError as error:
        return Loaded(Settings(), [f"{file}: cannot be read: {error.strerror}. The defaults are used."])
    except (ValueError, RecursionError) as error:
        return Loaded(Settings(), [f"{file}: not TOML: {error}. The defaults are used."])
    from pydantic import ConfigDict, ValidationError, create_model

    shapes: dict[str, Any] = {name: (shape, None) for name, shape in get_type_hints(Settings).items()}
    model = create_model("Model", __config__=ConfigDict(extra="forbid", strict=True), **shapes)
    problems = _name_keys(values, file)
    while True:
        try:
            return Loaded(Settings(**model.model_validate(values).model_dump(exclude_unset=True)), problems)
        except ValidationError as error:
            for detail in error.errors():
                problems.append(f"{file}: {_said(detail)}.")
                _drop(values, detail["loc"])


def _name_keys(values: dict[str, Any], file: Path) -> list[str]:
    """Makes every value of the table of keys a tuple, and takes out those for no action; what is to be told of them."""
    table: Any = values.get("keys")
    problems: list[str] = []
    for name, value in list(cast("dict[str, Any]", table).items()) if isinstance(table, dict) else ():
        if name not in actions.BY_ID and name not in pane_actions.BY_ID:
            del table[name]
            problems.append(f"{file}: keys.{name}: there is no action “{name}”; F1 lists them all.")
        elif isinstance(value, str | list):
            table[name] = (value,) if isinstance(value, str) else tuple(cast("list[Any]", value))
    return problems


def _drop(values: dict[str, Any], place: tuple[int | str, ...]) -> None:
    """Takes what is at `place` out of `values`, and of a table no more than the entry."""
    name = str(place[0])
    table: Any = values.get(name)
    if isinstance(table, dict) and len(place) > 1:
        cast("dict[str, Any]", table).pop(str(place[1]), None)
    else:
        values.pop(name, None)


def _said(detail: "ErrorDetails") -> str:
    key = ".".join(str(part) for part in detail["loc"][:2])
    if detail["type"] == "extra_forbidden":
        return f"{key}: there is no such setting; there are {', '.join(map(str, Settings.__dataclass_fields__))}"
    said = EXPECTED.get(detail["type"]) or f"{detail['msg'][:1].lower()}{detail['msg'][1:]}"
    return f"{key}: {said}; it is {cast('object', detail['input'])!r}"
