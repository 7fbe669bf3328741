"""What the person has set, from ``pitui.toml``. A mistake in it is reported and never keeps pitui from starting."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from pitui.actions import BY_ID
from pitui.paths import config_folder


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else tuple(cast("list[Any]", value)) if isinstance(value, list) else value


def _an_action(name: str) -> str:
    if name not in BY_ID:
        raise ValueError(f"there is no action “{name}”; F1 lists them all")
    return name


ActionId = Annotated[str, AfterValidator(_an_action)]
Keys = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    theme: str = ""
    """The name of a theme, as /theme lists them; empty for pitui's own."""
    keys: dict[ActionId, Keys] = {}
    """Other keys for actions: an action's id and one key or a list; an empty list for none."""
    mouse: bool = True
    """Whether clicks and the wheel go to pitui. Without it the terminal selects text by itself."""
    sidebar: bool = True
    """Whether the side bar is open at the start, where there is room for it."""
    show_thinking: bool = False
    """Whether the model's thinking is unfolded at the start."""


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
        values = tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return Loaded(Settings(), [])
    except OSError as error:
        return Loaded(Settings(), [f"{file}: cannot be read: {error.strerror}. The defaults are used."])
    except (ValueError, RecursionError) as error:
        return Loaded(Settings(), [f"{file}: not TOML: {error}. The defaults are used."])
    problems: list[str] = []
    while True:
        try:
            return Loaded(Settings.model_validate(values), problems)
        except ValidationError as error:
            for detail in error.errors():
                problems.append(f"{file}: {_said(detail)}.")
                _drop(values, detail["loc"])


def _drop(values: dict[str, Any], place: tuple[int | str, ...]) -> None:
    """Takes what is at `place` out of `values`, and of a table no more than the entry."""
    name = str(place[0])
    table: Any = values.get(name)
    if isinstance(table, dict) and len(place) > 1:
        cast("dict[str, Any]", table).pop(str(place[1]), None)
    else:
        values.pop(name, None)


def _said(detail: ErrorDetails) -> str:
    key = ".".join(str(part) for part in detail["loc"][:2])
    if detail["type"] == "extra_forbidden":
        return f"{key}: there is no such setting; there are {', '.join(Settings.model_fields)}"
    message = detail["msg"].removeprefix("Value error, ")
    return f"{key}: {message[:1].lower()}{message[1:]}; it is {cast('object', detail['input'])!r}"
