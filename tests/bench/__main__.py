"""Measures, printed as tables: ``python -m tests.bench NAME``, where NAME is one of the modules beside this one."""

import importlib
import sys

NAMES = ("start", "transcript", "sessions", "tree", "drawing", "files")


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"usage: python -m tests.bench {'|'.join(NAMES)}")
    importlib.import_module(f"tests.bench.{sys.argv[1]}").main(sys.argv[2:])


if __name__ == "__main__":
    main()
