"""An entry of the session tree in one line."""

from rich.segment import Segment
from rich.style import Style

from pitui.render.palette import Palette
from pitui.render.text import clean, unmarked, visible
from pitui.render.titles import tool_title
from pitui.rpc.messages import (
    AssistantMessage,
    BashMessage,
    BranchSummaryEntry,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    ContextEditEntry,
    CustomEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    ImagePart,
    LabelEntry,
    Message,
    MessageEntry,
    ModelChangeEntry,
    Part,
    SessionInfoEntry,
    SystemMessage,
    ThinkingLevelEntry,
    ThinkingPart,
    ToolCallPart,
    ToolResultMessage,
    UnknownEntry,
    UsageEntry,
    UserMessage,
    text_of,
)
from pitui.session.blocks import ToolBlock

LIMIT = 600
"""Characters of a text that can matter for one line."""
PROMPT = "▌ "


def entry_line(entry: Entry, call: ToolCallPart | None, palette: Palette) -> list[Segment]:
    """What an entry is and says, on one clean line. `call` is what a tool result answers, where that is known."""
    if isinstance(entry, MessageEntry):
        return _message(entry.message, call, palette)
    match entry:
        case CompactionEntry():
            return _summary("Compacted", entry.summary, palette)
        case BranchSummaryEntry():
            return _summary("Summary of a branch", entry.summary, palette)
        case CustomMessageEntry():
            return _named(entry.custom_type or "extension", text_of(entry.content), palette)
        case UnknownEntry():
            return _named(f"unknown: {entry.name}", "", palette, palette.warning)
        case _:
            return [Segment(one_line(_setting(entry)), palette.dim)]


def one_line(text: str) -> str:
    """The start of a foreign text on one clean line; line breaks and other blanks are single spaces."""
    return visible(" ".join(clean(text[:LIMIT]).split()))


def tool_words(call: ToolCallPart, details: object = None) -> tuple[str, str]:
    """The name of a tool and what it was called to do."""
    return tool_title(ToolBlock(id=0, name=call.name, arguments=call.arguments, details=details))


def _message(message: Message, call: ToolCallPart | None, palette: Palette) -> list[Segment]:
    match message:
        case UserMessage():
            text = one_line(text_of(message.content)) or _pictures(message.content) or "(empty)"
            return [Segment(PROMPT, palette.accent), Segment(text, palette.prompt)]
        case AssistantMessage():
            return _answer(message, palette)
        case ToolResultMessage():
            return _result(message, call, palette)
        case BashMessage():
            sign = Segment("! ", palette.error if message.exit_code else palette.accent)
            return [sign, Segment(one_line(message.command), palette.tool_title)]
        case CompactionSummaryMessage():
            return _summary("Compacted", message.summary, palette)
        case BranchSummaryMessage():
            return _summary("Summary of a branch", message.summary, palette)
        case CustomMessage():
            return _named(message.custom_type or "extension", text_of(message.content), palette)
        case SystemMessage():
            return [Segment("system prompt and tools", palette.dim)]
        case _:
            return _named(f"unknown: {message.name}", "", palette, palette.warning)


def _answer(message: AssistantMessage, palette: Palette) -> list[Segment]:
    line: list[Segment] = []
    if message.stop_reason == "error":
        line.append(Segment("✗ ", palette.error))
    elif message.stop_reason == "aborted":
        line.append(Segment("⊘ stopped ", palette.dim))
    if text := one_line(unmarked(text_of(message.content)[:LIMIT])):
        return [*line, Segment(text, palette.dim)]
    for part in message.content:
        if isinstance(part, ToolCallPart):
            name, what = tool_words(part)
            line += [Segment(f"○ {name} ", palette.tool_name), Segment(f"{what}  ", palette.tool_title)]
    if not any(isinstance(part, ToolCallPart) for part in message.content):
        thought = any(isinstance(part, ThinkingPart) for part in message.content)
        words = one_line(message.error_message) or ("(only thoughts)" if thought else "(empty answer)")
        line.append(Segment(words, palette.error if message.error_message and line else palette.dim))
    return line


def _result(message: ToolResultMessage, call: ToolCallPart | None, palette: Palette) -> list[Segment]:
    sign = Segment("✗ ", palette.error) if message.is_error else Segment("✓ ", palette.success)
    if call is None:
        name, what = one_line(message.tool_name) or "tool", one_line(text_of(message.content))
    else:
        name, what = tool_words(call, message.details)
    return [sign, Segment(f"{name} ", palette.tool_name), Segment(what, palette.tool_title)]


def _summary(name: str, summary: str, palette: Palette) -> list[Segment]:
    return [Segment(f"⊟ {name}: ", palette.accent), Segment(one_line(unmarked(summary[:LIMIT])), palette.dim)]


def _named(name: str, text: str, palette: Palette, style: Style | None = None) -> list[Segment]:
    return [Segment(f"[{one_line(name)}] ", style or palette.accent), Segment(one_line(text), palette.dim)]


def _pictures(content: list[Part]) -> str:
    images = sum(isinstance(part, ImagePart) for part in content)
    return f"({images} image{'s' if images > 1 else ''})" if images else ""


def _setting(entry: Entry) -> str:
    match entry:
        case ModelChangeEntry():
            return f"model: {entry.provider}/{entry.model_id}"
        case ThinkingLevelEntry():
            return f"thinking: {entry.thinking_level}"
        case SessionInfoEntry():
            return f"name: {entry.name}" if entry.name else "name taken away"
        case LabelEntry():
            return f"label: {entry.label}" if entry.label else "label taken away"
        case ContextEditEntry():
            return "taken out of the context" if entry.replacement is None else "changed in the context"
        case UsageEntry():
            return f"usage: {entry.kind}"
        case CustomEntry():
            return f"kept by {entry.custom_type or 'an extension'}"
        case _:
            return entry.type
