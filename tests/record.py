"""Record what the real pi says to every scenario: ``python -m tests.record [NAME ...]`` writes ``tests/recordings``.

A line is ``{"t": milliseconds, "to": "pi" | "client", "record": {...}}``. Folders of the machine are replaced, the
system prompt and the descriptions of tools are cut out, and what tools printed, or what repeats other records, is cut
short.
"""

import sys
from pathlib import Path
from typing import Any

from tests.e2e.conversation import Line, play
from tests.e2e.scenarios import SCENARIOS
from tests.realpi import pi_command

FOLDER = Path(__file__).resolve().parent / "recordings"
REPEATING = {"agent_end", "turn_end", "response"}
STREAMED = {"message_update", "bash_execution_update"}
LONGEST_REPEATED = 1000
LONGEST_PRINTED = 4000


def without_prompts(value: Any) -> Any:
    """The value with pi's system prompt and tool schemas left out: long, and nothing of the protocol."""
    if isinstance(value, list):
        return [without_prompts(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("role") == "system":
        tools = [{"name": tool["name"]} for tool in value.get("toolsAdded", [])]
        return {**value, "sections": dict.fromkeys(value.get("sections", {}), "..."), "toolsAdded": tools}
    return {key: without_prompts(item) for key, item in value.items()}


def shortened(value: Any, longest: int) -> Any:
    """The value with its texts cut to `longest` characters."""
    if isinstance(value, str):
        return value if len(value) <= longest else value[:longest] + "…"
    if isinstance(value, list):
        return [shortened(item, longest) for item in value]
    if isinstance(value, dict):
        return {key: shortened(item, longest) for key, item in value.items()}
    return value


def bounded(record: dict[str, Any]) -> dict[str, Any]:
    """The record as it is kept: what was streamed is whole, all else has an upper length."""
    record = without_prompts(record)
    if record.get("type") in REPEATING:
        return shortened(record, LONGEST_REPEATED)
    message = record.get("message")
    if record.get("type") in STREAMED or (isinstance(message, dict) and message.get("role") == "assistant"):
        return record
    return shortened(record, LONGEST_PRINTED)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or SCENARIOS:
        lines = [Line(line.t, line.to, bounded(line.record)) for line in play(SCENARIOS[name], pi_command())]
        text = "".join(line.json() + "\n" for line in lines)
        (FOLDER / f"{name}.jsonl").write_text(text, "utf-8")
        print(f"{name}: {len(lines)} records, {len(text) // 1024} KiB")


if __name__ == "__main__":
    main(sys.argv[1:])
