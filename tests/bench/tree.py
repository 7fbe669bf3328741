"""The tree of a session with 20,000 entries, in a terminal of its own: opening it, the keys, and beside the chat."""

import argparse
import random
import statistics
import sys
from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from pitui.rpc.messages import AssistantMessage, Entry, MessageEntry, TextPart, ToolCallPart, ToolResultMessage
from pitui.rpc.messages import UserMessage as Prompt
from pitui.session import facts
from pitui.session.apply import apply
from pitui.session.model import Session
from pitui.ui.screens.tree import TreeScreen
from pitui.ui.theme import DARK, palette_of
from pitui.ui.widgets.tree.pane import TreePane
from tests.bench.pty import Terminal
from tests.bench.words import answer

DOWN, PAGE_DOWN, HOME, END = "\x1b[B", "\x1b[6~", "\x1b[H", "\x1b[F"
FRAME = "\x1b[?2026l"
"""What Textual writes after each frame."""


def entries(count: int) -> list[Entry]:
    """Prompts, calls, results and answers in turn; about every two hundredth entry begins another branch."""
    dice, found, text = random.Random(5), list[Entry](), answer(600)
    for number in range(count):
        above = found[-1].id if found else None
        if number % 4 == 0 and dice.random() < 0.02:
            above = found[dice.randrange(len(found))].id if found else None
        messages = (
            Prompt(content=[TextPart(text=f"Prompt {number}: what comes next?")]),
            AssistantMessage(
                content=[ToolCallPart(id=f"c{number}", name="bash", arguments={"command": f"ls {number}"})]
            ),
            ToolResultMessage(tool_call_id=f"c{number - 1}", tool_name="bash", content=[TextPart(text="out\n" * 20)]),
            AssistantMessage(content=[TextPart(text=f"Answer {number}. {text}")], stop_reason="stop"),
        )
        when = f"2026-11-{1 + number * 28 // count:02}T12:00:00Z"
        found.append(MessageEntry(id=f"e{number}", parent_id=above, timestamp=when, message=messages[number % 4]))
    return found


class Grove(App[None]):
    """An empty screen, over which `o` opens the tree."""

    BINDINGS = [Binding("o", "open")]
    CSS_PATH = [f"../../src/pitui/ui/{name}" for name in ("pitui.tcss", "screens/main.tcss", "screens/tree.tcss")]

    def __init__(self, count: int) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.session = Session()
        found = entries(count)
        apply(self.session, facts.EntriesLoaded(found, found[-1].id, whole=True))

    def on_mount(self) -> None:
        assert self._driver is not None
        self._driver.write("\x1b]0;READY\x07")
        self._driver.flush()

    def action_open(self) -> None:
        self.push_screen(TreeScreen(self.session, palette_of(DARK)))


class Beside(Grove):
    """The tree in the side bar beside a line to write in, while another entry comes with every second."""

    CSS = "#side { width: 38; } Input { width: 1fr; }"

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.pane = TreePane(self.session, palette_of(DARK))

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Input()
            with Vertical(id="side"):
                yield self.pane

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Input).focus()
        self.set_interval(1, self.grow)

    def grow(self) -> None:
        number, leaf = len(self.session.entries), self.session.leaf_id
        message = Prompt(content=[TextPart(text=f"Another prompt, number {number}.")])
        came = MessageEntry(id=f"e{number}", parent_id=leaf, timestamp="2026-11-30T12:00:00Z", message=message)
        apply(self.session, facts.EntriesLoaded([came], came.id, whole=False))
        self.pane.sync(self.session.take_changes())


def measure_pane(count: int) -> None:
    terminal = Terminal([sys.executable, "-m", "tests.bench.tree", "--beside", str(count)])
    terminal.wait("Tree 1", 120)
    terminal.run(2)
    spent = [_until(terminal, "k", FRAME) for _ in range(200) if not terminal.run(0.05)]
    ranked = sorted(spent)
    print(f"{count:,} entries in the side bar, one more every second; a key until its frame")
    print(f"  median {statistics.median(spent):.1f} ms, 95 of 100 {ranked[189]:.1f} ms, slowest {ranked[-1]:.1f} ms")
    terminal.close()


def opened(count: int, size: tuple[int, int]) -> tuple[Terminal, float]:
    """A terminal with the tree, and the milliseconds that its first picture took."""
    terminal = Terminal([sys.executable, "-m", "tests.bench.tree", "--show", str(count)], size)
    terminal.wait("READY", 120)
    terminal.run(1)
    spent = _until(terminal, "o", f"of {count:,} entries")
    terminal.run(1)
    return terminal, spent


def _until(terminal: Terminal, key: str, text: str) -> float:
    terminal.type(key)
    return terminal.wait(text, 30) * 1000


def pressed(terminal: Terminal, key: str, times: int) -> str:
    """Milliseconds from a key to the frame after it: median and slowest."""
    spent: list[float] = []
    for _ in range(times):
        spent.append(_until(terminal, key, FRAME))
        terminal.run(0.15)
    return f"{statistics.median(spent):7.1f} ms {max(spent):7.1f} ms"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench tree")
    parser.add_argument("--entries", type=int, default=20_000)
    options = parser.parse_args(arguments)
    for size in ((120, 40), (80, 24)):
        terminal, spent = opened(options.entries, size)
        print(f"{options.entries:,} entries, {size[0]}x{size[1]}          median    slowest")
        print(f"  opening it                {spent:7.1f} ms")
        for name, key, times in (
            ("a row down", DOWN, 20),
            ("a page down", PAGE_DOWN, 10),
            ("to the top", HOME, 1),
            ("to the end", END, 1),
            ("a letter to search for", "a", 1),
            ("another letter", "n", 1),
            ("a letter taken back", "\x7f", 1),
        ):
            print(f"  {name:<25} {pressed(terminal, key, times)}")
        terminal.close()
    measure_pane(options.entries)


if __name__ == "__main__":
    (Beside if sys.argv[1] == "--beside" else Grove)(int(sys.argv[2])).run()
