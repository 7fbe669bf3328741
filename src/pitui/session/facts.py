"""What we did or saw ourselves, and pi has no record for. `apply` takes these beside pi's records and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pitui.session.blocks import Level

if TYPE_CHECKING:
    from pitui.rpc.messages import Entry, ImagePart
    from pitui.rpc.results import BashResult, Queues
    from pitui.session.blocks import Block, PromptBlock
    from pitui.session.model import Returned, Session


@dataclass(frozen=True, slots=True)
class Started:
    """A new pi runs; it has not answered yet. `version` is empty when it could not be told."""

    version: str


@dataclass(frozen=True, slots=True)
class Exited:
    """pi's process is gone. `code` is negative for a signal; `stderr` is the last of what it wrote there.

    It is `wanted` when it was ended here, to be started again.
    """

    code: int | None
    stderr: str
    wanted: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """pi opened another session: whatever belonged to the old one is over.

    `extensions_loaded` when `ExtensionsUnloaded` was told, so that what extensions show is of the new session already.
    """

    extensions_loaded: bool = False


@dataclass(frozen=True, slots=True)
class ExtensionsUnloaded:
    """pi is about to load its extensions anew: what the old ones showed is gone."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A prompt was written to pi. `queued` when pi was busy: it will be shown in the queue, not in the chat.

    `command` when it is one of an extension, which runs at once.
    """

    key: int
    text: str
    images: Sequence[ImagePart] = ()
    queued: bool = False
    command: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """pi answered the sending `key`: started, queued or handled."""

    key: int
    disposition: Literal["started", "queued", "handled"]


@dataclass(frozen=True, slots=True)
class Refused:
    """The sending `key` was not taken."""

    key: int
    reason: str


@dataclass(frozen=True, slots=True)
class Taken:
    """pi said what this shows to the model before it ended, and did not tell: its entry shows it."""

    block: PromptBlock


@dataclass(frozen=True, slots=True)
class Held:
    """The sending `key` is not with pi: it waits here."""

    key: int


@dataclass(frozen=True, slots=True)
class Written:
    """The sending `key` is written to pi now, as this."""

    key: int
    text: str
    images: Sequence[ImagePart] = ()


@dataclass(frozen=True, slots=True)
class ClearingQueue:
    """pi is asked to clear its queue."""


@dataclass(frozen=True, slots=True)
class QueueCleared:
    """pi answered that: the texts that it gave back. None when it did not do it."""

    queues: Queues | None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What pi gave back is here now, and pi delivers none of it."""


@dataclass(frozen=True, slots=True)
class GivenBack:
    """These come back to the person; with `above` they stand above what came back just before."""

    prompts: Sequence[Returned]
    above: bool = False


@dataclass(frozen=True, slots=True)
class Rescued:
    """What came back is with the person."""


@dataclass(frozen=True, slots=True)
class BashStarted:
    """The person runs a command; pi's output records carry `request_id`."""

    request_id: str
    command: str
    excluded: bool


@dataclass(frozen=True, slots=True)
class BashEnded:
    """pi answered the command, or `error` says why it could not."""

    request_id: str
    result: BashResult | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class DialogClosed:
    """The dialog `id` is over. `outcome` in words: what was answered, or why it closed by itself."""

    id: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """We have something to say. `in_chat` puts it into the conversation too."""

    level: Level
    text: str
    in_chat: bool = False


@dataclass(frozen=True, slots=True)
class EndRead:
    """How the file ends of the session that pi is about to open."""

    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The chat as it will be with entries that came, drawn in a session `aside`; see `history.drafting`.

    `before` are the blocks of the session and `last_id` the last id of one when the draft was begun, `by_entry` those
    of each entry of the branch.
    """

    aside: Session
    before: Sequence[Block]
    last_id: int
    by_entry: dict[str, list[Block]]


@dataclass(frozen=True, slots=True)
class EntriesLoaded:
    """Entries that pi gave: all of them, or with `since` only those after it."""

    entries: Sequence[Entry]
    leaf_id: str | None
    whole: bool
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class BranchSummaryStarted:
    """We asked to leave a branch with a summary, for which pi has no record until it retries or ends."""


@dataclass(frozen=True, slots=True)
class BranchSummaryEnded:
    """The answer to that came."""


Fact = (
    Started
    | Exited
    | Replaced
    | ExtensionsUnloaded
    | Sent
    | Accepted
    | Refused
    | Taken
    | Held
    | Written
    | ClearingQueue
    | QueueCleared
    | Withdrawn
    | GivenBack
    | Rescued
    | BashStarted
    | BashEnded
    | DialogClosed
    | Noticed
    | EndRead
    | EntriesLoaded
    | BranchSummaryStarted
    | BranchSummaryEnded
)
