"""What is told of a session, and of what pi works with in it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pitui.render.amounts import cost_in_words, number
from pitui.render.text import clean_line
from pitui.session.model import Session
from pitui.ui.widgets.status import UNKNOWN, model_in_words, shortened

if TYPE_CHECKING:
    from pitui.rpc.results import Info

Row = tuple[str, str]
"""A name and what it is; a heading has nothing beside it."""


def info_rows(session: Session, cwd: str, info: "Info | None", missing: str = "") -> Iterator[Row]:
    """Everything, on clean lines. Where there is no `info`, `missing` says why the companion could not tell it."""
    facts = [*_session(session, cwd), *_counts(session), ("", "")]
    more = (
        _works_with(info) if info else [("", f"More is told by pitui's companion in pi, and there is none: {missing}")]
    )
    for name, value in (*facts, ("What pi works with", ""), *more):
        yield clean_line(name, 200), clean_line(value, 1000)


def _session(session: Session, cwd: str) -> Iterator[Row]:
    yield "Name", session.name or UNKNOWN
    yield "File", shortened(Path(session.file)) if session.file else "not saved"
    yield "Id", session.id or UNKNOWN
    yield "Folder", shortened(Path(cwd))
    yield "Model", model_in_words(session)
    yield "pi", session.version or UNKNOWN
    yield "Steering", session.steering_mode or UNKNOWN
    yield "Follow-ups", session.follow_up_mode or UNKNOWN
    yield "Compacts by itself", {True: "yes", False: "no", None: UNKNOWN}[session.auto_compaction]


def _counts(session: Session) -> Iterator[Row]:
    if stats := session.stats:
        tokens = stats.tokens
        yield "Prompts", f"{stats.user_messages:,}"
        yield "Answers", f"{stats.assistant_messages:,}"
        yield "Tool calls", f"{stats.tool_calls:,}"
        yield "Tokens in", f"{tokens.input:,} and {tokens.cache_read:,} from the cache"
        yield "Tokens out", f"{tokens.output:,}"
        yield "Written to the cache", f"{tokens.cache_write:,}"
        yield "Cost", cost_in_words(stats.cost)
    if session.context and session.context.tokens is not None:
        yield "Context", f"{number(session.context.tokens, 'token')} of {session.context.context_window:,}"


def _works_with(info: "Info") -> Iterator[Row]:
    on = ", ".join(tool.name for tool in info.tools if tool.active)
    off = ", ".join(tool.name for tool in info.tools if not tool.active)
    yield "Project files", "trusted" if info.trusted else "not trusted: settings and code of this folder are left out"
    yield "Tools", on or "none: the model can only talk"
    yield "Switched off", f"{off}; /tools switches them on" if off else "none; /tools switches them off"
    yield from _list("Context files", info.context_files, "none")
    skills = (f"{skill.name}: {skill.description}" if skill.description else skill.name for skill in info.skills)
    yield from _list("Skills", skills, "none")
    models = (f"{model.provider}/{model.id}" for model in info.scoped_models)
    yield from _list("Models in scope", models, "all that can be used")


def _list(name: str, values: Iterable[str], none: str) -> Iterator[Row]:
    """One below the other, the name beside the first."""
    for place, value in enumerate(list(values) or [none]):
        yield "" if place else name, value
