"""What of the conversation is on the screen: the view hangs on a line of a block, so that nothing else can move it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pitui import render
from pitui.render.lines import Line
from pitui.render.look import Look
from pitui.render.palette import Palette
from pitui.session.blocks import Block, TextBlock
from pitui.session.conversation import waits
from pitui.ui.widgets.transcript.drawings import Drawings, Drawn
from pitui.ui.widgets.transcript.folds import Folds
from pitui.ui.widgets.transcript.lengths import Length, length
from pitui.ui.widgets.transcript.rows import Rows


class Place(NamedTuple):
    """A line of a block; negative ones are the blank rows above it."""

    block_id: int
    line: int


class Row(NamedTuple):
    """A row of the screen: line `line` of block number `number`; negative ones are the blank rows above it."""

    number: int
    line: int
    drawn: Drawn


class Viewport:
    """Places blocks on `width` x `height` cells, drawing only those that are seen.

    While `following`, the end of the conversation is at the bottom; else the line at the top stays where it is.
    """

    def __init__(self, palette: Palette, clock: Callable[[], float]) -> None:
        self.blocks: list[Block] = []
        self.folds = Folds()
        self.drawings = Drawings()
        self.rows = Rows()
        self.palette = palette
        self.width = self.height = 0
        self.times = False
        self.sides: bool | None = None
        """Whether the sides of a diff stand beside each other; None leaves that to the width."""
        self.following = True
        self.follows = True
        """Whether it begins to follow where the end is reached, and not only where the person goes to it."""
        self.held = False
        """A selection is being dragged: reaching the end does not start to follow."""
        self.at_end = True
        self.screen: list[Row] = []
        """What `fill` found, at most `height` rows from the top."""
        self._waiting = False
        """At the top is the last line of a block whose drawing has not come to its end."""
        self._clock = clock
        self._index: dict[int, int] = {}
        self._lengths: list[Length] = []
        self._place = Place(0, 0)
        self._letters: int | None = None
        """How many letters of its block stand before the place, while nothing but the width has changed there."""
        self._seen = Place(0, 0)
        """The last line that was on the screen, once there is `_news`."""
        self._news = False
        """Something came while it did not follow, and the end was not seen since."""

    # what it is given

    def set_blocks(self, blocks: Sequence[Block]) -> int:
        """Take the list of blocks as it is now; those that were there keep their heights.

        Gives how many at the start are as they were.
        """
        self._hear_news()
        old = self.blocks
        if len(blocks) >= len(old) and blocks[: len(old)] == old:
            new = blocks[len(old) :]
            first = len(old)
            self.blocks = list(blocks)
            self._index.update((block.id, first + number) for number, block in enumerate(new))
            lengths = [self._length(block) for block in new]
            self._lengths += lengths
            self.rows.extend(self._heights(lengths))
            return first
        top, seen = self._index.get(self._place.block_id, 0), self._index.get(self._seen.block_id, 0)
        heights = {block.id: self.rows[number] for number, block in enumerate(old)}
        self.blocks = list(blocks)
        self._index = {block.id: number for number, block in enumerate(blocks)}
        self._lengths = [self._length(block) for block in blocks]
        estimates = self._heights(self._lengths)
        self.rows = Rows(heights.get(block.id, guess) for block, guess in zip(blocks, estimates, strict=True))
        self._place = self._moved(self._place, top)
        self._seen = self._moved(self._seen, seen)
        return 0

    def touch(self, block_ids: set[int]) -> list[int]:
        """Blocks look different now; gives their numbers."""
        numbers = [self._index[block_id] for block_id in block_ids if block_id in self._index]
        if numbers:
            self._hear_news()
        self._forget_letters([self.blocks[number] for number in numbers])
        self._estimate(numbers)
        return numbers

    def replace(self, blocks: Sequence[Block]) -> None:
        """Another session is open."""
        self.folds.clear()
        self.drawings.clear()
        self.following, self._news = True, False
        self.blocks, self._index, self._lengths, self.rows, self.screen = [], {}, [], Rows(), []
        self.set_blocks(blocks)

    def resize(self, width: int, height: int) -> None:
        self.height = height
        if width == self.width:
            return
        before = self._letters_before(self._place) if self._letters is None else self._letters
        self.width = width
        self.reckon()
        if before and not self.following and (index := self._index.get(self._place.block_id)) is not None:
            self._place = Place(self._place.block_id, self._line_after(index, before))
            self._letters = before

    def reckon(self) -> None:
        """Draw everything anew for another width, and estimate how high it will be."""
        self.drawings.clear()
        self.rows = Rows(self._heights(self._lengths))

    def show_times(self, times: bool) -> None:
        self.times = times
        self._estimate([number for number, block in enumerate(self.blocks) if block.kind in ("turn", "prompt")])

    def show_sides(self, sides: bool | None) -> None:
        self.sides = sides
        self.drawings.clear()

    def toggle_sides(self) -> bool | None:
        """Put the sides of diffs beside each other, or below; None when there is no room for that."""
        look = Look(self.width, self.palette, sides=self.sides)
        if not look.beside and not replace(look, sides=True).beside:
            return None
        self.show_sides(not look.beside)
        return self.sides

    # where it is

    def index_of(self, block_id: int) -> int | None:
        return self._index.get(block_id)

    @property
    def top(self) -> int:
        """The row of the whole conversation that is at the top of the screen."""
        if not self.screen:
            return 0
        row = self.screen[0]
        return self.rows.start(row.number) + self.gap(row.number) + row.line

    @property
    def place(self) -> Place:
        """The line at the top of the screen."""
        return self._place

    @property
    def unseen(self) -> int:
        """About how many rows came below the last one that was on the screen."""
        index = self._index.get(self._seen.block_id)
        if index is None or not self._news:
            return 0
        end = self.rows.start(index) + min(self.gap(index) + self._seen.line + 1, self.rows[index])
        return self.rows.total - end

    # where it goes

    def move(self, rows: int) -> None:
        """Up (negative) or down by rows, exactly, however wrong the estimates were."""
        if not self.screen or not rows:
            return
        index, offset = self._top()
        if rows < 0:
            self.following = False
            index, offset = self._last_unfinished() or self._above(index, offset, -rows)
        else:
            index, offset = self._below(index, offset + rows)
        self._hang(index, offset)
        self._arrive(rows > 0)

    def show(self, block_id: int, line: int = 0, at: int = 0) -> None:
        """Put a line of a block on row `at` of the screen, as near as the ends allow."""
        index = self._index.get(block_id)
        if index is None:
            return
        drawn = self.drawn(index, line + 1)
        line = max(-self.gap(index), min(line, len(drawn.lines) - 1))
        self.following = False
        self._hang(*self._above(index, self.gap(index) + line, at))
        self._arrive(True)

    def show_start(self) -> None:
        self.following = False
        if self.blocks:
            self._hang(0, 0)
        self._arrive(False)

    def show_end(self) -> None:
        self.following = True
        self.fill()

    def show_row(self, row: int) -> None:
        """Put a row of the whole conversation at the top, as far as heights are known."""
        if not self.blocks:
            return
        bottom = self.rows.total - self.height
        index, offset = self.rows.at(row)
        guessed = max(1, self.rows[index])
        self.drawn(index)
        self.following = False
        self._hang(index, offset * self.rows[index] // guessed)
        self._arrive(row >= bottom)

    def fold(self, block: Block, folded: bool) -> None:
        """Fold or open a block without moving its first line on the screen."""
        index = self._index[block.id]
        at = next((y for y, row in enumerate(self.screen) if row.number == index and row.line >= 0), 0)
        line = self.screen[at].line if self.screen and self.screen[at].number == index else 0
        self.folds.set(block, folded)
        self._forget_letters([block])
        self._estimate([index])
        self.show(block.id, line if not folded else 0, at)

    def toggle_kind(self, kind: str) -> None:
        self.folds.toggle_kind(kind, self.blocks)
        numbers = [number for number, block in enumerate(self.blocks) if block.kind == kind]
        self._forget_letters([self.blocks[number] for number in numbers])
        self._estimate(numbers)
        self.fill()

    # what is seen

    def fill(self) -> list[Row]:
        """The rows of the screen from the top; fewer than its height when there is no more."""
        if not self.blocks or self.width <= 0 or self.height <= 0:
            self.screen, self.at_end = [], True
            return self.screen
        if self.following:
            self._hang_on_end()
        self._fill_down()
        if len(self.screen) < self.height:
            self.following = self.following or (self.follows and not self.held)
            self._hang_on_end()
            self._fill_down()
        self._see()
        self.drawings.trim(len({row.number for row in self.screen}))
        return self.screen

    def _fill_down(self) -> None:
        index, offset = self._top()
        whole = False
        further = not (self.following or self._waiting)
        screen: list[Row] = []
        while index < len(self.blocks) and len(screen) < self.height:
            drawn = self.drawn(index, offset + self.height - len(screen) if further else 0)
            first = offset - self.gap(index) if drawn.lines else 0
            last = min(len(drawn.lines), first + self.height - len(screen))
            screen += [Row(index, line, drawn) for line in range(first, last)]
            whole = last == len(drawn.lines) and not drawn.unfinished
            index, offset, further = index + 1, 0, True
        while whole and index < len(self.blocks) and not self._height(index):
            index += 1
        self.at_end = whole and index == len(self.blocks)
        self.screen = screen

    def _see(self) -> None:
        """Keep which line is at the top, and which was the last one seen of what is new."""
        if not self.screen:
            return
        first, last = self.screen[0], self.screen[-1]
        self._waiting = not self.following and _is_note(first)
        self._set_place(Place(self.blocks[first.number].id, first.line))
        self._news = self._news and not self.at_end
        if self._news and (last.number, last.line) > (self._index.get(self._seen.block_id, -1), self._seen.line):
            self._seen = Place(self.blocks[last.number].id, last.line)

    def _hear_news(self) -> None:
        """Something comes: from what was the end until now, it is new."""
        if self._news or self.following or not self.blocks:
            return
        self._news = True
        last = next((number for number in reversed(range(len(self.blocks))) if not waits(self.blocks[number])), 0)
        self._seen = Place(self.blocks[last].id, self.rows[last] - self.gap(last) - 1)

    def _arrive(self, may_follow: bool) -> None:
        """Show where we have come, and follow if that is the end."""
        self.fill()
        if may_follow and self.at_end and self.follows and not self.held:
            self.following = True

    # walking

    def _top(self) -> tuple[int, int]:
        """The block at the top, and which of its rows."""
        index = self._index.get(self._place.block_id, 0)
        drawn = self.drawn(index, 0 if self._waiting else self._place.line + 1)
        if self._waiting:
            self._set_place(Place(self._place.block_id, len(drawn.lines) - 1))
            self._waiting = drawn.unfinished
        offset = self.gap(index) + self._place.line
        return index, max(0, min(offset, self.rows[index] - 1))

    def _above(self, index: int, offset: int, rows: int) -> tuple[int, int]:
        """`rows` rows above, or the first row of all, or the end of a block that is not drawn to its end."""
        offset -= rows
        while offset < 0 and index > 0:
            index -= 1
            unfinished = self.drawn(index).unfinished
            offset += self.rows[index]
            if unfinished and not self.following:
                return index, self.rows[index] - 1
        return index, max(0, offset)

    def _last_unfinished(self) -> tuple[int, int] | None:
        """The last row on the screen, as a block and a row of it, above which rows will come."""
        row = next((row for row in reversed(self.screen) if _is_note(row)), None)
        return (row.number, self.rows[row.number] - 1) if row is not None else None

    def _below(self, index: int, offset: int) -> tuple[int, int]:
        self.drawn(index, 0 if self._waiting else offset + 1)
        while offset >= self.rows[index] and index < len(self.blocks) - 1:
            offset -= self.rows[index]
            index += 1
            self.drawn(index, offset + 1)
        return index, min(offset, max(0, self.rows[index] - 1))

    def _hang_on_end(self) -> None:
        last = len(self.blocks) - 1
        self.drawn(last)
        self._hang(*self._above(last, self.rows[last], self.height))

    def _hang(self, index: int, offset: int) -> None:
        drawn = self.drawn(index)
        self._waiting = not self.following and drawn.unfinished and offset == self.rows[index] - 1
        self._set_place(Place(self.blocks[index].id, offset - self.gap(index)))

    def _set_place(self, place: Place) -> None:
        if place != self._place:
            self._place, self._letters = place, None

    def _moved(self, place: Place, index: int) -> Place:
        """The same place after the list of blocks has changed, or the nearest when its block is gone."""
        if place.block_id in self._index or not self.blocks:
            return place
        return Place(self.blocks[min(index, len(self.blocks) - 1)].id, 0)

    # heights

    def look(self, block: Block) -> Look:
        return Look(
            width=max(1, self.width),
            palette=self.palette,
            folded=self.folds(block),
            full=self.folds.whole(block),
            now=self._clock(),
            times=self.times,
            sides=self.sides,
        )

    def drawn(self, index: int, rows: int = 0) -> Drawn:
        """Block number `index` as it looks now, of something very long at least `rows` rows; its height is exact then.

        Unless it is `unfinished`: rows will come below.
        """
        block = self.blocks[index]
        drawn = self.drawings.get(block, self.look(block), rows)
        self.rows[index] = self.gap(index) + len(drawn.lines) if drawn.lines else 0
        return drawn

    @property
    def unfinished(self) -> bool:
        """Something on the screen is not drawn to its end: call `draw_on`."""
        return any(row.drawn.unfinished for row in self.screen)

    def draw_on(self, seconds: float) -> None:
        """Draw more of what is on the screen, for about so long. No row that is seen moves, unless it follows."""
        drawn = next((row.drawn for row in reversed(self.screen) if row.drawn.unfinished), None)
        if drawn is not None:
            self.drawings.go_on(drawn, seconds)
            self.fill()

    def _height(self, index: int) -> int:
        self.drawn(index)
        return self.rows[index]

    def _estimate(self, numbers: list[int]) -> None:
        """Guess the heights of some blocks that look different; those on the screen are drawn anyway."""
        shown = {row.number for row in self.screen}
        for index in numbers:
            self._lengths[index] = self._length(self.blocks[index])
            if index not in shown:
                self.rows[index] = self._lengths[index].height(max(1, self.width))

    def _length(self, block: Block) -> Length:
        return length(block, self.folds(block), self.times)

    def _heights(self, lengths: list[Length]) -> list[int]:
        width = max(1, self.width)
        return [each.height(width) for each in lengths]

    def gap(self, index: int) -> int:
        """Blank rows above block number `index`."""
        before = index - 1
        while before >= 0 and not self.rows[before]:
            before -= 1
        block, previous = self.blocks[index], self.blocks[before] if before >= 0 else None
        folded = self.folds(previous) if previous is not None else False
        return render.blocks.gap(previous, block, previous_folded=folded)

    def _forget_letters(self, changed: Sequence[Block]) -> None:
        """Some blocks look different; only an answer grows at its end alone."""
        if any(block.id == self._place.block_id and not isinstance(block, TextBlock) for block in changed):
            self._letters = None

    def _letters_before(self, place: Place) -> int:
        """How many letters of its block stand above a line; blanks come and go where lines are wrapped."""
        drawn = self.drawings.peek(place.block_id)
        return sum(map(_letters, drawn.lines[: max(0, place.line)])) if drawn else 0

    def _line_after(self, index: int, letters: int) -> int:
        """The line of the block in which the letter stands that has so many before it."""
        number = 0
        while number < len((drawn := self.drawn(index, number + 1)).lines):
            for line in drawn.lines[number : len(drawn.lines) - drawn.unfinished]:
                letters -= _letters(line)
                if letters < 0:
                    return number
                number += 1
        return max(0, number - 1)


def _is_note(row: Row) -> bool:
    """Whether it says that more rows will come above it."""
    return row.drawn.unfinished and row.line == len(row.drawn.lines) - 1


def _letters(line: Line) -> int:
    return len("".join(line.plain().split()))
