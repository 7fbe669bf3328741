"""The blocks of a conversation: what the chat draws, one after another.

A part of a message is a block, and so are a tool run, a bash command, a compaction, a notice. A block says by its
`version` that it looks different now, and by `finished` that it never will again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from pitui.rpc.messages import ImagePart, Part


@dataclass(slots=True, eq=False, kw_only=True)
class Block:
    """`id` is ours, unique in a session's life and rising, and never one of the protocol's.

    `entry_id` is the node of the session tree it belongs to, once that is known; `timestamp` is pi's, in milliseconds.
    `depth` is 1 and more for the run of a tool that another tool called.
    """

    kind: ClassVar[str]
    id: int
    version: int = 0
    finished: bool = False
    entry_id: str = ""
    timestamp: float = 0
    depth: int = 0

    def touch(self) -> None:
        """Say that it looks different now."""
        self.version += 1


@dataclass(slots=True, eq=False, kw_only=True)
class _Growing(Block):
    """A block whose text comes in pieces: a piece costs an append, and reading joins what came since."""

    _pieces: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def append(self, piece: str) -> None:
        if piece:
            self._pieces.append(piece)
            self.version += 1

    def replace(self, text: str) -> None:
        """Set the whole text; nothing happens when it is the same."""
        if text != self.text:
            self._pieces = [text]
            self.version += 1


class Delivery(Enum):
    """How far a prompt of the person has come."""

    HELD = auto()
    """Not written to pi: it takes none now, or the person keeps it here."""
    SENDING = auto()
    """Written to pi, not answered yet."""
    ACCEPTED = auto()
    """pi took it and starts with it; its user message has not come yet."""
    QUEUED = auto()
    """It waits in pi's queue."""
    HANDLING = auto()
    """A command of an extension, written to pi: it runs, and there will be no user message."""
    DELIVERED = auto()
    """Its user message came: the model has it."""
    HANDLED = auto()
    """An extension took it; there will be no user message."""
    FAILED = auto()
    """pi refused it or is gone; the text went back to the person."""


@dataclass(slots=True, eq=False, kw_only=True)
class PromptBlock(Block):
    """What the person said, as typed."""

    kind: ClassVar[str] = "prompt"
    text: str = ""
    images: Sequence[ImagePart] = ()
    delivery: Delivery = Delivery.DELIVERED
    key: int = 0
    """Of the sending it came from, 0 for one that was not sent from here."""


@dataclass(slots=True, eq=False, kw_only=True)
class TextBlock(_Growing):
    """Markdown of the assistant."""

    kind: ClassVar[str] = "text"


@dataclass(slots=True, eq=False, kw_only=True)
class ThinkingBlock(_Growing):
    kind: ClassVar[str] = "thinking"
    redacted: bool = False


class ToolState(Enum):
    WRITING = auto()
    """The model is still writing its arguments."""
    WAITING = auto()
    """The call is complete; it has not started."""
    RUNNING = auto()
    DONE = auto()
    FAILED = auto()
    SKIPPED = auto()
    """It never ran: the answer it stood in was stopped, or pi went away."""
    LOST = auto()
    """No result was written down: nobody knows whether it ran."""

    @property
    def over(self) -> bool:
        return self in (ToolState.DONE, ToolState.FAILED, ToolState.SKIPPED, ToolState.LOST)


CHANGING = frozenset({"edit", "write"})
"""Tools of which is known what they change."""
SHELLS = frozenset({"bash", "powershell"})
"""Tools that run commands, which may change anything."""


@dataclass(slots=True, eq=False, kw_only=True)
class ToolBlock(Block):
    """One tool run, from the first letter of its arguments to its result.

    `call_id` is pi's ``toolCallId`` and may be any text, even empty. `output` replaces itself while the tool runs.
    `started_at` is the caller's clock in seconds, `duration` seconds.
    """

    kind: ClassVar[str] = "tool"
    call_id: str = ""
    name: str = ""
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    state: ToolState = ToolState.WRITING
    output: Sequence[Part] = ()
    details: Any = None
    parent_call_id: str | None = None
    started_at: float | None = None
    duration: float | None = None
    _written: list[str] = field(default_factory=list[str])

    @property
    def argument_text(self) -> str:
        """The JSON of the arguments as far as it has come, while `arguments` is still empty."""
        if len(self._written) > 1:
            self._written = ["".join(self._written)]
        return self._written[0] if self._written else ""

    def write(self, piece: str) -> None:
        """Take a piece of the JSON of the arguments."""
        if piece:
            self._written.append(piece)
            self.version += 1


@dataclass(slots=True, eq=False, kw_only=True)
class BashBlock(_Growing):
    """A command of the person (``!ls``); its text is the output. `excluded` ones the model never sees."""

    kind: ClassVar[str] = "bash"
    command: str = ""
    request_id: str = ""
    excluded: bool = False
    running: bool = False
    exit_code: int | None = None
    cancelled: bool = False
    truncated: bool = False
    full_output_path: str = ""
    error: str = ""
    started_at: float | None = None
    duration: float | None = None


CompactionState = Literal["running", "done", "cancelled", "failed"]


@dataclass(slots=True, eq=False, kw_only=True)
class CompactionBlock(Block):
    """`state` says how it stands; `summary` is Markdown."""

    kind: ClassVar[str] = "compaction"
    state: CompactionState = "running"
    reason: str = ""
    summary: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    error: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class BranchSummaryBlock(Block):
    kind: ClassVar[str] = "branch_summary"
    summary: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class CustomBlock(Block):
    """A message of an extension; its text is Markdown."""

    kind: ClassVar[str] = "custom"
    custom_type: str = ""
    text: str = ""
    images: Sequence[ImagePart] = ()


Level = Literal["info", "warning", "error"]


@dataclass(slots=True, eq=False, kw_only=True)
class NoticeBlock(Block):
    """A plain line of pi's or ours in the chat: an answer cut off, an error, pi's end. `text` may have many lines."""

    kind: ClassVar[str] = "notice"
    level: Level = "info"
    text: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class TurnBlock(Block):
    """What a run of pi took, after its last block: seconds, the tools that ran and how often, tokens, US dollars.

    `timestamp` is when it ended. `duration` is None when its beginning is not known.
    """

    kind: ClassVar[str] = "turn"
    outcome: Literal["done", "stopped", "failed"] = "done"
    duration: float | None = None
    tools: dict[str, int] = field(default_factory=dict[str, int])
    tokens_sent: int = 0
    tokens_received: int = 0
    cost: float = 0


@dataclass(slots=True, eq=False, kw_only=True)
class UnknownBlock(Block):
    """Something of a type that pitui does not know: `what` names it, `raw` is all of it."""

    kind: ClassVar[str] = "unknown"
    what: str = ""
    raw: Any = None
