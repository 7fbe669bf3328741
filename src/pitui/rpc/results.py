"""What pi answers to each request, from ``rpc-commands.md`` and pi 1.6.0 itself. Every field may be missing."""

from typing import Any, Generic, TypeVar, cast

from pydantic import Field, TypeAdapter, ValidationError

from pitui.rpc.messages import Entry, Message, Text, UnknownEntry, Usage
from pitui.rpc.reading import Amount, Whole, Wire, read_value

T = TypeVar("T")


class Envelope(Wire, Generic[T]):
    """A response line around its data."""

    data: T | None = None


class Nothing(Wire):
    """The answer of a request that only succeeds or fails."""


class Disposition(Wire):
    """`disposition` is started, queued or handled (since 0.99.0; empty before)."""

    disposition: str = ""


class Queues(Wire):
    """What `clear_queue` took out. Images of queued messages are not given back."""

    steering: list[Text] = []
    follow_up: list[Text] = []


class Cancelled(Wire):
    """`cancelled` is true when an extension refused."""

    cancelled: bool = False


class Forked(Cancelled):
    text: str = ""


class Model(Wire):
    """Without any model pi answers provider and id ``unknown`` and a window of 0."""

    id: str = ""
    name: str = ""
    provider: str = ""
    reasoning: bool = False
    input: list[Text] = []
    context_window: Whole = 0
    max_tokens: Whole = 0

    @property
    def known(self) -> bool:
        return bool(self.id) and self.id != "unknown"


class State(Wire):
    model: Model | None = None
    thinking_level: str = ""
    is_streaming: bool = False
    is_compacting: bool = False
    steering_mode: str = ""
    follow_up_mode: str = ""
    session_file: str = ""
    session_id: str = ""
    session_name: str = ""
    auto_compaction_enabled: bool | None = None
    message_count: Whole = 0
    pending_message_count: Whole = 0


class Messages(Wire):
    """What the model sees, not what was said: use Entries for showing."""

    messages: list[Message] = []


class Models(Wire):
    models: list[Model] = []


class ModelChoice(Wire):
    """The answer of `cycle_model`; None when there is only one model."""

    model: Model = Model()
    thinking_level: str = ""
    is_scoped: bool = False


class LevelChoice(Wire):
    level: str = ""


class Levels(Wire):
    levels: list[Text] = []


class BashResult(Wire):
    """A cancelled command has no `exit_code`."""

    output: str = ""
    exit_code: Whole | None = None
    cancelled: bool = False
    truncated: bool = False
    full_output_path: str = ""


class TokenCounts(Wire):
    input: Whole = 0
    output: Whole = 0
    cache_read: Whole = 0
    cache_write: Whole = 0
    total: Whole = 0


class ContextUsage(Wire):
    """`tokens` and `percent` (0 to 100) are None right after a compaction."""

    tokens: Whole | None = None
    context_window: Whole = 0
    percent: Amount | None = None


class Stats(Wire):
    """`cost` is US dollars."""

    session_file: str = ""
    session_id: str = ""
    user_messages: Whole = 0
    assistant_messages: Whole = 0
    tool_calls: Whole = 0
    tool_results: Whole = 0
    total_messages: Whole = 0
    tokens: TokenCounts = TokenCounts()
    cost: Amount = 0
    context_usage: ContextUsage | None = None


class Exported(Wire):
    path: str = ""


class ForkMessage(Wire):
    entry_id: str = ""
    text: str = ""


class ForkMessages(Wire):
    """User messages of all branches, those with nothing but an image left out."""

    messages: list[ForkMessage] = []


class RawEntries(Wire):
    """Entries as they stand in a session file, with what pitui does not know."""

    entries: list[dict[str, Any]] = []
    leaf_id: str | None = None


class Entries(Wire):
    entries: list[Entry] = []
    leaf_id: str | None = None


_ENTRY: TypeAdapter[Any] = TypeAdapter(Entry)


def read_entry(value: Any) -> Entry:
    """A session entry out of its JSON, as it also stands in a session file."""
    try:
        return read_value(_ENTRY, value)
    except ValidationError:
        return UnknownEntry(raw=value)


class Tree(Wire):
    """The tree as pi nests it, one level per entry. Read with `Tree.flat`; nothing else in pitui uses it."""

    tree: list[Any] = []
    leaf_id: str | None = None

    def flat(self) -> list[tuple[Entry, str | None]]:
        """Every entry with its label, a parent before its children and they in pi's order, however deep.

        Takes about 10 µs an entry: a long session is for a thread.
        """
        found: list[tuple[Entry, str | None]] = []
        waiting = self.tree[::-1]
        while waiting:
            node = waiting.pop()
            if not isinstance(node, dict):
                continue
            fields = cast(dict[str, Any], node)
            label, children = fields.get("label"), fields.get("children")
            found.append((read_entry(fields.get("entry")), label if isinstance(label, str) and label else None))
            if isinstance(children, list):
                waiting.extend(reversed(cast(list[Any], children)))
        return found


class LastText(Wire):
    """None when there is no answer with text; pi then leaves the field out."""

    text: str | None = None


class SourceInfo(Wire):
    """Built-in commands have a `path` that starts with ``builtin:`` or ``<inline:``."""

    path: str = ""
    source: str = ""
    scope: str = ""


class Command(Wire):
    """`source` is extension, prompt or skill."""

    name: str = ""
    description: str = ""
    source: str = ""
    source_info: SourceInfo = SourceInfo()


class Commands(Wire):
    commands: list[Command] = []


class Compacted(Wire):
    summary: str = ""
    first_kept_entry_id: str = ""
    tokens_before: Whole | None = None
    estimated_tokens_after: Whole | None = None
    usage: Usage | None = Field(default=None)


# What the companion answers


class Moved(Cancelled):
    """`aborted` when it was the person who cancelled it, and not an extension."""

    aborted: bool = False


class Skill(Wire):
    name: str = ""
    description: str = ""
    path: str = ""
    scope: str = ""


class Tool(Wire):
    """`active` when it is declared to the model; `source` is builtin, or says where the extension is from."""

    name: str = ""
    description: str = ""
    active: bool = False
    source: str = ""


class ScopedModel(Wire):
    """A model that the person cycles through; without a level it keeps the one that is set."""

    provider: str = ""
    id: str = ""
    thinking_level: str = ""


class Info(Wire):
    """What pi works with. `version` is empty where it cannot be told; no scoped models means all of them."""

    version: str = ""
    cwd: str = ""
    trusted: bool = False
    context_files: list[Text] = []
    skills: list[Skill] = []
    tools: list[Tool] = []
    scoped_models: list[ScopedModel] = []


class ActiveTools(Wire):
    active: list[Text] = []


class ModelsRefreshed(Wire):
    """How many models can be used now, and what was wrong with a file of them."""

    available: Whole = 0
    problem: str = ""


class LoginWays(Wire):
    """How a provider lets people in: with an account, in the browser, or with a key."""

    account: bool = False
    api_key: bool = False
