"""pitui's own extension in pi, for what pi's RPC mode has no command for, and how it is asked.

``companion.ts`` is the extension. `client` asks it.
"""

from pathlib import Path

COMPANION = Path(__file__).with_name("companion.ts")
"""The extension, for pi's ``-e``."""
