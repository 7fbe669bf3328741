"""A session that is told what pi says, in the lines of its protocol, and what happens here, as facts."""

import json
from typing import Any

from pitui.rpc.records import decode
from pitui.session.apply import Applied, apply
from pitui.session.blocks import (
    BashBlock,
    Block,
    BranchSummaryBlock,
    CompactionBlock,
    CustomBlock,
    NoticeBlock,
    PromptBlock,
    TextBlock,
    ThinkingBlock,
    ToolBlock,
    TurnBlock,
    UnknownBlock,
)
from pitui.session.model import Session


class Telling:
    """`now` is the clock; `chat` is what was said, `turns` is what the runs took."""

    def __init__(self) -> None:
        self.session = Session()
        self.now = 100.0

    def take(self, *records: Applied) -> None:
        for record in records:
            apply(self.session, record, self.now)

    def pi(self, type_: str, **fields: Any) -> None:
        """A record of pi."""
        self.take(decode(json.dumps({"type": type_, **fields}).encode()))

    def delta(self, type_: str, index: int, **fields: Any) -> None:
        self.pi("message_update", assistantMessageEvent={"type": type_, "contentIndex": index, **fields})

    def begins(self, role: str = "assistant", content: Any = (), **fields: Any) -> None:
        message = {"role": role, "content": content, "timestamp": 1, **fields}
        self.pi("message_start", message=message)

    def ends(self, role: str = "assistant", content: Any = (), **fields: Any) -> None:
        if role == "assistant":
            fields = {"stopReason": "stop", **fields}
        self.pi("message_end", message={"role": role, "content": content, "timestamp": 1, **fields})

    def message(self, role: str, content: Any, **fields: Any) -> None:
        self.begins(role, content, **fields)
        self.ends(role, content, **fields)

    @property
    def chat(self) -> list[str]:
        return [in_words(block) for block in self.said]

    @property
    def said(self) -> list[Block]:
        """Without what runs took, and notices that another one has taken over."""
        blocks = [block for block in self.session.blocks if not isinstance(block, TurnBlock)]
        return [block for block in blocks if not (isinstance(block, NoticeBlock) and not block.text)]

    @property
    def turns(self) -> list[TurnBlock]:
        return [block for block in self.session.blocks if isinstance(block, TurnBlock)]

    def tool(self, call_id: str) -> ToolBlock:
        return self.session.tools[call_id]


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def thinking(words: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words}


def call(id_: str, name: str = "bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": id_, "name": name, "arguments": arguments}


def result(words: str) -> dict[str, Any]:
    return {"content": [text(words)], "details": {}}


def output_of(block: ToolBlock) -> str:
    return "".join(getattr(part, "text", "") for part in block.output)


def in_words(block: Block) -> str:
    match block:
        case PromptBlock():
            return f"> {block.text}"
        case TextBlock():
            return block.text
        case ThinkingBlock():
            return f"(hidden thinking{block.text})" if block.redacted else f"({block.text})"
        case ToolBlock():
            return f"{'  ' * block.depth}{block.name} {block.state.name.lower()}: {output_of(block)}".rstrip(": ")
        case BashBlock():
            return f"$ {block.command}: {block.text}"
        case CompactionBlock():
            return f"compaction {block.state}: {block.summary}".rstrip(": ")
        case BranchSummaryBlock():
            return f"branch: {block.summary}"
        case CustomBlock():
            return f"[{block.custom_type}] {block.text}"
        case NoticeBlock():
            return f"! {block.text}"
        case TurnBlock():
            return f"- {block.outcome} after {block.duration}: {block.tools}"
        case UnknownBlock():
            return f"? {block.what}"
        case _:
            raise AssertionError(f"a block of an unknown kind: {block}")
