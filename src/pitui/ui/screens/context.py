"""What fills the model's context: its parts, and beside them the biggest things in one of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rich.text import Text
from textual import on
from textual.widgets import Static

from pitui.pane_actions import CONTEXT_PANE, PANE_KEYS, Keys
from pitui.render.amounts import number, time_of_day, tokens_in_words
from pitui.render.entries import LIMIT, one_line, tool_words
from pitui.render.palette import Palette
from pitui.render.text import unmarked
from pitui.render.titles import tool_name
from pitui.rpc.messages import AssistantMessage, Entry, MessageEntry, ThinkingPart
from pitui.session.blocks import Block
from pitui.session.context import Context, Kind, Piece, Share, reckon
from pitui.session.model import Aspect, Changes, Session
from pitui.session.tree import said, written_at
from pitui.ui.screens.sides import ReadingScreen, SidePane
from pitui.ui.widgets.menu import Item, Menu
from pitui.ui.widgets.status import fullness, model_in_words

BIGGEST = 100
"""Things that are listed; nobody looks for room in smaller ones."""
NARROW = 60
"""Columns under which the total is told in fewer digits."""
BAR = 10
"""Cells of the bar of a part."""
SAID, HALF, ADDED, FREE, COMPACTS = "━", "╸", "╍", "─", "┼"
"""What a bar is made of: what was said and half a cell of it, what pi adds, what is free, and where pi compacts."""
REST = "What pi adds itself"
OF_REST = "The system prompt, the tools and the context files: what is left of pi's total without all that was said."
NOTHING = "Nothing was said in this session yet."
NOT_IN_CHAT = "It is not in the chat."
RECKONED = "What each takes is reckoned as pi does: 4 characters a token."
HINTS = (
    "[context.show] shows it in the chat · [context.switch] {other} · /compact makes room · [context.leave] closes",
    "[context.show] in the chat · [context.switch] {other} · /compact makes room · [context.leave] closes",
    "[context.show] in the chat · [context.switch] {other} · [context.leave] closes",
    "[context.show] chat · [context.switch] {other} · [context.leave]",
)
NAMES = {
    Kind.PROMPT: "prompt",
    Kind.ANSWER: "answer",
    Kind.THINKING: "thinking",
    Kind.IMAGE: "image",
    Kind.COMMAND: "!",
    Kind.SUMMARY: "summary",
    Kind.EXTENSION: "extension",
}
"""One of each, for what has no name of its own."""


class Row(NamedTuple):
    piece: Piece
    item: Item


ALL, ADDED_BY_PI = "all", "added"
Part = Share | str
"""A part that can be looked at; all of it, and what pi adds, are none of the shares."""


class Found(NamedTuple):
    context: Context
    rows: Mapping[Part, Sequence[Row]]
    """The biggest things of each part, and of all."""


class ContextScreen(ReadingScreen[int | None, Found]):
    """Gives the number of the block of something in the context that is to be shown in the chat, or None."""

    PANE = CONTEXT_PANE
    ACTIONS = CONTEXT_PANE.actions
    AUTO_FOCUS = ""

    def __init__(
        self, session: Session, palette: Palette, *, reserve: int | None = None, keys: Keys = PANE_KEYS
    ) -> None:
        """`reserve` is how many tokens of the window pi keeps free, where that is known."""
        super().__init__(session, palette, keys)
        self.shares = Menu(notes_stay=True)
        self.pieces = Menu(notes_stay=True)
        self._why_none = Static(classes="sides--empty", markup=False)
        self.sides = (SidePane(self.shares), SidePane(self._why_none, self.pieces))
        self._reserve = reserve
        self._found: Found | None = None
        self._parts: list[tuple[Part, int]] = []
        """As they are listed, with their tokens."""
        self._part: Part = ALL
        """The one that is looked at."""
        self._rows: Sequence[Row] = ()

    # what is told

    def sync(self, changes: Changes) -> None:
        if changes.aspects & (Aspect.ENTRIES | Aspect.REPLACED):
            self.catch_up()
        elif changes.aspects & (Aspect.STATE | Aspect.PROCESS) and self._found is not None:
            self.take(self._found)
            self.tell()

    def reader(self) -> Callable[[], Found]:
        return partial(read, self.session.entry_list, self.session.leaf_id)

    def take(self, found: Found) -> None:
        self._found = found
        self._parts = list(self._in_parts(found.context))
        at = next((at for at, (part, _) in enumerate(self._parts) if part == self._part), 0)
        self.shares.show([self._row(part, tokens) for part, tokens in self._parts], at)
        self.note.update(" ".join(filter(None, (put_away(found.context), RECKONED))))
        self.note.display = True
        self._list(keep=True)

    @property
    def _told(self) -> int | None:
        """How many tokens there are in all, where pi knows it."""
        return self.session.context.tokens if self.session.context else None

    @property
    def _total(self) -> int:
        return self._reckoned if self._told is None else self._told

    @property
    def _reckoned(self) -> int:
        """What was said, by our reckoning."""
        return self._found.context.tokens if self._found else 0

    def _in_parts(self, context: Context) -> Iterator[tuple[Part, int]]:
        """All of it, then what it is made of, the most first."""
        yield ALL, self._total
        parts: list[tuple[Part, int]] = list(context.shares.items())
        if self._told is not None:
            parts.append((ADDED_BY_PI, max(0, self._told - context.tokens)))
        yield from sorted((part for part in parts if part[1]), key=lambda part: -part[1])

    def _row(self, part: Part, tokens: int) -> Item:
        share = tokens / max(1, self._total)
        percent = "<1 %" if 0 < share < 0.005 else f"{min(share, 1):.0%}".replace("%", " %")
        block = ADDED if part == ADDED_BY_PI else SAID
        return Item(name_of(part), bar_of(share, block), f"{tokens_in_words(tokens):>5}  {percent:>5}")

    def _list(self, *, keep: bool = False) -> None:
        """The biggest things in the part that is looked at; `keep` leaves the highlight on what it is on."""
        self._part = self._parts[self.shares.highlighted][0]
        before = self._rows[self.pieces.highlighted].piece if keep and self._rows else None
        self._rows = self._found.rows.get(self._part, ()) if self._found else ()
        at = next((at for at, row in enumerate(self._rows) if row.piece == before), 0)
        self.pieces.show([row.item for row in self._rows], at)
        self._why_none.update(OF_REST if self._part == ADDED_BY_PI else NOTHING)
        self._why_none.display = not self._rows
        self.pieces.display = bool(self._rows)

    # what is said around them

    def head(self, width: int) -> Text:
        if self._found is None:
            return self.titled("Context", "", width)
        window = self.session.context.context_window if self.session.context else 0
        amount = self._amount(window, tokens_in_words if width < NARROW else "{:,}".format)
        title = self.titled("Context", amount, width, self._compacts(window))
        return Text("\n").join([title, self._bar(window, width)]) if window else title

    def _amount(self, window: int, written: Callable[[int], str]) -> str:
        """How full it is; `written` writes a number."""
        total = written(self._total)
        tokens = f"{total} of {written(window)} tokens" if window else f"{total} tokens"
        model = self.session.model
        if self._told is not None and window:
            return f"{tokens} · {self._total * 100 / window:.0f} % · {model_in_words(self.session)}"
        if window:
            return f"about {tokens}; the next answer tells how many"
        return f"about {tokens}" + ("; pi has no model yet" if model and not model.known else "")

    def _compacts(self, window: int) -> str:
        """When pi compacts by itself."""
        match self.session.auto_compaction:
            case True:
                return f"compacts by itself at {self._limit(window):,}" if self._limit(window) else "compacts by itself"
            case False:
                return "does not compact by itself"
            case None:
                return ""

    def _limit(self, window: int) -> int:
        """The tokens from which on pi compacts by itself; 0 where that is not known."""
        return 0 if self._reserve is None or not self.session.auto_compaction else max(0, window - self._reserve)

    def _bar(self, window: int, width: int) -> Text:
        """The window as a row of blocks."""
        used = min(width, -(-width * self._total // window))
        said = min(used, round(width * self._reckoned / window))
        row = ADDED * (used - said) + SAID * said + FREE * (width - used)
        limit = width * self._limit(window) // window
        if used < limit < width:
            row = row[:limit] + COMPACTS + row[limit + 1 :]
        level = fullness(self._total * 100 / window)
        style = {"warning": self.palette.warning, "error": self.palette.error}.get(level, self.palette.accent)
        return Text.assemble((row[:used], style), (row[used:], self.palette.faint))

    def hints(self) -> Sequence[str]:
        other = "the parts" if self.looked_at else "the biggest"
        return [hint.format(other=other) for hint in HINTS]

    # what the person does

    @property
    def _menu(self) -> Menu:
        return self.pieces if self.looked_at else self.shares

    def action_move(self, by: int) -> None:
        self._menu.move(by)
        self._moved()

    def action_page(self, by: int) -> None:
        self._menu.page(by)
        self._moved()

    def _moved(self) -> None:
        if self._menu is self.shares and self._parts:
            self._list()

    def action_show(self) -> None:
        """What is highlighted on the right."""
        if not self._rows:
            return
        block = block_of(self.session, self._rows[self.pieces.highlighted].piece)
        if block is None:
            self.say(NOT_IN_CHAT)
        else:
            self.dismiss(block.id)

    @on(Menu.Chosen)
    def _choose(self, event: Menu.Chosen) -> None:
        self.action_side(int(event.menu is self.pieces))
        self._moved()
        if event.menu is self.pieces:
            self.action_show()


def read(entries: Sequence[Entry], leaf_id: str | None) -> Found:
    """The context, and what is listed of it."""
    context = reckon(entries, leaf_id)
    rows: dict[Part, list[Row]] = {ALL: [_row_of(piece) for piece in context.pieces[:BIGGEST]]}
    for piece in context.pieces:
        of_its_kind = rows.setdefault(piece.share, [])
        if len(of_its_kind) < BIGGEST:
            of_its_kind.append(_row_of(piece))
    return Found(context, rows)


def _row_of(piece: Piece) -> Row:
    return Row(piece, Item(words_of(piece), note=amount_of(piece)))


def name_of(part: Part) -> str:
    match part:
        case (Kind.RESULT, tool):
            return f"{Kind.RESULT.value} of {tool_name(tool)}"
        case (kind, _):
            return kind.value
        case _:
            return REST if part == ADDED_BY_PI else "All of it"


def bar_of(share: float, block: str) -> str:
    """A bar of whole cells and perhaps a half."""
    whole, half = divmod(round(min(share, 1) * BAR * 2), 2)
    return block * whole + HALF * half


def words_of(piece: Piece) -> str:
    """What it is, on one clean line."""
    name = NAMES.get(piece.kind, "")
    if piece.call is not None:
        what = " ".join(tool_words(piece.call))
        return {Kind.CALL: f"call of {what}", Kind.IMAGE: f"{name} · {what}"}.get(piece.kind, what)
    text = _thoughts(piece) if piece.kind is Kind.THINKING else said(piece.entry)
    name = name or tool_name(piece.tool)
    return f"{name} · {one_line(unmarked(text[:LIMIT].lstrip()))}"


def _thoughts(piece: Piece) -> str:
    if isinstance(piece.entry, MessageEntry) and isinstance(piece.entry.message, AssistantMessage):
        return "\n".join(part.thinking for part in piece.entry.message.content if isinstance(part, ThinkingPart))
    return ""


def amount_of(piece: Piece) -> str:
    """How much it takes, and when it was said."""
    written = written_at(piece.entry.timestamp)
    return f"{tokens_in_words(piece.tokens)}  {time_of_day(written) if written else '':>5}"


def put_away(context: Context) -> str:
    """What compaction has done already."""
    if not context.compactions:
        return ""
    done = number(context.compactions, "compaction")
    entries = number(context.put_away, "entry", "entries")
    return f"{done} put away about {context.put_away_tokens:,} tokens of {entries}."


def block_of(session: Session, piece: Piece) -> Block | None:
    """Where it is in the chat."""
    if piece.call is not None:
        runs = (run for run in session.tools.values() if run.call_id == piece.call.id)
        return next(runs, None)
    wanted = {Kind.THINKING: "thinking", Kind.ANSWER: "text"}.get(piece.kind, "")
    blocks = (block for block in session.blocks if block.entry_id == piece.entry.id and block.kind != "tool")
    return next((block for block in blocks if block.kind == (wanted or block.kind)), None)
