"""All sessions: how soon the list is there, how long the index takes, and how long a search.

The sessions are made in a temporary folder, of words as frequent as words are, and of what tools put out.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pitui.pi.folders import folder_of
from pitui.pi.index import SessionIndex
from pitui.pi.sessions import session_folders

VOCABULARY = 40_000
QUERIES = (0, 1, 2), (0,), (1, 30), (5, 6, 7), (2000,), (20_000,)
"""Numbers of words by how frequent they are."""


class Writer:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        syllables = [first + second for first in "bcdfghjklmnprstvwz" for second in "aeiou"]
        self.words = list(
            dict.fromkeys(
                "".join(self.chance.choices(syllables, k=self.chance.choice((1, 2, 2, 3, 3, 4))))
                for _ in range(VOCABULARY)
            )
        )
        weights = [1 / (number + 3) for number in range(len(self.words))]
        self.weights = list(itertools.accumulate(weights))

    def text(self, count: int) -> str:
        return " ".join(self.chance.choices(self.words, cum_weights=self.weights, k=count))

    def output(self, size: int) -> str:
        line = f"src/pkg{self.chance.randrange(200)}/module{self.chance.randrange(3000)}.py: {self.text(12)}\n"
        return (line * (size // len(line) + 1))[:size]

    def entries(self, size: int, cwd: str) -> Iterator[dict[str, Any]]:
        """A session of about so many bytes: a third is what tools put out."""
        yield {"type": "session", "version": 3, "id": f"{self.chance.getrandbits(64):x}", "cwd": cwd}
        parent, written = None, 0
        while written < size:
            call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": f"grep -n {self.text(3)}"}}
            usage = {"input": 900, "output": 200, "totalTokens": 1100, "cost": {"total": 0.0123}}
            for message in (
                {"role": "user", "content": [{"type": "text", "text": self.text(30)}]},
                {"role": "assistant", "content": [{"type": "text", "text": self.text(250)}, call], "usage": usage},
                {
                    "role": "toolResult",
                    "toolCallId": "c",
                    "content": [{"type": "text", "text": self.output(self.size())}],
                },
            ):
                entry_id = f"{self.chance.getrandbits(32):08x}"
                entry = {"type": "message", "id": entry_id, "parentId": parent, "message": message}
                parent = entry_id
                written += len(json.dumps(entry))
                yield entry

    def size(self) -> int:
        return int(self.chance.lognormvariate(7.5, 1.2))


def make(root: Path, count: int, size: int) -> dict[str, str]:
    """`count` sessions of `size` bytes together, in twenty folders of work; the environment that leads to them."""
    environment = {"PI_CODING_AGENT_DIR": str(root)}
    writer = Writer(7)
    for number in range(count):
        cwd = Path(f"/projects/number-{number % 20}")
        folder = folder_of(cwd, environment)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"2026-11-29T21-38-38-824Z_{number:08}.jsonl"
        share = int(size / count * writer.chance.lognormvariate(-0.5, 1))
        with path.open("w", encoding="utf-8") as file:
            for entry in writer.entries(share, str(cwd)):
                file.write(json.dumps(entry, separators=(",", ":")) + "\n")
            if number == count // 2:
                said = {"role": "user", "content": "the needle in the hay"}
                file.write(json.dumps({"type": "message", "id": "needle", "parentId": None, "message": said}) + "\n")
        os.utime(path, (number, number))
    return environment


def timed(label: str, repeat: int, function: Any) -> Any:
    """Prints the median time, and that of the processor alone, which other programs do not lengthen as much."""
    spent: list[float] = []
    computed: list[float] = []
    for _ in range(repeat):
        start, processor = time.perf_counter(), time.thread_time()
        result = function()
        spent.append(time.perf_counter() - start)
        computed.append(time.thread_time() - processor)
    median, processor = statistics.median(spent) * 1000, statistics.median(computed) * 1000
    print(f"{label:<48}{median:10.1f} ms{processor:10.1f} ms of processor")
    return result


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench sessions")
    parser.add_argument("--sessions", type=int, default=3000)
    parser.add_argument("--megabytes", type=int, default=500)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        environment = make(Path(folder) / "agent", options.sessions, options.megabytes * 1_000_000)
        folders = session_folders(environ=environment)
        index = SessionIndex(Path(folder) / "index.sqlite3")
        try:
            measure(index, folders, Path(folder))
        finally:
            index.close()


def measure(index: SessionIndex, folders: Sequence[Path], folder: Path) -> None:
    stop = threading.Event()
    files = timed("the first list, nothing indexed", 1, lambda: index.sessions(folders))
    bytes_ = sum(file.size for file in files)
    start, processor, named = time.perf_counter(), time.process_time(), [0.0]

    def tell(progress: Any) -> None:
        if progress.sessions == len(files) and not named[0]:
            named[0] = time.perf_counter() - start

    index.refresh(folders, stop, tell)
    spent, processor = time.perf_counter() - start, time.process_time() - processor
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    print(f"{len(files):,} sessions, {bytes_ / 1e6:.0f} MB; the index takes {size / 1e6:.0f} MB")
    print(f"{'every name and first prompt known after':<52}{named[0] * 1000:10.1f} ms")
    print(f"{'everything indexed after':<52}{spent * 1000:10.1f} ms  {processor:.1f} s of processor")
    timed("nothing new", 5, lambda: index.refresh(folders, stop))
    with files[0].path.open("a") as file:
        file.write('{"type":"message","id":"x","message":{"role":"user","content":"a later word"}}\n')
    timed("one message more", 1, lambda: index.refresh(folders, stop))
    timed("the list", 5, lambda: index.sessions(folders))
    words = Writer(7).words
    typed = words[50]
    queries = [typed[:2], typed[:3], typed, *(" ".join(words[number] for number in query) for query in QUERIES)]
    for query in [*queries, "src/pkg12", "needle", "absent"]:
        found = timed(f"search “{query}”", 5, lambda query=query: index.search(query))
        print(f"{'':<52}{len(found):>10,} sessions")
