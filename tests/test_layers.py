"""Which part may know which: read from the syntax tree, and seen in a fresh interpreter."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pitui

ROOT = Path(pitui.__file__).parent

OF_UI = ("ui.system.clipboard", "ui.system.pictures")
"""What the doctor tries as the screen uses it; no screen is in it."""

MAY_IMPORT = {
    "rpc": {"rpc", "operating_system"},
    "session": {"session", "rpc.messages", "rpc.records", "rpc.results"},
    "pi": {"pi", "itself", "operating_system", "quoting"},
    "agent": {"connection", "launch", "outbox", "rpc", "session", "pi"},
    "launch": {"pi"},
    "connection": {
        *("launch", "outbox", "queue", "recovery", "watch", "companion", "quoting"),
        *("rpc", "session", "pi", "store"),
    },
    "watch": {"store", "rpc", "session", "pi"},
    "companion": {"companion", "rpc", "session"},
    "outbox": {"ledger", "rpc", "session", "store"},
    "queue": {"outbox", "rpc", "session"},
    "recovery": {"outbox", "quoting", "rpc", "session", "store", "pi"},
    "ledger": {"store"},
    "store": {"store", "operating_system", "paths"},
    "files": {"files", "operating_system"},
    "draft": {"rpc.messages"},
    "render": {"render", "session", "rpc.messages"},
    "ui": {
        *("ui", "render", "session", "agent", "launch", "outbox", "queue", "watch", "draft", "pi"),
        *("actions", "pane_actions", "editor_keys", "config", "itself", "paths"),
        *("quoting", "stars", "store", "files", "operating_system"),
        *("rpc.messages", "rpc.records", "rpc.requests", "rpc.results"),
    },
    "demo": {"demo", "operating_system", "rpc"},
    "actions": set[str](),
    "pane_actions": set[str](),
    "editor_keys": set[str](),
    "itself": set[str](),
    "operating_system": set[str](),
    "paths": set[str](),
    "quoting": set[str](),
    "stars": set[str](),
    "typeahead": set[str](),
    "arguments": {"itself", "pi.options"},
    "normal_screen": set[str](),
    "preferences": {"actions", "pane_actions", "editor_keys", "config", "pi", "ui.theme"},
    "subcommands": {"doctor", "itself", "normal_screen", "operating_system", "paths", "pi"},
    "doctor": {"__version__", "doctor", "companion", "config", "itself", "paths", "pi", "preferences", "rpc", *OF_UI},
    "config": {"actions", "pane_actions", "paths"},
}
"""The parts of pitui that each part may import, as far as it is held to any."""

SCREENLESS = (
    *("rpc", "session", "pi", "store", "ledger", "outbox", "queue", "recovery", "draft", "watch"),
    *("connection", "launch", "agent", "companion", "demo", "files"),
    *("actions", "pane_actions", "editor_keys", "paths", "itself", "normal_screen", "quoting"),
    *("arguments", "subcommands", "doctor", "config", "stars"),
)
NEVER = {part: {"textual", "rich"} for part in SCREENLESS}
NEVER["store"] = NEVER["store"] | {"anyio", "asyncio"}
NEVER["render"] = {"textual.app", "textual.screen", "textual.widget", "textual.widgets"}
NEVER["session"] = NEVER["session"] | {"anyio", "asyncio", "io", "os", "pathlib", "subprocess", "time"}


def modules(part: str) -> list[Path]:
    package = ROOT / part
    return sorted(package.rglob("*.py")) if package.is_dir() else [ROOT / f"{part}.py"]


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: an import relative to itself"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_every_part_is_held_to_its_layer() -> None:
    parts = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert parts - set(MAY_IMPORT) == {"__init__", "__main__", "cli", "lifetime"}


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_what_is_below_it(part: str) -> None:
    ours = {
        (module.relative_to(ROOT), name.removeprefix("pitui."))
        for module in modules(part)
        for name in imports(module)
        if name.startswith("pitui.")
    }
    assert [found for found in ours if not is_within(found[1], MAY_IMPORT[part])] == []


@pytest.mark.parametrize("part", NEVER)
def test_a_part_names_nothing_of_what_it_must_do_without(part: str) -> None:
    found = {(module.relative_to(ROOT), name) for module in modules(part) for name in imports(module)}
    assert [pair for pair in found if is_within(pair[1], NEVER[part])] == []


@pytest.mark.parametrize(
    "part",
    [
        "rpc",
        "session",
        "pi",
        "store",
        "outbox",
        "queue",
        "recovery",
        "draft",
        "watch",
        "companion",
        "connection",
        "agent",
        "demo",
    ],
)
def test_a_part_loads_nothing_of_the_screen(part: str) -> None:
    names = [
        "pitui." + ".".join(module.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for module in modules(part)
        if module.name != "__main__.py"
    ]
    lines = [f"import {', '.join(names)}", "import sys", "print({'textual', 'rich'} & set(sys.modules))"]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_first_frame_needs_nothing_that_takes_long_to_load() -> None:
    slow = {"pydantic", "markdown_it", "pygments", "importlib.metadata"}
    slow |= {"pitui.rpc.records", "pitui.render.blocks", "pitui.session.apply"}
    code = f"import pitui.cli, pitui.lifetime, pitui.ui.app, sys; print({slow} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
