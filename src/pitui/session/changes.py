"""What pi has changed: the files, and each change with the prompt that it was made for."""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitui.session.blocks import CHANGING, SHELLS, BashBlock, Block, Delivery, PromptBlock, ToolBlock, ToolState


class Change(NamedTuple):
    """A run that changed a file, and the prompt in whose turn it was; None before the first one."""

    run: ToolBlock
    prompt: PromptBlock | None


@dataclass(frozen=True, slots=True)
class Changed:
    """The changes of each file by its path, the file that was changed last at the end.

    `commands` is how many commands of a shell have run, of which nobody knows what they changed.
    """

    files: dict[str, list[Change]] = field(default_factory=dict[str, list[Change]])
    commands: int = 0


def changed(blocks: Iterable[Block], cwd: str) -> Changed:
    """What was changed in a conversation, from its blocks: also in a run that goes on. Paths in `cwd` begin there."""
    files: dict[str, list[Change]] = {}
    commands = 0
    prompt: PromptBlock | None = None
    for block in blocks:
        match block:
            case PromptBlock(delivery=Delivery.DELIVERED):
                prompt = block
            case BashBlock():
                commands += 1
            case ToolBlock(state=ToolState.DONE) if path := changed_path(block.name, block.arguments, cwd):
                changes = files.pop(path, [])
                changes.append(Change(block, prompt))
                files[path] = changes
            case ToolBlock(state=ToolState.RUNNING | ToolState.DONE | ToolState.FAILED) if block.name in SHELLS:
                commands += 1
            case _:
                pass
    return Changed(files, commands)


def changed_path(tool: str, arguments: Mapping[str, Any], cwd: str = "") -> str:
    """The file that a call changes, by one name however it is written; empty for a call that changes none."""
    path = arguments.get("path") if tool in CHANGING else None
    if not isinstance(path, str) or not path:
        return ""
    whole = posixpath.normpath(posixpath.join(cwd, path.removeprefix("@")))  # pi takes that sign away too
    return whole.removeprefix(cwd.rstrip("/") + "/") if cwd else whole
