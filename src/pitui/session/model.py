"""The state of one session as far as a screen needs it. Plain data; `apply` is the only writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING

from pitui.session.blocks import BashBlock, Block, CompactionBlock, Level, NoticeBlock, PromptBlock, ToolBlock

if TYPE_CHECKING:
    from pitui.rpc.messages import Entry, ImagePart
    from pitui.rpc.records import Dialog
    from pitui.rpc.results import Command, ContextUsage, Model, Stats


class Aspect(Flag):
    """What of a session has changed."""

    BLOCKS = auto()
    """The list of blocks itself: some came, went or moved."""
    STATE = auto()
    """Phase, retry, model, thinking level, modes, name, file, usage, context: what the status line shows."""
    QUEUE = auto()
    TOOLS = auto()
    """The list of tool runs, or how one of them stands."""
    DIALOGS = auto()
    STATUSES = auto()
    WIDGETS = auto()
    TITLE = auto()
    COMMANDS = auto()
    ENTRIES = auto()
    """The entries of the tree, or the leaf."""
    NOTICES = auto()
    EDITOR = auto()
    """An extension asked to set the text of the prompt."""
    REPLACED = auto()
    """Another session is open now: everything is new."""
    PROCESS = auto()
    """pi started, is ready, or ended."""
    RETURNED = auto()
    """Prompts come back to the person: `Session.returned`."""
    FILE = auto()
    """Others write to the session's file, or the person has decided about them."""


@dataclass(slots=True)
class Changes:
    """What has happened since the last frame. `blocks` are the ids of blocks whose look has changed."""

    aspects: Aspect = field(default_factory=lambda: Aspect(0))
    blocks: set[int] = field(default_factory=set[int])

    def __bool__(self) -> bool:
        return bool(self.aspects or self.blocks)


class Phase(Enum):
    """What pi is doing."""

    STARTING = auto()
    IDLE = auto()
    WORKING = auto()
    RETRYING = auto()
    """Waiting before it asks the model again; see `Session.retry`."""
    COMPACTING = auto()
    SUMMARIZING = auto()
    """Writing the summary of a branch that is left."""
    ENDED = auto()
    """The process is gone; see `Session.ending`."""


@dataclass(frozen=True, slots=True)
class Retry:
    """`until` is the caller's clock in seconds; `reason` is the provider's error."""

    attempt: int
    max_attempts: int
    until: float
    reason: str


@dataclass(frozen=True, slots=True)
class Returned:
    """A prompt that comes back to the person instead of going to the model. `key` was that of the sending."""

    text: str
    images: Sequence[ImagePart] = ()
    key: int = field(default=0, compare=False)


class Lane(Enum):
    """One of the two queues of pi; the value is what the person reads."""

    STEERING = "Steering"
    """pi takes it after the tools that run now."""
    FOLLOW_UP = "Follow-up"
    """pi takes it when it is done."""


@dataclass(frozen=True, slots=True)
class InPi:
    """A message that waits in pi's queue: `text` is what pi made of it.

    `key` is that of the sending, or a negative number for one that was not sent from here.
    """

    key: int
    lane: Lane
    text: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How pi's process ended: its exit code (negative: the signal) and the last of its stderr."""

    code: int | None
    stderr: str


@dataclass(slots=True, eq=False)
class OpenDialog:
    """A question of an extension that waits for an answer. `deadline` is the caller's clock in seconds."""

    request: Dialog
    deadline: float | None


@dataclass(frozen=True, slots=True)
class PastDialog:
    """A question that was: `outcome` in words."""

    request: Dialog
    outcome: str


@dataclass(frozen=True, slots=True)
class Widget:
    """Lines of an extension above or below the prompt; they may hold SGR colours."""

    lines: tuple[str, ...]
    below: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """Something said in passing, by an extension or by us. `number` rises by one with each."""

    number: int
    level: Level
    text: str


@dataclass(slots=True, eq=False)
class Spoken:
    """A message as the chat shows it: its blocks by ``contentIndex``, and what is said after them.

    `ended` once the authoritative message has come.
    """

    key: tuple[str, object]
    timestamp: float = 0
    parts: dict[int, Block] = field(default_factory=dict[int, Block])
    last_index: int = -1
    notice: NoticeBlock | None = None
    ended: bool = False

    @property
    def blocks(self) -> list[Block]:
        return [*self.parts.values(), *([self.notice] if self.notice else [])]


@dataclass(slots=True, eq=False)
class Failure:
    """The last answer that failed, which pi may try again. `attempts` are those whose failure its line stands for."""

    notice: NoticeBlock
    reason: str
    attempts: int = 1
    retried: bool = False


@dataclass(slots=True, eq=False)
class Turn:
    """What is known of a run. `began` is the caller's clock in seconds, `timestamp` pi's in milliseconds."""

    began: float | None = None
    timestamp: float = 0
    tokens_sent: int = 0
    tokens_received: int = 0
    cost: float = 0
    stop_reason: str = ""


@dataclass(slots=True, eq=False)
class Memory:
    """What `apply` has to remember between two records, and nobody else needs."""

    unknown_types: set[str] = field(default_factory=set[str])

    # what pi is doing
    ready: bool = False
    running: bool = False
    summarizing: bool = False
    compaction: CompactionBlock | None = None
    turn: Turn | None = None
    """Of the run that is on."""
    failure: Failure | None = None
    failures: int = 0
    """How many answers in a row have failed and were tried again."""

    # messages and tool runs
    heard: float = 0
    """pi's time of the last prompt that was seen live, until its entry is known."""
    open: dict[str, Spoken] = field(default_factory=dict[str, Spoken])
    """By role, the message that has started and not ended."""
    unattached: dict[tuple[str, object], list[Spoken]] = field(default_factory=dict[tuple[str, object], list[Spoken]])
    """Messages seen live whose entries are not known yet."""
    runs: dict[str, ToolBlock] = field(default_factory=dict[str, ToolBlock])
    """By ``toolCallId``, the last run of that id."""
    loose: set[int] = field(default_factory=set[int])
    """Blocks of runs whose call has not been seen in a message."""
    unsettled: dict[int, ToolBlock] = field(default_factory=dict[int, ToolBlock])
    """Runs that are not over, by block id."""
    last_foreign_key: int = 0
    clearing: int = 0
    """How often pi is asked now to clear its queue."""
    begun: int = 0
    """How many runs have begun, or are about to."""
    awaits_run: bool = False
    """The last of them is about to: pi has said so of the prompt that starts it."""
    begun_before: dict[int, int] = field(default_factory=dict[int, int])
    """How many had when a prompt was written to pi, by its key."""
    drawn_leaf: str | None = None
    """The entry up to which the blocks know the entries they belong to."""


@dataclass(slots=True, eq=False)
class Session:
    """One conversation with one pi. Nothing outside `pitui.session` writes to it."""

    # the conversation
    blocks: list[Block] = field(default_factory=list[Block])
    tools: dict[str, ToolBlock] = field(default_factory=dict[str, ToolBlock])
    """By ``toolCallId``, in the order they came. A call whose id was there before has a key of its own."""
    bashes: dict[str, BashBlock] = field(default_factory=dict[str, BashBlock])
    """Commands of the person that still run, by request id."""
    sending: dict[int, PromptBlock] = field(default_factory=dict[int, PromptBlock])
    """Prompts sent from here whose user message has not come yet."""
    in_pi: tuple[InPi, ...] = ()
    """pi's queue: the steering messages, then the follow-ups."""
    leaving: list[InPi] = field(default_factory=list[InPi])
    """What is out of pi's queue and has not come as a user message."""
    withdrawn: tuple[InPi, ...] = ()
    """What pi gave back when its queue was last cleared, as far as it has not come as a user message since."""
    between_turns: bool = False
    """pi may have taken messages out of its queue that it still lists: it does so some time before it tells."""
    returned: tuple[Returned, ...] = ()
    """What comes back to the person, and is not with them yet."""

    # the tree
    entries: dict[str, Entry] = field(default_factory=dict[str, "Entry"])
    """By id, in the order of the file."""
    leaf_id: str | None = None
    preview: bool = False
    """The entries are only how the session file ends; pi has not told them yet."""

    # how pi stands
    phase: Phase = Phase.STARTING
    retry: Retry | None = None
    ending: Ending | None = None
    version: str = ""
    model: Model | None = None
    has_models: bool = False
    """pi told of some when it was last asked."""
    thinking_level: str = ""
    steering_mode: str = ""
    follow_up_mode: str = ""
    auto_compaction: bool | None = None
    file: str = ""
    id: str = ""
    name: str = ""
    stats: Stats | None = None
    context: ContextUsage | None = None
    commands: tuple[Command, ...] = ()

    # extensions
    dialogs: list[OpenDialog] = field(default_factory=list[OpenDialog])
    """In the order they were asked."""
    past_dialogs: list[PastDialog] = field(default_factory=list[PastDialog])
    """The newest last; only the last hundred are kept."""
    statuses: dict[str, str] = field(default_factory=dict[str, str])
    widgets: dict[str, Widget] = field(default_factory=dict[str, Widget])
    title: str = ""
    notices: list[Notice] = field(default_factory=list[Notice])
    """The newest last; only the last hundred are kept."""
    editor_text: str | None = None
    """What an extension last wanted in the prompt."""

    # bookkeeping of `apply`
    changes: Changes = field(default_factory=Changes)
    last_block_id: int = 0
    last_notice: int = 0
    memory: Memory = field(default_factory=Memory)

    @property
    def busy(self) -> bool:
        """Whether a prompt would be queued now, and Esc would stop something."""
        return self.phase in (Phase.WORKING, Phase.RETRYING, Phase.COMPACTING, Phase.SUMMARIZING)

    @property
    def has_no_model(self) -> bool:
        """Whether pi has told that there is none to ask."""
        return self.model is not None and not self.model.known

    @property
    def steering(self) -> tuple[str, ...]:
        return tuple(message.text for message in self.in_pi if message.lane is Lane.STEERING)

    @property
    def follow_up(self) -> tuple[str, ...]:
        return tuple(message.text for message in self.in_pi if message.lane is Lane.FOLLOW_UP)

    @property
    def entry_list(self) -> list[Entry]:
        return list(self.entries.values())

    def take_changes(self) -> Changes:
        """What has changed since this was last asked."""
        changes, self.changes = self.changes, Changes()
        return changes
