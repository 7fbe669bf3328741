"""`python -m pitui`."""

import sys

from pitui.cli import main

if __name__ == "__main__":
    sys.exit(main())
