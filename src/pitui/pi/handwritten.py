"""The files that a person writes for pi by hand: whether pi can read them. pi itself says nothing of some."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COMMENTS = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*')
LAST_COMMAS = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def unreadable_files(agent_folder: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Those of pi's own folder and of a folder of work that pi cannot read, and why not."""
    for path in (agent_folder / "settings.json", agent_folder / "models.json", folder / ".pi" / "settings.json"):
        try:
            text = path.read_text("utf-8-sig")
            if path.name == "models.json":  # in it pi has comments, and commas after the last
                text = LAST_COMMAS.sub(r"\1", COMMENTS.sub(r"\1", text))
            content: Any = json.loads(text)
        except FileNotFoundError:
            continue
        except OSError as error:
            yield path, f"cannot be read: {os.strerror(error.errno or 0)}"
        except (ValueError, RecursionError) as error:
            yield path, f"not JSON: {error}"
        else:
            if not isinstance(content, dict):
                yield path, "an object is expected"
