"""What a person does in pitui, and what they look for."""

import re

from tests.terminal.screen import Terminal


def send(terminal: Terminal, words: str) -> None:
    """Write into the prompt and send. Lines are pasted, as nobody types them."""
    if "\n" in words:
        terminal.paste(words)
    else:
        terminal.type(words)
    terminal.press("enter")


def opens_the_tree(terminal: Terminal) -> None:
    send(terminal, "/tree")
    terminal.wait("type to search")


def wait_for_answer(terminal: Terminal, text: str, seconds: float = 30) -> str:
    """Wait until a row of the chat begins with this; what the person wrote has a bar before it. The screen then."""
    begins = re.compile(rf"^ *{re.escape(text)}", re.MULTILINE)
    return terminal.wait(begins.search, seconds)


def stand_below_each_other(screen: str, *texts: str) -> bool:
    """Whether the texts stand in this order with one blank line between, and nothing else."""
    rows = [row.strip("│┃▌▎ ") for row in screen.split("\n")]
    wanted = [line for text in texts for line in (text, "")][:-1]
    return any(
        all(row.startswith(text) if text else not row for row, text in zip(rows[at:], wanted, strict=False))
        for at in range(len(rows) - len(wanted) + 1)
    )
