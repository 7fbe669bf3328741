"""pitui against pi's own terminal UI and Textual's Markdown, on the same pi, one after the other.

The machine may be busy: what counts are ratios between programs that ran one after the other, and medians of several
runs. From the processor time of pi's own UI that of the agent is taken off: what ``pi --mode rpc`` alone computes.
"""

import argparse
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench import measures
from tests.bench.measures import Stream
from tests.bench.programs import Bench
from tests.realpi import pi_command

COLUMNS = (52, 12, 12, 8, 24, 4)
HEAD = ("what", "pi's own UI", "pitui", "ratio", "limit", "met")
LONG, MANY, WHOLE = 4000, 5000, 20_000
"""Entries of a conversation of 2 MB, of one to type in, and of one of 10 MB to open."""


@dataclass(frozen=True)
class Row:
    """`ratio` is of what is named in `limit`, else of the other column."""

    what: str
    own: str
    ours: str
    ratio: float | None = None
    limit: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        met = "" if self.met is None else "yes" if self.met else "NO"
        cells = (self.what, self.own, self.ours, "" if self.ratio is None else f"{self.ratio:.2f}", self.limit, met)
        return _line(cells)


@dataclass(frozen=True)
class Options:
    bench: Bench
    characters: int
    times: int
    minute: float

    @property
    def prompt(self) -> str:
        return f"#md {self.characters}"


def _line(cells: Sequence[str]) -> str:
    left = f"{cells[0]:<{COLUMNS[0]}}"
    numbers = "".join(f"{cell:>{width}}" for cell, width in zip(cells[1:4], COLUMNS[1:4], strict=True))
    return f"{left}{numbers}   {cells[4]:<{COLUMNS[4]}}{cells[5]:>{COLUMNS[5]}}"


def _median(values: Iterator[float]) -> float:
    return statistics.median(list(values))


def streams(options: Options) -> Iterator[Row]:
    """What a stream costs: empty, after a long conversation, and to Textual's own widget."""
    empty = [measures.streaming(options.bench, 2, options.prompt) for _ in range(options.times)]
    own, ours = _median(each.own_cpu for each in empty), _median(each.ours.cpu for each in empty)
    yield Row("stream: CPU", _s(own), _s(ours), ours / own, "0.4 of pi's own", ours <= own * 0.4)
    textual = _median(measures.markdown_stream(options.bench, options.prompt) for _ in range(options.times))
    yield Row("  of Textual's MarkdownStream", _s(textual), _s(ours), ours / textual, "0.25 of it", ours <= textual / 4)
    yield _written(empty)
    long = options.bench.session(LONG)
    later = _median(measures.stream(options.bench, "pitui", long, options.prompt).cpu for _ in range(options.times))
    yield Row("stream after 2 MB: CPU", "", _s(later), later / ours, "1.1 of the empty one", later <= ours * 1.1)


def _written(streams: Sequence[Stream]) -> Row:
    own = _median(each.own.megabytes for each in streams)
    ours = _median(each.ours.megabytes for each in streams)
    return Row("stream: bytes written to the terminal", _mb(own, 2), _mb(ours, 2), ours / own, "pi's own", ours <= own)


def keys(options: Options) -> Iterator[Row]:
    """Key to screen."""
    bench, prompt = options.bench, f"#md {options.characters * 10}"
    empty = measures.keys(bench, "pitui", 2, prompt)
    own, ours = measures.keys(bench, "pi", MANY, prompt), measures.keys(bench, "pitui", MANY, prompt)
    yield Row("key to screen while it streams, empty: median", "", _ms(empty.median))
    yield Row("  95 of 100", "", _ms(empty.slow))
    yield Row(f"key to screen while it streams, {MANY:,}: median", _ms(own.median), _ms(ours.median))
    yield Row("  95 of 100", _ms(own.slow), _ms(ours.slow), ours.slow / own.slow, "33 ms", ours.slow <= 33)
    ratio = ours.slow / empty.slow
    yield Row(
        "  95 of 100, empty and now", _ms(empty.slow), _ms(ours.slow), ratio, "1.5 of the empty one", ratio <= 1.5
    )
    own, ours = measures.keys(bench, "pi", WHOLE), measures.keys(bench, "pitui", WHOLE)
    ratio = ours.median / own.median
    yield Row(
        f"key to screen, idle, {WHOLE:,}: median", _ms(own.median), _ms(ours.median), ratio, "15 ms", ours.median <= 15
    )
    yield Row("  95 of 100", _ms(own.slow), _ms(ours.slow), ours.slow / own.slow)
    yield Row("  the first key", _ms(own.first), _ms(ours.first), ours.first / own.first)


def opening(options: Options) -> Iterator[Row]:
    """From exec to the end of a session on the screen."""
    session = options.bench.session(WHOLE)
    megabytes = session.stat().st_size / 1e6
    runs = [
        (measures.opening(options.bench, "pi", session), measures.opening(options.bench, "pitui", session))
        for _ in range(options.times + 1)
    ][1:]  # the first fills caches
    own, ours = _median(run[0].seconds for run in runs), _median(run[1].seconds for run in runs)
    what = f"opening {WHOLE:,} entries ({megabytes:.0f} MB)"
    yield Row(f"{what}: first screen", _s(own), _s(ours), ours / own, "0.4 of pi's own", ours <= own * 0.4)
    slowest = _median(measures.typing_on(options.bench, session) for _ in range(options.times))
    yield Row("  longest wait for a key typed while it opens", "", _ms(slowest))
    own, ours = _median(run[0].memory for run in runs), _median(run[1].memory for run in runs)
    yield Row("  memory at most, child not counted", _mb(own), _mb(ours), ours / own, "150 MB", ours <= 150)
    own, ours = _median(run[0].with_children for run in runs), _median(run[1].with_children for run in runs)
    yield Row("  memory at most, with the child", _mb(own), _mb(ours), ours / own)


def idle(options: Options) -> Iterator[Row]:
    """A minute in which nothing happens."""
    own = measures.standing(options.bench, "pi", 40, options.minute)
    ours = measures.standing(options.bench, "pitui", 40, options.minute)
    yield Row("idle minute: CPU", _s(own.cpu), _s(ours.cpu), None, "0.2 s", ours.cpu < 0.2)
    yield Row("  CPU of the agent beneath", "", _s(ours.children_cpu))
    yield Row("  wakeups", f"{own.wakeups}", f"{ours.wakeups}")


def _s(seconds: float) -> str:
    return f"{seconds:.2f} s"


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms"


def _mb(megabytes: float, digits: int = 0) -> str:
    return f"{megabytes:.{digits}f} MB"


PARTS: dict[str, Callable[[Options], Iterator[Row]]] = {
    "stream": streams,
    "keys": keys,
    "opening": opening,
    "idle": idle,
}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench transcript")
    parser.add_argument("--only", action="append", choices=tuple(PARTS), help="only this part; may be repeated")
    parser.add_argument("--times", type=int, default=3, help="how often streams and openings are measured")
    parser.add_argument("--characters", type=int, default=20_000, help="of the answer that streams")
    parser.add_argument("--rate", type=float, default=200, help="tokens a second")
    parser.add_argument("--minute", type=float, default=60, help="seconds to stand idle, told as a minute's")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        options = Options(
            Bench.make(pi_command(), Path(folder), chosen.rate), chosen.characters, chosen.times, chosen.minute
        )
        print(f"{chosen.characters:,} characters at {chosen.rate:g} tokens a second, in a terminal of 120x40")
        print(
            f"Medians of {chosen.times} runs; {os.cpu_count()} processors, of which {_load()} were in use at the start"
        )
        print("\n" + _line(HEAD))
        for name in chosen.only or PARTS:
            for row in PARTS[name](options):
                print(row, flush=True)
            print(f"\n{_load()} programs ran at the end")


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"
