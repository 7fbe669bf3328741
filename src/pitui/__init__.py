"""pitui: a terminal UI for the coding agent pi, over its RPC mode."""

__version__ = "0.1.0"
