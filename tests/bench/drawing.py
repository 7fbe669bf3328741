"""What a frame costs, by what grows or is opened in it: drawn on 120x40, in ms of the processor, without a terminal."""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from pitui.rpc.messages import TextPart
from pitui.session.blocks import BashBlock, Block, PromptBlock, TextBlock, ThinkingBlock, ToolBlock, ToolState
from pitui.ui.theme import DARK, palette_of
from pitui.ui.widgets.transcript.view import SLICE_SECONDS
from pitui.ui.widgets.transcript.viewport import Viewport

FRAMES = 60

WORDS = "Some words with `code`, **weight** and a [link](http://e.x) to read, and more of them. "
ITEM = "- an item of a list with `code` and **weight**, a few words long\n"
NESTED = "- outer\n  - inner with `code`\n    - innermost\n"
CODE = "for number in range(10):  # a line of code\n    print(number)\n"
ROW = "| name | a cell with `code` in it | 4,096 |\n"
HEAD = "| what | how | bytes |\n|---|---|---:|\n"

STREAMS = {
    "a short paragraph": (WORDS, WORDS),
    "a paragraph of 50,000": (WORDS * 600, WORDS),
    "one of 50,000 in lines": ((WORDS + "\n") * 600, WORDS + "\n"),
    "one word of 50,000": ("word" * 12_500, "wordword"),
    "2,000 items": (ITEM * 2000, ITEM),
    "2,000 nested items": (NESTED * 700, NESTED),
    "one item, 2,000 inside": ("- outer\n" + "  - inner `code`\n" * 2000, "  - inner `code`\n"),
    "2,000 loose items": ((ITEM + "\n") * 2000, ITEM + "\n"),
    "a table of 25 rows": (HEAD + ROW * 25, "| name | a cell"),
    "a table of 500 rows": (HEAD + ROW * 500, ROW),
    "a table of 2,000 rows": (HEAD + ROW * 2000, ROW),
    "a fence of 5,000 lines": ("```python\n" + CODE * 2500, CODE),
    "a fence in an item": (
        "- so:\n\n  ```python\n" + "".join(f"  {x}\n" for x in (CODE * 1000).splitlines()),
        "  x = 1\n",
    ),
    "a quote of 2,000 lines": ("> quoted words `code`\n" * 2000, "> quoted words `code`\n"),
    "a quote of paragraphs": ("> quoted words `code`\n>\n" * 1000, "> quoted words `code`\n>\n"),
    "indented code": ("    x = 1\n" * 3000, "    x = 1\n"),
    "HTML of 3,000 lines": ("<div>\n" + "<p>words</p>\n" * 3000, "<p>words</p>\n"),
    "paragraphs of 1 MB": ((WORDS + "\n\n") * 11_000, WORDS),
}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench drawing")
    parser.add_argument("--only", default="", help="leave out what has not these words in its name")
    only = parser.parse_args(arguments).only
    print(f"{'what grows':<34}   first   median      95 %      max")
    for name, grow, blocks, opened in growing():
        if only in name:
            measure(name, grow, blocks, opened)
    print(
        f"{'what is opened':<34}    open     then    to its end    longest wait until it is drawn, and how long in all"
    )
    for name, block in long():
        if only in name:
            reveal(name, block)


def growing() -> Iterator[tuple[str, Callable[[int], None], Block, bool | None]]:
    for name, (text, more) in STREAMS.items():
        block = TextBlock(id=1)
        block.append(text)
        yield name, pieces(block, more), block, None
    for opened in (False, True):
        for name in ("one word of 50,000", "paragraphs of 1 MB", "2,000 items"):
            text, more = STREAMS[name]
            block = ThinkingBlock(id=1)
            block.append(text)
            yield f"thinking {'open' if opened else 'folded'}: {name}", pieces(block, more), block, opened
        block = BashBlock(id=1, command="ls", running=True)
        block.append("a line of output \x1b[31mred\x1b[0m and so on\n" * 250_000)
        yield f"bash {'open' if opened else 'folded'}: 10 MB", pieces(block, "another line\n"), block, opened
        block = BashBlock(id=1, command="ls", running=True)
        block.append("word" * 1_250_000)
        yield f"bash {'open' if opened else 'folded'}: a line of 5 MB", pieces(block, "wordword"), block, opened
        for kind in ("bash", "read"):
            tool = ToolBlock(id=1, name=kind, arguments={"command": "ls"}, state=ToolState.RUNNING)
            yield (
                f"tool {kind} {'open' if opened else 'folded'}: 1 MB",
                replaced(tool, "a line of output\n" * 60_000),
                tool,
                opened,
            )
    tool = ToolBlock(id=1, name="write")
    tool.write('{"path": "a.py", "content": "' + "for number in range(10):\\n" * 20_000)
    yield "write of 500 KB", written(tool), tool, True
    tool = ToolBlock(id=1, name="edit")
    line = "for number in range(10):\\n"
    tool.write('{"path": "a.py", "edits": [{"oldText": "' + line * 5000 + '", "newText": "' + line * 5000)
    yield "edit of 250 KB", written(tool), tool, True


def pieces(block: TextBlock | ThinkingBlock | BashBlock, text: str) -> Callable[[int], None]:
    size = max(1, len(text) // 20)

    def grow(frame: int) -> None:
        at = frame * size % len(text)
        block.append(text[at : at + size])

    return grow


def replaced(block: ToolBlock, text: str) -> Callable[[int], None]:
    def grow(frame: int) -> None:
        block.output = (TextPart(text=text + "more\n" * frame),)
        block.touch()

    return grow


def written(block: ToolBlock) -> Callable[[int], None]:
    return lambda frame: block.write("x = 1\\n")


def viewport_of(block: Block, opened: bool | None) -> Viewport:
    viewport = Viewport(palette_of(DARK), time.monotonic)
    viewport.resize(117, 40)
    if opened is not None:
        viewport.folds.set(block, not opened)
    viewport.set_blocks([PromptBlock(id=0, text="hello", finished=True), block])
    return viewport


def timed(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return (time.process_time() - start) * 1000


def frame(viewport: Viewport) -> None:
    for row in viewport.fill():
        if row.line >= 0:
            len(row.drawn.lines[row.line].strip)


def measure(name: str, grow: Callable[[int], None], block: Block, opened: bool | None) -> None:
    viewport = viewport_of(block, opened)
    grow(0)
    first = timed(lambda: frame(viewport))
    spent: list[float] = []
    for number in range(1, FRAMES + 1):
        grow(number)

        def draw() -> None:
            viewport.touch({1})
            frame(viewport)

        spent.append(timed(draw))
        if sum(spent) > 6000:
            break
    slow = statistics.quantiles(spent, n=20)[-1] if len(spent) > 1 else spent[0]
    print(f"{name:<34} {first:7.1f}  {statistics.median(spent):7.2f}  {slow:8.2f} {max(spent):8.2f}", flush=True)


def long() -> Iterator[tuple[str, Block]]:
    for name, text in {
        "output of 50,000 lines": "a line of output, of about the usual length\n" * 50_000,
        "output of 10 MB": "a line of \x1b[31mred\x1b[0m output that goes on until it is long enough to be wrapped\n"
        * 125_000,
        "output of 10 MB, wide": "漢字 漢字 and some words beside, until it is long enough to be wrapped\n" * 100_000,
        "a line of 5 MB": "word " * 1_000_000,
    }.items():
        tool = ToolBlock(id=1, name="read", arguments={"path": "x"}, state=ToolState.DONE, finished=True)
        tool.output = (TextPart(text=text),)
        yield name, tool
    for name, patch in {
        "diff of 5 MB": "@@ -1,9 +1,9 @@\n" + "-for number in range(10):\n+for number in range(11):\n same\n" * 90_000,
        "diff, a line of 5 MB": "@@ -1,9 +1,9 @@\n-" + "word " * 500_000 + "\n+" + "word " * 500_000 + "\n",
    }.items():
        tool = ToolBlock(id=1, name="edit", arguments={"path": "x"}, state=ToolState.DONE, finished=True)
        tool.details = {"patch": patch}
        yield name, tool
    for name, text in {
        "Markdown of 900 KB": (WORDS + "\n\n") * 10_000,
        "Markdown of 2 MB": (WORDS + "\n\n" + ITEM * 10 + "\n") * 2_800,
        "a table of 20,000 rows": HEAD + ROW * 20_000,
        "a paragraph of 1 MB": WORDS * 11_000,
    }.items():
        block = TextBlock(id=1, finished=True)
        block.append(text)
        yield name, block


def reveal(name: str, block: Block) -> None:
    """Show all of a block, from its start, a little further down, and its end."""
    viewport = viewport_of(PromptBlock(id=2, text="hello"), None)
    viewport.folds.set(block, False)
    viewport.folds.set_whole(block, True)
    viewport.set_blocks([*viewport.blocks, block])

    def start() -> None:
        viewport.show(block.id)
        frame(viewport)

    def further() -> None:
        viewport.move(3)
        frame(viewport)

    def end() -> None:
        viewport.show_end()
        frame(viewport)

    def draw_on() -> None:
        viewport.draw_on(SLICE_SECONDS)
        frame(viewport)

    first, then, last = timed(start), timed(further), timed(end)
    slices = [last]
    while viewport.unfinished:
        slices.append(timed(draw_on))
    told = f"{max(first, *slices):14.1f} {sum(slices):28.0f}"
    print(f"{name:<34} {first:7.1f}  {then:7.2f}  {last:12.2f} {told}", flush=True)
