"""What pi has changed in this session: the files, and beside them the changes of one of them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from rich.text import Text
from textual import on

from pitui.pane_actions import CHANGES_PANE, PANE_KEYS, Keys
from pitui.render.amounts import number, time_of_day
from pitui.render.entries import one_line
from pitui.render.palette import Palette
from pitui.render.text import truncate, unmarked
from pitui.render.titles import lines_changed
from pitui.render.tools import made_text
from pitui.session.blocks import Block, NoticeBlock, ToolBlock
from pitui.session.changes import Change, Changed, changed
from pitui.session.model import Aspect, Changes, Session
from pitui.ui.screens.sides import ReadingScreen, SidePane
from pitui.ui.widgets.menu import Item, Menu
from pitui.ui.widgets.transcript import Transcript

NOTHING = "pi has changed no file yet."
NARROW = "There is no room for two sides: they need 80 columns."
PROMPT_CELLS = 44
"""Of a prompt that stands over its changes."""
HINTS = (
    "[changes.show] shows it in the chat · [changes.switch] {other} · [changes.order] {order} · [changes.copy] copies"
    " {copied} · [changes.sides] sides · [changes.leave] closes",
    "[changes.show] in the chat · [changes.switch] {other} · [changes.order] {order} · [changes.leave] closes",
    "[changes.show] in the chat · [changes.switch] {other} · [changes.leave] closes",
    "[changes.show] chat · [changes.switch] {other} · [changes.leave]",
)

Lines = tuple[int, int]
"""How many were added and removed."""


class Found(NamedTuple):
    changed: Changed
    lines: dict[int, Lines]
    """Of each change by the number of its block."""


class ChangesScreen(ReadingScreen[int | None, Found]):
    """Gives the number of the block of a change that is to be shown in the chat, or None. It grows while pi works."""

    PANE = CHANGES_PANE
    ACTIONS = CHANGES_PANE.actions
    AUTO_FOCUS = ""

    def __init__(
        self, session: Session, cwd: str, palette: Palette, *, sides: bool | None = None, keys: Keys = PANE_KEYS
    ) -> None:
        """`cwd` is where paths begin; `sides` says whether the sides of a diff stand beside each other."""
        super().__init__(session, palette, keys)
        self.files = Menu(notes_stay=True, ends=True)
        self.transcript = Transcript(Session(), palette)
        self.transcript.viewport.follows = False  # it is read from the first change on
        self.transcript.set_sides(sides)
        self.sides = (SidePane(self.files), SidePane(self.transcript))
        self._cwd = cwd
        self._by_path = False
        self._found = Found(Changed(), {})
        self._paths: list[str] = []
        """The files as they are listed."""
        self._path = ""
        """The one whose changes are shown."""
        self._headings: dict[int, NoticeBlock] = {}
        """What stands over a change, by the number of its block."""

    # what is told

    def sync(self, changes: Changes) -> None:
        if changes.aspects & (Aspect.BLOCKS | Aspect.TOOLS | Aspect.REPLACED):
            self.catch_up()
        self.transcript.sync(Changes(Aspect(0), changes.blocks))

    def set_palette(self, palette: Palette) -> None:
        super().set_palette(palette)
        self.transcript.set_palette(palette)

    def reader(self) -> Callable[[], Found]:
        return partial(read, list(self.session.blocks), self._cwd, self._found.lines)

    def take(self, found: Found) -> None:
        self._found = found
        self.set_class(not found.changed.files, "-empty")
        self.transcript.tell_when_empty(NOTHING)
        commands = found.changed.commands
        they = "it" if commands == 1 else "they"
        self.note.update(f"{number(commands, 'shell command')} ran; what {they} changed cannot be known.")
        self.note.display = bool(commands)
        self._list()

    # the files

    def _list(self) -> None:
        """The files in their order; the highlight stays on its file."""
        files = self._found.changed.files
        self._paths = sorted(files) if self._by_path else list(reversed(files))
        at = self._paths.index(self._path) if self._path in files else 0
        self.files.show(list(self._items()), at)
        self._show_file()

    def _items(self) -> Iterable[Item]:
        """Numbers stand below each other."""
        told = [(self._lines_of(changes), f"{len(changes):,}×") for changes in map(self._changes_of, self._paths)]  # noqa: RUF001
        width = max((len(times) for _, times in told), default=0)
        for path, (lines, times) in zip(self._paths, told, strict=True):
            yield Item(path, note=f"{signed(lines)}  {times:>{width}}")

    def _changes_of(self, path: str) -> Sequence[Change]:
        return self._found.changed.files.get(path, ())

    def _lines_of(self, changes: Iterable[Change]) -> Lines:
        lines = [self._found.lines[change.run.id] for change in changes]
        return sum(added for added, _ in lines), sum(removed for _, removed in lines)

    def _show_file(self) -> None:
        """The changes of the file that is highlighted, from the first; what grows stays where it is."""
        path = self._paths[self.files.highlighted] if self._paths else ""
        blocks = list(self._with_headings(self._changes_of(path)))
        session = Session(blocks=blocks)
        if path != self._path:
            self._path = path
            self.transcript.begin(session)
        else:
            self.transcript.session = session
            self.transcript.sync(Changes(Aspect.BLOCKS))

    def _with_headings(self, changes: Iterable[Change]) -> Iterable[Block]:
        """Over each change its time and its prompt, where they are not those of the one before."""
        said = ""
        for change in changes:
            heading = self._headings.setdefault(change.run.id, heading_of(change))
            if heading.text != said:
                said = heading.text
                yield heading
            yield change.run

    # what is said around them

    def head(self, width: int) -> Text:
        files = self._found.changed.files
        if not files:
            return self.titled("Changes", "", width)
        changes = [change for changes in files.values() for change in changes]
        counted = (number(len(files), "file"), number(len(changes), "change"), signed(self._lines_of(changes)))
        order = "by path" if self._by_path else "the latest first"
        return self.titled("Changes", " · ".join(counted), width, order)

    def hints(self) -> Sequence[str]:
        if not self._paths:
            return ("[changes.leave] closes",)
        right = self.looked_at == 1
        words = {
            "other": "the files" if right else "its changes",
            "order": "the latest first" if self._by_path else "by path",
            "copied": "the change" if right else "the path",
        }
        return [hint.format(**words) for hint in HINTS]

    # what the person does

    def action_side(self, number: int) -> None:
        if not self._paths:
            return
        super().action_side(number)
        if number == 0:
            self.set_focus(None)
            return
        if not self.transcript.size.height:  # it takes the place of the files, and nothing is seen of it yet
            self.transcript.cursor.to_first()
        self.transcript.focus()

    def action_move(self, by: int) -> None:
        self.files.move(by)
        self._show_file()

    def action_page(self, by: int) -> None:
        if self.looked_at == 0:
            self.files.page(by)
            self._show_file()
        elif by < 0:
            self.transcript.page_up()
        else:
            self.transcript.page_down()

    def action_order(self) -> None:
        self._by_path = not self._by_path
        self._list()
        self.tell()

    def action_sides(self) -> None:
        if self.transcript.toggle_sides() is None:
            self.say(NARROW)

    def action_copy(self) -> None:
        if self.looked_at == 0:
            self.post_message(Transcript.CopyRequested(self._path, "the path"))
        elif selected := self.transcript.selected_source():
            self.post_message(Transcript.CopyRequested(selected))
        elif (change := self._change_at_cursor()) is not None:
            self.post_message(Transcript.CopyRequested(made_text(change), "the change"))

    def action_show(self) -> None:
        """The change under the cursor; from the list the latest one of the file."""
        change = self._change_at_cursor() if self.looked_at else None
        if change is None and (changes := self._changes_of(self._path)):
            change = changes[-1].run
        if change is not None:
            self.dismiss(change.id)

    def _change_at_cursor(self) -> ToolBlock | None:
        block = self.transcript.cursor.block()
        known = {abs(block.id)} if block is not None else set[int]()
        return next((change.run for change in self._changes_of(self._path) if change.run.id in known), None)

    @on(Menu.Chosen)
    def _look(self) -> None:
        self.action_side(0)
        self._show_file()


def read(blocks: Sequence[Block], cwd: str, known: dict[int, Lines]) -> Found:
    """What was changed, and how many lines; those that are known already are not counted again."""
    found = changed(blocks, cwd)
    runs = (change.run for changes in found.files.values() for change in changes)
    return Found(found, {run.id: known.get(run.id) or lines_changed(run) for run in runs})


def heading_of(change: Change) -> NoticeBlock:
    """When a change was made and in whose turn. Its number is that of the change, below zero."""
    when = time_of_day(change.run.timestamp) if change.run.timestamp else ""
    prompt = one_line(unmarked(change.prompt.text)) if change.prompt else ""
    whose = f"in the turn of “{truncate(prompt, PROMPT_CELLS)}”" if prompt else ""
    return NoticeBlock(id=-change.run.id, text=" · ".join(filter(None, (when, whose))), finished=True)


def signed(lines: Lines) -> str:
    return f"+{lines[0]:,} -{lines[1]:,}"
