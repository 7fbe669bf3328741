"""A session as a Markdown document: what was said, thought, called and put out on one branch.

What others wrote stays within its place. An answer is Markdown and stays so, with its headings below those of the
document, if a parser finds that it ends where it should and brings neither HTML nor link definitions. Otherwise it
stands in a fence that is longer than any in it, as does everything that is no Markdown.
"""

import hashlib
import html
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from pitui.render.text import clean
from pitui.rpc.messages import (
    AssistantMessage,
    BashMessage,
    BranchSummaryEntry,
    CompactionEntry,
    CustomMessageEntry,
    Entry,
    ImagePart,
    MessageEntry,
    ModelChangeEntry,
    Part,
    SessionInfoEntry,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultMessage,
    UserMessage,
    text_of,
)

LOWEST = 4
"""The level of the highest heading that an answer may have."""
FOLDED_FROM = 20
"""Lines of output from which on it is folded."""
IMAGE_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}
_PROBE = "probe"


def pieces(entries: Sequence[Entry], title: str, facts: Sequence[tuple[str, str]], images: str) -> Iterator[str]:
    """The document, a piece at a time, each ended by a blank line.

    `entries` are those of the branch, `facts` stand below the `title`. Images are linked as files of `image_name` in
    the folder `images`.
    """
    yield f"# {plain(title) or 'Session'}\n\n"
    yield "".join(f"- {plain(name)}: {code(value)}\n" for name, value in facts) + "\n"
    calls: dict[str, ToolCallPart] = {}
    for entry in entries:
        for piece in _entry(entry, calls, images):
            yield piece.rstrip("\n") + "\n\n"


def images_of(entries: Sequence[Entry]) -> Iterator[ImagePart]:
    """Every image that the document links."""
    for entry in entries:
        message = entry.message if isinstance(entry, MessageEntry) else entry
        content: Sequence[Part] = getattr(message, "content", ())
        yield from (part for part in content if isinstance(part, ImagePart) and image_name(part))


def image_name(image: ImagePart) -> str:
    """The name of its file, by what is in it; empty when it is of no kind that is written."""
    suffix = IMAGE_SUFFIXES.get(image.mime_type, "")
    return suffix and hashlib.sha256(image.data.encode("utf-8", "replace")).hexdigest()[:16] + suffix


def _entry(entry: Entry, calls: dict[str, ToolCallPart], images: str) -> Iterator[str]:
    match entry:
        case MessageEntry(message=UserMessage(content=content)):
            yield "## Prompt"
            yield from _content(content, images)
        case MessageEntry(message=AssistantMessage() as answer):
            yield from _answer(answer, calls, images)
        case MessageEntry(message=ToolResultMessage() as result):
            call = calls.get(result.tool_call_id)
            name = result.tool_name or (call.name if call else "")
            failed = ", which failed" if result.is_error else ""
            yield from _output(f"Output of {code(name) if name else 'a tool'}{failed}", text_of(result.content))
            yield from _images(result.content, images)
        case MessageEntry(message=BashMessage() as bash):
            yield "## Command"
            yield fence(bash.command, "sh")
            yield from _output("Output", bash.output)
        case CustomMessageEntry(display=True, content=content, custom_type=kind):
            yield f"## Message of {code(kind) if kind else 'an extension'}"
            yield from _content(content, images)
        case CompactionEntry(summary=summary):
            yield "## Compacted"
            yield contained(summary)
        case BranchSummaryEntry(summary=summary):
            yield "## Summary of another branch"
            yield contained(summary)
        case ModelChangeEntry(provider=provider, model_id=model):
            yield f"Model: {code(f'{provider}/{model}')}"
        case SessionInfoEntry(name=name) if name:
            yield f"Named {code(name)}"
        case _:
            pass


def _answer(answer: AssistantMessage, calls: dict[str, ToolCallPart], images: str) -> Iterator[str]:
    shown = [part for part in answer.content if not isinstance(part, TextPart) or part.text.strip()]
    if any(isinstance(part, TextPart) for part in shown) or answer.error_message:
        yield "## Answer"
    for part in shown:
        match part:
            case TextPart(text=text):
                yield contained(text)
            case ThinkingPart(thinking=thinking) if thinking.strip():
                yield _folded("Thinking", contained(thinking))
            case ToolCallPart():
                calls[part.id] = part
                yield f"### Tool {code(part.name)}"
                yield from _arguments(part)
            case ImagePart():
                yield from _images([part], images)
            case _:
                pass
    if answer.error_message:
        yield "It ended with an error:"
        yield fence(answer.error_message)


def _arguments(call: ToolCallPart) -> Iterator[str]:
    """Texts of several lines, and what a shell runs, as they are; all else as JSON."""
    rest: dict[str, Any] = {}
    texts: list[tuple[str, str]] = []
    for name, value in call.arguments.items():
        if isinstance(value, str) and ("\n" in value or name == "command"):
            texts.append((name, value))
        else:
            rest[name] = value
    if rest:
        yield fence(json.dumps(rest, ensure_ascii=False, indent=2), "json")
    for name, value in texts:
        if name != "command":
            yield f"{code(name)}:"
        yield fence(value, "sh" if name == "command" else "")


def _output(title: str, text: str) -> Iterator[str]:
    if not text.strip():
        yield f"{title}: nothing."
        return
    lines = text.count("\n") + 1
    if lines < FOLDED_FROM:
        yield f"{title}:"
        yield fence(text)
    else:
        yield _folded(f"{title}, {lines:,} lines", fence(text))


def _content(content: Sequence[Part], images: str) -> Iterator[str]:
    if (text := text_of(list(content))).strip():
        yield contained(text)
    yield from _images(content, images)


def _images(content: Sequence[Part], images: str) -> Iterator[str]:
    for part in content:
        if isinstance(part, ImagePart):
            name = image_name(part)
            yield f"![Image](<{images}/{name}>)" if name else f"An image of the kind {code(part.mime_type)}."


def _folded(summary: str, body: str) -> str:
    words = html.escape(summary.replace("`", ""))
    return f"<details>\n<summary>{words}</summary>\n\n{body}\n\n</details>"


# What keeps foreign text in its place


def fence(text: str, language: str = "") -> str:
    """A code block of the text; nothing in it can end it."""
    text = clean(text, tab_size=0)
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def code(text: str) -> str:
    """A text of one line as code among words."""
    line = " ".join(clean(text).split())
    if not line:
        return "–"  # noqa: RUF001
    marks = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{marks}{room}{line}{room}{marks}"


def plain(text: str) -> str:
    """A text of one line that means nothing but its words."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(clean(text).split()))


def contained(text: str) -> str:
    """Markdown that others wrote, below the headings of the document; in a fence where it would not stay in place."""
    text = clean(text, tab_size=0).strip("\n")
    lowered = _lowered(text)
    return lowered if lowered is not None and _stays_in_place(lowered) else fence(text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _lowered(text: str) -> str | None:
    """With every heading lowered; None when that cannot be done."""
    lines = text.split("\n")
    for token in reversed(_parser().parse(text)):
        if token.type != "heading_open" or token.level or not token.map:
            continue
        start, end = token.map
        level = min(6, int(token.tag[1:]) + LOWEST - 1)
        words = lines[start:end] if token.markup.startswith("#") else lines[start : end - 1]
        if token.markup.startswith("#"):
            words = [re.sub(r"^ {0,3}#+", "", words[0])]
        lines[start:end] = ["#" * level + " " + " ".join(word.strip() for word in words)]
    return "\n".join(lines)


def _stays_in_place(text: str) -> bool:
    """Whether what follows the text means what it would without it, and its headings are low enough."""
    environment: dict[str, Any] = {}
    tokens = _parser().parse(f"{text}\n\n{_PROBE}", environment)
    if environment.get("references"):
        return False
    inline = [child for token in tokens for child in token.children or ()]
    if any(token.type in ("html_block", "html_inline") for token in (*tokens, *inline)):
        return False
    if any(token.type == "heading_open" and int(token.tag[1:]) < LOWEST and not token.level for token in tokens):
        return False
    last = tokens[-3:]
    return [token.type for token in last] == ["paragraph_open", "inline", "paragraph_close"] and (
        last[0].level == 0 and last[1].content == _PROBE
    )
