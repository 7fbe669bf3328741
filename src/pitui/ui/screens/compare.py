"""Two branches of the tree side by side."""

from collections.abc import Iterator, Sequence

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from pitui.pane_actions import COMPARE_PANE, PANE_KEYS, Keys
from pitui.render.amounts import cost_in_words, duration, number
from pitui.render.entries import one_line
from pitui.render.palette import Palette
from pitui.render.text import truncate, unmarked
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.compare import Comparison, FileChange, Side, compare
from pitui.session.model import Session
from pitui.session.tree import Tree, said
from pitui.ui.screens.sides import SidePane, SidesScreen
from pitui.ui.widgets.transcript import Transcript

FILES = 5
"""Changed files that are named; of more only their number is told."""
HINTS = (
    "[compare.switch], [compare.left compare.right] the other side · ↑↓ PgUp PgDn · Enter folds · [compare.leave] back",
    "[compare.switch] the other side · [compare.leave] back",
)
SHOWN = 2_000
"""Entries of a side that are shown: more take longer than a key may wait."""
BOTH = 80
"""Columns from which on both sides are shown at once."""


class BranchPane(SidePane):
    """One branch: what it came to, and what was said on it."""

    def __init__(self, name: str, side: Side, talk: Session, palette: Palette, files: int) -> None:
        """`talk` is what `talk_of` makes of the side. There is room for so many files: the other side may have more."""
        super().__init__()
        self.facts = Static(classes="side--facts")
        self.transcript = Transcript(talk, palette, empty="Nothing is on this branch alone.")
        more = f": the first {SHOWN:,} of {len(side.entries):,} entries" if len(side.entries) > SHOWN else ""
        self._name = f"{name}{more}"
        self._side = side
        self._palette = palette
        self._files = files

    def compose(self) -> ComposeResult:
        yield self.facts
        yield self.transcript

    def on_resize(self, event: events.Resize) -> None:
        width, palette = max(10, event.size.width - 2), self._palette
        lines = [Text(truncate(self._name, width), palette.strong)]
        for name, value in facts_of(self._side):
            lines.append(Text.assemble((f"{name:<8}", palette.dim), truncate(value, width - 8)))
        named = list(files_of(self._side))
        padded = [*named, *[""] * (self._files - len(named))]
        lines += [Text(truncate(f"  {line}", width), palette.dim) for line in padded]
        self.facts.update(Text("\n").join(lines))


class CompareScreen(SidesScreen[None, BranchPane]):
    """Shows a comparison until Esc closes it; Tab goes to the other side."""

    PANE = COMPARE_PANE
    ACTIONS = COMPARE_PANE.actions
    AUTO_FOCUS = "Transcript"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (BOTH, "-wide")]

    def __init__(
        self,
        comparison: Comparison,
        names: tuple[str, str],
        talks: tuple[Session, Session],
        palette: Palette,
        *,
        keys: Keys = PANE_KEYS,
    ) -> None:
        """`names` say of each side what it is, `talks` have what was said on it; `keys` are those in force."""
        super().__init__(palette, keys)
        self._comparison = comparison
        files = max(len(list(files_of(side))) for side in (comparison.left, comparison.right))
        self.sides = (
            BranchPane(names[0], comparison.left, talks[0], palette, files),
            BranchPane(names[1], comparison.right, talks[1], palette, files),
        )

    def on_mount(self) -> None:
        for pane in self.sides:
            pane.transcript.top()  # where the branches part

    def head(self, width: int) -> Text:
        parting = self._comparison.parting
        common = number(self._comparison.common, "entry", "entries")
        after = "they have nothing in common"
        if parting:
            after = f"they part after “{one_line(unmarked(said(parting))) or parting.type}” · {common} in common"
        return self.titled("Compare", after, width)

    def hints(self) -> Sequence[str]:
        return HINTS

    def action_side(self, number: int) -> None:
        super().action_side(number)
        transcript = self.sides[number].transcript
        if transcript.size.height:
            transcript.focus()
        else:  # it takes the place of the other one, and nothing is seen of it yet where the cursor could be
            transcript.cursor.to_first()
            transcript.focus()

    def action_page(self, by: int) -> None:
        for pane in self.sides:
            if pane.has_focus_within:
                (pane.transcript.page_up if by < 0 else pane.transcript.page_down)()


def compared(tree: Tree, left: int, right: int) -> tuple[Comparison, tuple[Session, Session]]:
    """The branches that end at two places, and what was said on each alone. In a thread, as `talk_of`."""
    comparison = compare(tree, left, right)
    return comparison, (talk_of(comparison.left), talk_of(comparison.right))


def talk_of(side: Side) -> Session:
    """What was said on one branch alone, as a session. With thousands of entries it is for a thread."""
    session, shown = Session(), side.entries[:SHOWN]
    if shown:
        apply(session, facts.EntriesLoaded(shown, shown[-1].id, whole=True))
    return session


def facts_of(side: Side) -> Iterator[tuple[str, str]]:
    """What a side came to, in words."""
    failed = f", {side.failed_tools:,} failed" if side.failed_tools else ""
    cached = f", {side.tokens_cached:,} cached" if side.tokens_cached else ""
    yield "Said", f"{number(side.prompts, 'prompt')}, {number(side.answers, 'answer')}"
    yield "Tools", f"{number(side.tools, 'call')}{failed}"
    yield "Tokens", f"{side.tokens_in:,} in{cached}, {side.tokens_out:,} out"
    yield "Cost", cost_in_words(side.cost)
    yield "Time", "—" if side.seconds is None else duration(side.seconds)
    yield "Files", f"{number(len(side.files), 'file')} changed" if side.files else "none changed"


def files_of(side: Side) -> Iterator[str]:
    """The changed files, those changed most often first."""
    ranked = sorted(side.files.items(), key=lambda item: -(item[1].edits + item[1].writes))
    for path, change in ranked[:FILES]:
        yield f"± {one_line(path)}  {_times(change)}"
    if len(ranked) > FILES:
        yield f"and {len(ranked) - FILES:,} more"


def _times(change: FileChange) -> str:
    edits = [number(change.edits, "edit")] if change.edits else []
    return ", ".join([*edits, *([f"written {change.writes:,}×"] if change.writes else [])])  # noqa: RUF001
