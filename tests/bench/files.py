"""Files: how soon a list is there after the key, beside what ``git ls-files`` alone takes.

The repository is made in a temporary folder, with nothing committed.
"""

import argparse
import queue
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pitui.files.finder import Finder, Found
from pitui.files.listing import GIT


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench files")
    parser.add_argument("--files", type=int, default=100_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        measure(make(Path(folder), options.files))


def make(root: Path, count: int) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    for number in range(count):
        if number % 100 == 0:
            parent = root / f"package{number // 10_000}" / f"module{number // 100 % 100}"
            parent.mkdir(parents=True)
        (parent / f"source_file_{number}.py").touch()
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    return root


def measure(root: Path) -> None:
    start = time.perf_counter()
    subprocess.run(GIT, cwd=root, check=True, stdout=subprocess.DEVNULL)
    print(f"{'git ls-files alone':<44}{(time.perf_counter() - start) * 1000:10.0f} ms")
    answers: queue.SimpleQueue[Found] = queue.SimpleQueue()
    finder = Finder(answers.put)
    try:
        for query in ("s", "so", "source_file_9", "sf99", "package1/", "nothing"):
            ask(finder, answers, root, query)
    finally:
        finder.close()


def ask(finder: Finder, answers: "queue.SimpleQueue[Found]", root: Path, query: str) -> None:
    start, first = time.perf_counter(), 0.0
    number = finder.ask(root, query)
    asked = time.perf_counter() - start
    while True:
        found = answers.get(timeout=60)
        first = first or time.perf_counter() - start
        if found.number == number and not found.searching:
            break
    whole = time.perf_counter() - start
    print(
        f"{f'“{query}” among {found.listed:,}':<44}{whole * 1000:10.0f} ms, first of it after {first * 1000:.0f} ms;"
        f" the key took {asked * 1000:.2f} ms"
    )
