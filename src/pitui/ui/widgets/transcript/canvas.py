"""The strips of the screen: rows with everything that is put over and beside them."""

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip

from pitui.render.text import cells, truncate
from pitui.ui.widgets.transcript.cursor import BlockCursor
from pitui.ui.widgets.transcript.painting import Decoration, Paint, Span
from pitui.ui.widgets.transcript.ruler import Mark, Ruler
from pitui.ui.widgets.transcript.search import Search
from pitui.ui.widgets.transcript.selection import Selection
from pitui.ui.widgets.transcript.viewport import Row, Viewport


class Canvas:
    """Paints what a viewport shows, `width` cells wide. A row that looks as before is the same strip as before."""

    def __init__(self, viewport: Viewport, ruler: Ruler, hits: Search, cursor: BlockCursor, end_key: str) -> None:
        self.paint: Paint | None = None
        self.selection: Selection | None = None
        self._viewport = viewport
        self._ruler = ruler
        self._hits = hits
        self._cursor = cursor
        self._end_key = end_key
        self._blanks: dict[Decoration, Strip] = {}
        self._marker: tuple[str, Strip] | None = None
        self._marks: tuple[object, list[Mark | None]] = (None, [])

    def repaint(self, paint: Paint) -> None:
        """Paint with this from now on."""
        self.paint = paint
        self._blanks.clear()
        self._marker = None
        self._viewport.drawings.clear()

    def strips(self, width: int, height: int, unseen: int, empty: str) -> list[Strip]:
        """All rows of the screen. There must be a paint."""
        paint = self.paint
        assert paint is not None
        rows = self._viewport.screen
        if not rows:
            return self._empty(paint, width, height, empty)
        marks = self._rule(height)
        thumb = self.thumb(height)
        chosen = self._cursor.numbers
        strips: list[Strip] = []
        for y in range(height):
            row = rows[y] if y < len(rows) else None
            mark = marks[y]
            decoration = Decoration(
                mark.name if mark else "",
                y in thumb,
                row is not None and row.line >= 0 and row.number in chosen,
                self._spans(row) if row is not None else (),
            )
            strips.append(self._strip(paint, row, width, decoration))
        if unseen:
            strips[-1] = self._unseen(paint, width, unseen)
        return strips

    def thumb(self, height: int) -> range:
        """Where the thumb of the scroll bar is; nowhere when everything is seen."""
        total = self._viewport.rows.total
        if total <= height:
            return range(0)
        length = max(1, height * height // total)
        start = round((height - length) * self._viewport.top / (total - height))
        return range(start, start + length)

    def mark(self, y: int) -> Mark | None:
        """What the ruler shows in row `y`."""
        marks = self._marks[1]
        return marks[y] if 0 <= y < len(marks) else None

    def _rule(self, height: int) -> list[Mark | None]:
        rows, hits = self._viewport.rows, self._hits
        stamp = (rows.total, height, self._ruler.version, len(hits.numbers), hits.total, hits.query)
        if self._marks[0] != stamp:
            self._marks = (stamp, self._ruler.marks(rows, self._viewport.gap, height, hits))
        return self._marks[1]

    def _strip(self, paint: Paint, row: Row | None, width: int, decoration: Decoration) -> Strip:
        if row is None or row.line < 0:
            strip = self._blanks.get(decoration)
            if strip is None or strip.cell_length != width:
                strip = self._blanks[decoration] = paint.strip(Strip.blank(0), width, decoration)
            return strip
        painted = row.drawn.painted[row.line]
        if painted is None or painted[0] != decoration or painted[1].cell_length != width:
            strip = paint.strip(row.drawn.lines[row.line].strip, width, decoration)
            painted = row.drawn.painted[row.line] = (decoration, strip)
        return painted[1]

    def _spans(self, row: Row) -> tuple[Span, ...]:
        if row.line < 0:
            return ()
        spans: list[Span] = []
        if self._hits.query:
            block = self._viewport.blocks[row.number]
            shown = self._hits.current_cells(block, row.drawn)
            marked = self._hits.cells(block, row.drawn, row.line)
            spans += [Span(*cells_, "hit") for cells_ in marked if (row.line, cells_) not in shown]
            spans += [Span(*cells_, "current") for line, cells_ in shown if line == row.line]
        if self.selection is not None and (selected := self.selection.cells(row)) is not None:
            spans.append(Span(*selected, "selection"))
        return tuple(spans)

    def _unseen(self, paint: Paint, width: int, unseen: int) -> Strip:
        text = f" ↓ {unseen:,} new line{'s' if unseen > 1 else ''} · {self._end_key} "
        if self._marker is None or self._marker[0] != text or self._marker[1].cell_length != width:
            text_ = truncate(text, width)
            before = (width - cells(text_)) // 2
            content = Strip([Segment(" " * before), Segment(text_, paint.styles["marker"])])
            self._marker = (text, paint.strip(content, width, Decoration(), room=width))
        return self._marker[1]

    def _empty(self, paint: Paint, width: int, height: int, text: str) -> list[Strip]:
        """A few words in the middle."""
        words = [truncate(line, max(1, width - 2)) for line in text.split("\n")] if text else []
        first = max(0, (height - len(words)) // 2)
        strips: list[Strip] = []
        for y in range(height):
            line = words[y - first] if first <= y < first + len(words) else ""
            before = max(0, (width - cells(line)) // 2)
            content = Strip([Segment(" " * before), Segment(line, paint.styles["dim"])]) if line else Strip([])
            strips.append(paint.strip(content, width, Decoration(), room=width))
        return strips


def changed(old: list[Strip], new: list[Strip]) -> list[Region]:
    """The parts of the screen where the rows are not the same strips as before."""
    if len(old) != len(new):
        return [Region(0, 0, strip.cell_length, len(new)) for strip in new[:1]]
    regions: list[Region] = []
    for y, (before, after) in enumerate(zip(old, new, strict=True)):
        if before is after:
            continue
        if regions and regions[-1].bottom == y:
            regions[-1] = regions[-1].grow((0, 0, 1, 0))
        else:
            regions.append(Region(0, y, after.cell_length, 1))
    return regions
