"""The transcript against Textual's Markdown, each in a terminal of its own, one after the other."""

import argparse
import contextlib
import statistics
import sys
from collections.abc import Iterator, Sequence

from tests.bench.pty import Terminal

LETTERS = "абвгдежзиклмнопрстуфхцчшщэюя"
"""Not to be found in what is streamed."""


@contextlib.contextmanager
def chat(kind: str, blocks: int = 0, characters: int = 0, rate: float = 200) -> Iterator[Terminal]:
    argv = [sys.executable, "-m", "tests.bench.chat", kind, str(blocks), str(characters), str(rate)]
    terminal = Terminal(argv)
    try:
        terminal.wait("READY", 60)
        terminal.run(0.5)
        yield terminal
    finally:
        terminal.close()


def streaming(kind: str, blocks: int, characters: int, rate: float) -> tuple[float, float]:
    """Seconds of processor time for the stream alone, and MB written for it."""
    with chat(kind, blocks, characters, rate) as terminal:
        terminal.wait("START", 60)
        cpu, written = terminal.cpu, terminal.bytes
        terminal.wait("DONE", 600)
        return terminal.cpu - cpu, (terminal.bytes - written) / 1e6


def keys(blocks: int, characters: int = 0, count: int = 84) -> tuple[float, float]:
    """Milliseconds from a key to the screen: median, and the 95th of a hundred."""
    with chat("transcript", blocks, characters) as terminal:
        if characters:
            terminal.wait("START", 60)
        spent: list[float] = []
        for number in range(count):
            letter = LETTERS[number % len(LETTERS)]
            spent.append(terminal.key(letter) * 1000)
            terminal.run(0.03)
            if letter == LETTERS[-1]:
                terminal.type("\x15")
                terminal.run(0.2)
        return statistics.median(spent), statistics.quantiles(spent, n=20)[-1]


def standing(blocks: int, seconds: float = 20) -> tuple[float, float]:
    """Seconds of processor time in a minute in which nothing happens, and MB in memory."""
    with chat("transcript", blocks) as terminal:
        terminal.run(2)
        cpu = terminal.cpu
        terminal.run(seconds)
        return (terminal.cpu - cpu) * 60 / seconds, terminal.memory


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench transcript")
    parser.add_argument("--characters", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=200, help="tokens a second")
    parser.add_argument("--without-markdown", action="store_true", help="leave out Textual's Markdown")
    options = parser.parse_args(arguments)
    characters, rate = options.characters, options.rate
    print(f"{characters:,} characters at {rate:g} tokens a second, 120x40")
    ours, written = streaming("transcript", 0, characters, rate)
    print(f"  transcript                         {ours:7.2f} s CPU   {written:6.2f} MB written")
    after, _ = streaming("transcript", 4000, characters, rate)
    print(f"  transcript after 2 MB              {after:7.2f} s CPU   {after / ours:6.2f} of the above")
    if not options.without_markdown:
        theirs, written = streaming("markdown", 0, characters, rate)
        print(f"  Textual's MarkdownStream           {theirs:7.2f} s CPU   {written:6.2f} MB written")
        print(f"  transcript / MarkdownStream        {ours / theirs:7.2f}")
    print("key to screen                           median     95 %")
    for name, blocks, stream in (
        ("idle, empty", 0, 0),
        ("idle, 20,000 blocks", 20_000, 0),
        ("streaming, empty", 0, 20_000),
        ("streaming, 5,000 blocks", 5_000, 20_000),
    ):
        middle, slow = keys(blocks, stream)
        print(f"  {name:<34} {middle:7.1f} ms {slow:7.1f} ms")
    for blocks in (0, 20_000):
        cpu, memory = standing(blocks)
        print(f"idle minute, {blocks:>6,} blocks              {cpu:7.2f} s CPU   {memory:6.0f} MB")
